"""Which items of the data an evaluation runs: the first N, and those that a filter takes.

A filter is `FIELD=VALUE`, `FIELD!=VALUE` or `FIELD~TEXT` (contains, ignoring case). FIELD is `id`, `input`,
`expected_output`, a key inside of one of them (`input.country`, `metadata.topic`) or the name of another column, which
is a key of the metadata.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.jsonvalue import as_text
from gnomon.model.nearest import nearest
from gnomon.service.evaluation.data import COLUMNS, EvaluationItem

FORM = "write FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT, as in metadata.topic=geography"
_FILTER = re.compile(r"\s*(?P<field>[^=~!]+?)\s*(?P<sign>!=|=|~)\s*(?P<value>.*?)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """One condition on an item."""

    path: tuple[str, ...]
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> "ItemFilter":
        match = _FILTER.fullmatch(text)
        if match is None:
            raise InvalidInput.of("filter", f"filter {text!r} has no comparison; {FORM}")
        path = tuple(match["field"].split("."))
        if path[0] not in COLUMNS:
            path = ("metadata", *path)
        return cls(path, match["sign"], match["value"])

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}{self.sign}{self.value}"

    def holds(self, item: EvaluationItem) -> bool:
        value = _value(item, self.path)
        text = None if value is None else as_text(value)
        if self.sign == "~":
            return text is not None and self.value.casefold() in text.casefold()
        return (text == self.value) == (self.sign == "=")

    def is_known(self, items: Sequence[EvaluationItem]) -> bool:
        """Whether any item has that field."""
        return self.path == ("id",) or any(_value(item, self.path) is not None for item in items)


@dataclass(frozen=True, slots=True)
class ItemSelection:
    """The first `limit` of the items for which every filter holds."""

    limit: int | None = None
    filters: tuple[ItemFilter, ...] = ()

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise InvalidInput.of("limit", f"limit is {self.limit}; run at least one item")

    def __bool__(self) -> bool:
        return self.limit is not None or bool(self.filters)

    def positions(self, items: Sequence[EvaluationItem]) -> list[int]:
        """The positions of the selected items. Refuses an empty selection: an evaluation needs an item."""
        for condition in self.filters:
            if not condition.is_known(items):
                raise InvalidInput.of("filter", f"filter {str(condition)!r}: {_no_field(condition.path, items)}")
        selected = [at for at, item in enumerate(items) if all(condition.holds(item) for condition in self.filters)]
        if not selected:
            texts = " and ".join(map(str, self.filters))
            raise InvalidInput.of("filter", f"no item of {len(items):,} has {texts}; loosen the filter")
        return selected[: self.limit]

    def as_json(self) -> dict[str, Any]:
        return {"limit": self.limit, "filters": [str(condition) for condition in self.filters]}


def _value(item: EvaluationItem, path: Sequence[str]) -> Any:
    value: Any = item.as_json()
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _no_field(path: Sequence[str], items: Sequence[EvaluationItem]) -> str:
    known = [*COLUMNS[:3], *dict.fromkeys(f"metadata.{key}" for item in items for key in item.metadata or ())]
    field = ".".join(path)
    near = nearest(field, known)
    hint = f"did you mean {near}?" if near else f"the fields are {short(', '.join(known)).strip(chr(39))}"
    return f"no item has {field}; {hint}"
