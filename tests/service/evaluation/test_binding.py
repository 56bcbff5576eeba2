"""Tasks and scorers are called by name; what cannot be bound is refused in one line before anything runs."""
# ruff: noqa: A006 - `input` is the contract's own word

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.score import ScorerSpec
from gnomon.scorers import Sample
from gnomon.service.evaluation.binding import (
    SCORER_NAMES,
    FunctionScorer,
    bind_scorer,
    bind_scorers,
    bind_task,
    callable_name,
    joined,
    kind_of,
    name_of,
)
from gnomon.service.evaluation.data import EvaluationItem

PART = {"part": "west"}
ITEM = EvaluationItem("fr", "France", "Paris", PART)
SPREAD = EvaluationItem("fr", {"question": "capital?", "context": "France"}, "Paris")
KNOWN = {name: name.upper() for name in SCORER_NAMES}


class Caller:
    def __call__(self, question: str) -> str:
        return f"called {question}"

    def method(self, question: str) -> str:
        return f"method {question}"

    @staticmethod
    def static(question: str) -> str:
        return f"static {question}"

    async def later(self, question: str) -> str:
        return question


class AsyncCaller:
    async def __call__(self, input: str) -> str:
        return input


def with_options(question: str, *, model: str, context: str = "none") -> str:
    return f"{question} {context} {model}"


def positional_only(question: str, context: str = "none", /) -> str:
    return f"{question} {context}"


