"""The texts that come in during a day. Data, in phrases.yaml; slots are filled by a world."""

from functools import lru_cache
from importlib.resources import files
from typing import Any

from gnomon.model.yamltree import as_json, read


def phrases(part: str) -> list[Any]:
    return _all()[part]


@lru_cache(maxsize=1)
def _all() -> dict[str, list[Any]]:
    file = files("gnomon.bench.noticing.generate").joinpath("phrases.yaml")
    by_part: dict[str, list[Any]] = as_json(read(file.read_bytes()))
    return by_part
