"""`evaluate` without a server and with one: the same calls, the same results."""

import asyncio
import dataclasses
import datetime
import enum
import json
import math
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import gnomon as gn
from gnomon.errors import Forbidden, InvalidInput
from gnomon.sdk.connection import configure, connection

CAPITALS = [
    {"input": "France", "expected_output": "Paris"},
    {"input": "Italy", "expected_output": "Rome"},
    {"input": "Spain", "expected_output": "Madrid"},
    {"input": "Norway", "expected_output": "Oslo"},
]
KNOWN = {"France": "Paris", "Italy": "Rome", "Spain": "madrid", "Norway": "Bergen"}


def answer(question: str) -> str:
    return KNOWN[question]


def evaluate(task: Any = answer, data: Any = None, scorers: Any = None, **options: Any) -> Any:
    """With what most tests leave as it is."""
    rows = CAPITALS if data is None else data
    chosen = [gn.exact_match()] if scorers is None else scorers
    return gn.evaluate(task, rows, chosen, **{"progress": False, **options})


def means(result: Any) -> dict[str, float | None]:
    return {name: one.mean for name, one in result.summary.scores_by_scorer.items()}


def by_input(result: Any) -> dict[Any, Any]:
    return {json.dumps(run.input) if not isinstance(run.input, str) else run.input: run for run in result.runs}


def reasons(result: Any, scorer: str) -> dict[str, int]:
    return dict(result.summary.scores_by_scorer[scorer].reasons)


# --- tasks -----


@pytest.mark.usefixtures("place")
def test_ten_lines_give_a_mean_with_its_interval() -> None:
    def polite(output: str) -> bool:
        return output[0].isupper()

    result = evaluate(scorers=[gn.exact_match(), gn.exact_match(case_sensitive=False, name="loose"), polite])
    assert means(result) == {"exact_match": 0.5, "loose": 0.75, "polite": 0.75}
    for one in result.summary.scores_by_scorer.values():
        low, high = one.confidence_interval_95
        assert low < one.mean < high
    assert result.name == "answer"
    assert result.experiment.status == "completed"
    assert result.experiment.metadata["gnomon"]["task"]


@pytest.mark.usefixtures("place")
def test_sync_async_and_generator_tasks_give_the_same_outputs() -> None:
    async def slowly(question: str) -> str:
        await asyncio.sleep(0.001)
        return KNOWN[question]

    def in_pieces(question: str) -> Any:
        yield from KNOWN[question]

    async def slowly_in_pieces(question: str) -> Any:
        for letter in KNOWN[question]:
            yield letter

    for task in (answer, slowly, in_pieces, slowly_in_pieces, lambda question: slowly(question)):
        result = evaluate(task, name="same")
        assert {run.input: run.output for run in result.runs} == KNOWN


@pytest.mark.usefixtures("place")
def test_a_dict_input_is_spread_and_named_parameters_get_what_they_name() -> None:
    data = [{"input": {"a": 1, "b": 2}, "expected_output": 3, "weight": 0.5}]

    def add(a: int, b: int) -> int:
        return a + b

    def told(input: Any, expected_output: Any, metadata: Any, item: Any) -> Any:
        return [input, expected_output, metadata, sorted(item)]

    assert next(iter(evaluate(add, data).runs)).output == 3
    given = next(iter(evaluate(told, data).runs)).output
    assert given == [{"a": 1, "b": 2}, 3, {"weight": 0.5}, ["expected_output", "id", "input", "metadata"]]


def test_evaluate_works_inside_a_running_loop_as_in_a_notebook(home: Path) -> None:
    async def slowly(question: str) -> str:
        await asyncio.sleep(0)
        return KNOWN[question]

    async def cell() -> Any:
        return evaluate(slowly)

    assert means(asyncio.run(cell())) == {"exact_match": 0.5}


