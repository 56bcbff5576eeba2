"""Groups of iterations compared on this machine: the rows and the numbers of a log that was just scored.

The answer is that of the server to which the same scores were pushed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gnomon.errors import InvalidInput
from gnomon.model.iterationgroups import ClusterBy, GroupBy, GroupComparison, IterationOptions
from gnomon.model.outcome import observed_signals
from gnomon.outcome import OutcomeReport, ScoredIteration
from gnomon.service.outcome.grouping import GroupScores, Question, cluster_of, compare_groups
from gnomon.service.outcome.iterationscores import SCORER, signal_scorer
from gnomon.store.iterations import IterationInGroup

_ONLY_STORED: Mapping[GroupBy, str] = {
    "label": "labels are given when scores are pushed",
    "rubric": "a log is scored by one rubric at a time",
}
_INSTEAD: Mapping[GroupBy, str] = {
    "label": "compare what was pushed, with --project",
    "rubric": "`gnomon outcome backfill` compares two",
}


def check_log_has(by: GroupBy) -> None:
    """Refuse what only stored iterations can be compared by."""
    if by in _ONLY_STORED:
        raise InvalidInput.of("by", f"--by {by}: {_ONLY_STORED[by]}; {_INSTEAD[by]}")


def compare_log(report: OutcomeReport, only: IterationOptions, question: Question) -> GroupComparison:
    """Compare two groups of the report's iterations; `only` may name a session, an agent, a model or a band."""
    chosen = [iteration for iteration in report.iterations if _is_meant(iteration, only)]
    rows = [_row(iteration) for iteration in chosen]
    evidence = _Scored({str(iteration.iteration): iteration for iteration in chosen})
    return compare_groups(question, rows, evidence, report.rubric.version, [report.rubric.version] if rows else [])


def _is_meant(iteration: ScoredIteration, only: IterationOptions) -> bool:
    facts = iteration.facts
    values = (iteration.record.agent.session_id, facts.agent, facts.model, iteration.score.band)
    wanted = (only.session_id, only.agent, only.model, only.band)
    return all(name is None or value == name for value, name in zip(values, wanted, strict=True))


def _row(iteration: ScoredIteration) -> IterationInGroup:
    record, score, facts = iteration.record, iteration.score, iteration.facts
    rules = None if facts.rules_files is None else [file.name for file in facts.rules_files]
    return IterationInGroup(
        id=str(iteration.iteration), source="", rubric_version=score.rubric_version,
        session_id=record.agent.session_id or None, task_id=record.task_id or None, date=record.date or None,
        agent=facts.agent or None, model=facts.model or None, labels=None, provisional=int(score.provisional),
        rules_files=rules,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scored:
    """The numbers and facts of iterations that were scored here."""

    iterations: Mapping[str, ScoredIteration]

    def scores(
        self, scorer_names: Collection[str] | None, rows: Sequence[IterationInGroup], cluster_by: ClusterBy
    ) -> GroupScores:
        values: dict[str, dict[str, float]] = {}
        for row in rows:
            for name, value in _numbers(self.iterations[row.id]).items():
                if scorer_names is None or name in scorer_names:
                    values.setdefault(name, {})[row.id] = value
        return GroupScores({row.id: cluster_of(row, cluster_by) for row in rows}, values)

    def facts(self) -> Mapping[str, frozenset[str]]:
        return {id: frozenset(observed_signals(iteration.score.breakdown)) for id, iteration in self.iterations.items()}


def _numbers(iteration: ScoredIteration) -> dict[str, float]:
    """The numbers as a push stores them."""
    score = iteration.score
    total = {SCORER: min(1.0, score.value)} if score.scored else {}
    return total | {signal_scorer(row.signal): row.sub_score for row in score.breakdown if row.present}
