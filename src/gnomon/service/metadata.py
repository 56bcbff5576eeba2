"""Metadata that is indexed: which keys a project has an index of, and the values that spans give to them."""

from collections.abc import Mapping
from typing import Any

from gnomon.model.jsonvalue import dump
from gnomon.service.call import Call
from gnomon.store.spanstore import LONGEST_VALUE, MODEL, Indexed


class MetadataIndex:
    """Collects what a batch of spans gives to the indexed keys of its project."""

    def __init__(self, call: Call, project_id: str) -> None:
        self._keys = frozenset(call.spans.indexed_keys(call.db, project_id)) - {MODEL}
        self.values: set[Indexed] = set()

    def add(self, trace_id: str, model: str | None, metadata: Mapping[str, Any] | None) -> None:
        if model is not None and len(model) <= LONGEST_VALUE:
            self.values.add(Indexed(trace_id, MODEL, model))
        if metadata:
            for key in self._keys & metadata.keys():
                text = as_filter_text(metadata[key])
                if len(text) <= LONGEST_VALUE:
                    self.values.add(Indexed(trace_id, key, text))


def as_filter_text(value: Any) -> str:
    """A value as a filter writes it: a string as it is, all else as JSON."""
    return value if isinstance(value, str) else dump(value)