def test_aevaluate_runs_the_task_in_the_loop_of_its_caller(home: Path) -> None:
    seen: set[int] = set()

    async def task(question: str) -> str:
        seen.add(id(asyncio.get_running_loop()))
        return KNOWN[question]

    async def scorer(output: str) -> bool:
        seen.add(id(asyncio.get_running_loop()))
        return True

    async def main() -> int:
        await gn.aevaluate(task, CAPITALS, [scorer], progress=False)
        return id(asyncio.get_running_loop())

    assert {asyncio.run(main())} == seen


@pytest.mark.usefixtures("place")
def test_trials_run_every_item_so_often_and_summaries_say_pass_k() -> None:
    calls: list[str] = []

    def flaky(question: str) -> str:
        calls.append(question)
        return "Paris"

    result = evaluate(flaky, trials=3, name="three")
    assert len(calls) == 12
    assert result.summary.run_count == 12
    one = result.summary.scores_by_scorer["exact_match"]
    assert one.mean == 0.25


def test_as_many_runs_at_a_time_as_concurrency_says(home: Path) -> None:
    meeting = threading.Barrier(8, timeout=600)

    def meets(question: int) -> int:
        meeting.wait()
        return question

    result = evaluate(meets, [{"input": number} for number in range(8)], [], concurrency=8)
    assert result.summary.failed_run_count == 0


# --- what goes wrong in a task -----


@pytest.mark.usefixtures("place")
def test_errors_of_the_task_are_failed_runs_with_type_and_message() -> None:
    def sometimes(question: str) -> str:
        if question == "Spain":
            raise LookupError("never been there")
        return KNOWN[question]

    result = evaluate(sometimes, scorers=[gn.exact_match(), lambda output: 1.0])
    assert result.summary.failed_run_count == 1
    failed = by_input(result)["Spain"]
    assert (failed.error.type, failed.error.message) == ("LookupError", "never been there")
    assert result.summary.scores_by_scorer["lambda"].n_failed == 1
    assert result.summary.scores_by_scorer["exact_match"].n_failed == 1


@pytest.mark.usefixtures("place")
def test_on_error_raise_stops_at_the_first_and_keeps_what_ran() -> None:
    def breaks(question: str) -> str:
        raise ZeroDivisionError("as asked")

    with pytest.raises(ZeroDivisionError, match="as asked"):
        evaluate(breaks, on_error="raise", concurrency=1, name="broken")
    assert gn.experiment("broken").summary.failed_run_count >= 1


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("is_async", [False, True])
def test_a_run_that_takes_too_long_fails_and_the_others_go_on(is_async: bool) -> None:
    release = threading.Event()

    def hangs(question: str) -> str:
        if question == "Italy":
            release.wait(600)
        return KNOWN[question]

    async def waits(question: str) -> str:
        if question == "Italy":
            await asyncio.sleep(600)
        return KNOWN[question]

    for timeout in (1, 10, 100):  # the others need more than a second only where the machine is busy
        result = evaluate(waits if is_async else hangs, timeout=timeout, concurrency=1, name=f"at most {timeout} s")
        failed = [run for run in result.runs if run.error is not None]
        if len(failed) == 1:
            break
    release.set()
    assert [(run.input, run.error.type, run.error.message) for run in failed] == [
        ("Italy", "TimeoutError", f"it took longer than {timeout} s")
    ]


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Place:
    name: str
    since: datetime.date


