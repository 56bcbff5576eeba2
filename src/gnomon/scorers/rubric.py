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
from gnomon.model.bench import JudgeDimensionScore, JudgeOutput
from gnomon.model.fields import FiniteNoun, Noun
from gnomon.model.jsonvalue import canonical, dump
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


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Title = Annotated[Text, StringConstraints(max_length=100, pattern=r"^[^\p{C}]+$")]
"""A name on one line."""
Score = Annotated[float, Field(ge=0, le=10)]


# Rubrics


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Dimension(_Part):
    """One thing that the judge scores from 0 to 10."""

    name: Title
    description: Text
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    scale: dict[str, Text] = Field(default_factory=dict, description="What some of the scores from 0 to 10 mean")

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, name: str) -> str:
        if _folded(name) == OVERALL:
            raise ValueError(f"{name!r} is what the judge's score of the whole is called; name the dimension otherwise")
        return name

    @field_validator("scale")
    @classmethod
    def _scores(cls, scale: dict[str, str]) -> dict[str, str]:
        marks = {_mark(key): words for key, words in scale.items()}
        if len(marks) < len(scale):
            raise ValueError("two keys are the same score; keep one")
        return {f"{mark:g}": marks[mark] for mark in sorted(marks)}


class PathToPass(_Part):
    """One way to pass: all of it must hold."""

    minimum: dict[str, Score] = Field(default_factory=dict, description=f"Dimension, or {OVERALL!r} → lowest score")
    findings: dict[str, Text] = Field(default_factory=dict, description="Finding → the value that it must have")

    @model_validator(mode="after")
    def _asks_for_something(self) -> "PathToPass":
        if not self.minimum and not self.findings:
            raise ValueError("a path that asks for nothing is passed by everything; give it minimum or findings")
        return self


class Rubric(_Part):
    """What a judge is asked to look at, and what is enough to pass."""

    version: Text = Field(description="The author's; raised when the rubric changes")
    name: Title
    instructions: Text
    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1)]
    overall: Text | None = Field(default=None, description="How to arrive at the score of the whole")
    paths_to_pass: dict[Title, PathToPass] = Field(default_factory=dict, description="Any one of them is enough")

    @model_validator(mode="after")
    def _names_agree(self) -> "Rubric":
        names = [_folded(one.name) for one in self.dimensions]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise WrongKeyError(f"dimensions.{place}.name", f"{self.dimensions[place].name!r} is there twice")
        known = [*(one.name for one in self.dimensions), OVERALL]
        for path, wanted in self.paths_to_pass.items():
            if unknown := [name for name in wanted.minimum if name not in known]:
                key = f"paths_to_pass.{path}.minimum.{unknown[0]}"
                raise WrongKeyError(key, f"{unknown[0]!r} is no dimension; there are {', '.join(known)}")
        return self

    @property
    def content_hash(self) -> str:
        """Which rubric made an opinion: equal for equal content, however the file was written."""
        return hashlib.sha256(canonical(self.model_dump()).encode()).hexdigest()[:16]


def read_rubric(content: bytes, source: str) -> Rubric:
    """The rubric in a YAML file, or JSON where `source` ends in .json. `source` is the name for messages."""
    if len(content) > LARGEST_RUBRIC:
        raise _wrong(source, f"is longer than {LARGEST_RUBRIC >> 20} MiB; a rubric is read by a model, so shorten it")
    try:
        words = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(source, "is not UTF-8; save it as UTF-8") from None
    found = _json(words, source) if source.lower().endswith(".json") else _yaml(words, source)
    if not isinstance(found, dict):
        raise _wrong(source, f"holds {shortened(found)}, not a mapping; write name, instructions, dimensions, …")
    try:
        return Rubric.model_validate(found)
    except ValidationError as bad:
        problems = [_problem(error) for error in bad.errors()]
        raise InvalidInput(f"{source}: {problems[0].message}", code=_CODE, problems=problems) from None


