"""A benchmark's leaderboard: every scenario one vote, every number an interval, every missing run a reason."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnomon.cli.show.leaderboard import leaderboard as show
from gnomon.errors import InvalidInput, Refused
from gnomon.model.leaderboard import BenchLeaderboard, LeaderboardOptions
from gnomon.model.transcript import RunConfig
from gnomon.service.bench.leaderboard import Ran, leaderboard
from service.benchboard import opinion, ran, runs

GOLDEN = Path(__file__).parents[1] / "golden" / "bench" / "leaderboard.json"
FIRST_GOLDEN = GOLDEN.with_name("leaderboard_1.json")
"""The same runs, as the first version wrote them."""


def three() -> list[Ran]:
    """One that does well, one that always calls, one that never does."""
    return [
        *runs("careful", fire="both called told called", arrest="called called nothing called", office="quiet quiet"),
        *runs("jumpy", fire="both both both both", arrest="both both both both", office="alarm alarm"),
        *runs("asleep", fire="nothing noticed nothing unscored", arrest="nothing nothing", office="quiet quiet"),
    ]


def by_agent(found: BenchLeaderboard) -> dict[str, Any]:
    return {one.agent_id: one for one in found.agents}


def metric(agent: Any, name: str) -> Any:
    return agent.metrics[name]


# --- scores -----


def test_every_scenario_counts_the_same_whatever_its_runs():
    found = leaderboard(runs("a", good=" ".join(["called"] * 10), bad=" ".join(["nothing"] * 5)))
    (one,) = found.agents
    assert (one.overall_score, one.item_count, one.run_count) == (0.5, 2, 15)
    assert [scenario.success.mean for scenario in one.scenarios] == [0.0, 1.0]


def test_the_quiet_day_tells_the_careful_one_from_the_one_that_always_calls():
    found = by_agent(leaderboard(three()))
    assert found["careful"].overall_score == pytest.approx((1 + 0.75 + 1) / 3)
    assert found["jumpy"].overall_score == pytest.approx(2 / 3)
    assert found["asleep"].overall_score == pytest.approx(1 / 3)
    assert (metric(found["jumpy"], "false_alarm").mean, metric(found["jumpy"], "false_alarms").total) == (
        pytest.approx(1 / 3),
        2,
    )


def test_noticing_and_speed_are_of_days_with_an_anomaly_only():
    found = by_agent(leaderboard(three()))
    assert metric(found["careful"], "detection").mean == pytest.approx((1 + 0.75) / 2)
    assert metric(found["asleep"], "detection_in_memory").mean == pytest.approx(1 / 6)
    assert metric(found["careful"], "detection").run_count == 8
    waited = metric(found["careful"], "time_to_action")
    assert (waited.median, waited.happened, waited.censored, waited.limit) == (1, 7, 1, 5)
    # fire 0 1 2 1, arrest 1 1 6 1: the mean of both means, and never acting counts as the window and one
    assert waited.restricted_mean == pytest.approx((1 + 9 / 4) / 2)
    assert "runs_pooled" in waited.flags


def test_no_number_stands_without_its_interval_even_after_a_single_run():
    found = leaderboard(runs("a", fire="called"))
    (one,) = found.agents
    assert one.confidence_interval == pytest.approx((0.2065, 1), abs=1e-4)
    (scenario,) = one.scenarios
    own = [metric(one, name) for name in ("detection", "false_alarm", "composite")]
    for figure in (*own, scenario.success, scenario.metrics["false_alarm"]):
        low, high = figure.confidence_interval_95
        assert low < high
    assert any("one run of each scenario" in note for note in found.notes)
    assert any("one scenario only" in note for note in found.notes)


def test_an_action_is_counted_once_a_run_and_averaged_over_scenarios():
    found = metric(by_agent(leaderboard(three()))["careful"], "actions").means
    assert {action: round(one.mean, 4) for action, one in found.items()} == {
        "make_call:911": 0.5, "send_message:contact-001": round(0.5 / 3, 4),
    }  # fmt: skip


def test_a_judges_scores_stay_on_its_own_scale():
    judged = [replace(run, judge=opinion(6 + run.run_number), rubric_hash="r1") for run in runs("a", x="called called")]
    found = leaderboard([*judged, *runs("a", y="called")])
    overall = found.agents[0].judge["overall"]
    assert (overall.mean, overall.run_count) == (7.5, 2)
    assert 0 <= overall.confidence_interval_95[0] < 7.5 < overall.confidence_interval_95[1] <= 10
    assert found.rubric_hashes == ["r1"]
    assert any("2 of 3 runs were judged" in note for note in found.notes)


def test_pass_at_k_and_pass_pow_k_are_of_success():
    found = by_agent(leaderboard(runs("a", x="called called nothing", y="told told told")))["a"]
    assert found.pass_pow_k == {"1": pytest.approx(5 / 6), "2": pytest.approx((1 / 3 + 1) / 2), "3": 0.5}
    assert found.scenarios[0].pass_pow_k["3"] == 0.0
    with pytest.raises(Refused, match="no scenario of 'a' has more than 3 runs; ask for k up to 3"):
        leaderboard(runs("a", x="called called nothing"), LeaderboardOptions(k=4))


def test_the_order_of_two_agents_is_uncertain_until_paired_scenarios_say_otherwise():
    days = [f"day{number}" for number in range(12)]
    few = leaderboard([*runs("a", d1="called called"), *runs("b", d1="called nothing")])
    assert few.comparisons[0].uncertain
    outcomes = {"a": "called called", "b": "nothing"}
    many = leaderboard([run for agent, each in outcomes.items() for run in runs(agent, **dict.fromkeys(days, each))])
    (pair,) = many.comparisons
    assert (pair.a, pair.delta, pair.uncertain, pair.common_items) == ("a", 1.0, False, 12)
    assert [one.rank for one in many.agents] == [1, 2]


# --- what is left out, and what is told -----


def test_a_run_that_cannot_be_scored_is_excluded_by_name_and_counts_for_nobody():
    found = leaderboard(three())
    (one,) = found.excluded_runs
    assert (one.agent_id, one.scenario_id, one.run_number, one.reason) == ("asleep", "fire", 4, "cut before the onset")
    assert one.path == "asleep/fire/run-04"
    asleep = by_agent(found)["asleep"]
    assert (asleep.n_missing, asleep.reasons) == (1, {"cut before the onset": 1})
    assert asleep.missing_bracket == (pytest.approx(1 / 3), pytest.approx((0.25 + 1) / 3))


def test_an_agent_without_any_score_has_no_rank_and_a_reason():
    found = by_agent(leaderboard([*runs("a", x="called"), *runs("b", x="unscored unscored")]))
    assert (found["b"].overall_score, found["b"].rank, found["b"].scenarios[0].success) == (None, None, None)
    assert found["b"].metrics == {}


def test_a_copied_folder_is_not_a_second_run():
    once = ran("a", "x", 1)
    found = leaderboard([once, replace(once, path=Path("backup/run-01")), ran("a", "x", 2, "nothing")])
    assert found.agents[0].run_count == 2
    assert [one.reason for one in found.excluded_runs] == ["it is a copy of a/x/run-01"]


def test_two_different_days_under_one_name_are_refused():
    other = replace(ran("b", "x", 1), content_hash="f" * 64)
    with pytest.raises(Refused, match="'x' has two different contents") as refusal:
        leaderboard([ran("a", "x", 1), other])
    assert refusal.value.code == "MIXED_SCENARIOS"
    assert leaderboard([ran("a", "x", 1), replace(other, content_hash="")]).item_count == 1


def test_no_run_at_all_is_refused():
    with pytest.raises(InvalidInput, match="there is no run"):
        leaderboard([])


def test_runs_that_were_not_made_alike_are_told():
    config = RunConfig(agent_model="b2", user_sim_model="none", judge_model="none", model_params={"temperature": 1},
                       settings={"window": 3, "action_log_window": 20})  # fmt: skip
    score = ran("b", "x", 2).run_score.model_copy(update={"settings": {"window": 3}, "scorer_version": 2})
    notes = "\n".join(
        leaderboard(
            [*runs("a", x="called called"), ran("b", "x", 1), replace(ran("b", "x", 2), config=config, run_score=score)]
        ).notes
    )
    assert "not alike in user_sim_model: 'a' scripted; 'b' none, scripted" in notes
    assert "'b' was not always run with the same agent_model: b | b2" in notes
    assert "'b' was not always run with the same model_params" in notes
    assert "not alike in settings.window: 'a' 5; 'b' 3, 5" in notes
    assert "settings.action_log_window" not in notes
    assert "on 'x' runs were scored with a different window: 'a' 5; 'b' 3, 5" in notes
    assert "different versions of the rules of noticing (1, 2)" in notes


def test_agents_on_different_scenarios_are_told_and_compared_on_what_they_share():
    found = leaderboard([*runs("a", x="called", y="called"), *runs("b", x="called")])
    assert any("not every agent has a value on each of the 2 scenarios" in note for note in found.notes)
    assert found.comparisons[0].common_items == 1


@pytest.mark.parametrize(
    ("outcome", "words"), [("called", "every day has an anomaly"), ("quiet", "no day has an anomaly")]
)
def test_days_of_one_kind_only_are_told(outcome: str, words: str):
    assert any(words in note for note in leaderboard(runs("a", x=outcome)).notes)


def test_a_cost_that_nobody_knows_is_not_zero():
    known, unknown = runs("a", x="called nothing called called")[:2], replace(ran("a", "x", 3), cost_usd=None)
    cost = leaderboard([*known, unknown]).agents[0].cost
    assert (cost.run_count, cost.known_runs, cost.total, cost.per_run) == (3, 2, 0.03, 0.015)
    assert cost.per_success == 0.03
    assert cost.per_run_ci_95[0] >= 0
    assert (cost.tokens_per_run, cost.seconds_per_run) == (1100.0, 1.5)
    nothing = leaderboard([unknown])
    assert (nothing.agents[0].cost.per_run, nothing.agents[0].cost.total) == (None, None)
    assert nothing.agents[0].cost.reason == "nobody knows what the runs cost"
    assert any("cost of 1 of 1 run is not known" in note for note in nothing.notes)


# --- the same bytes -----


def test_the_order_of_the_runs_does_not_matter():
    shuffled = three()
    random.Random(7).shuffle(shuffled)
    assert leaderboard(shuffled).model_dump_json() == leaderboard(three()).model_dump_json()


def test_the_leaderboard_is_written_as_its_golden_file_and_read_back_the_same():
    """Look at the diff before renewing it with GNOMON_RENEW_GOLDEN=1: others read this format."""
    given = [*runs("a", fire="both nothing unscored", office="quiet"), *runs("b", fire="called", office="alarm")]
    given[0] = replace(given[0], judge=opinion(8), rubric_hash="r1")
    found = leaderboard(given, generated_at="2026-02-21T22:00:00Z")
    written = json.dumps(json.loads(found.model_dump_json()), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")
    assert BenchLeaderboard.model_validate_json(written) == found


# --- the numbers of the first leaderboards -----

RENAMED = {"false_alarm_rate": "false_alarm", "action_frequency": "actions", "action_type_counts": "action_type"}
TIMES = {"acted": "happened", "window": "limit"}
FIRST = (
    "detection", "detection_in_memory", "called_911", "contacted_someone", "time_to_action", "composite",
    "false_alarm_rate", "false_alarms", "action_frequency", "action_type_counts",
)  # fmt: skip


def as_first(name: str, found: dict[str, Any] | None) -> Any:
    """A metric of today, as leaderboards of the first version had it."""
    if found is None:
        return {"false_alarms": 0, "action_frequency": {}}.get(name)
    plain = {key: value for key, value in found.items() if key != "kind"}
    match name:
        case "false_alarms":
            return plain["total"]
        case "action_frequency":
            return plain.get("means", plain.get("shares"))
        case "action_type_counts":
            return plain["counts"]
        case "time_to_action":
            old = {today: first for first, today in TIMES.items()}
            return {old.get(key, key): value for key, value in plain.items()}
    return plain


def in_first(one: dict[str, Any]) -> dict[str, Any]:
    return {name: as_first(name, one["metrics"].get(RENAMED.get(name, name))) for name in FIRST}


def cost_of(agent: dict[str, Any]) -> dict[str, Any]:
    """Without the interval and its reason: amounts that are all the same had an interval of no width at first."""
    return {name: value for name, value in agent["cost"].items() if name not in ("per_run_ci_95", "reason")}


def test_the_numbers_are_those_of_the_first_version_under_new_names():
    first = json.loads(FIRST_GOLDEN.read_text(encoding="utf-8"))
    today = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert (first["schema_version"], today["schema_version"]) == (1, 2)
    for name in ("comparisons", "groups", "item_count", "excluded_runs", "rubric_hashes", "resamples"):
        assert today[name] == first[name]
    assert len(today["agents"]) == len(first["agents"]) == 2
    for old, new in zip(first["agents"], today["agents"], strict=True):
        metrics = in_first(new)
        known = [name for name in old if name in metrics]
        assert {name: metrics[name] for name in known} == {name: old[name] for name in known}
        plain = set(old) - set(known) - {"scenarios", "cost", "flags"}
        assert set(new["flags"]) - set(old["flags"]) <= {"small_n"}  # the first version did not mark few scenarios
        assert cost_of(new) == cost_of(old)
        assert {name: new[name] for name in plain} == {name: old[name] for name in plain}
        for old_day, new_day in zip(old["scenarios"], new["scenarios"], strict=True):
            same_scenario(old_day, new_day)


def same_scenario(old: dict[str, Any], new: dict[str, Any]) -> None:
    metrics = in_first(new)
    alarms = old.pop("false_alarm_rate")
    if alarms is not None:  # a share then, a rate like every other one now
        found = metrics["false_alarm_rate"]
        assert (found["mean"], found["run_count"]) == (alarms["share"], alarms["run_count"])
        assert found["confidence_interval_95"] == alarms["confidence_interval_95"]
    known = [name for name in old if name in metrics]
    assert {name: metrics[name] for name in known} == {name: old[name] for name in known}
    assert new["tags"] == {name: old[name] for name in ("noise_tier", "crisis_type")}
    plain = set(old) - set(known) - {"noise_tier", "crisis_type", "control", "runs"}
    assert {name: new[name] for name in plain} == {name: old[name] for name in plain}
    for was, now in zip(old["runs"], new["runs"], strict=True):
        assert (now["success"], now["result"], now["reason"]) == (was["success"], was["result"], was["reason"])


# --- the terminal -----


def test_the_terminal_shows_success_alarms_speed_and_cost(capsys: pytest.CaptureFixture[str]):
    show(leaderboard(three()))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 agents on 3 scenarios; missing values are left out"
    assert lines[1].split()[:4] == ["rank", "range", "agent", "success"]
    careful = next(line for line in lines[5:] if line.startswith("careful"))
    assert "88 % (16 to 99)" in careful
    assert "1 (0 to >5)" in careful
    assert any(line.startswith("excluded: asleep/fire/run-04: cut before the onset") for line in lines)
    assert not any("make_call:911" in line for line in lines)


def test_details_go_scenario_by_scenario(capsys: pytest.CaptureFixture[str]):
    show(leaderboard(three()), details=True)
    rows = [line for line in capsys.readouterr().out.splitlines() if "make_call:911" in line]
    assert len(rows) == 5
    assert rows[0].startswith("arrest    careful  75 % (30 to 95)")


def test_a_name_cannot_move_the_cursor_and_a_long_one_is_cut(capsys: pytest.CaptureFixture[str]):
    show(leaderboard([*runs("\x1b[2J" + "x" * 80 + "end", d="called"), *runs("b", d="nothing")]), details=True)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "…" in shown.splitlines()[2]
