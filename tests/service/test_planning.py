"""Inline scores of a batch are planned: each distinct scorer once, and every draft that is wrong is named."""

import pytest

from gnomon.errors import InvalidInput
from gnomon.model.quickrun import QuickScore
from gnomon.model.score import InlineScoreDraft, JsonObject
from gnomon.service.scoring import scoring
from gnomon.service.scoring.scoring import Planner


def draft(**fields) -> InlineScoreDraft:
    return InlineScoreDraft(**{"scorer_name": "exact_match", **fields})


def test_drafts_that_name_the_same_scorer_share_it():
    planner = Planner()
    one, other = planner.plan(draft(rationale="a")), planner.plan(QuickScore(scorer_name="exact_match", rationale="b"))
    assert one.scorer is other.scorer
    assert (one.draft.rationale, other.draft.rationale) == ("a", "b")


@pytest.mark.parametrize(
    "other",
    [{"config": {"case_sensitive": False}}, {"config": {"expected_output": "1"}}, {"config": {"expected_output": 1.0}},
     {"scorer_name": "contains"}, {"scorer": "contains"}, {"scorer_name": "mine", "scorer": "exact_match"}],
)  # fmt: skip
def test_each_draft_is_planned_as_it_would_be_alone(other: JsonObject):
    planner = Planner()
    planner.plan(draft())
    planner.plan(draft(config={"expected_output": 1}))
    assert planner.plan(draft(**other)) == scoring.plan(draft(**other))


def test_a_draft_that_is_wrong_is_refused_each_time():
    planner = Planner()
    for _ in range(2):
        with pytest.raises(InvalidInput, match="case_sensitive"):
            planner.plan(draft(config={"case_sensitive": "perhaps"}))
