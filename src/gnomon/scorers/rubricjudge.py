"""The scorer `rubric`: a model's opinion by a rubric, as a score of the whole and one per dimension.

What a rubric is, what is asked and how answers are held against it is in `rubric.py`; here that becomes a scorer
like the others. Scores from 0 to 10 become shares, so that they lie from 0 to 1 as all scores do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ValidationError, field_validator

from gnomon.model.bench import JudgeOutput
from gnomon.scorers.asking import JudgedValue, ModelScorer, Prompt, Verdict, joined_rationale, number_spread
from gnomon.scorers.judgeanswers import storable
from gnomon.scorers.protocol import Absent, Failed, Sample, Scored, ValueKind, WrongKeyError
from gnomon.scorers.rubric import (
    OVERALL,
    Finding,
    Pass,
    RubricAnswer,
    RubricOpinion,
    ScoringRubric,
    as_written,
    check,
    combine,
    nothing_to_ask,
    render,
    scores_of,
)

MOST_DIMENSIONS = 50
LARGEST_CONFIGURED = 64 * 1024
"""Bytes of a rubric inside a configuration: it is kept with every score of the whole."""
MOST_KEPT, LONGEST_QUOTE = 10, 300
"""Quotes that are nowhere in the material are kept to look at: some of them, and their beginnings."""
_HIGHEST = 10.0


class RubricJudge(ModelScorer):
    """A model's opinion on one output by a rubric."""

    name: Literal["rubric"] = "rubric"
    rubric: ScoringRubric

    @field_validator("rubric", mode="before")
    @classmethod
    def _as_in_a_file(cls, rubric: Any) -> Any:
        """What a file says as text may be a number or true here. The bounds are those of what is kept with scores."""
        if not isinstance(rubric, Mapping):
            return rubric
        written = as_written(rubric, LARGEST_CONFIGURED)
        dimensions = written.get("dimensions")
        if isinstance(dimensions, list) and len(dimensions) > MOST_DIMENSIONS:
            many = f"there are {len(dimensions)}, and each is a score of its own; keep {MOST_DIMENSIONS} at most"
            raise WrongKeyError("dimensions", many)
        return written

    @property
    def kind(self) -> ValueKind:
        return "numeric"

    @property
    def best_answer(self) -> str:
        return f"{_HIGHEST:g}"

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(dimension.name for dimension in self.rubric.dimensions)

    @property
    def shape(self) -> type[BaseModel] | None:
        return RubricAnswer

    def nothing_to_ask(self, sample: Sample, findings: Sequence[Finding] = ()) -> Absent | None:
        return nothing_to_ask(self._asked_about(sample), findings)

    def render(self, sample: Sample, delimiter: str, findings: Sequence[Finding] = ()) -> Prompt | Absent:
        return render(self.rubric, self._asked_about(sample), findings, delimiter, fence=self.fence)

    def _asked_about(self, sample: Sample) -> Sample:
        return sample if self.expected_output is None else replace(sample, expected_output=self.expected_output)

    def read(self, sample: Sample, answer: str) -> Scored | Failed:
        reading = self._read(sample, answer)
        return reading if isinstance(reading, Failed) else Scored(reading.output.overall_score / _HIGHEST)

    def conclude(self, sample: Sample, answers: Sequence[str], lost: Mapping[int, Failed]) -> Verdict:
        passes = [lost.get(index) or self._read(sample, answer) for index, answer in enumerate(answers)]
        unread = frozenset(index for index, vote in enumerate(passes) if isinstance(vote, Failed))
        opinion = self.opinion(passes)
        if opinion.output is None:
            kept = joined_rationale(answers) if opinion.evidence is None else opinion.evidence
            return Verdict(Failed(opinion.reason or "", kept), unread=unread)
        votes = [scores_of(vote.output) for vote in passes if isinstance(vote, Pass)]
        return Verdict(
            JudgedValue(
                opinion.output.overall_score / _HIGHEST,
                joined_rationale([f"{opinion.output.overall_assessment}\n\n{opinion.output.reasoning}"]),
                {**self._about(opinion), **self._counted(votes, OVERALL, len(passes))},
            ),
            self._dimensions(opinion.output, votes, len(passes)),
            unread,
        )

    def check(self, sample: Sample, answer: RubricAnswer, raw: str, findings: Sequence[Finding] = ()) -> Pass | Failed:
        """Check one answer against the rubric, the findings and the material. `raw` is kept if it cannot be used."""
        return check(self.rubric, sample, findings, answer, raw)

    def opinion(self, passes: Sequence[Pass | Failed], findings: Sequence[Finding] = ()) -> RubricOpinion:
        """The combined result of all passes, from 0 to 10."""
        return combine(self.rubric, findings, passes)

    def _read(self, sample: Sample, answer: str) -> Pass | Failed:
        """One answer, which is JSON: from brace to brace, since some models wrap it in a code block."""
        answer = storable(answer)
        if not answer.strip():
            return Failed("empty", answer)
        try:
            rubric_answer = RubricAnswer.model_validate_json(answer[answer.find("{") : answer.rfind("}") + 1])
        except ValidationError:
            return Failed("unparsable", answer)
        return self.check(sample, rubric_answer, answer)

    def _dimensions(
        self, output: JudgeOutput, votes: Sequence[Mapping[str, float]], vote_count: int
    ) -> dict[str, JudgedValue]:
        return {
            dimension_score.dimension: JudgedValue(
                dimension_score.score / _HIGHEST,
                joined_rationale([dimension_score.reasoning]),
                self._counted(votes, dimension_score.dimension, vote_count),
            )
            for dimension_score in output.dimension_scores
        }

    def _about(self, opinion: RubricOpinion) -> dict[str, Any]:
        """What the whole opinion says beside its scores."""
        assert opinion.weighted_score is not None  # it has an output
        paths = {"passed": opinion.passed, "passed_by": opinion.passed_by, "undecided": opinion.undecided}
        return {
            "rubric_hash": self.rubric.content_hash,
            "weighted_score": opinion.weighted_score / _HIGHEST,
            **(paths if self.rubric.paths_to_pass else {}),
            "flags": opinion.flags,
            "quotes_not_found": [storable(quote[:LONGEST_QUOTE]) for quote in opinion.quotes_not_found[:MOST_KEPT]],
        }

    def _counted(self, votes: Sequence[Mapping[str, float]], name: str, vote_count: int) -> dict[str, Any]:
        """The votes on one score; nothing where one was asked for."""
        if self.samples == 1:
            return {}
        values = [vote[name] / _HIGHEST for vote in votes]
        return {
            "votes": vote_count, "valid_votes": len(values), "spread": number_spread(values), "vote_values": values
        }  # fmt: skip