class Answer(BaseModel):
    text: str
    tags: tuple[str, ...]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("returned", "stored"),
    [
        ("ümlaut", "ümlaut"),
        ("", ""),
        (0, 0),
        ({"a": (1, 2.5)}, {"a": [1, 2.5]}),
        (Colour.RED, "red"),
        (Place("Rome", datetime.date(2026, 1, 2)), {"name": "Rome", "since": "2026-01-02"}),
        (Answer(text="x", tags=("a",)), {"text": "x", "tags": ["a"]}),
        ({2, 1}, [1, 2]),
    ],
)
def test_outputs_are_stored_as_json_says_them(returned: Any, stored: Any) -> None:
    result = evaluate(lambda question: returned, CAPITALS[:1], [])
    assert next(iter(result.runs)).output == stored


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "the task returned None"),
        (object(), "which JSON cannot represent"),
        (math.nan, "nan, which JSON cannot represent"),
        ("a\0b", "NUL"),
        ("\ud800", "half a character"),
        ({1: 2}, "the key 1, which is not text"),
        ("x" * 16_000_001, "16,000,001 characters"),
    ],
    ids=["none", "object", "nan", "nul", "surrogate", "number as key", "too large"],
)
def test_outputs_that_cannot_be_stored_are_failed_runs_that_say_why(returned: Any, words: str) -> None:
    result = evaluate(lambda question: returned if question == "Italy" else KNOWN[question])
    failed = [run for run in result.runs if run.error is not None]
    assert [run.input for run in failed] == ["Italy"]
    assert words in failed[0].error.message
    assert result.summary.run_count == 4


@pytest.mark.usefixtures("place")
def test_outputs_of_ten_megabytes_are_stored_whole() -> None:
    result = evaluate(lambda question: question * 2_000_000, [{"input": "12345"}, {"input": "54321"}], [])
    assert sorted(len(run.output) for run in result.runs) == [10_000_000, 10_000_000]


# --- scorers -----


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("returned", "state", "words"),
    [
        (math.nan, "failed", "NaN"),
        (2.0, "failed", "outside [0, 1]"),
        ([1], "failed", "of type list"),
        (None, "absent", "None"),
        (gn.Absent("no answer to look at"), "absent", "no answer to look at"),
    ],
)
def test_a_scorer_that_returns_no_score_leaves_a_state_with_its_reason(returned: Any, state: str, words: str) -> None:
    def odd(output: str) -> Any:
        return returned if output == "Rome" else 1.0

    result = evaluate(scorers=[odd])
    one = result.summary.scores_by_scorer["odd"]
    assert (one.mean, one.n_scored, getattr(one, f"n_{state}")) == (1.0, 3, 1)
    assert words in next(iter(one.reasons))


@pytest.mark.usefixtures("place")
def test_a_scorer_that_raises_fails_for_that_run_only() -> None:
    def picky(output: str) -> float:
        if output == "madrid":
            raise ValueError("not a name")
        return 0.5

    async def later(output: str, expected_output: str) -> gn.Scored:
        await asyncio.sleep(0)
        return gn.Scored(float(output == expected_output), rationale=f"said {output}")

    result = evaluate(scorers=[picky, later])
    assert reasons(result, "picky") == {"ValueError: not a name": 1}
    assert means(result) == {"picky": 0.5, "later": 0.5}
    assert {s.rationale for run in result.runs for s in run.scores if s.scorer_name == "later"} >= {"said Paris"}


@pytest.mark.usefixtures("place")
def test_a_dict_is_several_scores_and_a_name_that_is_taken_is_said() -> None:
    @gn.scorer(name="style")
    def style(output: str) -> Any:
        return {"tone": 0.5, "length": 1}

    @gn.scorer(name="style.tone")
    def tone(output: str) -> float:
        return 0.25

    result = evaluate(scorers=[style, tone])
    assert means(result)["style.length"] == 1.0
    assert means(result)["style.tone"] == 0.5
    assert "has the name of another scorer's" in next(iter(reasons(result, "style.tone (again)")))


@pytest.mark.usefixtures("place")
def test_experiment_scorers_see_all_runs_and_get_an_interval() -> None:
    def longest(runs: list[Any]) -> float:
        return max(len(run.output) for run in runs)

    def broken(runs: list[Any]) -> float:
        raise KeyError("gone")

    def always_half(runs: list[Any]) -> float:
        return 0.5

    data = [{"input": f"{number:0{number}d}"} for number in range(1, 21)]
    result = evaluate(lambda question: question, data, [], experiment_scorers=[longest, broken, always_half])
    found = result.summary.metrics
    assert found["longest"].value == 20
    assert found["longest"].confidence_interval_95[1] == 20
    assert found["broken"].value is None
    assert "KeyError" in found["broken"].reason
    assert (found["always_half"].value, found["always_half"].confidence_interval_95) == (0.5, None)
    assert found["always_half"].reason.startswith("no interval: resampled runs give the same value")