def passes_on(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@pytest.mark.parametrize(
    ("task", "output"),
    [
        (lambda question: question, "France"),
        (lambda input: input, "France"),
        (lambda item: item["expected_output"], "Paris"),
        (lambda input, expected_output, metadata: (input, expected_output, metadata), ("France", "Paris", PART)),
        (lambda metadata: metadata["part"], "west"),
        (lambda question, metadata: (question, metadata["part"]), ("France", "west")),
        (lambda question, metadata=None: (question, metadata["part"]), ("France", "west")),
        (lambda question="other", temperature=0: (question, temperature), ("France", 0)),
        (lambda input, temperature=0: (input, temperature), ("France", 0)),
        (lambda *, input: input, "France"),
        (functools.partial(with_options, model="m"), "France none m"),
        (positional_only, "France none"),
        (passes_on, (("France",), {})),
        (Caller(), "called France"),
        (Caller().method, "method France"),
        (Caller.static, "static France"),
        (len, 6),
        (str.upper, "FRANCE"),
        (max, "r"),
        (list, ["F", "r", "a", "n", "c", "e"]),
    ],
)  # fmt: skip
def test_a_task_gets_the_parts_that_it_names_else_the_input(task: Callable[..., Any], output: Any) -> None:
    """Bound by name for `input`, `expected_output`, `metadata`, `item`; else the input is the only one."""
    bound = bind_task(task)
    bound.check([ITEM])
    assert bound.call(ITEM) == output


@pytest.mark.parametrize(
    ("task", "output"),
    [
        (lambda question, context: (question, context), ("capital?", "France")),
        (lambda question, **others: (question, others), ("capital?", {"context": "France"})),
        (lambda **all: all, {"question": "capital?", "context": "France"}),
        (lambda question, context, expected_output: expected_output, "Paris"),
        (lambda question, context="none", k=1: (question, context, k), ("capital?", "France", 1)),
        (positional_only, "capital? France"),
        (functools.partial(with_options, model="m"), "capital? France m"),
        (lambda input: input, {"question": "capital?", "context": "France"}),
        (lambda question: question, {"question": "capital?", "context": "France"}),
        (lambda row: row, {"question": "capital?", "context": "France"}),
    ],
)
def test_a_dict_whose_keys_match_the_parameters_is_spread(task: Callable[..., Any], output: Any) -> None:
    bound = bind_task(task)
    bound.check([SPREAD])
    assert bound.call(SPREAD) == output


def refusal(act: Callable[[], Any]) -> str:
    with pytest.raises(InvalidInput) as refused:
        act()
    assert "\n" not in refused.value.message
    return refused.value.message


def needs_more(input: str, warmth: float) -> str:
    return input


def two(question: str, context: str) -> str:
    return question


def nothing() -> None: ...


def test_a_task_that_cannot_be_bound_is_refused_with_its_parameters_and_the_names_there_are() -> None:
    assert refusal(lambda: bind_task(3)) == "task is 3, which cannot be called; give a function of the input"
    assert refusal(lambda: bind_task(nothing)) == (
        "task nothing() takes no argument; give it one, as in def nothing(input)"
    )
    assert refusal(lambda: bind_task(needs_more)) == (
        "task needs_more(input, warmth) needs warmth, which is not available; "
        "beside input there are expected_output, metadata, item, or give a default"
    )


def test_an_item_that_a_task_cannot_take_is_named_before_anything_runs() -> None:
    bound = bind_task(two)
    assert refusal(lambda: bound.check([SPREAD, ITEM])) == (
        "task two(question, context) takes question, context, but the input of item 'fr' is 'France'; make each input "
        "an object with these keys, or name one parameter input, expected_output, metadata or item"
    )
    wrong = EvaluationItem(None, {"question": "?"})
    assert "the input of item 1 is the keys question;" in refusal(lambda: bound.check([wrong]))
    assert "takes question, context, but the input of the item is 'France'" in refusal(lambda: bound.call(ITEM))
    only_keywords = bind_task(lambda **words: words)
    assert "lambda(**kwargs) takes any keywords, but" in refusal(lambda: only_keywords.check([ITEM]))


# Scorers


def test_a_scorer_gets_the_parts_that_it_names() -> None:
    """Parameters are among input, output, expected_output, metadata, trace and sample, bound by name."""
    assert bind_scorer(lambda output, expected_output: (output, expected_output)).call(KNOWN) == (
        "OUTPUT", "EXPECTED_OUTPUT"
    )  # fmt: skip
    assert bind_scorer(lambda sample, weight=2: (sample, weight)).call(KNOWN) == ("SAMPLE", 2)
    assert bind_scorer(lambda output, /, trace: (output, trace)).call(KNOWN) == ("OUTPUT", "TRACE")
    assert bind_scorer(lambda output, **rest: (output, sorted(rest))).call(KNOWN) == (
        "OUTPUT", ["expected_output", "input", "metadata", "sample", "trace"]
    )  # fmt: skip
    assert bind_scorer(functools.partial(lambda output, words: words, words=3)).call(KNOWN) == 3


def test_a_scorer_says_what_it_looks_at() -> None:
    """So that no trace has to be read for scorers that do not ask for one."""
    assert bind_scorer(lambda output, trace=None: 1).wants == ("output", "trace")
    assert bind_scorer(lambda **all: 1).wants == SCORER_NAMES


def similar(output: str, expected: str) -> float:
    return 1.0


def test_a_scorer_that_cannot_be_bound_is_refused_with_the_nearest_name() -> None:
    assert refusal(lambda: bind_scorer(similar)) == (
        "scorer similar(output, expected) needs expected, which is not available; there are input, output, "
        "expected_output, metadata, trace, sample; did you mean expected_output?"
    )
    assert "scorer nothing() has no parameters; name one of input," in refusal(lambda: bind_scorer(nothing))
    assert "scorer max: Python does not know its parameters; wrap it" in refusal(lambda: bind_scorer(max))
    assert "'exact' is not a scorer" in refusal(lambda: bind_scorer("exact"))
    assert "a scorer is named ' '" in refusal(lambda: bind_scorer(FunctionScorer(similar, " ")))


def test_two_scorers_of_one_name_are_refused() -> None:
    assert refusal(lambda: bind_scorers([lambda output: 1, lambda output: 0])) == (
        "two scorers are named 'lambda'; give one another name with name=…"
    )
    renamed = FunctionScorer(lambda output: 0, "other")
    assert [name_of(one) for one in bind_scorers([lambda output: 1, renamed])] == ["lambda", "other"]


def test_what_a_task_or_a_scorer_changes_in_its_arguments_is_not_seen_by_the_next() -> None:
    """Otherwise the second trial, or the second scorer, would measure something else."""

    def spoils(input: dict[str, Any], metadata: dict[str, Any], item: dict[str, Any]) -> None:
        input["question"] = "other"
        metadata["list"].append(1)
        item["input"].clear()

    item = EvaluationItem(None, {"question": "?"}, None, {"list": []})
    bind_task(spoils).call(item)
    bind_task(lambda **words: words.pop("question")).call(item)
    assert item == EvaluationItem(None, {"question": "?"}, None, {"list": []})

    known = {**KNOWN, "output": ["a"], "sample": Sample(output={"a": ["b"]})}

    def empties(output: list[str], sample: Sample) -> None:
        output.clear()
        sample.output["a"].clear()

    bind_scorer(empties).call(known)
    assert known["output"] == ["a"]
    assert known["sample"] == Sample(output={"a": ["b"]})


def test_scorers_of_all_kinds_are_bound_together() -> None:
    """Built-in ones by specification or by name alone, and functions, in their order."""
    spec = ScorerSpec(scorer_name="has_number", scorer="regex", config={"pattern": "[0-9]"})
    bound = bind_scorers(["exact_match", spec, lambda output: 1])
    assert bound[:2] == [ScorerSpec(scorer_name="exact_match"), spec]
    assert [name_of(one) for one in bound] == ["exact_match", "has_number", "lambda"]
    assert refusal(lambda: bind_scorers(["exact_match", ScorerSpec(scorer_name="exact_match")])) == (
        "two scorers are named 'exact_match'; give one another name with name=…"
    )
    assert "'exact' is not a built-in scorer; did you mean 'exact_match'?" in refusal(lambda: bind_scorers(["exact"]))
    assert "regex: config.pattern is required" in refusal(lambda: bind_scorers(["regex"]))
    assert "scorers is 'exact_match'; give a list" in refusal(lambda: bind_scorers("exact_match"))


# Kinds and names


def test_how_a_call_is_run_is_known_for_every_kind_of_callable() -> None:
    async def later(input: str) -> str:
        return input

    def pieces(input: str) -> Iterator[str]:
        yield input

    async def later_pieces(input: str) -> Any:
        yield input

    assert kind_of(later) == kind_of(functools.partial(later)) == kind_of(AsyncCaller()) == "async"
    assert kind_of(Caller().later) == "async"
    assert kind_of(pieces) == "generator"
    assert kind_of(later_pieces) == "async_generator"
    assert kind_of(Caller()) == kind_of(len) == kind_of(dict) == kind_of(lambda: 1) == "sync"


def test_a_callable_is_named_as_a_person_knows_it() -> None:
    assert callable_name(similar) == callable_name(functools.partial(functools.partial(similar), 1)) == "similar"
    assert callable_name(Caller()) == "Caller"
    assert callable_name(Caller().method) == "method"
    assert callable_name(lambda: 1) == "lambda"


def test_pieces_of_text_become_one_text_and_others_stay_a_list() -> None:
    assert joined(["Par", "is"]) == "Paris"
    assert joined([1, "a"]) == [1, "a"]
    assert joined([]) == []


@given(
    st.lists(st.sampled_from(["a", "b", "c", "input", "metadata"]), unique=True, max_size=4),
    st.one_of(st.none(), st.integers(), st.dictionaries(st.sampled_from("abcd"), st.integers(), max_size=4)),
)
def test_a_bound_item_is_always_called_without_a_type_error(names: list[str], input: Any) -> None:
    """What passes the checks before the evaluation can be called; nothing is left for the middle of it."""
    function = eval(f"lambda {', '.join(names)}: True")
    item = EvaluationItem(None, input)
    try:
        bound = bind_task(function)
        bound.check([item])
    except InvalidInput:
        return
    assert bound.call(item) is True
