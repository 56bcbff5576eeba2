"""The built-in scorers as functions of their configuration, and the decorator `scorer` for functions of your own.

Each function checks its configuration at once and returns a `ScorerSpec`. The configurations themselves are declared by
the scorers (`gnomon.scorers`); a test holds names and defaults here to theirs. Every function takes `name=`, the name
of the scores when it should not be the scorer's own.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, overload

from pydantic import BaseModel

from gnomon.errors import InvalidInput
from gnomon.model.score import ScorerSpec
from gnomon.scorers import build
from gnomon.scorers.rubric import read_rubric
from gnomon.service.evaluation.binding import FunctionScorer, callable_name, check_scorer_name

ScorerFunction = Callable[..., Any]


@overload
def scorer(function: ScorerFunction, /) -> FunctionScorer: ...
@overload
def scorer(*, name: str | None = None, version: str | None = None) -> Callable[[ScorerFunction], FunctionScorer]: ...
def scorer(
    function: ScorerFunction | None = None, /, *, name: str | None = None, version: str | None = None
) -> FunctionScorer | Callable[[ScorerFunction], FunctionScorer]:
    """Make a scorer of a function, with a name of its own for the scores.

    The function's parameters are among `input`, `output`, `expected_output`, `metadata`, `trace` and `sample`. It
    returns a number in [0, 1], a bool, a label, `Scored(...)`, a dict of several of these, or None where there is
    nothing to score. The key `tone` of a dict becomes the score `NAME.tone`. `version` stands for the function's source
    when it is decided whether the scorer has changed.

    >>> @gn.scorer(name="brief")
    ... def at_most_ten_words(output):
    ...     return len(output.split()) <= 10
    >>> at_most_ten_words.name
    'brief'
    >>> at_most_ten_words("It still is a function.")
    True
    """

    def named(function: ScorerFunction) -> FunctionScorer:
        if not callable(function):
            raise InvalidInput.of("scorer", f"{function!r} cannot be called; put @scorer above a function")
        check_scorer_name(callable_name(function) if name is None else name)
        return FunctionScorer(function, name or callable_name(function), version)

    return named if function is None else named(function)


def exact_match(
    *,
    case_sensitive: bool = True,
    strip_whitespace: bool = True,
    expected_output: Any = None,
    name: str | None = None,
) -> ScorerSpec:
    """1.0 when output and expected output are the same text, else 0.0.

    >>> gn.exact_match(case_sensitive=False)
    ScorerSpec(scorer_name='exact_match', scorer=None, config={'case_sensitive': False})
    """
    return _spec(
        "exact_match",
        name,
        case_sensitive=case_sensitive,
        strip_whitespace=strip_whitespace,
        expected_output=expected_output,
    )


def contains(*, case_sensitive: bool = True, expected_output: Any = None, name: str | None = None) -> ScorerSpec:
    """1.0 when the expected text occurs in the output, else 0.0.

    >>> gn.contains(expected_output="Paris", name="names_paris")
    ScorerSpec(scorer_name='names_paris', scorer='contains', config={'expected_output': 'Paris'})
    """
    return _spec("contains", name, case_sensitive=case_sensitive, expected_output=expected_output)


def regex(pattern: str, *, flags: str = "", name: str | None = None) -> ScorerSpec:
    """1.0 when the pattern (in RE2's dialect) matches anywhere in the output, else 0.0. Flags: any of i, m and s.

    >>> gn.regex("[0-9]+", flags="i").config
    {'pattern': '[0-9]+', 'flags': 'i'}
    """
    return _spec("regex", name, pattern=pattern, flags=flags)


def one_of(values: Sequence[Any], *, case_sensitive: bool = True, name: str | None = None) -> ScorerSpec:
    """1.0 when the output, without surrounding whitespace, is one of the values, else 0.0.

    >>> gn.one_of(["yes", "no"]).config
    {'values': ['yes', 'no']}
    """
    return _spec("one_of", name, values=_listed(values), case_sensitive=case_sensitive)


def contains_all(values: Sequence[Any], *, case_sensitive: bool = True, name: str | None = None) -> ScorerSpec:
    """1.0 when every one of the values occurs in the output, else 0.0.

    >>> gn.contains_all(["Rome", "Paris"]).config
    {'values': ['Rome', 'Paris']}
    """
    return _spec("contains_all", name, values=_listed(values), case_sensitive=case_sensitive)


def contains_any(values: Sequence[Any], *, case_sensitive: bool = True, name: str | None = None) -> ScorerSpec:
    """1.0 when at least one of the values occurs in the output, else 0.0.

    >>> gn.contains_any(["sorry", "cannot"], case_sensitive=False, name="refusal").scorer
    'contains_any'
    """
    return _spec("contains_any", name, values=_listed(values), case_sensitive=case_sensitive)


def similarity(*, case_sensitive: bool = True, expected_output: Any = None, name: str | None = None) -> ScorerSpec:
    """1 minus the edit distance (Levenshtein) over the length of the longer text.

    >>> gn.similarity().scorer_name
    'similarity'
    """
    return _spec("similarity", name, case_sensitive=case_sensitive, expected_output=expected_output)


def f1(
    *, lowercase: bool = True, strip_punctuation: bool = True, expected_output: Any = None, name: str | None = None
) -> ScorerSpec:
    """Overlap of words as SQuAD measures it: the harmonic mean of precision and recall.

    >>> gn.f1(lowercase=False).config
    {'lowercase': False}
    """
    return _spec("f1", name, lowercase=lowercase, strip_punctuation=strip_punctuation, expected_output=expected_output)


def choice(
    choices: Sequence[str] = ("A", "B", "C", "D"), *, expected_output: Any = None, name: str | None = None
) -> ScorerSpec:
    """1.0 when the output settles on the expected choice, else 0.0.

    >>> gn.choice(["true", "false"]).config
    {'choices': ['true', 'false']}
    """
    return _spec("choice", name, choices=_listed(choices), expected_output=expected_output)


def json_match(
    *,
    ignore: Sequence[str] = (),
    tolerance: float = 0.0,
    partial: bool = False,
    expected_output: Any = None,
    name: str | None = None,
) -> ScorerSpec:
    """1.0 when two JSON values are equal, else 0.0; with `partial`, the share of leaves that are.

    >>> gn.json_match(tolerance=0.01, partial=True).config
    {'tolerance': 0.01, 'partial': True}
    """
    return _spec(
        "json_match",
        name,
        ignore=_listed(ignore),
        tolerance=tolerance,
        partial=partial,
        expected_output=expected_output,
    )


def json_schema(schema: Mapping[str, Any] | bool, *, name: str | None = None) -> ScorerSpec:
    """1.0 when the output satisfies the JSON Schema, else 0.0.

    >>> gn.json_schema({"type": "object", "required": ["city"]}).scorer_name
    'json_schema'
    """
    return _spec("json_schema", name, schema=dict(schema) if isinstance(schema, Mapping) else schema)


def numeric(
    *,
    abs_tol: float = 0.0,
    rel_tol: float = 0.0,
    extract: bool = False,
    expected_output: Any = None,
    name: str | None = None,
) -> ScorerSpec:
    """1.0 when output and expected output are the same number within the tolerances, else 0.0.

    With `extract`, the last number in the output's text counts.

    >>> gn.numeric(abs_tol=0.5, extract=True).config
    {'abs_tol': 0.5, 'extract': True}
    """
    return _spec(
        "numeric", name, abs_tol=abs_tol, rel_tol=rel_tol, extract=extract, expected_output=expected_output
    )  # fmt: skip


def tool_calls(
    expected: Sequence[Mapping[str, Any]] | None = None,
    *,
    mode: Literal["exact", "in_order", "any_order", "superset", "forbidden"] = "superset",
    args: Literal["exact", "subset", "ignore"] = "exact",
    partial: bool = False,
    name: str | None = None,
) -> ScorerSpec:
    """1.0 when the expected tool calls were made, else 0.0; with `partial`, the share of them.

    >>> gn.tool_calls([{"name": "search", "args": {"query": "Paris"}}], args="subset").config["args"]
    'subset'
    """
    calls = None if expected is None else [dict(call) for call in expected]
    return _spec("tool_calls", name, expected=calls, mode=mode, args=args, partial=partial)


def llm_judge(
    model: str,
    prompt: str,
    *,
    system_prompt: str | None = None,
    score_extraction: Literal["numeric", "label"] | None = None,
    score_range: tuple[float, float] = (0, 1),
    labels: Sequence[str] | None = None,
    reading: Literal["first_number", "last_number", "structured"] = "first_number",
    temperature: float | None = None,
    samples: int = 1,
    fence: bool = True,
    expected_output: Any = None,
    name: str | None = None,
) -> ScorerSpec:
    """A model's opinion on one output, as a number or a label.

    The prompt holds `{{input}}` and `{{output}}`, and may hold `{{expected_output}}`. The number is asked for on the
    scale `score_range` and stored from 0 to 1. Naming `labels` asks for one of them instead of a number.

    >>> judge = gn.llm_judge("openai/judge", "Is {{output}} a polite answer to {{input}}? From 0 to 10.",
    ...                      score_range=(0, 10), name="polite")
    >>> judge.scorer_name, judge.scorer, judge.config["score_range"]
    ('polite', 'llm_judge', {'min': 0, 'max': 10})
    >>> gn.llm_judge("openai/judge", "{{input}} {{output}}", labels=["good", "bad"]).config["score_extraction"]
    'label'
    """
    return _spec(
        "llm_judge",
        name,
        model=model,
        prompt_template=prompt,
        system_prompt=system_prompt,
        score_extraction=score_extraction or ("numeric" if labels is None else "label"),
        score_range=_range(score_range),
        labels=None if labels is None else _listed(labels),
        reading=reading,
        temperature=temperature,
        samples=samples,
        fence=fence,
        expected_output=expected_output,
    )


def rubric(
    rubric: str | os.PathLike[str] | Mapping[str, Any],
    *,
    model: str,
    temperature: float | None = None,
    samples: int = 1,
    fence: bool = True,
    expected_output: Any = None,
    name: str | None = None,
) -> ScorerSpec:
    """A model's opinion by a rubric: a score of the whole, and `NAME.DIMENSION` for each of its dimensions.

    The rubric is a file (YAML or JSON) or its content. A file is read once, here, and travels with the scorer.

    >>> tone = {"version": "1", "name": "tone", "instructions": "Judge the tone.",
    ...         "dimensions": [{"name": "polite", "description": "Is it polite?"}]}
    >>> gn.rubric(tone, model="openai/judge", name="tone").scorer
    'rubric'
    """
    content = dict(rubric) if isinstance(rubric, Mapping) else _rubric_file(rubric)
    return _spec(
        "rubric",
        name,
        rubric=content,
        model=model,
        temperature=temperature,
        samples=samples,
        fence=fence,
        expected_output=expected_output,
    )


def _rubric_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        content = Path(path).read_bytes()
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a rubric file that can be read") from None
    return read_rubric(content, Path(path).name).model_dump(mode="json", exclude_unset=True)


def _spec(scorer: str, name: str | None, **config: Any) -> ScorerSpec:
    """The scorer with what differs from its defaults, or `InvalidInput` that names what is wrong."""
    if name is not None:
        check_scorer_name(name)
    defaults = _defaults(type(build(scorer, config)))
    changed = {key: value for key, value in config.items() if value is not None and value != defaults.get(key)}
    return ScorerSpec(scorer_name=name or scorer, scorer=scorer if name else None, config=changed or None)


@cache
def _defaults(scorer: type[BaseModel]) -> dict[str, Any]:
    """What the configuration says when nothing is given, as JSON."""
    fields = {field.alias or key: field for key, field in scorer.model_fields.items() if not field.is_required()}
    values = {key: field.get_default(call_default_factory=True) for key, field in fields.items()}
    return {key: value.model_dump() if isinstance(value, BaseModel) else value for key, value in values.items()}


def _listed(values: Any) -> Any:
    """A list; a text stays what it is, so that it is refused and not taken letter by letter."""
    return list(values) if isinstance(values, tuple | set | frozenset | range) else values


def _range(bounds: Any) -> Any:
    if isinstance(bounds, tuple | list) and len(bounds) == 2:
        return {"min": bounds[0], "max": bounds[1]}
    return bounds
