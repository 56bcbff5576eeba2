"""The LLM judge with the network left out: what to ask, and what the answers mean.

`LlmJudge.render` makes the prompt, `read` turns one answer into a score or a failure, `combine` makes one
opinion of several votes. Asking, keeping answers, and the delimiter's randomness are other rooms'
work, so everything here is tested with plain texts. How prose is read is in `answers.py`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from gnomon.scorers.asking import (
    NOTICE,
    JudgedValue,
    ModelScorer,
    Prompt,
    Verdict,
    as_texts,
    fenced_value,
    joined_rationale,
    number_spread,
    sha256,
    unused_marker,
)
from gnomon.scorers.judgeanswers import LONGEST_LABEL, first_number, folded, label_said, last_number, scaled, storable
from gnomon.scorers.protocol import (
    NO_EXPECTED,
    NO_OUTPUT,
    Absent,
    Failed,
    Sample,
    Scored,
    ValueKind,
    WrongKeyError,
    shortened,
)

PLACEHOLDERS = ("{{input}}", "{{output}}")

NO_TRACE = Absent("no trace: the prompt asks for {{trace}}, which only a whole trace has; score with target trace")
_PLACEHOLDER = re.compile(r"\{\{(input|output|expected_output|trace)\}\}")

Finite = Annotated[float, Field(allow_inf_nan=False)]


class ScoreRange(BaseModel):
    """The scale that the judge is asked to use."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    min: Finite
    max: Finite

    @model_validator(mode="after")
    def _ascending(self) -> "ScoreRange":
        if self.min >= self.max:
            raise ValueError(f"min {self.min:g} must be less than max {self.max:g}")
        return self


class LlmJudge(ModelScorer):
    """A model's opinion on one output, as a number or a label."""

    name: Literal["llm_judge"] = "llm_judge"
    prompt_template: str
    system_prompt: str | None = None
    score_extraction: Literal["numeric", "label"] = "numeric"
    score_range: ScoreRange = ScoreRange(min=0, max=1)
    labels: Annotated[list[str], Field(min_length=1)] | None = None
    reading: Literal["first_number", "last_number", "structured"] = "first_number"

    @property
    def kind(self) -> ValueKind:
        return "categorical" if self.score_extraction == "label" else "numeric"

    @property
    def best_answer(self) -> str:
        return f"{self.score_range.max:g}"

    @property
    def shape(self) -> type[BaseModel] | None:
        return structure(self) if self.reading == "structured" else None

    def nothing_to_ask(self, sample: Sample) -> Absent | None:
        values = _values(self, sample, set(_PLACEHOLDER.split(self.prompt_template)[1::2]))
        return values if isinstance(values, Absent) else None

    def render(self, sample: Sample, delimiter: str) -> Prompt | Absent:
        """The template with the sample's values, in one pass: what a value holds is never substituted again."""
        pieces = _PLACEHOLDER.split(self.prompt_template)  # text, name, text, name, …, text
        values = _values(self, sample, set(pieces[1::2]))
        if isinstance(values, Absent):
            return values
        if not self.fence:
            bare = "".join(values[piece] if at % 2 else piece for at, piece in enumerate(pieces))
            return Prompt(self.system_prompt, bare, sha256([self.system_prompt, bare]))
        marker = unused_marker(delimiter, values)
        fenced = "".join(
            fenced_value(piece, values[piece], marker) if at % 2 else piece for at, piece in enumerate(pieces)
        )
        # The parts are hashed, not the text: with the delimiter blanked, a value could imitate the end of another.
        return Prompt(_system(self, marker), fenced, sha256([_system(self, ""), pieces, values]))

    def read(self, sample: Sample, answer: str) -> Scored | Failed:
        return read(self, answer)

    def conclude(self, sample: Sample, answers: Sequence[str], lost: Mapping[int, Failed]) -> Verdict:
        votes = [lost.get(index) or read(self, answer) for index, answer in enumerate(answers)]
        opinion = combine(self, votes)
        unread = frozenset(index for index, vote in enumerate(votes) if isinstance(vote, Failed))
        rationale = joined_rationale(answers)
        if isinstance(opinion.result, Failed):
            kept = opinion.result.evidence
            return Verdict(Failed(opinion.result.reason, rationale if kept is None else kept), unread=unread)
        metadata = {
            "votes": opinion.asked, "valid_votes": opinion.valid, "spread": opinion.spread,
            "vote_values": [vote.value for vote in votes if isinstance(vote, Scored)],
        }  # fmt: skip
        return Verdict(
            JudgedValue(opinion.result.value, rationale, metadata if self.samples > 1 else {}), unread=unread
        )

    @field_validator("prompt_template")
    @classmethod
    def _has_placeholders(cls, template: str) -> str:
        if missing := [placeholder for placeholder in PLACEHOLDERS if placeholder not in template]:
            raise ValueError(f"must contain {' and '.join(missing)}, written without blanks")
        return template

    @field_validator("labels")
    @classmethod
    def _distinct(cls, labels: list[str] | None) -> list[str] | None:
        compared = [folded(label) for label in labels or ()]
        if not all(compared):
            raise ValueError("a label must not be empty")
        if len(set(compared)) < len(compared):
            raise ValueError("two labels are the same when case is ignored; make them distinct")
        if too_long := [label for label in labels or () if len(label.strip()) > LONGEST_LABEL]:
            raise ValueError(f"label {shortened(too_long[0])} is longer than {LONGEST_LABEL} characters; shorten it")
        return labels

    @model_validator(mode="after")
    def _labels_are_asked_for(self) -> "LlmJudge":
        if self.labels is not None and self.score_extraction != "label":
            raise WrongKeyError("labels", 'they are only read with score_extraction "label"; set it, or leave them out')
        return self


