"""A judge with a rubric: what it is asked, what its answer must hold, and what several answers say together.

A rubric is a file: dimensions, words on each, and paths to pass. A finding is a fact that rules established; the
judge sees it and may comment on it, and whatever it says the finding stands. Everything here is pure: files are
read and models asked elsewhere.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean, stdev
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from gnomon.errors import InvalidInput, Problem
from gnomon.model import yamltree
from gnomon.model.bench import JudgeDimensionScore, JudgeOutput
from gnomon.model.fields import FiniteNoun, Noun
from gnomon.model.jsonvalue import canonical, dump
from gnomon.model.yamltree import BadYaml
from gnomon.scorers.addressing import addresses_judge
from gnomon.scorers.asking import NOTICE, Prompt, as_texts, fenced_value, joined_rationale, sha256, unused_marker
from gnomon.scorers.protocol import (
    NO_OUTPUT,
    Absent,
    Failed,
    Sample,
    WrongKeyError,
    shortened,
    text,
)

OVERALL = "overall"
"""The judge's score of the whole: it stands beside the dimensions, so none may be called that."""
LARGEST_RUBRIC = 1 << 20
MOST_QUOTES = 200
"""So many quotes of an answer are looked up in the material; no judge in its right mind gives more."""
_CODE = "INVALID_RUBRIC"
_DEEPEST = 10


RubricText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Title = Annotated[RubricText, StringConstraints(max_length=100, pattern=r"^[^\p{C}]+$")]
"""A name on one line."""
TenPointScore = Annotated[float, Field(ge=0, le=10)]


# Rubrics


class _RubricModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Dimension(_RubricModel):
    """One thing that the judge scores from 0 to 10."""

    name: Title
    description: RubricText
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    scale: dict[str, RubricText] = Field(default_factory=dict, description="What some of the scores from 0 to 10 mean")

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, name: str) -> str:
        if _folded(name) == OVERALL:
            raise ValueError(
                f"{name!r} is the name of the judge's overall score; choose another name for the dimension"
            )
        return name

    @field_validator("scale")
    @classmethod
    def _scores(cls, scale: dict[str, str]) -> dict[str, str]:
        marks = {_mark(key): words for key, words in scale.items()}
        if len(marks) < len(scale):
            raise ValueError("two keys are the same score; keep one")
        return {f"{mark:g}": marks[mark] for mark in sorted(marks)}


class PathToPass(_RubricModel):
    """One way to pass: all of it must hold."""

    minimum: dict[str, TenPointScore] = Field(
        default_factory=dict, description=f"Dimension, or {OVERALL!r} → lowest score"
    )
    findings: dict[str, RubricText] = Field(default_factory=dict, description="Finding → the value that it must have")

    @model_validator(mode="after")
    def _asks_for_something(self) -> "PathToPass":
        if not self.minimum and not self.findings:
            raise ValueError("a path without conditions passes every output; give it minimum or findings")
        return self


class ScoringRubric(_RubricModel):
    """What a judge is asked to look at, and what is enough to pass."""

    version: RubricText = Field(description="The author's; raised when the rubric changes")
    name: Title
    instructions: RubricText
    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1)]
    overall: RubricText | None = Field(default=None, description="How to arrive at the score of the whole")
    paths_to_pass: dict[Title, PathToPass] = Field(default_factory=dict, description="Any one of them is enough")

    @model_validator(mode="after")
    def _names_agree(self) -> "ScoringRubric":
        names = [_folded(dimension.name) for dimension in self.dimensions]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise WrongKeyError(f"dimensions.{index}.name", f"{self.dimensions[index].name!r} is there twice")
        known = [*(dimension.name for dimension in self.dimensions), OVERALL]
        for path, path_to_pass in self.paths_to_pass.items():
            if unknown := [name for name in path_to_pass.minimum if name not in known]:
                key = f"paths_to_pass.{path}.minimum.{unknown[0]}"
                raise WrongKeyError(key, f"{unknown[0]!r} is not a dimension; there are {', '.join(known)}")
        return self

    @property
    def content_hash(self) -> str:
        """Which rubric made an opinion: equal for equal content, however the file was written."""
        return hashlib.sha256(canonical(self.model_dump()).encode()).hexdigest()[:16]


