"""`gnomon drift`: words, a small plot and exit codes; a server and a file give the same answer."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.conftest import Run, running
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

FIRST = datetime(2026, 1, 1, 12, tzinfo=UTC)
WEEK = [36, 35, 37, 36, 38, 34, 36]
ALARM, TOO_FEW = 1, 4


def filled(file: Path, passed: list[int], project: str = "support", name: str = "helpful") -> Path:
    """A database with a day per number: so many of 40 scores are 1. Odd spans are the model `small`'s."""
    url = f"sqlite:///{file}"
    open_store(url).close()
    place = Embedded(url)
    for number, good in enumerate(passed):
        place.ingest(
            [
                SpanDraft(
                    id=f"{name}-{number}-{n}", trace_id=f"{name}-{number}-{n}", name="llm",
                    model=["large", "small"][n % 2],
                    start_time=FIRST + timedelta(days=number),
                    scores=[InlineScoreDraft(scorer_name=name, value=float(n < good))],
                )
                for n in range(40)
            ],
            project,
        )  # fmt: skip
    place.close()
    return file


@pytest.fixture
def fallen(tmp_path: Path) -> Path:
    return filled(tmp_path / "gnomon.db", [*WEEK, *[36] * 5, *[20] * 6])


def test_an_alarm_is_told_in_words_with_a_plot_and_exit_code_1(gnomon: Run, fallen: Path):
    done = gnomon("drift", "helpful", "--db", fallen)
    assert done.code == ALARM
    assert "helpful: ALARM on 2026-01-13: the mean fell, from about 2026-01-13 on" in done.out
    assert "reference 2026-01-01 to 2026-01-07: mean 0.900 of 280 scores" in done.out
    assert "since     2026-01-13 to 2026-01-18: mean 0.500 of 240 scores" in done.out
    assert "change -0.400 (" in done.out
    rows = [line for line in done.out.splitlines() if "●" in line and line.startswith("2026")]
    assert len(rows) == 9, "eighteen days, two to a row"
    assert rows[0].index("├") < rows[0].index("●") < rows[0].index("┤"), "the reference lies in its own interval"
    assert rows[-1].index("●") < rows[-1].index("├"), "and the last days below it"


def test_a_steady_stream_is_quiet_with_exit_code_0(gnomon: Run, fallen: Path):
    done = gnomon("drift", "--db", fallen, "--until", "2026-01-12")
    assert done.code == 0
    assert "helpful: quiet" in done.out


def test_too_few_scores_say_what_is_missing_with_exit_code_4(gnomon: Run, fallen: Path):
    done = gnomon("drift", "--db", fallen, "--until", "2026-01-05")
    assert done.code == TOO_FEW
    assert "too few scores to tell: the reference is the first 7 days with scores; there are 5 so far" in done.out


def test_a_project_without_scores_is_too_few(gnomon: Run, tmp_path: Path):
    done = gnomon("drift", "--db", filled(tmp_path / "gnomon.db", [36]), "--until", "2020-01-01")
    assert (done.code, done.out) == (TOO_FEW, "support has no numbers on spans yet: too few to tell\n")


def test_models_stand_beside_the_total(gnomon: Run, fallen: Path):
    done = gnomon("drift", "helpful", "--by", "model", "--db", fallen, "--json")
    found = json.loads(done.out)
    assert done.code == ALARM
    assert [one["by_value"] for one in found["series"]] == [None, "large", "small"]
    assert "helpful [small]: ALARM" in gnomon("drift", "helpful", "--by", "model", "--db", fallen).out


def test_a_mean_that_came_back_is_said_to_have_done_so(gnomon: Run, tmp_path: Path):
    file = filled(tmp_path / "gnomon.db", [*WEEK, *[20] * 2, *[36] * 20])
    done = gnomon("drift", "--db", file)
    assert done.code == ALARM, "an alarm stays"
    assert "the mean may be back by now" in done.out


def test_a_server_gives_the_same_answer_and_several_projects_must_be_told_apart(gnomon: Run, fallen: Path):
    told = gnomon("drift", "--db", fallen, "--json")
    with running("serve", GNOMON_DATABASE_URL=f"sqlite:///{fallen}", GNOMON_ADMIN_KEY="admin-key-of-a-test") as server:
        here = ("--url", server.url, "--key", "admin-key-of-a-test")
        asked = gnomon("drift", *here, "--json")
        assert (asked.code, json.loads(asked.out)) == (told.code, json.loads(told.out))
    filled(fallen, [1], project="sales")
    several = gnomon("drift", "--db", fallen)
    assert (several.code, several.out) == (2, "")
    assert "name its project with --project" in several.err
    assert gnomon("drift", "--db", fallen, "--project", "sales").code == TOO_FEW


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--reference", "last week"), 2, "reference is 'last week'; write it like 2026-01-01..2026-01-14"),
        (("--until", "soon"), 2, "'soon' is not a date"),
        (("polite",), 3, "the scorers there are helpful"),
        (("helpful", "--config-hash", "abc"), 3, "no scores on spans with config_hash 'abc'"),
    ],
)
def test_bad_input_is_one_line(gnomon: Run, fallen: Path, arguments, code, words):
    done = gnomon("drift", *arguments, "--db", fallen)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert words in done.err
