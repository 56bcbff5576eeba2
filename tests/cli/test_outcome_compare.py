"""`gnomon outcome compare` on a log, without a server: the same answer as for what was pushed."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.conftest import Run
from cli.test_outcome import answer, new_repo, nobody, upgraded
from gnomon.model.iterationgroups import ClusterBy
from gnomon.service.outcome.grouping import GroupScores, Question, cluster_of, compare_groups
from gnomon.store.iterations import IterationInGroup
from outcome.conftest import Repo
from outcome.team import NEW_RULES, OLD_RULES, team_repo

__all__ = ["nobody"]


@pytest.fixture(scope="module")
def _team(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return team_repo(tmp_path_factory.mktemp("team") / "team")


@pytest.fixture
def team(_team: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = _team.copied(tmp_path / "team")
    monkeypatch.chdir(repo.root)
    return repo


def test_a_log_is_compared_without_a_server(gnomon: Run, team: Repo):
    done = gnomon("outcome", "compare", "--by", "model")
    assert done.code == 0, done.err
    assert done.out.startswith("small → large, by rubric 2.1.0+gnomon.3\nsmall: 12 iterations in 7 sessions\n")
    assert re.search(r"^outcome.scope: better, by 0\.\d+ to 0\.\d+$", done.out, re.MULTILINE)
    assert not list(team.log.glob("*.score.yaml")), "a comparison writes nothing"


@pytest.mark.parametrize(
    "flags",
    [
        ["--by", "model"], ["--by", "rules-file"], ["--by", "model", "large", "small", "--cluster-by", "task"],
        ["--by", "session", "small-1", "small-2"],
        ["--by", "model", "--scorer", "outcome.scope", "--min-effect", "0.05"],
        ["--by", "period", "2026-05-04..2026-05-04", "2026-06-01..", "--model", "small"],
    ],
)  # fmt: skip
def test_what_is_pushed_and_what_is_on_disk_are_compared_alike(
    gnomon: Run, team: Repo, tmp_path: Path, flags: list[str]
):
    gnomon("outcome", "score")
    file = upgraded(gnomon, tmp_path / "pushed.db")
    gnomon("outcome", "push", "--db", file, "--project", "p")
    pushed = answer(gnomon("outcome", "compare", *flags, "--db", file, "--json"))
    assert pushed.pop("project_id") == "p"
    assert answer(gnomon("outcome", "compare", *flags, "--json")) == pushed


def test_two_versions_of_the_rules_are_compared(gnomon: Run, team: Repo):
    found = answer(gnomon("outcome", "compare", "--by", "rules-file", "--json"))
    names = [f"AGENTS.md@{sha256(rules.encode()).hexdigest()[:12]}" for rules in (OLD_RULES, NEW_RULES)]
    assert [found[side]["name"] for side in ("base", "compare")] == names
    assert [found[side]["n_iterations"] for side in ("base", "compare")] == [12, 12]


def test_few_sessions_cannot_tell_and_say_how_many_more_would(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    repo = team_repo(tmp_path / "small-team", sessions=2)
    monkeypatch.chdir(repo.root)
    done = gnomon("outcome", "compare", "--by", "model", "--scorer", "outcome.landed")
    assert re.search(r"outcome.landed: cannot tell: .*about \d+ more sessions in each group", done.out), done.out


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (["--by", "model", "--log", "elsewhere"], 2, "--log elsewhere is not a folder"),
        (["--by", "model", "--log", "."], 3, ". has no iterations to compare"),
        (["--by", "model", "--log", ".", "--project", "p"], 2, "--project compares what was pushed, --log a log"),
        (["--by", "model", "--from-git", "--source", "s"], 2, "--source compares what was pushed, --from-git a log"),
        (["--by", "label", "--log", "."], 2, "labels are given when scores are pushed"),
        (["--by", "rubric", "--rubric", "3.0.0"], 2, "`gnomon outcome backfill` compares two"),
        (["--by", "agent"], 3, "the iterations here have one agent (claude-code); a comparison takes two"),
        (["--by", "model", "small", "huge"], 3, "no iteration here has the model 'huge'"),
        (["--by", "model", "small", "small"], 2, "BASE and OTHER are both 'small'; name two groups"),
        (["--by", "period"], 2, "--by period takes two, such as ..2026-05-31 2026-06-01.."),
        (["--by", "period", "..2026-05-31", "may"], 2, "OTHER 'may' is not a period; --by period takes two"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_line(gnomon: Run, team: Repo, flags: list[str], code: int, words: str):
    done = gnomon("outcome", "compare", *flags)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_plain_history_is_compared_where_it_is_asked_for(gnomon: Run, team: Repo):
    periods = ("..2026-05-03", "2026-05-04..")
    found = answer(gnomon("outcome", "compare", "--from-git", "--by", "period", *periods, "--json"))
    assert (found["compare"]["n_iterations"], found["compare"]["n_provisional"]) == (0, 29)
    assert found["scorer_comparisons"] == []
    words = gnomon("outcome", "compare", "--from-git", "--by", "period", *periods).out
    assert "neither group has a number to compare: only what is no longer provisional counts" in words
    assert "--transcripts and --ci" in words


def test_without_a_log_and_a_database_the_ways_to_begin_are_named(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(new_repo(tmp_path / "plain").root)
    done = gnomon("outcome", "compare", "--by", "model")
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert "is not a log, and nothing was pushed; `gnomon outcome install` begins one, --from-git" in done.err
    done = gnomon("outcome", "compare", "--by", "model", "--db", tmp_path / "nowhere.db")
    assert "there is no database" in done.err


def test_without_a_log_what_was_pushed_is_meant(gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    repo = new_repo(tmp_path / "plain")
    monkeypatch.chdir(repo.root)
    file = upgraded(gnomon, tmp_path / "empty.db")
    done = gnomon("outcome", "compare", "--by", "model", "--db", file)
    assert "iterations belong to a project" in done.err or "no iteration" in done.err


# --- laws -----

_VALUES = st.floats(0, 1).map(lambda value: round(value, 6))
_SESSIONS = st.lists(st.lists(_VALUES, min_size=1, max_size=4), min_size=1, max_size=12)


class Given:
    """Numbers of one scorer, by iteration."""

    def __init__(self, values: dict[str, float]) -> None:
        self.values = values

    def scores(self, _names: Any, rows: Any, cluster_by: ClusterBy) -> GroupScores:
        clusters = {row.id: cluster_of(row, cluster_by) for row in rows}
        return GroupScores(clusters, {"outcome": {id: self.values[id] for id in clusters}})

    def facts(self) -> dict[str, frozenset[str]]:
        return {}


def row(id: str, session: str, model: str) -> IterationInGroup:
    return IterationInGroup(id, "", "r", session, None, None, None, model, None, 0, None)


@given(_SESSIONS)
def test_a_group_compared_with_itself_is_never_better(sessions: list[list[float]]):
    rows, values = [], {}
    for model in ("first", "second"):
        for place, scores in enumerate(sessions):
            for number, value in enumerate(scores):
                id = f"{model}-{place}-{number}"
                rows.append(row(id, f"{model}-{place}", model))
                values[id] = value
    comparison = compare_groups(Question("model"), rows, Given(values), "r", ["r"])
    (total,) = comparison.scorer_comparisons
    assert total.delta == 0
    assert total.verdict == "inconclusive"
    effect = compare_groups(Question("model", min_effect=0.3), rows, Given(values), "r", ["r"])
    assert effect.scorer_comparisons[0].verdict in ("inconclusive", "equivalent")


@given(_SESSIONS, _SESSIONS)
def test_swapped_groups_turn_the_verdict_round(first: list[list[float]], second: list[list[float]]):
    rows, values = [], {}
    for model, sessions in (("first", first), ("second", second)):
        for place, scores in enumerate(sessions):
            for number, value in enumerate(scores):
                id = f"{model}-{place}-{number}"
                rows.append(row(id, f"{model}-{place}", model))
                values[id] = value
    there, back = (
        compare_groups(Question("model", *names), rows, Given(values), "r", ["r"]).scorer_comparisons[0]
        for names in (("first", "second"), ("second", "first"))
    )
    turned = {"improved": "regressed", "regressed": "improved"}
    assert back.verdict == turned.get(there.verdict, there.verdict)