def read_rubric(content: bytes, source: str) -> ScoringRubric:
    """The rubric in a YAML file, or JSON where `source` ends in .json. `source` is the name for messages."""
    if len(content) > LARGEST_RUBRIC:
        raise _wrong(source, f"is longer than {LARGEST_RUBRIC >> 20} MiB; a rubric is read by a model, so shorten it")
    try:
        words = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(source, "is not UTF-8; save it as UTF-8") from None
    value = _json(words, source) if source.lower().endswith(".json") else _yaml(words, source)
    if not isinstance(value, dict):
        raise _wrong(source, f"holds {shortened(value)}, not a mapping; write name, instructions, dimensions, …")
    try:
        return ScoringRubric.model_validate(value)
    except ValidationError as bad:
        problems = [_problem(error) for error in bad.errors()]
        raise InvalidInput(f"{source}: {problems[0].message}", code=_CODE, problems=problems) from None


def _yaml(text: str, source: str) -> Any:
    """Scalars stay text, so that `no` is no false and 0123 no octal number; the rubric's fields convert them."""
    try:
        return yamltree.plain(yamltree.read(text.encode(), deepest=_DEEPEST, strict=True))
    except BadYaml as bad:
        raise InvalidInput(f"{source}: {bad}", code=_CODE) from None


