"""The HTTP contract, as tests that know the server only by its answers."""
