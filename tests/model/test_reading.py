"""Drafts are strict in Python and lenient when they are read from a caller's JSON; nouns are lenient always."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.dataset import ItemDraft
from gnomon.model.experiment import RunDraft, RunsDraft
from gnomon.model.fields import Draft
from gnomon.model.nearest import nearest
from gnomon.model.outcome import IterationBatchDraft
from gnomon.model.reading import MAX_NAMED, NotADraft, look_through, read_draft
from gnomon.model.rule import Rule, RuleChange
from gnomon.model.trace import IngestDraft, Span

RUN: dict[str, Any] = {"dataset_item_id": "i", "output": "x"}


def all_drafts() -> list[type[Draft]]:
    found, waiting = [], [Draft]
    while waiting:
        model = waiting.pop()
        found.append(model)
        waiting += model.__subclasses__()
    return found[1:]


@pytest.mark.parametrize("model", all_drafts(), ids=lambda model: model.__name__)
def test_a_draft_in_python_has_known_fields_only(model):
    """A misspelled field is an error, not a silent loss."""
    with pytest.raises(InvalidInput) as refused:
        model(no_such_field=1, **({"enabled": True} if model is RuleChange else {}))  # which must change something
    assert "no_such_field" in [problem.field for problem in refused.value.problems]
    assert "\n" not in refused.value.message


def test_the_error_names_the_field():
    with pytest.raises(
        InvalidInput, match=r"^ItemDraft: expected: is not a field here; did you mean 'expected_output'\?$"
    ):
        ItemDraft(input="q", expected="a")  # type: ignore[call-arg]


def test_none_for_an_optional_field_is_as_absent_in_python_too():
    draft = RunDraft(dataset_item_id="item", trial=None, output="a")  # type: ignore[arg-type]
    assert draft == RunDraft(dataset_item_id="item", output="a")
    assert draft.model_fields_set == {"dataset_item_id", "output"}
    with pytest.raises(InvalidInput, match="RunDraft: dataset_item_id: "):
        RunDraft(dataset_item_id=None, trial=None, output="a")  # type: ignore[arg-type]


@pytest.mark.parametrize("model", all_drafts(), ids=lambda model: model.__name__)
def test_no_schema_of_a_draft_rules_out_more_fields_unless_they_are_refused(model):
    closed = model.model_json_schema().get("additionalProperties") is False
    assert closed is model.refuses_unknown


def test_nouns_of_a_newer_server_are_read():
    """What an answer has beyond what is known here is passed over, also inside of it."""
    moment = "2026-02-21T22:00:00.000Z"
    span = {"id": "s", "trace_id": "t", "parent_span_id": None, "name": "n", "input": 1, "output": 2,
            "start_time": moment, "end_time": None, "duration_ms": None, "tokens_input": None, "tokens_output": None,
            "model": None, "metadata": None, "error": {"message": "m", "new": 1}, "newer": 2}  # fmt: skip
    read = Span.model_validate(span)
    assert read.error is not None
    assert read.error.message == "m"
    rule = {"id": "r", "project_id": "p", "name": "n", "filter": {"name": "x", "new": 1}, "sampling_rate": 1.0,
            "scorer": {"scorer_name": "x", "new": 1, "model": "m"}, "enabled": True, "created_at": moment,
            "updated_at": moment, "newer": 1}  # fmt: skip
    assert Rule.model_validate(rule).filter.name == "x"
    assert Rule.model_validate(rule).scorer.scorer_name == "x"


def test_unknown_fields_are_named_by_their_path():
    body = {"runs": [RUN, {**RUN, "a": 1, "scores": [{"scorer_name": "s", "value": 1, "b": 2}], "error": None}], "c": 3}
    draft, unknown = read_draft(RunsDraft, body)
    assert len(draft.runs) == 2
    assert [one.path for one in unknown.named] == [("runs", 1, "a"), ("runs", 1, "scores", 0, "b"), ("c",)]


def test_unknown_fields_beyond_the_first_are_only_counted():
    _, unknown = read_draft(ItemDraft, {"input": 1, **{f"x{n}": n for n in range(100)}})
    assert (len(unknown.named), unknown.count) == (MAX_NAMED, 100)


def test_what_is_wrong_beside_unknown_fields_is_told_with_them():
    with pytest.raises(NotADraft) as refused:
        read_draft(ItemDraft, {"inputs": 1})
    assert [error["loc"] for error in refused.value.invalid.errors()] == [("input",)]
    assert [one.path for one in refused.value.unknown.named] == [("inputs",)]
    assert refused.value.unknown.named[0].words == "is not a field here; did you mean 'input'?"


names = st.sampled_from(["dataset_item_id", "output", "trial", "error", "trace_id", "scores", "colour", "trials"])
values = st.sampled_from(
    [None, 1, "x", [], {}, {"message": "m"}, [{"scorer_name": "s", "value": 1, "z": None}], [None]]
)
bodies = st.dictionaries(names, values).map(lambda changed: {"runs": [{**RUN, **changed}]})


@given(bodies)
def test_large_and_small_bodies_are_read_alike(body: dict[str, Any]) -> None:
    """A large body is looked through before it is tried, a small one only when it does not pass."""

    def outcome(is_large: bool) -> Any:
        try:
            draft, unknown = read_draft(RunsDraft, body, is_large=is_large)
        except NotADraft as bad:
            return str(bad.invalid), bad.unknown
        return draft, unknown

    assert outcome(True) == outcome(False)


@given(bodies)
def test_leaving_out_unknown_fields_and_nulls_by_hand_gives_the_same_draft(body: dict[str, Any]) -> None:
    run = body["runs"][0]
    known = {name: value for name, value in run.items() if name in RunDraft.model_fields and value is not None}
    try:
        draft, _ = read_draft(RunsDraft, body)
    except NotADraft:
        return
    by_hand, _ = read_draft(RunsDraft, {"runs": [known]})
    assert draft == by_hand


@pytest.mark.parametrize("given", [None, 1, "x", [], {"spans": None}, {"spans": {}}, {"spans": [None, 1, []]}], ids=str)
def test_what_is_no_object_is_left_to_the_draft(given):
    for model in (IngestDraft, IterationBatchDraft, RuleChange):
        look_through(model, given)
        with pytest.raises(NotADraft):
            read_draft(model, given)


def test_the_nearest_name_is_found_or_none():
    assert nearest("limits", {"limit", "cursor"}) == "limit"
    assert nearest("zzz", {"limit", "cursor"}) is None
    assert nearest("x" * 1_000_000, {"limit"}) is None
    assert nearest("", set()) is None