class StructuredScore(BaseModel):
    """Your judgement of what is quoted in the prompt."""

    reasoning: str = Field(description="Why, in a few sentences, before you decide")
    score: float = Field(strict=True, description="The score, on the scale that the prompt asks for")


class StructuredLabel(BaseModel):
    """Your judgement of what is quoted in the prompt."""

    reasoning: str = Field(description="Why, in a few sentences, before you decide")
    label: str = Field(description="The label alone, as the prompt names it")


@dataclass(frozen=True, slots=True)
class Opinion:
    """The result of the votes: the spread is sd, min, max and n of numbers, or the count of each label."""

    result: Scored | Failed
    spread: dict[str, float] | dict[str, int] | None
    valid: int
    asked: int


def read(judge: LlmJudge, answer: str) -> Scored | Failed:
    """What one answer says. A failure keeps the answer as its evidence."""
    answer = storable(answer)
    if not answer.strip():
        return Failed("empty", answer)
    if judge.reading == "structured":
        try:
            # From brace to brace: some models wrap their JSON in a code block.
            structured = structure(judge).model_validate_json(answer[answer.find("{") : answer.rfind("}") + 1])
        except ValidationError:
            return Failed("unparsable", answer)
        return read_structured(judge, structured)
    if judge.kind == "categorical":
        return label_said(answer, judge.labels, answer)
    number = last_number(answer) if judge.reading == "last_number" else first_number(answer)
    if number is None:
        return Failed("unparsable", answer)
    return scaled(number, judge.score_range.min, judge.score_range.max, answer)


def read_structured(judge: LlmJudge, structured: StructuredScore | StructuredLabel) -> Scored | Failed:
    """The same rules for an answer whose parts came apart already."""
    answer = structured.model_dump_json()
    if isinstance(structured, StructuredScore):
        return scaled(structured.score, judge.score_range.min, judge.score_range.max, answer)
    return label_said(storable(structured.label), judge.labels, answer)


def structure(judge: LlmJudge) -> type[StructuredScore] | type[StructuredLabel]:
    """What a model has to return when the reading is `structured`."""
    return StructuredLabel if judge.kind == "categorical" else StructuredScore


def combine(judge: LlmJudge, votes: Sequence[Scored | Failed]) -> Opinion:
    """The mean of numbers or the most frequent label; failed when fewer than half of the votes can be counted."""
    vote_count = max(judge.samples, len(votes))
    values = [vote.value for vote in votes if isinstance(vote, Scored)]
    numbers = [float(value) for value in values if not isinstance(value, str)]
    labels = Counter(value for value in values if isinstance(value, str))
    if not values or 2 * len(values) < vote_count:
        return Opinion(_failure(votes), None, len(values), vote_count)
    result = _most_frequent(labels) if labels else Scored(mean(numbers))
    spread = dict(labels) if labels else number_spread(numbers)
    return Opinion(result, spread if vote_count > 1 else None, len(values), vote_count)


def _values(judge: LlmJudge, sample: Sample, used: set[str]) -> dict[str, str] | Absent:
    expected = judge.expected_for(sample)
    if sample.output is None:
        return NO_OUTPUT
    if expected is None and "expected_output" in used:
        return NO_EXPECTED
    if sample.trace is None and "trace" in used:
        return NO_TRACE
    fields = {"input": sample.input, "output": sample.output, "expected_output": expected, "trace": sample.trace}
    return as_texts({name: fields[name] for name in sorted(used)})


def _system(judge: LlmJudge, marker: str) -> str:
    notice = NOTICE.format(marker=marker)
    return notice if judge.system_prompt is None else f"{judge.system_prompt}\n\n{notice}"


def _most_frequent(labels: Counter[str]) -> Scored | Failed:
    (label, most), *others = labels.most_common(2)
    if others and others[0][1] == most:
        return Failed("tie", ", ".join(f"{shortened(label)} {count}" for label, count in labels.most_common()))
    return Scored(label)


def _failure(votes: Sequence[Scored | Failed]) -> Failed:
    """The most frequent reason, with the evidence of the first vote that failed so."""
    failed = [vote for vote in votes if isinstance(vote, Failed)]
    if not failed:
        return Failed("too_few_votes")
    ((reason, _),) = Counter(vote.reason for vote in failed).most_common(1)
    return next(vote for vote in failed if vote.reason == reason)
