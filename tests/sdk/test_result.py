"""What an evaluation returns, comparisons, leaderboards and datasets: the same embedded and with a server.

Look at the difference, then renew the golden files with GNOMON_RENEW_GOLDEN=1.
"""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import gnomon as gn
import preloaded
from gnomon.errors import InvalidInput, NotFound, Refused
from gnomon.model.backend import Backend
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.metrics import MetricDraft, MetricsDraft
from gnomon.model.score import InlineScoreDraft, ScoreDraft
from gnomon.model.stopping import StoppingDraft
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.sdk.result import EvaluationResult
from report.pages import HOSTILE, check_harmless, check_self_contained

GOLDEN = Path(__file__).parents[1] / "golden" / "sdk"
COUNTRIES = ["France", "Italy", "Spain", "Norway", "Japan", "Peru", "Kenya", "Nepal", "Cuba", "Ghana", "Chad", "Oman"]
CAPITALS = ["Paris", "Rome", "Madrid", "Oslo", "Tokyo", "Lima", "Nairobi", "Kathmandu", "Havana", "Accra", "N'Djamena",
            "Muscat"]  # fmt: skip
NASTY = '<script>alert("1")</script>&\'"\x1b[2J'


@dataclass(frozen=True)
class ExperimentMaker:
    """Stores experiments over the capitals, as an evaluation would."""

    backend: Backend
    project_id: str

    def capitals(self) -> gn.DatasetHandle:
        rows = [
            {"input": country, "expected_output": capital} for country, capital in zip(COUNTRIES, CAPITALS, strict=True)
        ]
        return gn.dataset(rows, name="capitals")

    def experiment(
        self, name: str, answer: Callable[[int, int], Any], trials: int = 1, scores: Any = None, completed: bool = True
    ) -> str:
        """`answer(item, trial)` is the output, or an exception."""
        items = {item.input: item.id for item in self.capitals().items()}
        draft = ExperimentDraft(
            project_id=self.project_id, name=name, dataset_id=gn.dataset("capitals").id, trials=trials
        )  # fmt: skip
        made = self.backend.create_experiment(draft)
        runs = [
            _run(items[country], trial, answer(place, trial), (scores or _exact)(place, trial))
            for place, country in enumerate(COUNTRIES)
            for trial in range(trials)
        ]
        self.backend.add_runs(made.id, runs)
        if completed:
            self.backend.complete(made.id)
        return made.id


def _exact(place: int, trial: int) -> list[InlineScoreDraft]:
    return [InlineScoreDraft(scorer_name="exact_match")]


def _run(item_id: str, trial: int, answer: Any, scores: list[InlineScoreDraft]) -> RunDraft:
    if isinstance(answer, Exception):
        error = RunError(message=str(answer), type=type(answer).__name__)
        return RunDraft(dataset_item_id=item_id, trial=trial, error=error)
    return RunDraft(dataset_item_id=item_id, trial=trial, output=answer, scores=scores)


@pytest.fixture
def where(place: str) -> SdkConnection:
    return connection()


@pytest.fixture
def maker(where: SdkConnection) -> ExperimentMaker:
    return ExperimentMaker(where.backend, where.project_id)


def right(place: int, trial: int) -> str:
    return CAPITALS[place]


def wrong(place: int, trial: int) -> str:
    return "Atlantis"


def mixed(place: int, trial: int) -> Any:
    if place in (3, 4):
        return TimeoutError("no answer in 5 s")
    if place == 5:
        return ValueError("bad prompt")
    return (right if (place + trial) % 3 else wrong)(place, trial)


def many_scores(place: int, trial: int) -> list[InlineScoreDraft]:
    broken = {"failed": "ZeroDivisionError: division by zero"} if place == 6 else {"value": 0.5 + place / 40}
    short: dict[str, Any] = (
        {"absent": "too short to tell"} if place == 7 else {"value": "terse", "rationale": "one word"}
    )
    return [
        InlineScoreDraft(scorer_name="exact_match"),
        InlineScoreDraft(scorer_name="style", **broken),
        InlineScoreDraft(scorer_name="tone", **short),
    ]


