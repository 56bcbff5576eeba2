"""Plans from stored experiments and from tables: what is measured, what is assumed, and that it is said."""

from pathlib import Path

import pytest

from contract.caller import Api, Made
from gnomon.errors import InvalidInput, Refused
from gnomon.interop.resulttables import read_table
from gnomon.model.plan import Variance
from gnomon.service.experiments.plan import PlanOptions, plan, table_variance
from gnomon.stats.plan import ItemScores, components

# item → its runs → their votes
SCORES = [[[1, 0.5], [0]], [[0.25], [0.5, 0.25, 0]], [[1], [1, 1]], [[0.75, 0.5], [0.5]]]


def stored(api: Api, dataset: Made, scores=SCORES, name="quality") -> str:
    trials = max(map(len, scores))
    experiment = api.experiment(dataset.id, trials=trials)
    for item, runs in zip(dataset.item_ids, scores, strict=True):
        for trial, votes in enumerate(runs):
            run = api.run(experiment, item, trial=trial)
            for vote in votes:
                assert api.score(run, name, value=vote).status_code == 201
    return experiment


def test_a_stored_experiment_is_taken_apart_into_items_runs_and_votes(api: Api):
    experiment = stored(api, api.questions(4))
    found = api.read(f"/experiments/{experiment}/variance", scorer_name="quality")
    expected = components(map(ItemScores.of, SCORES))
    assert found["base"] == pytest.approx(
        {
            "items": 4,
            "trials": 2.0,
            "votes": 13 / 8,
            "between_items": expected.between,
            "within_items": expected.within,
            "judge": expected.judge,
        },
        rel=1e-9,
    )
    assert (found["against"], found["differences"], found["paired_items"]) == (None, None, None)
    assert found["notes"] == []


def test_two_experiments_are_paired_by_item(api: Api):
    dataset = api.questions(4)
    base, other = api.measured(dataset, [0, 1, 0, 1]), api.measured(dataset, [1, 1, 0, None])
    found = api.read(f"/experiments/{base}/variance", scorer_name="quality", against=other)
    assert found["paired_items"] == 3
    assert found["differences"] == pytest.approx(1 / 3)  # of 1, 0, 0
    assert "both are one number here" in found["notes"][0]


def test_a_misspelt_scorer_is_told_which_there_are(api: Api):
    experiment = api.measured(api.questions(2), [0, 1])
    refused = api.refusal("GET", f"/experiments/{experiment}/variance?scorer_name=qualty")
    assert refused.said[0] == 422
    assert "did you mean 'quality'?" in refused.message


def test_one_item_and_different_datasets_are_refused(api: Api):
    one, two = api.measured(api.questions(1), [1]), api.measured(api.questions(2), [0, 1])
    assert api.refusal("GET", f"/experiments/{one}/variance?scorer_name=quality").said[0] == 422
    path = f"/experiments/{two}/variance?scorer_name=quality&against={one}"
    assert api.refusal("GET", path).said == (422, "INCOMPATIBLE_EXPERIMENTS")


def test_an_experiment_of_another_project_is_not_there(api: Api, stranger: Api):
    experiment = api.measured(api.questions(2), [0, 1])
    assert stranger.get(f"/experiments/{experiment}/variance", scorer_name="quality").status_code == 404
    own = stranger.measured(stranger.questions(2), [0, 1])
    answer = stranger.get(f"/experiments/{own}/variance", scorer_name="quality", against=experiment)
    assert answer.status_code == 404


# --- tables -----


@pytest.fixture
def table(tmp_path: Path):
    def read(content: str):
        path = tmp_path / "scores.csv"
        path.write_text(content, encoding="utf-8")
        return read_table(path)

    return read


TWO = "agent,item,trial,value\n" + "".join(
    f"{agent},{item},{trial},{value}\n"
    for agent, rows in {"x": ["11", "10", "00", "11"], "y": ["11", "11", "01", "01"]}.items()
    for item, row in enumerate(rows)
    for trial, value in enumerate(row)
)


