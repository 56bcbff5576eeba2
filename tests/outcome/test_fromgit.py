"""A repository without a log: which commits are an iteration, what it is called, and what it was worth."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import Refused
from gnomon.outcome import OutcomeReport, ScorePlan, parse_iteration_record
from gnomon.outcome.fromgit import entry_text, iterations_from, title
from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.pipeline import score_history
from outcome.conftest import Claude, MakeRepo, Repo, written


def history(repo: Repo, **more: object) -> OutcomeReport:
    return score_history(ScorePlan(log=repo.root / "nowhere", repo=repo.root, **more))  # type: ignore[arg-type]


def summaries(report: OutcomeReport) -> list[str]:
    return [one.record.impl.summary for one in report.iterations]


# ── which commits are an iteration ──────────────────────────────────────────────────────────────────────────────


def test_iterations_are_numbered_from_the_root(repo: Repo):
    repo.commit("Second", {"a": "1\n"})
    repo.commit("Third", {"a": "2\n"})
    found = history(repo)
    assert [one.iteration for one in found.iterations] == [1, 2, 3]
    assert summaries(found) == ["Start", "Second", "Third"]
    assert [one.record.date for one in found.iterations] == ["2026-05-04"] * 3


def test_a_merge_stands_for_its_branch_and_owns_its_commits(repo: Repo):
    repo.switch("feature", "main")
    one, two = repo.commit("One", {"a": "1\n"}), repo.commit("Two", {"b": "1\n"})
    repo.switch("main")
    between = repo.commit("Meanwhile", {"c": "1\n"})
    merge = repo.merge("feature")
    found = history(repo)
    assert summaries(found) == ["Start", "Meanwhile", "Merge branch 'feature'"]
    assert [one.record.commit for one in found.iterations][1:] == [between, merge]
    assert set(found.iterations[2].inputs["commits"]) == {one, two, merge}
    assert found.iterations[1].inputs["commits"] == [between]


def test_a_trunk_merged_into_a_branch_does_not_count_its_commits_twice(repo: Repo):
    repo.switch("feature", "main")
    mine = repo.commit("Mine", {"a": "1\n"})
    repo.switch("main")
    theirs = repo.commit("Theirs", {"b": "1\n"})
    repo.switch("feature")
    repo.merge("main")
    repo.switch("main")
    merge = repo.merge("feature")
    found = history(repo)
    assert summaries(found) == ["Start", "Theirs", "Merge branch 'feature'"]
    assert found.iterations[1].inputs["commits"] == [theirs]
    assert set(found.iterations[2].inputs["commits"]) == {mine, merge}


def test_a_commit_that_was_reverted_is_worth_nothing_and_its_revert_has_no_score(repo: Repo):
    repo.commit("Keep", {"a": "1\n"})
    bad = repo.commit("Regret", {"b": "1\n"})
    repo.revert(bad)
    repo.commit("Go on", {"c": "1\n"})
    found = history(repo)
    values = [one.score.value if one.score.scored else None for one in found.iterations]
    assert values == [1.0, 1.0, 0.0, None, 1.0]
    assert found.iterations[2].signals.landed.detail.startswith(f"{bad[:12]} was reverted")


def test_git_alone_is_little_evidence_and_is_said_to_be(repo: Repo):
    (one,) = history(repo).iterations
    assert one.score.provisional
    assert one.score.coverage == pytest.approx(0.20)
    assert [row.signal for row in one.score.breakdown if row.present] == ["landed"]


def test_sessions_add_to_what_git_shows(repo: Repo, tmp_path: Path):
    session = Claude(cwd=str(repo.root))
    session.bash(1.5, "t1", "pytest -q")
    session.answer(1.6, "a1", read=80, fresh=20)
    repo.commit("Tested", {"a": "1\n"})
    found = history(repo, transcripts=(written(tmp_path, session),))
    tested = found.iterations[1]
    assert tested.signals.tests.present
    assert tested.signals.token_efficiency.sub_score == pytest.approx(0.8)
    assert tested.score.coverage > 0.35
    assert found.iterations[0].score.provisional


def test_a_repository_without_commits_and_one_without_a_trunk_are_refused(make_repo: MakeRepo):
    with pytest.raises(Refused, match="has no commits yet"):
        history(make_repo(first=None))
    with pytest.raises(Refused, match="--trunk"):
        history(make_repo(branch="work"))


def test_a_shallow_clone_is_told(make_repo: MakeRepo, tmp_path: Path):
    origin = make_repo()
    origin.commit("Second", {"a": "1\n"})
    assert not history(origin).diagnostics
    shallow = Repo(tmp_path / "shallow", origin.minutes)
    origin.git("clone", "--quiet", "--depth", "1", origin.root.as_uri(), str(shallow.root))
    (note,) = history(shallow).diagnostics
    assert (note.where, note.code) == ("git", "shallow")
    assert note.message == "this is a shallow clone, with 1 commit of main; git fetch --unshallow brings older work"


def test_any_branch_can_be_the_trunk(make_repo: MakeRepo):
    assert summaries(history(make_repo(branch="work"), trunk="work")) == ["Start"]


# ── laws, for any history ───────────────────────────────────────────────────────────────────────────────────────


@st.composite
def histories(draw: st.DrawFn) -> list[Commit]:
    """Commits from the newest to the oldest; each has up to three parents that are older, the root has none."""
    count = draw(st.integers(1, 14))
    commits = [Commit("c0", (), 0, "c0", ())]
    for n in range(1, count):
        older = st.integers(0, n - 1).map("c{}".format)
        parents = draw(st.lists(older, min_size=1, max_size=3, unique=True))
        commits.append(Commit(f"c{n}", tuple(parents), n, f"c{n}", ()))
    return commits[::-1]


@given(histories())
def test_iterations_are_the_trunks_own_line_and_every_piece_of_work_belongs_to_one_of_them(commits: list[Commit]):
    known = {commit.sha: commit for commit in commits}
    records, owned = iterations_from(commits, commits[0].sha)

    line, here = [], commits[0].sha
    while here:
        line.append(here)
        here = known[here].parents[0] if known[here].parents else ""
    assert [record.commit for record in records] == line[::-1]
    assert [record.iteration for record in records] == list(range(1, len(line) + 1)) == list(owned)

    reachable, ahead = set(), [commits[0].sha]
    while ahead:
        sha = ahead.pop()
        if sha not in reachable:
            reachable.add(sha)
            ahead += known[sha].parents
    work = [sha for sha in reachable if sha in line or len(known[sha].parents) < 2]
    assert sorted(sha for mine in owned.values() for sha in mine) == sorted(work)


# ── what an iteration is called ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("message", "called"),
    [
        ("Add a cart", "Add a cart"),
        ("Add a cart\n\nWith words.", "Add a cart"),
        ("A subject\nthat goes on\n\nbody", "A subject that goes on"),
        ("Merge pull request #12 from zelda/feature\n\nAdd the feature\n\nMore.", "Add the feature (#12)"),
        ("Merge pull request #12 from zelda/feature", "pull request #12"),
        ("Merged in zelda/feature (pull request #5)\n\nAdd it", "Add it (#5)"),
        ("Merge branch 'zelda/feature'", "Merge branch 'feature'"),
        ("Merge branch 'a/zelda/feature' into main", "Merge branch 'feature' into main"),
        ("Merge remote-tracking branch 'zelda/feature'", "Merge remote-tracking branch 'feature'"),
        ("Merge branches 'zelda/a' and 'zelda/b'", "Merge branches 'a' and 'b'"),
        ("Merge branch 'x' of https://example.com/zelda/fork into main", "Merge branch 'x' into main"),
        ("Merge branch 'main' of example.com:zelda/fork", "Merge branch 'main'"),
        ("Merge tag 'v1' of git://example.com/zelda/fork", "Merge tag 'v1'"),
        ("Fix 'a/b' of the cart", "Fix 'a/b' of the cart"),
        ("Merge sort of lists", "Merge sort of lists"),
        ("", ""),
    ],
)
def test_a_merge_is_called_by_what_it_brings_and_never_by_whose_it_was(message: str, called: str):
    assert title(Commit("a" * 40, (), 0, message, ())) == called


# ── written down ────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.text(max_size=60), st.integers(1, 10**6), st.integers(0, 2**32))
def test_an_entry_says_what_the_record_says(message: str, number: int, time: int):
    message = message.encode(errors="replace").decode()
    (record,), _ = iterations_from([Commit("a" * 40, (), time, message, ())], "a" * 40)
    record = replace(record, iteration=number)
    assert parse_iteration_record(entry_text(record), profile="gnomon") == record