# --- the call itself -----


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task": 3}, "task is 3, which cannot be called"),
        ({"task": lambda: 1}, "takes no argument"),
        ({"task": lambda a, b: 1}, "the input of item 1 is 'France'"),
        ({"data": "missing.jsonl"}, "missing.jsonl, which does not exist"),
        ({"data": "nobody"}, "no dataset of project"),
        ({"data": []}, "has no rows"),
        ({"data": [{"question": "x"}]}, "no column 'input', only question"),
        ({"data": [{"input": "x", "answer": "y"}]}, "the columns are input, answer"),
        ({"data": [{"input": "x", "id": 1}, {"input": "y", "id": 1}]}, "the same id '1'"),
        ({"scorers": "exact_match"}, "give a list of scorers"),
        ({"scorers": ["exactmatch"]}, "did you mean 'exact_match'?"),
        ({"scorers": [gn.exact_match(), gn.exact_match()]}, "two scorers are named 'exact_match'"),
        ({"scorers": [lambda answer: 1]}, "needs answer, which is not available"),
        ({"trials": 0}, "trials is 0; give a whole number from 1"),
        ({"concurrency": True}, "concurrency is True"),
        ({"timeout": -1}, "timeout is -1"),
        ({"on_error": "ignore"}, "on_error is 'ignore'; it is 'store' or 'raise'"),
        ({"name": " "}, "name is ' '"),
        ({"experiment_scorers": [3]}, "3 cannot be called"),
        ({"stop_when": "soon"}, "stop_when is 'soon'"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_stored(change: dict[str, Any], words: str) -> None:
    def never(question: str) -> str:
        raise AssertionError("it must not run")

    given = {"task": never, "data": CAPITALS, "scorers": [gn.exact_match()], **change}
    with pytest.raises(InvalidInput) as refused:
        evaluate(**given)
    assert words in refused.value.message
    assert "\n" not in refused.value.message
    here = connection()
    assert list(here.backend.datasets(here.project_id)) == []
    assert list(here.backend.experiments(here.project_id)) == []


@pytest.mark.usefixtures("place")
def test_equal_items_are_items_of_their_own() -> None:
    result = evaluate(data=[CAPITALS[0], CAPITALS[0]])
    assert result.summary.run_count == 2
    assert result.summary.expected_item_count == 2


@pytest.mark.usefixtures("place")
def test_data_may_be_a_file_or_the_dataset_that_it_became(tmp_path: Path) -> None:
    file = tmp_path / "capitals.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in CAPITALS))
    first = evaluate(data=str(file))
    second = evaluate(data="capitals")
    assert first.experiment.dataset_id == second.experiment.dataset_id
    assert means(first) == means(second)


# --- going on, running again -----


@pytest.mark.usefixtures("place")
def test_the_same_call_goes_on_with_what_is_missing() -> None:
    calls: list[str] = []
    ready = {"France", "Italy"}

    def task(question: str) -> str:
        if question not in ready:
            raise KeyboardInterrupt
        calls.append(question)
        return KNOWN[question]

    here = connection()
    first = evaluate(task, name="later", version="1")
    assert first.summary.failed_run_count == 2
    ready |= {"Spain", "Norway"}
    again = evaluate(task, name="later", version="1", retry_failed=True)
    assert again.id == first.id
    assert sorted(calls) == ["France", "Italy", "Norway", "Spain"]
    assert again.summary.failed_run_count == 0
    assert {run.attempts for run in again.runs} == {1, 2}
    assert len(list(here.backend.experiments(here.project_id))) == 1


@pytest.mark.usefixtures("place")
def test_a_finished_experiment_is_not_continued_and_a_changed_one_neither() -> None:
    first = evaluate(name="again")
    second = evaluate(name="again")
    assert first.id != second.id
    assert second.notes == []
    third = evaluate(lambda question: "Paris", name="again", retry_failed=True)
    assert third.id not in (first.id, second.id)
    assert any("the task has changed since" in note for note in third.notes)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": CAPITALS[:3]}, "the data have changed since"),
        ({"scorers": [gn.contains()]}, "the scorers have changed since"),
        ({"version": "2"}, "the task has changed since"),
        ({"version": "2", "scorers": []}, "the task and the scorers have changed since"),
        ({"trials": 2}, "it has 1 trial and not 2"),
    ],
)
def test_what_was_left_unfinished_is_not_mixed_with_something_else(change: dict[str, Any], words: str) -> None:
    def breaks(question: str) -> str:
        raise LookupError("not today")

    breaks.__name__ = "answer"
    common = {"name": "left", "dataset": "places", "version": "1"}
    with pytest.raises(LookupError):
        evaluate(breaks, on_error="raise", **common)
    left = gn.experiment("left").id
    result = evaluate(**{**common, **change})
    assert result.id != left
    assert f"'left' was left unfinished, but {words}, so a new experiment of that name was begun" in result.notes
    assert gn.experiment(left).experiment.status == "running"