def golden(name: str, text: str) -> None:
    """The stylesheet is not compared: it is one for all pages."""
    file, text = GOLDEN / name, re.sub(r"<style>.*?</style>", "<style>…</style>", text)
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text("utf-8")


def without_address(text: str, result: EvaluationResult) -> str:
    """The page's address differs from server to server, and there is none without one."""
    text = re.sub(rf'<p><a href="{re.escape(result.url or "-")}">.*?</a></p>\n', "", text)
    return "".join(line for line in text.splitlines(keepends=True) if line.strip() != result.url).rstrip("\n") + "\n"


# --- the result -----


def test_print_shows_scores_with_intervals_failures_gaps_and_notes(
    where: SdkConnection, maker: ExperimentMaker
) -> None:
    """`print(result)`: scorer, mean, 95 % interval, pass@1, pass^k, failures, gaps with reasons."""
    id = maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores)
    result = EvaluationResult(where, id, notes=["the task changed"], ran=24, cached=4, seconds=1.25)
    golden("result.txt", without_address(str(result), result))


def test_a_notebook_shows_the_same_with_drawn_whiskers(where: SdkConnection, maker: ExperimentMaker) -> None:
    id = maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores)
    result = EvaluationResult(where, id, notes=["the task changed"], ran=24, cached=4, seconds=1.25)
    golden("result.html", without_address(result._repr_html_(), result))


def test_what_a_notebook_shows_is_whole_and_fetches_nothing(maker: ExperimentMaker) -> None:
    maker.experiment(NASTY, right)
    maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores)
    for shown in (
        gn.experiment("prompt-v3"),
        gn.compare(NASTY, "prompt-v3"),
        gn.leaderboard("capitals", "exact_match"),
    ):
        text = shown._repr_html_()
        check_self_contained(text)
        assert "data-jp-theme-light" in text


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_from_outside_stay_text_in_a_notebook(maker: ExperimentMaker, hostile: str) -> None:
    maker.experiment(f"base {hostile}", right)
    maker.experiment(f"other {hostile}", mixed, trials=2, scores=many_scores)
    found = gn.compare(f"base {hostile}", f"other {hostile}")
    for shown in (gn.experiment(f"base {hostile}"), found, gn.leaderboard("capitals", "exact_match")):
        check_harmless(shown._repr_html_(), hostile)