def test_a_table_is_measured_like_an_experiment(table):
    found = table_variance(table(TWO), "x", "y")
    assert found.base.within_items == pytest.approx(0.125)
    assert found.against is not None
    assert found.against.within_items == pytest.approx(0.25)
    assert found.paired_items == 4


def test_an_agent_must_be_named_where_there_are_several(table):
    with pytest.raises(InvalidInput, match="has 2 agents; name one: x, y"):
        table_variance(table(TWO))
    with pytest.raises(InvalidInput, match="has no agent 'z'; it has x, y"):
        table_variance(table(TWO), "z")


# --- plans -----


def test_without_scores_a_coin_is_tossed_and_said():
    found = plan(PlanOptions(0.05))
    assert found.items == 1570  # 2 · 1/4 · 7.849 / 0.05²
    assert found.variance is None
    assert "toss of a coin" in found.notes[0]
    assert found.advice == "More items help. What more trials and more votes would do is not known."


def test_one_agent_is_doubled_and_the_assumption_said(table):
    measured = table_variance(table(TWO), "x")
    found = plan(PlanOptions(0.05), measured)
    assert found.differences == pytest.approx(2 * measured.base.between_items)
    assert found.runs == pytest.approx(2 * 0.125)
    assert any("correlated 0 with these; a second one measures it" in note for note in found.notes)
    assert plan(PlanOptions(0.05, correlation=0.5), measured).items < found.items


def test_two_agents_need_no_assumption_and_take_none(table):
    measured = table_variance(table(TWO), "x", "y")
    found = plan(PlanOptions(0.05), measured)
    assert found.differences == measured.differences
    assert found.runs == pytest.approx(0.375)
    with pytest.raises(InvalidInput, match="leave it out"):
        plan(PlanOptions(0.05, correlation=0.5), measured)


def test_trials_are_as_measured_unless_said(table):
    measured = table_variance(table(TWO), "x")
    assert plan(PlanOptions(0.05), measured).trials == 2
    more = plan(PlanOptions(0.05, trials=8), measured)
    assert more.trials == 8
    assert more.items < plan(PlanOptions(0.05), measured).items
    assert more.now is not None
    assert more.now.trials == 2, "what is there now does not change by what is wished for"


def test_the_grid_agrees_with_the_plan(table):
    measured = table_variance(table(TWO), "x", "y")
    reach = {(one.items, one.trials): one.effect for one in plan(PlanOptions(0.05), measured).grid}
    assert sorted({trials for _, trials in reach}) == [1, 2, 4, 8]
    at = plan(PlanOptions(reach[500, 4], trials=4), measured)
    assert at.items == 500


def test_with_one_run_an_item_nothing_is_said_about_more_trials(table):
    found = plan(PlanOptions(0.1), table_variance(table("item,value\n1,0\n2,1\n3,1\n")))
    assert {one.trials for one in found.grid} == {1}
    assert found.gains["trials"] is None
    assert any("both are one number here" in note for note in found.notes)


def test_votes_have_their_own_part_in_the_advice(api: Api):
    experiment = stored(api, api.questions(4))
    measured = Variance.model_validate(api.read(f"/experiments/{experiment}/variance", scorer_name="quality"))
    found = plan(PlanOptions(0.05), measured)
    assert found.votes == 2
    assert found.gains["votes"] is not None
    assert "as more votes" in found.advice


def test_scores_that_never_differ_plan_nothing(table):
    with pytest.raises(Refused, match="never differ"):
        plan(PlanOptions(0.1), table_variance(table("item,value\n1,1\n2,1\n")))


@pytest.mark.parametrize("wrong", [{"trials": 0}, {"votes": 0}, {"correlation": 2}])
def test_wishes_that_cannot_be_are_refused(wrong):
    with pytest.raises(InvalidInput):
        PlanOptions(0.05, **wrong)


def test_few_items_come_with_a_warning():
    assert "too hopeful" in plan(PlanOptions(0.5)).notes[-1]