@pytest.mark.usefixtures("place")
def test_cached_outputs_are_not_run_again() -> None:
    calls: list[str] = []

    def task(question: str) -> str:
        calls.append(question)
        return KNOWN[question]

    evaluate(task, cache=True, trials=2, version="1")
    second = evaluate(task, cache=True, trials=2, version="1", scorers=[gn.contains()])
    assert (len(calls), second.cached) == (8, 8)
    assert means(second) == {"contains": 0.5}
    evaluate(task, cache=True, version="2")
    assert len(calls) == 12


@pytest.mark.usefixtures("place")
def test_rescore_scores_stored_outputs_without_the_task() -> None:
    def long(output: str, metadata: Any) -> bool:
        return len(output) > 4

    evaluate(name="old")
    again = gn.rescore("old", [gn.contains(), long], progress=False)
    assert means(again) == {"exact_match": 0.5, "contains": 0.5, "long": 0.75}
    once_more = gn.rescore("old", [long], progress=False)
    assert once_more.notes == ["4 runs had these scores already"]
    assert means(once_more)["long"] == 0.75


@pytest.mark.usefixtures("place")
def test_rescore_refuses_a_function_that_has_changed_since() -> None:
    def make(value: float) -> Any:
        def same_name(output: str) -> float:
            return value

        return same_name

    evaluate(name="old", scorers=[make(0.25)])
    with pytest.raises(InvalidInput, match="scorer same_name has changed since 'old'"):
        gn.rescore("old", [make(0.5)], progress=False)


def test_progress_is_a_line_per_tenth_where_nobody_watches(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def slowly(question: int) -> int:
        time.sleep(0.002)
        return question

    gn.evaluate(slowly, [{"input": number} for number in range(100)], [], concurrency=2)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 10
    assert lines[-1].startswith("slowly: 100 of 100 runs (100 %), ")
    evaluate()
    assert capsys.readouterr().err == ""


def test_a_key_that_is_bound_to_a_project_works_in_that_project(home: Path, api: Any, writer: Any, reader: Any) -> None:
    """A writer may evaluate; a reader is told in one line that it may not."""
    url = str(api.http.base_url).rstrip("/")
    configure(url=url, api_key=writer.key)
    result = evaluate(experiment_scorers=[len])
    assert connection().project_id == writer.project
    assert means(result) == {"exact_match": 0.5}
    assert result.summary.metrics["len"].value == 4
    configure(url=url, api_key=reader.key)
    assert means(gn.experiment("answer")) == {"exact_match": 0.5}
    with pytest.raises(Forbidden) as refused:
        evaluate()
    assert "\n" not in refused.value.message