def test_one_trial_without_gaps_has_no_columns_for_trials_and_gaps(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v1", right)
    header = str(gn.experiment("prompt-v1")).splitlines()[1]
    assert header.split() == ["scorer", "mean", "95", "%", "interval", "0", "1", "scored"]


def test_metrics_of_the_whole_experiment_stand_below_the_scores(where: SdkConnection, maker: ExperimentMaker) -> None:
    """Metrics that are no mean, with their interval or the reason why there is none."""
    id = maker.experiment("prompt-v1", right)
    metrics = {
        "bleu": MetricDraft(value=31.25, confidence_interval_95=(29.5, 33.0), n=12),
        "calibration": MetricDraft(value=0.0625, reason="too few bins"),
        "broken": MetricDraft(reason="ValueError: no references"),
    }
    where.backend.set_metrics(id, MetricsDraft(metrics=metrics))
    printed, shown = str(gn.experiment(id)).splitlines(), gn.experiment(id)._repr_html_()
    start = next(number for number, line in enumerate(printed) if line.startswith("metric"))
    assert [line.split(maxsplit=2) for line in printed[start + 1 : start + 4]] == [
        ["bleu", "31.25", "29.5 to 33       12"],
        ["broken", "–", "–                 –  ValueError: no references"],
        ["calibration", "0.0625", "–                 –  too few bins"],
    ]
    assert '<th scope="row" class="text">bleu</th><td>31.25</td><td>29.5 to 33</td><td>12</td>' in shown


def test_an_evaluation_that_stopped_early_says_what_that_saved(where: SdkConnection, maker: ExperimentMaker) -> None:
    id = maker.experiment("prompt-v1", right, completed=False)
    stopping = StoppingDraft(
        scorer_name="exact_match", kind="gate", text="exact_match >= 0.5", outcome="passed", items=12, max_items=40
    )
    where.backend.complete(id, stopping)
    said = "stopped early: exact_match >= 0.5: passed after 12 of 40 items (28 runs saved)"
    assert str(gn.experiment(id)).splitlines()[1] == said
    assert said.replace(">", "&gt;") in gn.experiment(id)._repr_html_()


def test_an_experiment_without_scores_says_so(maker: ExperimentMaker) -> None:
    maker.experiment("unscored", right, scores=lambda place, trial: [])
    result = gn.experiment("unscored")
    assert "There are no scores yet." in str(result)
    assert "There are no scores yet." in result._repr_html_()


def test_a_repr_is_one_line(maker: ExperimentMaker) -> None:
    id = maker.experiment("prompt-v1\nand more", right)
    said = repr(gn.experiment(id))
    assert said == (
        f"<EvaluationResult 'prompt-v1 and more': 12 runs; 12 items, exact_match 1.000 (0.758 to 1.000); id {id}>"
    )


def test_a_repr_of_what_is_gone_says_so_instead_of_raising(where: SdkConnection) -> None:
    said = repr(EvaluationResult(where, "never made"))
    assert said.startswith("<EvaluationResult never made: ")
    assert "does not exist" in said


def test_a_result_knows_its_page_only_with_a_server(where: SdkConnection, maker: ExperimentMaker) -> None:
    result = gn.experiment(maker.experiment("prompt-v1", right))
    if where.url is None:
        assert result.url is None
    else:
        assert result.url == f"{where.url}/projects/{where.project_id}/experiments/{result.id}"
        assert str(result).splitlines()[-1] == result.url


def test_figures_are_kept_until_refreshed(where: SdkConnection, maker: ExperimentMaker) -> None:
    result = gn.experiment(maker.experiment("prompt-v1", right))
    assert list(result.summary.scores_by_scorer) == ["exact_match"]
    run = next(result.runs)
    where.backend.add_score(ScoreDraft(target_id=run.id, target_type="run", scorer_name="late", value=0.5))
    assert list(result.summary.scores_by_scorer) == ["exact_match"]
    result.refresh()
    assert result.score("late").mean == 0.5


def test_one_scorers_figures_are_found_by_name(maker: ExperimentMaker) -> None:
    result = gn.experiment(maker.experiment("prompt-v1", right))
    assert result.score("exact_match").mean == 1.0
    with pytest.raises(InvalidInput, match=r"'prompt-v1' has no scores of 'exact_mach'; did you mean 'exact_match'\?"):
        result.score("exact_mach")
    with pytest.raises(InvalidInput, match="no scores of 'tone'; the scorers are exact_match"):
        result.score("tone")


def test_an_experiment_is_found_by_name_by_id_and_by_age(maker: ExperimentMaker) -> None:
    first, second = maker.experiment("prompt", wrong), maker.experiment("prompt", right)
    assert gn.experiment("prompt").id == second
    assert gn.experiment("prompt", at="~1").id == first
    assert gn.experiment(first).name == "prompt"
    with pytest.raises(NotFound, match="experiment 'prompt-v9' does not exist"):
        gn.experiment("prompt-v9")


def test_runs_are_read_page_by_page_oldest_first(maker: ExperimentMaker) -> None:
    runs = list(gn.experiment(maker.experiment("prompt-v1", right, trials=20)).runs)
    assert len(runs) == 240  # more than a page
    assert [run.created_at for run in runs] == sorted(run.created_at for run in runs)
    assert {run.scores[0].value for run in runs} == {1.0}


def test_failures_are_failed_runs_and_failed_scores(maker: ExperimentMaker) -> None:
    failures = gn.experiment(maker.experiment("prompt-v3", mixed, scores=many_scores)).failures
    assert {(one.input, one.scorer_name, one.error_type, one.message) for one in failures} == {
        ("Norway", None, "TimeoutError", "no answer in 5 s"),
        ("Japan", None, "TimeoutError", "no answer in 5 s"),
        ("Peru", None, "ValueError", "bad prompt"),
        ("Kenya", "style", None, "ZeroDivisionError: division by zero"),
    }
    assert all(one.run_id and one.item_id for one in failures)


def test_where_nothing_failed_there_are_no_failures(maker: ExperimentMaker) -> None:
    assert gn.experiment(maker.experiment("prompt-v1", right)).failures == []


def test_hostile_names_and_messages_stay_text(where: SdkConnection, maker: ExperimentMaker) -> None:
    def hostile(place: int, trial: int) -> Any:
        return RuntimeError(NASTY) if place == 1 else "fine"

    def scores(place: int, trial: int) -> list[InlineScoreDraft]:
        return [InlineScoreDraft(scorer_name=NASTY, value=0.5), InlineScoreDraft(scorer_name="odd", absent=NASTY)]

    maker.experiment(f"[bold]{NASTY}", hostile, scores=scores)
    result = EvaluationResult(where, gn.experiment(f"[bold]{NASTY}").id, notes=[NASTY])
    printed, shown = str(result), result._repr_html_()
    assert "\x1b" not in printed + shown
    assert printed.startswith("[bold]<script>")
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") >= 5
    assert repr(result).count("\n") == 0


EMBEDDED = pytest.mark.parametrize("place", ["embedded"], indirect=True)
"""Where another process looks at what was stored: what it prints does not depend on the backend."""


@EMBEDDED
def test_a_narrow_terminal_loses_the_drawing_before_the_figures(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores)
    script = "print(gn.experiment('prompt-v3'))"
    narrow, wide = in_terminal(script, columns=80)[1:5], in_terminal(script, columns=140)[1:5]
    assert max(map(len, narrow)) <= 80
    assert narrow[1].split() == [
        "exact_match",
        "0.667",
        "0.418",
        "to",
        "0.834",
        "0.667",
        "0.333",
        "18",
        "of",
        "24",
        "6",
        "0",
    ]
    assert "●" in wide[1]
    assert "●" not in narrow[1]


def there(where: SdkConnection) -> str:
    return f"import gnomon as gn; gn.configure(database={where.settings.database_url!r}, project={where.project_id!r})"


def in_terminal(script: str, columns: int) -> list[str]:
    """What a program prints into a terminal of that width."""
    whole = f"{there(connection())}; {script}"
    master, slave = pty.openpty()
    process = subprocess.Popen(
        preloaded.command("-c", whole), stdout=slave, env=os.environ | {"COLUMNS": str(columns), "TERM": "xterm"}
    )
    os.close(slave)
    written = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not part:
            break
        written += part
    os.close(master)
    assert process.wait() == 0
    assert b"\x1b" not in written
    return written.decode().replace("\r\n", "\n").splitlines()


@EMBEDDED
def test_a_terminal_that_lacks_letters_gets_question_marks_instead_of_a_crash(maker: ExperimentMaker) -> None:
    maker.experiment("prüfung", mixed, scores=many_scores)
    script = f"{there(connection())}; print(gn.experiment('pr\\u00fcfung'))"
    surroundings = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=surroundings, check=True)
    assert done.stdout.startswith(b"pr?fung (completed): 12 runs")
    assert b"--o--" in done.stdout


