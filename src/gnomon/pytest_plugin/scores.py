"""The fixture `gnomon`: score single outputs in ordinary tests."""

from typing import Any

import pytest

from gnomon.errors import InvalidInput
from gnomon.model.score import ScorerSpec
from gnomon.report.text.drawing import clean, number
from gnomon.scorers import ModelScorer, Sample, Scored, build
from gnomon.sdk.suites import scorer_of
from gnomon.service.evaluation.binding import bind_scorers, name_of
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.scoring import Finished, ItemTrial, Scoring


class SampleScores:
    """What the fixture is. Scores are shown in the terminal; nothing is stored."""

    def __init__(self, node: pytest.Item) -> None:
        self._node = node

    def score(self, scorer: Any, output: Any, *, expected_output: Any = None, input: Any = None) -> float | str:
        """The score of one output: a number in [0, 1], or a label.

        `scorer` is the name of a built-in one, `{"regex": {"pattern": "…"}}`, `gn.regex("…")`, or a function. Where
        there is no score the test fails, with the reason.
        """
        if isinstance(scorer, str | dict):
            scorer = scorer_of(scorer, self._node.path.parent)
        (bound,) = bind_scorers([scorer])
        name = name_of(bound)
        if isinstance(bound, ScorerSpec):
            built = build(bound.scorer or bound.scorer_name, bound.config)
            if isinstance(built, ModelScorer):
                words = f"{name} asks a model; use it in @pytest.mark.gnomon(scorers=[…]), where its cost is counted"
                raise InvalidInput.of("scorer", words)
            measurement = built.score(Sample(input, output, expected_output))
            value = measurement.value if isinstance(measurement, Scored) else None
            reason = None if isinstance(measurement, Scored) else measurement.reason
        else:
            item = EvaluationItem(None, input, expected_output)
            scoring = Scoring([bound])
            try:
                first = scoring.scored(Finished(ItemTrial(item, "", 0), output), None).scores[0]
            finally:
                scoring.close()
            value, reason = first.value, first.absent or first.failed
        if value is None:
            pytest.fail(f"{name} has no score: {reason}", pytrace=False)
        self._show(name, value)
        return value

    def _show(self, name: str, value: float | str) -> None:
        known: dict[str, Any] = getattr(self._node, "gnomon_report", None) or {"decision": None, "lines": []}
        shown = number(value) if isinstance(value, float) else clean(value)
        known["lines"] = [*known["lines"], f"{self._node.nodeid}: {clean(name)} {shown}"]
        self._node.gnomon_report = known  # type: ignore[attr-defined]
