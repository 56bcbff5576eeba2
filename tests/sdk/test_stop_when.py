"""Evaluations that end when it is decided: fewer runs, and intervals that are right under that rule."""

from typing import Any

import pytest

import gnomon as gn
from gnomon.errors import GnomonError, InvalidInput
from gnomon.sdk.connection import connection

DATA = [{"input": number, "expected_output": str(number)} for number in range(300)]


def right(input: int) -> str:
    return str(input)


def wrong_half_the_time(input: int) -> str:
    return str(input) if input % 2 else "no"


def evaluate(task: Any, stop_when: Any, **options: Any) -> Any:
    return gn.evaluate(task, DATA, [gn.exact_match()], stop_when=stop_when, **{"progress": False, **options})


@pytest.mark.usefixtures("place")
def test_a_gate_that_is_passed_early_saves_the_other_runs() -> None:
    result = evaluate(right, gn.decided("exact_match >= 0.8"))
    assert result.summary.run_count < 100
    assert result.summary.stopping.outcome == "passed"
    one = result.score("exact_match")
    assert one.ci_method == "betting_mixture"
    assert "stopped_early" in one.flags
    assert one.confidence_interval_95[0] >= 0.8
    assert any("runs saved" in note for note in result.notes)
    assert result.experiment.status == "completed"
    assert bool(result.gate("exact_match >= 0.8"))


@pytest.mark.usefixtures("place")
def test_a_gate_that_cannot_be_decided_runs_no_longer_than_that_is_open() -> None:
    def half(output: str) -> float:
        return 0.5

    # Every score is the bar itself: with scores that are so in the mean only, chance would decide now and then.
    decided = gn.decided("half >= 0.5", max_items=60)
    result = gn.evaluate(right, DATA, [half], stop_when=decided, progress=False)
    assert result.summary.run_count <= 60
    assert result.summary.stopping.outcome in ("cannot_be_decided", "undecided")


@pytest.mark.usefixtures("place")
def test_a_comparison_is_over_the_items_of_the_other_experiment() -> None:
    gn.evaluate(wrong_half_the_time, DATA, [gn.exact_match()], name="before", progress=False)
    result = evaluate(right, gn.decided(against="before"), name="after")
    assert result.summary.run_count < 150
    assert result.summary.stopping.outcome == "better"
    assert result.compare("before").verdict("exact_match") == "improved"


@pytest.mark.usefixtures("place")
def test_trials_of_an_item_are_run_together_and_a_function_may_decide() -> None:
    def good(output: str) -> float:
        return 1.0

    result = gn.evaluate(right, DATA, [good], trials=3, stop_when=gn.decided("good >= 0.9"), progress=False)
    runs = list(result.runs)
    by_item: dict[str, int] = {}
    for run in runs:
        by_item[run.dataset_item_id] = by_item.get(run.dataset_item_id, 0) + 1
    assert set(by_item.values()) == {3}
    assert len(runs) < 900


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("decided", "words"),
    [
        ({"gate": "exact_mach >= 0.8"}, "exact_match"),
        ({"gate": "exact_match.min >= 0.8"}, "cannot be decided while scores come in"),
        ({"gate": "exact_match"}, "exact_match"),
        ({"against": "nobody"}, "nobody"),
        ({}, "either a gate"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_before_anything_is_stored(
    decided: dict[str, Any], words: str
) -> None:
    with pytest.raises(GnomonError) as refused:
        evaluate(right, gn.decided(**decided))
    assert words in refused.value.message
    here = connection()
    assert list(here.backend.experiments(here.project_id)) == []


@pytest.mark.usefixtures("home")
def test_stop_when_is_made_by_decided() -> None:
    with pytest.raises(InvalidInput, match="stop_when is"):
        evaluate(right, "soon")


@pytest.mark.usefixtures("place")
def test_an_evaluation_that_was_stopped_goes_on_and_looks_at_what_was_there() -> None:
    ran: list[int] = []
    allowed = 15

    def task(input: int) -> str:
        if len(ran) >= allowed:
            raise LookupError("enough for today")
        ran.append(input)
        return str(input)

    stop_when = gn.decided("exact_match >= 0.8")
    with pytest.raises(LookupError):
        evaluate(task, stop_when, name="twice", version="1", trials=2, on_error="raise", concurrency=1)
    begun = gn.experiment("twice").summary.run_count
    allowed = 10_000
    result = evaluate(task, stop_when, name="twice", version="1", trials=2, retry_failed=True)
    assert result.summary.stopping.outcome == "passed"
    assert begun <= result.summary.run_count < 200
    assert result.ran < result.summary.run_count
    assert len(ran) == result.summary.run_count