# --- frames -----


FIXED = ["item_id", "trial", "input", "output", "expected_output", "error", "trace_id"]


def test_a_frame_has_a_row_per_run_and_a_column_per_scorer(maker: ExperimentMaker) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    result = gn.experiment(maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores))
    frame = result.to_polars()
    assert frame.columns == [*FIXED, "exact_match", "style", "tone", "tone.rationale"]
    assert frame.height == 24
    (row,) = frame.filter((frame["input"] == "France") & (frame["trial"] == 1)).to_dicts()
    assert {name: row[name] for name in frame.columns[1:] if name != "item_id"} == {
        "trial": 1, "input": "France", "output": "Paris", "expected_output": "Paris", "error": None, "trace_id": None,
        "exact_match": 1.0, "style": 0.5, "tone": "terse", "tone.rationale": "one word",
    }  # fmt: skip
    assert sorted(frame.filter(frame["input"] == "Norway")["error"]) == ["TimeoutError: no answer in 5 s"] * 2
    assert result.to_arrow().to_pylist() == frame.to_dicts()


def test_a_pandas_frame_has_the_same_rows(maker: ExperimentMaker) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    result = gn.experiment(maker.experiment("prompt-v3", mixed, trials=2, scores=many_scores))
    frame = result.to_pandas()
    assert list(frame.columns) == [*FIXED, "exact_match", "style", "tone", "tone.rationale"]
    assert frame["style"].dtype == "float64"
    assert frame["style"].isna().sum() == 2 + 6  # Kenya's scorer failed twice, the tasks of three items too