def _json(words: str, source: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key, value in pairs:
            if key in mapping:
                raise _wrong(source, f"has the key {key!r} twice; keep one")
            mapping[key] = str(value).lower() if isinstance(value, bool) else "" if value is None else value
        return mapping

    try:
        return json.loads(words, object_pairs_hook=once, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as bad:
        raise _wrong(source, f"is not JSON ({bad})") from None


def as_written(rubric: Mapping[str, Any], largest: int) -> dict[str, Any]:
    """A rubric that came as an object, as a file would say it: scalars as text, and what is null left out."""
    written = {key: _as_text(value, 1) for key, value in rubric.items() if value is not None}
    size = len(dump(written).encode(errors="replace"))
    if size > largest:
        raise ValueError(f"it is {size:,} bytes as JSON; a rubric is read by a model, so keep it within {largest:,}")
    return written


def _as_text(value: Any, depth: int) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, Mapping | list | tuple):
        raise ValueError(f"a value of type {type(value).__name__} cannot be part of a rubric")
    if depth == _DEEPEST:
        raise ValueError(f"it is nested too deep; a rubric has no more than {_DEEPEST} levels")
    if isinstance(value, Mapping):
        return {key: _as_text(inner, depth + 1) for key, inner in value.items() if inner is not None}
    return [_as_text(inner, depth + 1) for inner in value]


def _wrong(source: str, message: str) -> InvalidInput:
    return InvalidInput(f"{source} {message}", code=_CODE)


def _problem(error: ErrorDetails) -> Problem:
    cause = error.get("ctx", {}).get("error")
    path = [str(part) for part in error["loc"] if part != "[key]"]
    key = ".".join([*path, *([cause.key] if isinstance(cause, WrongKeyError) else [])])
    if error["type"] == "extra_forbidden":
        message = f"{key} is {shortened(error['input'])}, and no such key is known; {_known(path[:-1])}"
    elif error["type"] == "missing":
        message = f"{key} is missing; {_known(path[:-1])}"
    elif cause is not None:
        message = f"{key}: {cause}"
    else:
        rule = error["msg"].replace("Input should", "it should", 1)
        message = f"{key} is {shortened(error['input'])}; {rule[:1].lower()}{rule[1:]}"
    return Problem(key, _CODE, message)


def _known(path: Sequence[str]) -> str:
    parts: dict[str, type[_RubricModel]] = {"dimensions": Dimension, "paths_to_pass": PathToPass}
    return f"the keys here are {', '.join(parts.get((*path, '')[0], ScoringRubric).model_fields)}"


def _mark(key: str) -> float:
    try:
        mark = float(key)
    except ValueError:
        mark = math.nan
    if not 0 <= mark <= 10:
        raise ValueError(f"{key!r} is not a score from 0 to 10")
    return mark


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


# What the judge is asked


class Finding(BaseModel):
    """A fact about a sample that rules established. It is given to the judge, who cannot change it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: Title
    value: bool | Annotated[float, Field(allow_inf_nan=False)] | str
    statement: RubricText


def doubled_finding(findings: Sequence[Finding]) -> str | None:
    """What is wrong when two findings have one name, so that it could not be said which of them stands."""
    counts = Counter(_folded(finding.name) for finding in findings)
    return next((f"two findings are named {name!r}; keep one" for name, count in counts.items() if count > 1), None)


class FindingStatement(_RubricModel):
    """The judge's statement on one finding."""

    finding: str = Field(description="Name of the finding")
    agrees: bool = Field(description="Whether the material bears the finding out")
    comment: str = Field(description="What should be added to it, or why you disagree")


class RubricAnswer(JudgeOutput):
    """The shape that a judge answers in."""

    finding_statements: list[FindingStatement] = Field(default_factory=list, description="One entry a finding")
    quotes: list[str] | None = Field(default=None, description="Evidence, word for word from the material")


_ROLE = "You judge what somebody else produced, by a rubric that you are given."
_FINDINGS = (
    "Rules established the findings, and they stand: your scores must be in keeping with them. In "
    "finding_statements say of each, under its name, whether you agree, and what should be added."
)
_QUOTES = "In quotes give the evidence that you rely on, word for word from input and output, with nothing left out."


def render(
    rubric: ScoringRubric, sample: Sample, findings: Sequence[Finding], delimiter: str, *, fence: bool = True
) -> Prompt | Absent:
    """What to ask about one sample. Parts are joined, and no value is ever looked into for more to fill in."""
    values = _quoted(sample, findings)
    if isinstance(values, Absent):
        return values
    instructions = "\n\n".join(_instructions(rubric, bool(findings)))
    if not fence:
        quoted = "".join(f"\n{name}:\n{value}\n" for name, value in values.items())
        return Prompt(_ROLE, f"{instructions}\n{quoted}", sha256(["bare", instructions, values]))
    marker = unused_marker(delimiter, values)
    quoted = "".join(fenced_value(name, value, marker) for name, value in values.items())
    return Prompt(
        f"{_ROLE}\n\n{NOTICE.format(marker=marker)}", f"{instructions}\n{quoted}", sha256([instructions, values])
    )


def nothing_to_ask(sample: Sample, findings: Sequence[Finding]) -> Absent | None:
    """Why `render` would make no prompt of this sample, without making one."""
    values = _quoted(sample, findings)
    return values if isinstance(values, Absent) else None


def _instructions(rubric: ScoringRubric, findings: bool) -> Iterator[str]:
    yield f"Rubric: {rubric.name}\n\n{rubric.instructions}"
    dimensions = "\n".join(_described(dimension) for dimension in rubric.dimensions)
    yield f"Dimensions, each to be scored from 0 to 10, in one entry under exactly this name:\n{dimensions}"
    yield f"Overall score, from 0 to 10: {rubric.overall or 'your judgement of the whole.'}"
    yield _QUOTES
    if findings:
        yield _FINDINGS
    yield "Judge the output."


def _described(dimension: Dimension) -> str:
    marks = [f"    {mark}: {words}" for mark, words in dimension.scale.items()]
    return "\n".join([f"- {dimension.name}: {dimension.description}", *marks])


def _quoted(sample: Sample, findings: Sequence[Finding]) -> dict[str, str] | Absent:
    """What is quoted, by name. A finding is one line of JSON: with line ends in it it cannot pass for two."""
    if sample.output is None:
        return NO_OUTPUT
    facts = [
        canonical({"finding": finding.name, "value": finding.value, "says": finding.statement}) for finding in findings
    ]
    fields = {
        "findings": "\n".join(facts) or None,
        "input": sample.input,
        "expected_output": sample.expected_output,
        "output": sample.output,
    }
    return as_texts({name: value for name, value in fields.items() if value is not None})


# What it answered


@dataclass(frozen=True, slots=True)
class Pass:
    """One answer that could be used."""

    output: JudgeOutput
    """With the rubric's names, in the rubric's order."""
    contradicted: dict[str, str]
    """Finding → the judge's comment."""
    quotes_not_found: tuple[str, ...]
    flags: frozenset[str]


def check(
    rubric: ScoringRubric, sample: Sample, findings: Sequence[Finding], answer: RubricAnswer, raw: str
) -> Pass | Failed:
    """Check one answer against the rubric, the findings and the material. `raw` is kept if it cannot be used."""
    scores = {_folded(dimension_score.dimension): dimension_score for dimension_score in answer.dimension_scores}
    names = {_folded(dimension.name): dimension.name for dimension in rubric.dimensions}
    if wrong := _wrong_dimensions(
        names, [_folded(dimension_score.dimension) for dimension_score in answer.dimension_scores]
    ):
        return Failed("dimensions", f"{wrong}\n{raw}")
    output = JudgeOutput(
        reasoning=answer.reasoning,
        dimension_scores=[scores[key].model_copy(update={"dimension": name}) for key, name in names.items()],
        overall_score=answer.overall_score,
        overall_assessment=answer.overall_assessment,
    )
    facts = {_folded(finding.name): finding.name for finding in findings}
    stated = {_folded(finding_statement.finding) for finding_statement in answer.finding_statements}
    against = [finding_statement for finding_statement in answer.finding_statements if not finding_statement.agrees]
    contradicted = {
        facts[key]: statement.comment for statement in against if (key := _folded(statement.finding)) in facts
    }
    invented = tuple(_not_found(answer.quotes or (), sample))
    flags = {
        "contradiction": bool(contradicted),
        "quote_not_found": bool(invented),
        "finding_not_addressed": not facts.keys() <= stated,
        "unknown_finding": not stated <= facts.keys(),
        "addresses_judge": addresses_judge(sample),
    }
    return Pass(output, contradicted, invented, frozenset(flag for flag, raised in flags.items() if raised))


def _wrong_dimensions(wanted: Mapping[str, str], answered: Sequence[str]) -> str:
    counts = Counter(answered)
    wrong = {
        "missing": [name for key, name in wanted.items() if key not in counts],
        "unknown": [key for key in counts if key not in wanted],
        "twice": [key for key, count in counts.items() if count > 1],
    }
    return "; ".join(f"{problem}: {', '.join(names)}" for problem, names in wrong.items() if names)


def _not_found(quotes: Iterable[str], sample: Sample) -> Iterator[str]:
    """Quotes that occur neither in the input nor in the output; how lines are broken does not matter."""
    values = [value for value in (sample.input, sample.output) if value is not None]
    texts = [_squeezed(part) for value in values for part in (text(value), *_strings(value))]
    for quote in islice(quotes, MOST_QUOTES):
        squeezed = _squeezed(quote)
        bare = squeezed.strip("\"'“”„‘’«»")
        if bare and not any(squeezed in part or bare in part for part in texts):
            yield quote


def _strings(value: Any) -> Iterator[str]:
    """The texts inside a JSON value: written as JSON their quotation marks and line ends look different."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _squeezed(words: str) -> str:
    return " ".join(words.split())


# What several answers say together


class Spread(FiniteNoun):
    """How far the passes lie apart in one score."""

    standard_deviation: float = Field(description="Of the passes (n − 1)")
    min: float
    max: float


class Contradiction(Noun):
    """A finding that the judge denied. The finding stands."""

    finding: str
    value: bool | float | str = Field(description="What rules established, and what stands")
    comments: list[str] = Field(description="What the judge said, one entry a pass that denied it")


class RubricOpinion(FiniteNoun):
    """A judge's opinion of one sample; or none, and why."""

    state: Literal["scored", "absent", "failed"]
    reason: str | None = Field(default=None, description="Why there is no opinion")
    evidence: str | None = Field(default=None, description="The raw answer, or what the provider said")
    output: JudgeOutput | None = Field(default=None, description="The mean of the passes")
    weighted_score: float | None = Field(default=None, description="Mean of the dimensions by weight, from 0 to 10")
    passed: bool | None = Field(default=None, description="Null when it cannot be said")
    passed_by: str | None = Field(default=None, description="The first path that was passed")
    undecided: str | None = Field(default=None, description="Why passed is null")
    spread: dict[str, Spread] | None = Field(default=None, description="By dimension and overall; with several passes")
    contradictions: list[Contradiction] = Field(default_factory=list)
    quotes_not_found: list[str] = Field(default_factory=list, description="Quotes that are nowhere in the material")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")
    passes: int = Field(default=0, description="Passes asked for")
    failures: dict[str, int] = Field(default_factory=dict, description="Why passes could not be used → how many")
    model: str | None = None
    rubric_hash: str | None = None
    prompt_hash: str | None = None
    tokens_input: int | None = Field(default=0, description="Null when a model did not report it")
    tokens_output: int | None = 0
    cost_usd: float | None = Field(default=0.0, description="Null when the price of a call is not known")


def no_opinion(why: Absent | Failed) -> RubricOpinion:
    if isinstance(why, Absent):
        return RubricOpinion(state="absent", reason=why.reason)
    return RubricOpinion(state="failed", reason=why.reason, evidence=why.evidence)


def combine(rubric: ScoringRubric, findings: Sequence[Finding], passes: Sequence[Pass | Failed]) -> RubricOpinion:
    """The mean of the passes with their spread. Failed ones drop out; with fewer than half left there is none."""
    valid = [opinion for opinion in passes if isinstance(opinion, Pass)]
    failed = [opinion for opinion in passes if isinstance(opinion, Failed)]
    reasons = Counter(failure.reason for failure in failed)
    counted = {"passes": len(passes), "failures": dict(reasons)}
    if 2 * len(valid) < len(passes) or not valid:
        usual = reasons.most_common(1)[0][0]
        why = next(failure for failure in failed if failure.reason == usual)
        return no_opinion(why).model_copy(update=counted)
    output = _mean([opinion.output for opinion in valid])
    scores = scores_of(output)
    passed, path, undecided = _passing(rubric, scores, findings)
    weights = [dimension.weight for dimension in rubric.dimensions]
    return RubricOpinion(
        state="scored",
        output=output,
        weighted_score=_rounded(fmean([scores[dimension.name] for dimension in rubric.dimensions], weights)),
        passed=passed,
        passed_by=path,
        undecided=undecided,
        spread=_spread([scores_of(opinion.output) for opinion in valid]),
        contradictions=_contradictions(findings, valid),
        quotes_not_found=list(dict.fromkeys(quote for opinion in valid for quote in opinion.quotes_not_found)),
        flags=sorted({*(flag for opinion in valid for flag in opinion.flags), *(["passes_failed"] if failed else [])}),
        **counted,
    )


def _mean(outputs: Sequence[JudgeOutput]) -> JudgeOutput:
    if len(outputs) == 1:
        return outputs[0]
    by_dimension = zip(*(output.dimension_scores for output in outputs), strict=True)
    return JudgeOutput(
        reasoning=joined_rationale([output.reasoning for output in outputs]),
        dimension_scores=[
            JudgeDimensionScore(
                dimension=several[0].dimension,
                score=_rounded(fmean(value.score for value in several)),
                reasoning=joined_rationale([value.reasoning for value in several]),
            )
            for several in by_dimension
        ],
        overall_score=_rounded(fmean(output.overall_score for output in outputs)),
        overall_assessment=joined_rationale([output.overall_assessment for output in outputs]),
    )


def _rounded(value: float) -> float:
    """A mean that ought to be 7 must not miss a bar of 7 by the last bit."""
    return round(value, 9)


def scores_of(output: JudgeOutput) -> dict[str, float]:
    """Dimension, or `OVERALL` → score from 0 to 10."""
    return {
        **{dimension_score.dimension: dimension_score.score for dimension_score in output.dimension_scores},
        OVERALL: output.overall_score,
    }


def _spread(passes: Sequence[Mapping[str, float]]) -> dict[str, Spread] | None:
    if len(passes) < 2:
        return None
    columns = {name: [scores[name] for scores in passes] for name in passes[0]}
    return {
        name: Spread(standard_deviation=_rounded(stdev(scores)), min=min(scores), max=max(scores))
        for name, scores in columns.items()
    }


def _contradictions(findings: Sequence[Finding], passes: Sequence[Pass]) -> list[Contradiction]:
    return [
        Contradiction(finding=finding.name, value=finding.value, comments=comments)
        for finding in findings
        if (comments := [judged.contradicted[finding.name] for judged in passes if finding.name in judged.contradicted])
    ]


def _passing(
    rubric: ScoringRubric, scores: Mapping[str, float], findings: Sequence[Finding]
) -> tuple[bool | None, str | None, str | None]:
    """(passed, by which path, why it cannot be said). What rules found counts, not what the judge says of it."""
    if not rubric.paths_to_pass:
        return None, None, "the rubric has no paths to pass"
    known = {finding.name: finding.value for finding in findings}
    undecided = None
    for name, path in rubric.paths_to_pass.items():
        missing = [finding for finding in path.findings if finding not in known]
        if all(scores[dimension] >= least for dimension, least in path.minimum.items()) and all(
            _same(known[finding], value) for finding, value in path.findings.items() if finding in known
        ):
            if not missing:
                return True, name, None
            undecided = undecided or f"path {name} needs the finding {missing[0]}, which was not given"
    return (None, None, undecided) if undecided else (False, None, None)


def _same(value: bool | float | str, expected: str) -> bool:
    """Whether a finding has the value that a rubric writes as text."""
    if isinstance(value, bool):
        return expected.casefold() == str(value).casefold()
    if isinstance(value, float):
        try:
            return float(expected) == value
        except ValueError:
            return False
    return value == expected
