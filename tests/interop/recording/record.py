"""Record one conversation through one instrumentation: `python tests/interop/recording/record.py NAME [FILE]`.

The spans are printed, or written to the file. Without a name, all names are printed. Those of `others.py` need
packages that are not among the development dependencies; the names of the packages stand there.
"""

import os
import sys
from pathlib import Path

from anthropic_model import anthropic_loopback
from capture import Capture, as_text
from conversation import loopback
from installed import RECORDERS as INSTALLED
from others import RECORDERS as OTHERS

RECORDERS = INSTALLED | OTHERS


def record(name: str) -> str:
    """One recording, as text. Instrumentations patch what they find, so a process records once."""
    capture = Capture()
    with loopback() as model, anthropic_loopback() as anthropic:
        os.environ |= model.environment() | {"ANTHROPIC_BASE_URL": anthropic, "ANTHROPIC_API_KEY": "loopback"}
        RECORDERS[name](capture)
    return as_text({"instrumentation": name, **capture.recording()})


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] not in RECORDERS:
        raise SystemExit("name one of: " + ", ".join(RECORDERS))
    text = record(arguments[0])
    if len(arguments) > 1:
        Path(arguments[1]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
