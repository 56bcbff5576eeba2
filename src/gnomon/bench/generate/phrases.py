"""The texts that come in during a day. Data, in phrases.yaml; slots are filled by a world."""

from functools import lru_cache
from importlib.resources import files
from typing import Any

from gnomon.bench.generate.worlds import read_yaml


def phrases(part: str) -> list[Any]:
    return _all()[part]


@lru_cache(maxsize=1)
def _all() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = read_yaml(
        files("gnomon.bench.generate").joinpath("phrases.yaml").read_text(encoding="utf-8")
    )
    return found