# --- comparisons -----


def worse(place: int, trial: int) -> str:
    return (wrong if place < 9 else right)(place, trial)


def test_a_comparison_asks_whether_this_got_worse_than_the_other(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", right)
    result = gn.experiment(maker.experiment("prompt-v3", worse))
    found = result.compare("prompt-v2")
    assert (found.base.name, found.other.name) == ("prompt-v2", "prompt-v3")
    assert found.verdict("exact_match") == "regressed"
    assert found.score("exact_match").paired_delta == -0.75
    assert gn.compare("prompt-v3", "prompt-v2").verdict("exact_match") == "improved"
    assert gn.compare(result, gn.experiment("prompt-v2")).verdict("exact_match") == "improved"


def test_print_and_notebook_show_a_comparison(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", right)
    maker.experiment("prompt-v3", worse)
    found = gn.compare("prompt-v2", "prompt-v3")
    golden("comparison.txt", f"{found}\n")
    golden("comparison.html", f"{found._repr_html_()}\n")
    assert repr(found) == "<ComparisonResult prompt-v2 → prompt-v3: exact_match regressed>"


def test_its_own_name_means_the_newest_other_one(maker: ExperimentMaker) -> None:
    first, second, third = (maker.experiment("prompt", right) for _ in range(3))
    assert gn.experiment("prompt").compare("prompt").base.id == second
    assert gn.experiment("prompt").compare("prompt", at="~2").base.id == first
    assert gn.experiment(second).compare("prompt").base.id == third
    assert gn.compare("prompt", "prompt").base.id == second
    with pytest.raises(InvalidInput, match="at '~1' goes with a name"):
        gn.experiment(third).compare(gn.experiment(first), at="~1")


def test_experiments_of_one_name_are_told_apart_by_their_time(maker: ExperimentMaker) -> None:
    first, second = (gn.experiment(maker.experiment("prompt", right)).experiment for _ in range(2))
    said = str(gn.compare("prompt", "prompt")).splitlines()[0]
    assert said == f"prompt of {first.created_at:%Y-%m-%d %H:%M:%S} → prompt of {second.created_at:%Y-%m-%d %H:%M:%S}"


def test_a_name_that_only_this_one_has_cannot_be_compared_with(maker: ExperimentMaker) -> None:
    maker.experiment("prompt", right)
    with pytest.raises(NotFound, match="no other experiment named 'prompt'"):
        gn.experiment("prompt").compare("prompt")


def test_a_regression_fails_a_test_in_words(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", right)
    maker.experiment("prompt-v3", worse)
    found = gn.compare("prompt-v2", "prompt-v3")
    with pytest.raises(AssertionError) as failed:
        found.assert_no_regression("exact_match")
    said = str(failed.value).splitlines()
    assert said[0] == "prompt-v2 → prompt-v3"
    assert said[1] == (
        "exact_match got worse: -0.750 (95 % interval -0.911 to -0.326), mean 1.000 → 0.250; 9 of 12 items are worse"
    )
    assert len(said) == 5
    assert re.fullmatch(r'  1 → 0  "\w+": ".+" → "Atlantis"', said[2])
    with pytest.raises(AssertionError):
        found.assert_no_regression()
    with pytest.raises(AssertionError, match="exact_match did not improve"):
        found.assert_improved()


def test_what_is_not_worse_or_not_surely_worse_passes(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", right)
    maker.experiment("same", right)
    maker.experiment("one-off", lambda place, trial: (wrong if place == 0 else right)(place, trial))
    gn.compare("prompt-v2", "same").assert_no_regression("exact_match")
    one_off = gn.compare("prompt-v2", "one-off")
    assert one_off.verdict("exact_match") == "inconclusive"
    one_off.assert_no_regression("exact_match")
    with pytest.raises(AssertionError):
        one_off.assert_improved("exact_match")


def test_an_improvement_passes_both(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", worse)
    maker.experiment("prompt-v3", right)
    found = gn.compare("prompt-v2", "prompt-v3")
    found.assert_improved("exact_match")
    found.assert_no_regression()


def test_a_margin_lets_smaller_regressions_pass(maker: ExperimentMaker) -> None:
    """With a margin it fails only where the whole interval of the difference is below it."""
    maker.experiment("prompt-v2", right)
    maker.experiment("prompt-v3", worse)
    found = gn.compare("prompt-v2", "prompt-v3")
    ends = found.score("exact_match").delta_ci_95
    assert ends is not None
    with pytest.raises(AssertionError):
        found.assert_no_regression("exact_match", by=-ends[1] - 0.01)
    found.assert_no_regression("exact_match", by=-ends[1] + 0.01)
    with pytest.raises(InvalidInput, match="by is 5; give how much worse is acceptable, from 0 to 1"):
        found.assert_no_regression(by=5)


def test_nothing_to_compare_is_refused_and_does_not_pass(maker: ExperimentMaker) -> None:
    """An application that fails on every item must not look like one that got no worse."""
    maker.experiment("prompt-v2", right)
    maker.experiment("broken", lambda place, trial: ValueError("no key"))
    found = gn.compare("prompt-v2", "broken")
    for assertion in (found.assert_no_regression, found.assert_improved):
        with pytest.raises(Refused, match="no item has a score of 'exact_match' in both"):
            assertion()
        with pytest.raises(Refused, match="no item has a score of 'exact_match' in both"):
            assertion("exact_match")
    with pytest.raises(
        InvalidInput, match="neither experiment has scores of 'exakt_match'; did you mean 'exact_match'"
    ):
        found.assert_no_regression("exakt_match")


def test_the_worst_items_come_with_inputs_and_outputs(maker: ExperimentMaker) -> None:
    def halves(place: int, trial: int) -> str:
        return (wrong if place == 2 or (place == 4 and trial == 0) else right)(place, trial)

    maker.experiment("prompt-v2", right, trials=2)
    maker.experiment("prompt-v3", halves, trials=2)
    worst, next_one = gn.compare("prompt-v2", "prompt-v3").regressions()
    assert (worst.input, worst.base_score, worst.other_score, worst.delta) == ("Spain", 1.0, 0.0, -1.0)
    assert (next_one.input, next_one.base_score, next_one.other_score) == ("Japan", 1.0, 0.5)
    assert (next_one.expected_output, next_one.base_output, next_one.other_output) == ("Tokyo", "Tokyo", "Atlantis")
    assert len(gn.compare("prompt-v2", "prompt-v3").regressions(1)) == 1
    assert gn.compare("prompt-v3", "prompt-v2").regressions() == []
    with pytest.raises(InvalidInput, match="neither experiment has scores of 'tone'"):
        gn.compare("prompt-v2", "prompt-v3").regressions(scorer_name="tone")


def test_gates_are_checked_in_words(maker: ExperimentMaker) -> None:
    """`result.gate("contains.ci_low >= 0.8")`: passed, failed, or undecided."""
    maker.experiment("prompt-v2", right)
    result = gn.experiment(maker.experiment("prompt-v3", worse))
    assert gn.experiment("prompt-v2").gate("exact_match.ci_low >= 0.7", "exact_match >= 0.5")
    gates = result.gate("exact_match >= 0.9", "exact_match not worse than prompt-v2", "exact_match >= 0.3")
    assert [one.decision for one in gates] == ["fail", "fail", "undecided"]
    assert not gates
    with pytest.raises(AssertionError, match="FAILED: exact_match not worse than prompt-v2"):
        gates.assert_passed()


# --- leaderboards and datasets -----


def test_a_leaderboard_ranks_the_experiments_over_a_dataset(maker: ExperimentMaker) -> None:
    maker.experiment("prompt-v2", right)
    maker.experiment("prompt-v3", worse)
    board = gn.leaderboard("capitals", "exact_match")
    assert [(one.agent_id, one.rank) for one in board.leaderboard.agents] == [("prompt-v2", 1), ("prompt-v3", 2)]
    golden("leaderboard.txt", f"{board}\n")
    golden("leaderboard.html", f"{board._repr_html_()}\n")
    assert repr(board).startswith("<LeaderboardResult 2 agents on 12 items by exact_match")
    by_handle = gn.leaderboard(gn.dataset("capitals"), "exact_match", min_effect=0.1)
    assert by_handle.leaderboard.min_effect == 0.1


def test_a_leaderboard_of_an_unknown_dataset_is_refused(maker: ExperimentMaker) -> None:
    with pytest.raises(NotFound, match="dataset 'capitels' does not exist in project"):
        gn.leaderboard("capitels", "exact_match")


def test_data_becomes_a_dataset_that_is_found_by_its_name(where: SdkConnection, tmp_path: Path) -> None:
    file = tmp_path / "capitals.jsonl"
    file.write_text('{"id": 1, "input": "France", "expected_output": "Paris"}\n{"id": 2, "input": "Peru"}\n')
    made = gn.dataset(str(file))
    assert (made.name, made.version, len(made)) == ("capitals", where.backend.dataset(made.id).version, 2)
    assert [(item.key, item.input, item.expected_output) for item in made.items()] == [
        ("1", "France", "Paris"),
        ("2", "Peru", None),
    ]
    assert gn.dataset("capitals").id == gn.dataset(made).id == gn.dataset(made.id).id == made.id
    assert repr(made) == f"<DatasetHandle 'capitals' version {made.version}: 2 items; id {made.id}>"


def test_the_same_data_makes_no_new_version_and_other_data_one(where: SdkConnection) -> None:
    rows = [{"id": "a", "input": "France"}, {"id": "b", "input": "Peru"}]
    first = gn.dataset(rows, name="capitals")
    again = gn.dataset(rows, name="capitals")
    assert (again.id, again.version) == (first.id, first.version)
    second = gn.dataset(rows[:1], name="capitals")
    assert (second.id, second.version, len(second)) == (first.id, first.version + 1, 1)
    assert [item.input for item in first.items()] == ["France", "Peru"]  # a handle stays at its version


def test_a_list_without_a_name_is_named_by_its_content(where: SdkConnection) -> None:
    made = gn.dataset([{"input": "France"}])
    assert re.fullmatch("inline-[0-9a-f]{12}", made.name)
    assert gn.dataset([{"input": "France"}]).id == made.id


def test_names_and_data_are_told_apart_in_words(where: SdkConnection) -> None:
    with pytest.raises(NotFound, match=r"dataset 'capitals' does not exist in .*for a file give its path"):
        gn.dataset("capitals")
    with pytest.raises(InvalidInput, match=r"data names the file capitals\.csv, which does not exist"):
        gn.dataset("capitals.csv")
    with pytest.raises(InvalidInput, match="name 'x' goes with data; 'capitals' is the name of a stored dataset"):
        gn.dataset("capitals", name="x")


# --- the connection -----


def test_what_was_got_before_the_connection_changed_says_how_to_get_it_again(maker: ExperimentMaker) -> None:
    result, data = gn.experiment(maker.experiment("prompt-v1", right)), maker.capitals()
    gn.configure()
    for later in (result.__str__, lambda: result.runs, lambda: result.compare("prompt-v1"), data.items):
        with pytest.raises(Refused, match=r"`configure` or a fork has closed; get it again, by gn\.experiment\(ID\)"):
            later()
    assert "has closed" in repr(result)
