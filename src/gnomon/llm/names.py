"""How a model's name may be written: dated, fine-tuned, with a path before it."""

import re
from collections.abc import Iterator

_DATED = re.compile(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|latest|default)$")
_FINE_TUNED = re.compile(r"^(ft:[^:]+)(?::[^:]*){3}$")


def variants(name: str) -> Iterator[str]:
    """The name, then those of the models that it is a dated or fine-tuned version of."""
    yield name
    base = _FINE_TUNED.sub(r"\1", name)
    if base != name:
        yield base
    if (undated := _DATED.sub("", base)) != base:
        yield undated