def _yaml(words: str, source: str) -> Any:
    """Scalars stay text, so that `no` is no false and 0123 no octal number; the rubric's fields convert them.

    Built from events: the library's own tree ends the process where brackets are nested deep enough.
    """
    import yaml

    try:
        events = yaml.parse(words, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        next(events)  # the stream's start
        if isinstance(next(events), yaml.StreamEndEvent):
            return ""
        found = _built(events, source, 0)
        if any(isinstance(event, yaml.DocumentStartEvent) for event in events):
            raise _wrong(source, "holds several documents; keep one")
    except yaml.MarkedYAMLError as bad:
        line = f", line {bad.problem_mark.line + 1}" if bad.problem_mark else ""
        raise InvalidInput(f"{source}{line} is not YAML ({bad.problem or bad.context})", code=_CODE) from None
    except yaml.YAMLError as bad:
        raise _wrong(source, f"is not YAML ({str(bad).splitlines()[0]})") from None
    return found


def _built(events: Iterator[Any], source: str, depth: int) -> Any:
    """The value that begins with the next event; None where a list or mapping ends."""
    event = next(events)
    where = f"{source}, line {event.start_mark.line + 1}"
    kind = type(event).__name__
    if kind == "ScalarEvent":
        return event.value
    if kind == "AliasEvent":
        raise InvalidInput(f"{where}: *{event.anchor} is an alias; write out what it stands for", code=_CODE)
    if depth == _DEEPEST:
        raise InvalidInput(f"{where} is nested too deep; a rubric has no more than {_DEEPEST} levels", code=_CODE)
    if kind == "SequenceStartEvent":
        return list(iter(lambda: _built(events, source, depth + 1), None))
    return _mapping(events, source, depth) if kind == "MappingStartEvent" else None


def _mapping(events: Iterator[Any], source: str, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in events:
        where = f"{source}, line {key.start_mark.line + 1}"
        if type(key).__name__ == "MappingEndEvent":
            break
        if type(key).__name__ != "ScalarEvent":
            raise InvalidInput(f"{where} has a key that is not text; write it as key: value", code=_CODE)
        if key.value in found:
            raise InvalidInput(f"{where}: the key {key.value!r} is there twice; keep one", code=_CODE)
        found[key.value] = _built(events, source, depth + 1)
    return found


def _json(words: str, source: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise _wrong(source, f"has the key {key!r} twice; keep one")
            found[key] = str(value).lower() if isinstance(value, bool) else "" if value is None else value
        return found

    try:
        return json.loads(words, object_pairs_hook=once, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as bad:
        raise _wrong(source, f"is not JSON ({bad})") from None


def as_written(given: Mapping[str, Any], largest: int) -> dict[str, Any]:
    """A rubric that came as an object, as a file would say it: scalars as text, and what is null left out."""
    found = {key: _as_text(value, 1) for key, value in given.items() if value is not None}
    size = len(dump(found).encode(errors="replace"))
    if size > largest:
        raise ValueError(f"it is {size:,} bytes as JSON; a rubric is read by a model, so keep it within {largest:,}")
    return found


def _as_text(value: Any, depth: int) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, Mapping | list | tuple):
        raise ValueError(f"a value of type {type(value).__name__} is no part of a rubric")
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
        said = f"{key} is {shortened(error['input'])}, and no such key is known; {_known(path[:-1])}"
    elif error["type"] == "missing":
        said = f"{key} is missing; {_known(path[:-1])}"
    elif cause is not None:
        said = f"{key}: {cause}"
    else:
        rule = error["msg"].replace("Input should", "it should", 1)
        said = f"{key} is {shortened(error['input'])}; {rule[:1].lower()}{rule[1:]}"
    return Problem(key, _CODE, said)


def _known(path: Sequence[str]) -> str:
    parts: dict[str, type[_Part]] = {"dimensions": Dimension, "paths_to_pass": PathToPass}
    return f"the keys here are {', '.join(parts.get((*path, '')[0], Rubric).model_fields)}"


def _mark(key: str) -> float:
    try:
        mark = float(key)
    except ValueError:
        mark = math.nan
    if not 0 <= mark <= 10:
        raise ValueError(f"{key!r} is no score from 0 to 10")
    return mark


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


# What the judge is asked


class Finding(BaseModel):
    """A fact that rules established of a sample. The judge is told, and cannot change it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: Title
    value: bool | Annotated[float, Field(allow_inf_nan=False)] | str
    statement: Text


def doubled_finding(findings: Sequence[Finding]) -> str | None:
    """What is wrong when two findings have one name, so that it could not be said which of them stands."""
    counts = Counter(_folded(one.name) for one in findings)
    return next((f"two findings are named {name!r}; keep one" for name, count in counts.items() if count > 1), None)


class FindingStatement(_Part):
    """What the judge says of one finding."""

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
    rubric: Rubric, sample: Sample, findings: Sequence[Finding], delimiter: str, *, fence: bool = True
) -> Prompt | Absent:
    """What to ask about one sample. Parts are joined, and no value is ever looked into for more to fill in."""
    values = _quoted(sample, findings)
    if isinstance(values, Absent):
        return values
    asked = "\n\n".join(_instructions(rubric, bool(findings)))
    if not fence:
        quoted = "".join(f"\n{name}:\n{value}\n" for name, value in values.items())
        return Prompt(_ROLE, f"{asked}\n{quoted}", sha256(["bare", asked, values]))
    marker = unused_marker(delimiter, values)
    quoted = "".join(fenced_value(name, value, marker) for name, value in values.items())
    return Prompt(f"{_ROLE}\n\n{NOTICE.format(marker=marker)}", f"{asked}\n{quoted}", sha256([asked, values]))


def nothing_to_ask(sample: Sample, findings: Sequence[Finding]) -> Absent | None:
    """Why `render` would make no prompt of this sample, told without making one."""
    values = _quoted(sample, findings)
    return values if isinstance(values, Absent) else None


def _instructions(rubric: Rubric, findings: bool) -> Iterator[str]:
    yield f"Rubric: {rubric.name}\n\n{rubric.instructions}"
    dimensions = "\n".join(_described(one) for one in rubric.dimensions)
    yield f"Dimensions, each to be scored from 0 to 10, in one entry under exactly this name:\n{dimensions}"
    yield f"Overall score, from 0 to 10: {rubric.overall or 'your judgement of the whole.'}"
    yield _QUOTES
    if findings:
        yield _FINDINGS
    yield "Judge the output."


def _described(one: Dimension) -> str:
    marks = [f"    {mark}: {words}" for mark, words in one.scale.items()]
    return "\n".join([f"- {one.name}: {one.description}", *marks])


def _quoted(sample: Sample, findings: Sequence[Finding]) -> dict[str, str] | Absent:
    """What is quoted, by name. A finding is one line of JSON: with line ends in it it cannot pass for two."""
    if sample.output is None:
        return NO_OUTPUT
    facts = [canonical({"finding": one.name, "value": one.value, "says": one.statement}) for one in findings]
    given = {
        "findings": "\n".join(facts) or None,
        "input": sample.input,
        "expected_output": sample.expected_output,
        "output": sample.output,
    }
    return as_texts({name: value for name, value in given.items() if value is not None})


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


def check(rubric: Rubric, sample: Sample, findings: Sequence[Finding], answer: RubricAnswer, raw: str) -> Pass | Failed:
    """One answer, held against the rubric, the findings and the material. `raw` is kept where it cannot be used."""
    given = {_folded(one.dimension): one for one in answer.dimension_scores}
    wanted = {_folded(one.name): one.name for one in rubric.dimensions}
    if wrong := _wrong_dimensions(wanted, [_folded(one.dimension) for one in answer.dimension_scores]):
        return Failed("dimensions", f"{wrong}\n{raw}")
    output = JudgeOutput(
        reasoning=answer.reasoning,
        dimension_scores=[given[key].model_copy(update={"dimension": name}) for key, name in wanted.items()],
        overall_score=answer.overall_score,
        overall_assessment=answer.overall_assessment,
    )
    facts = {_folded(one.name): one.name for one in findings}
    stated = {_folded(one.finding) for one in answer.finding_statements}
    against = [one for one in answer.finding_statements if not one.agrees]
    contradicted = {facts[key]: one.comment for one in against if (key := _folded(one.finding)) in facts}
    invented = tuple(_not_found(answer.quotes or (), sample))
    flags = {
        "contradiction": bool(contradicted),
        "quote_not_found": bool(invented),
        "finding_not_addressed": not facts.keys() <= stated,
        "unknown_finding": not stated <= facts.keys(),
        "addresses_judge": addresses_judge(sample),
    }
    return Pass(output, contradicted, invented, frozenset(flag for flag, raised in flags.items() if raised))


def _wrong_dimensions(wanted: Mapping[str, str], given: Sequence[str]) -> str:
    counts = Counter(given)
    wrong = {
        "missing": [name for key, name in wanted.items() if key not in counts],
        "unknown": [key for key in counts if key not in wanted],
        "twice": [key for key, count in counts.items() if count > 1],
    }
    return "; ".join(f"{what}: {', '.join(names)}" for what, names in wrong.items() if names)


def _not_found(quotes: Iterable[str], sample: Sample) -> Iterator[str]:
    """Quotes that occur neither in the input nor in the output; how lines are broken does not matter."""
    values = [value for value in (sample.input, sample.output) if value is not None]
    texts = [_squeezed(one) for value in values for one in (text(value), *_strings(value))]
    for quote in islice(quotes, MOST_QUOTES):
        wanted = _squeezed(quote)
        bare = wanted.strip("\"'“”„‘’«»")
        if bare and not any(wanted in one or bare in one for one in texts):
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
    tokens_input: int | None = Field(default=0, description="Null when somebody did not say")
    tokens_output: int | None = 0
    cost_usd: float | None = Field(default=0.0, description="Null when the price of a call is not known")


def no_opinion(why: Absent | Failed) -> RubricOpinion:
    if isinstance(why, Absent):
        return RubricOpinion(state="absent", reason=why.reason)
    return RubricOpinion(state="failed", reason=why.reason, evidence=why.evidence)


def combine(rubric: Rubric, findings: Sequence[Finding], passes: Sequence[Pass | Failed]) -> RubricOpinion:
    """The mean of the passes with their spread. Failed ones drop out; with fewer than half left there is none."""
    valid = [one for one in passes if isinstance(one, Pass)]
    failed = [one for one in passes if isinstance(one, Failed)]
    reasons = Counter(one.reason for one in failed)
    counted = {"passes": len(passes), "failures": dict(reasons)}
    if 2 * len(valid) < len(passes) or not valid:
        usual = reasons.most_common(1)[0][0]
        why = next(one for one in failed if one.reason == usual)
        return no_opinion(why).model_copy(update=counted)
    output = _mean([one.output for one in valid])
    scores = scores_of(output)
    passed, path, undecided = _passing(rubric, scores, findings)
    weights = [one.weight for one in rubric.dimensions]
    return RubricOpinion(
        state="scored",
        output=output,
        weighted_score=_rounded(fmean([scores[one.name] for one in rubric.dimensions], weights)),
        passed=passed,
        passed_by=path,
        undecided=undecided,
        spread=_spread([scores_of(one.output) for one in valid]),
        contradictions=_contradictions(findings, valid),
        quotes_not_found=list(dict.fromkeys(quote for one in valid for quote in one.quotes_not_found)),
        flags=sorted({*(flag for one in valid for flag in one.flags), *(["passes_failed"] if failed else [])}),
        **counted,
    )


def _mean(outputs: Sequence[JudgeOutput]) -> JudgeOutput:
    if len(outputs) == 1:
        return outputs[0]
    by_dimension = zip(*(one.dimension_scores for one in outputs), strict=True)
    return JudgeOutput(
        reasoning=joined_rationale([one.reasoning for one in outputs]),
        dimension_scores=[
            JudgeDimensionScore(
                dimension=several[0].dimension,
                score=_rounded(fmean(one.score for one in several)),
                reasoning=joined_rationale([one.reasoning for one in several]),
            )
            for several in by_dimension
        ],
        overall_score=_rounded(fmean(one.overall_score for one in outputs)),
        overall_assessment=joined_rationale([one.overall_assessment for one in outputs]),
    )


def _rounded(value: float) -> float:
    """A mean that ought to be 7 must not miss a bar of 7 by the last bit."""
    return round(value, 9)


def scores_of(output: JudgeOutput) -> dict[str, float]:
    """Dimension, or `OVERALL` → score from 0 to 10."""
    return {**{one.dimension: one.score for one in output.dimension_scores}, OVERALL: output.overall_score}


def _spread(passes: Sequence[Mapping[str, float]]) -> dict[str, Spread] | None:
    if len(passes) < 2:
        return None
    columns = {name: [one[name] for one in passes] for name in passes[0]}
    return {
        name: Spread(standard_deviation=_rounded(stdev(scores)), min=min(scores), max=max(scores))
        for name, scores in columns.items()
    }


def _contradictions(findings: Sequence[Finding], passes: Sequence[Pass]) -> list[Contradiction]:
    return [
        Contradiction(finding=one.name, value=one.value, comments=comments)
        for one in findings
        if (comments := [made.contradicted[one.name] for made in passes if one.name in made.contradicted])
    ]


def _passing(
    rubric: Rubric, scores: Mapping[str, float], findings: Sequence[Finding]
) -> tuple[bool | None, str | None, str | None]:
    """(passed, by which path, why it cannot be said). What rules found counts, not what the judge says of it."""
    if not rubric.paths_to_pass:
        return None, None, "the rubric has no paths to pass"
    known = {one.name: one.value for one in findings}
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


def _same(value: bool | float | str, wanted: str) -> bool:
    """Whether a finding has the value that a rubric writes as text."""
    if isinstance(value, bool):
        return wanted.casefold() == str(value).casefold()
    if isinstance(value, float):
        try:
            return float(wanted) == value
        except ValueError:
            return False
    return value == wanted
