"""Runs that are decoded in one step are those that the drafts read: what the quick way takes, they take as the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model import quickrun
from gnomon.model.experiment import MAX_RUNS, RunsDraft
from gnomon.model.reading import NotADraft, read_draft
from gnomon.model.score import MAX_SCORES, ScoreBatchDraft

PLAIN: dict[str, Any] = {"dataset_item_id": "i", "output": "a"}
SCORE: dict[str, Any] = {"scorer_name": "exact_match"}

odd = st.sampled_from(
    [None, "", " ", "\x1c", "\u2028", "a/b", "a\nb", "x" * 129, "x" * 257, "x" * 1001, "é", 0, -1, 1, 1.0, 1.5, -0.5,
     0.25, 2**53, 10**30, 100_000, 100_001, True, False, [], {}, [1], {"a": 1}, {"a": [1.0]}, {"message": "m"},
     {"message": 1}, {"message": "m", "type": None}, {"message": "m", "extra": 1}, "human", "judge", "regex"]
)  # fmt: skip
score_fields = st.sampled_from(
    ["scorer_name", "scorer", "config", "value", "absent", "failed", "rationale", "metadata", "source", "pattern",
     "unknown"]
)  # fmt: skip
scores = st.dictionaries(score_fields, odd, max_size=4).map(lambda changed: {**SCORE, **changed})
run_fields = st.sampled_from(["dataset_item_id", "trial", "output", "error", "trace_id", "scores", "unknown"])
runs = st.tuples(st.dictionaries(run_fields, odd, max_size=3), st.lists(scores, max_size=2)).map(
    lambda parts: {**PLAIN, "scores": parts[1], **parts[0]}
)
bodies = st.fixed_dictionaries(
    {"runs": st.lists(runs, min_size=1, max_size=3)}, optional={"replace_failed": odd, "else": odd}
)

SCORE_FIELDS = ("scorer_name", "scorer", "config", "value", "absent", "failed", "rationale", "metadata", "source",
                "is_computed")  # fmt: skip


score_batches = st.fixed_dictionaries(
    {
        "scores": st.lists(
            st.tuples(
                scores, st.dictionaries(st.sampled_from(["target_id", "target_type", "trace_id"]), odd, max_size=1)
            ).map(lambda parts: {"target_id": "r", "target_type": "run", **parts[0], **parts[1]}),
            min_size=1,
            max_size=3,
        )
    },
    optional={"else": odd},
)


def shown(run: Any) -> dict[str, Any]:
    names = ("dataset_item_id", "trial", "output", "error", "trace_id")
    written = [[repr(getattr(score, name)) for name in SCORE_FIELDS] for score in run.scores or ()]
    return {**{name: getattr(run, name) for name in names}, "scores": written}


@given(bodies)
def test_what_the_quick_way_takes_the_drafts_take_as_the_same(body: dict[str, Any]) -> None:
    quick = quickrun.decode(json.dumps(body).encode())
    if quick is not None:
        draft, unknown = read_draft(RunsDraft, body)
        assert unknown.count == 0
        assert quick.replace_failed is draft.replace_failed
        assert [shown(run) for run in quick.runs] == [shown(run) for run in draft.runs]


@given(bodies)
def test_what_the_drafts_refuse_the_quick_way_leaves_to_them(body: dict[str, Any]) -> None:
    try:
        _, unknown = read_draft(RunsDraft, body)
    except NotADraft:
        assert quickrun.decode(json.dumps(body).encode()) is None
    else:
        assert not unknown.count or quickrun.decode(json.dumps(body).encode()) is None


@given(score_batches)
def test_the_quick_way_takes_only_scores_that_the_drafts_take_as_the_same(body: dict[str, Any]) -> None:
    quick = quickrun.decode_scores(json.dumps(body).encode())
    try:
        draft, unknown = read_draft(ScoreBatchDraft, body)
    except NotADraft:
        assert quick is None
        return
    if quick is not None:
        names = (*SCORE_FIELDS, "target_id", "target_type", "trace_id")
        assert unknown.count == 0
        assert [[repr(getattr(score, name)) for name in names] for score in quick.scores] == [
            [repr(getattr(score, name)) for name in names] for score in draft.scores
        ]


def test_a_plain_batch_of_scores_goes_the_quick_way() -> None:
    span = {**SCORE, "target_id": "s", "target_type": "span", "trace_id": "t", "value": 0.5}
    run = {**SCORE, "target_id": "r", "target_type": "run"}
    assert quickrun.decode_scores(json.dumps({"scores": [span, run]}).encode()) is not None
    assert quickrun.decode_scores(json.dumps({"scores": [run] * (MAX_SCORES + 1)}).encode()) is None


def test_a_plain_batch_goes_the_quick_way() -> None:
    scored = [
        {**SCORE, "value": 1}, {**SCORE, "value": "good", "rationale": "short", "metadata": {"a": [1]}},
        {**SCORE, "absent": "nothing to say"}, {**SCORE, "failed": "timeout"},
        {"scorer_name": "r", "scorer": "regex", "config": {"pattern": "x"}, "source": "human"},
    ]  # fmt: skip
    full = {**PLAIN, "trial": 3, "trace_id": "t", "scores": scored}
    failed = {"dataset_item_id": "i", "error": {"message": "late", "type": "TimeoutError"}}
    body = {"runs": [PLAIN, full, failed], "replace_failed": True}
    assert quickrun.decode(json.dumps(body).encode()) is not None


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"runs": []}', b'{"runs": [{"output": "\\u0000"}]}', b"\xff"])
def test_what_is_no_batch_is_left_to_the_drafts(body: bytes) -> None:
    assert quickrun.decode(body) is None


def test_more_runs_than_a_batch_holds_are_left_to_the_drafts() -> None:
    assert quickrun.decode(json.dumps({"runs": [PLAIN] * MAX_RUNS}).encode()) is not None
    assert quickrun.decode(json.dumps({"runs": [PLAIN] * (MAX_RUNS + 1)}).encode()) is None


def nested(levels: int) -> Any:
    return [] if levels == 1 else [nested(levels - 1)]


@pytest.mark.parametrize("place", ["output", "config", "metadata"])
def test_a_value_nested_too_deep_is_left_to_the_drafts(place: str) -> None:
    def decoded(levels: int) -> quickrun.QuickRuns | None:
        deep = {"a": nested(levels - 1)}
        run = {**PLAIN, "output": deep} if place == "output" else {**PLAIN, "scores": [{**SCORE, place: deep}]}
        return quickrun.decode(json.dumps({"runs": [run]}).encode())

    assert decoded(100) is not None
    assert decoded(101) is None
