"""`python -m gnomon` and the `gnomon` command."""

from gnomon.cli.main import main

if __name__ == "__main__":
    main()
