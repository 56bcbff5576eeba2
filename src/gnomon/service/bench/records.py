"""What is kept of a benchmark's run that was pushed, beside its scores: the result with its evidence, and its cost.

A run's trace has it as the output of one span. A trace is written by whoever sends it, so what cannot be read as a
record is as if it were not there.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from gnomon.interop.spans import record_span_id
from gnomon.model.bench import JudgeOutput, RunScore
from gnomon.model.fields import FiniteNoun
from gnomon.model.transcript import Usage
from gnomon.service.bench.leaderboard import Ran
from gnomon.service.call import Call
from gnomon.store.rows import SpanRow

_AT_ONCE = 200


class BenchRecord(FiniteNoun):
    """A run as it was scored, and what it took."""

    agent_id: str
    scenario_id: str
    run_number: int
    run_score: RunScore
    judge: JudgeOutput | None = None
    cost_usd: float | None = None
    tokens: Usage | None = None
    latency_ms: float | None = None
    content_hash: str = ""
    tags: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def of(cls, run: Ran) -> "BenchRecord":
        fields = {name: getattr(run, name) for name in cls.model_fields}
        return cls(**{**fields, "tags": dict(run.tags)})

    def as_run(self) -> Ran:
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return Ran(**fields, path=Path())


def records_of(call: Call, project_id: str, trace_ids: Sequence[str]) -> dict[str, BenchRecord]:
    """Trace → the record in it. Traces without one are left out."""
    records: dict[str, BenchRecord] = {}
    for start in range(0, len(trace_ids), _AT_ONCE):
        keys = [(trace, record_span_id(trace)) for trace in trace_ids[start : start + _AT_ONCE]]
        for row in call.spans.at(call.db, project_id, keys):
            if (record := _read(row)) is not None:
                records[row.trace_id] = record
    return records


def _read(row: SpanRow) -> BenchRecord | None:
    if not isinstance(row.output, Mapping):
        return None
    try:
        return BenchRecord.model_validate(row.output)
    except ValidationError:
        return None
