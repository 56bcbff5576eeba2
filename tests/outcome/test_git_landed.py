"""Did the work reach the trunk and stay there? Asked of real repositories, in the gnomon profile."""

import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gnomon.outcome.evidence import stale_reasons
from gnomon.outcome.profilesettings import ProfileSettings
from outcome.conftest import DAWN, MakeRepo, Repo, git_environment


def present(signal: Any, sub_score: float, *words: str) -> None:
    assert signal.present, signal.detail
    assert signal.sub_score == pytest.approx(sub_score), signal.detail
    for word in words:
        assert word in signal.detail


def absent(signal: Any, *words: str) -> None:
    assert not signal.present, signal.detail
    for word in words:
        assert word in signal.detail


def feature(repo: Repo, *commits: tuple[str, dict[str, str]], name: str = "feature") -> list[str]:
    """A branch from where the trunk is, with these commits; the trunk is checked out again afterwards."""
    trunk = repo.git("branch", "--show-current")
    repo.switch(name, trunk)
    made = [repo.commit(message, files) for message, files in commits]
    repo.switch(trunk)
    return made


def gone(repo: Repo, name: str = "feature") -> None:
    """Delete a branch and everything that only it held."""
    repo.git("branch", "--quiet", "-D", name)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "--quiet", "--prune=now")


ONE = ("Add one", {"one.py": "1\n"})
TWO = ("Add two", {"two.py": "2\n", "one.py": "1\n1\n"})
THREE = ("Add three", {"three.py": "3\n"})
OTHER = ("Other work", {"other.py": "o\n"})

# ── ways onto the trunk ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_commit_on_the_trunk_has_landed(repo: Repo):
    sha = repo.commit(*ONE)
    present(repo.landed(sha), 1.0, f"{sha[:12]} is reachable from main")
    present(repo.landed(sha[:7].upper()), 1.0)


def test_a_merged_branch_has_landed(repo: Repo):
    *_, sha = feature(repo, ONE, TWO)
    repo.commit(*OTHER)
    repo.merge("feature")
    present(repo.landed(sha), 1.0, "reachable from main")


def days_later(repo: Repo, days: float) -> datetime:
    """A moment so many days after the repository's last commit."""
    return DAWN + timedelta(minutes=repo.minutes, days=days)


def test_work_on_an_open_branch_is_neither_landed_nor_failed(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.commit(*OTHER)
    absent(repo.landed(sha), "not landed yet (branch feature, 0 days)")
    absent(repo.landed(sha, as_of=days_later(repo, 1.1)), "not landed yet (branch feature, 1 day)")
    absent(repo.landed(sha, as_of=days_later(repo, 29)), "not landed yet (branch feature, 29 days)")
    assert [pair for pair in repo.one().signals.integrity if pair.comparable] == []


def test_open_work_is_abandoned_thirty_days_after_its_last_commit_or_when_the_settings_say(repo: Repo):
    (sha,) = feature(repo, ONE)
    words = f"{sha[:12]} was abandoned on branch feature (30 days, 30 are the most)"
    present(repo.landed(sha, as_of=days_later(repo, 30)), 0.0, words)
    repo.write({".agents/outcome.yaml": "abandoned_after_days: 60\n"})
    absent(repo.landed(sha, as_of=days_later(repo, 30)), "not landed yet (branch feature, 30 days)")
    present(repo.landed(sha, as_of=days_later(repo, 60)), 0.0, "60 are the most")
    settings = ProfileSettings(abandoned_after_days=2)
    present(repo.landed(sha, as_of=days_later(repo, 2), settings=settings), 0.0, "2 are the most")


def test_a_later_commit_on_the_branch_keeps_its_earlier_work_open(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.minutes += 60 * 24 * 40
    repo.switch("feature")
    repo.commit(*TWO)
    absent(repo.landed(sha, as_of=days_later(repo, 5)), "not landed yet (branch feature, 5 days)")


def test_what_a_branch_took_back_itself_never_lands(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.switch("feature")
    by = repo.revert(sha)
    present(repo.landed(sha), 0.0, f"{sha[:12]} was taken back by {by[:12]} on branch feature, before it landed")
    repo.revert(by)
    absent(repo.landed(sha), "not landed yet")


def test_a_rewritten_commit_waits_where_its_new_self_is_and_a_dropped_one_is_lost(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.switch("feature")
    repo.git("commit", "--quiet", "--amend", "-m", "Add one", "--date", "2026-05-05T08:00:00Z")
    absent(repo.landed(sha), "not landed yet (branch feature, 0 days)", f"{sha[:12]} rewritten as")
    repo.switch("main")
    repo.git("branch", "--quiet", "-D", "feature")
    present(repo.landed(sha), 0.0, "is on no branch any more")


def test_of_several_commits_only_those_that_may_still_land_have_no_vote(repo: Repo):
    repo.entry(1, commit=repo.head())
    repo.switch("feature", "main")
    repo.commit(*ONE)
    repo.switch("main")
    repo.git("merge", "--quiet", "--ff-only", "feature")
    repo.switch("feature")
    repo.entry(2, commit=repo.commit(*TWO))
    present(repo.one(2).signals.landed, 1.0, "no vote: not landed yet (branch feature, 0 days)")


def test_a_detached_work_tree_s_commit_is_open_too(repo: Repo, tmp_path: Path):
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "beside"))
    beside = Repo(tmp_path / "beside", minutes=repo.minutes)
    sha = beside.commit(*ONE)
    absent(repo.landed(sha), "not landed yet (branch (detached), 0 days)")


def test_the_moment_of_looking_and_the_branch_are_in_the_evidence(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.only_entry(commit=sha)
    moment = days_later(repo, 3)
    inputs = repo.one(as_of=moment).inputs
    assert inputs["as_of"] == moment.isoformat().replace("+00:00", "Z")
    (branch,) = inputs["open_work"]
    assert (branch["branch"], branch["tip"], branch["abandoned"]) == ("feature", sha, False)
    later = repo.one(as_of=days_later(repo, 40)).inputs
    assert stale_reasons(inputs, repo.one(as_of=days_later(repo, 4)).inputs) == []
    assert stale_reasons(inputs, later) == ["the branch that the work is on changed"]


@pytest.mark.parametrize("commits", [[ONE], [ONE, TWO], [ONE, TWO, THREE]], ids=len)
def test_a_squashed_branch_has_landed_whatever_the_squash_is_called(repo: Repo, commits):
    *_, sha = feature(repo, *commits)
    repo.commit(*OTHER)
    squashed = repo.squash("feature", "Something else entirely")
    present(repo.landed(sha), 1.0, f"as {squashed[:12]} by patch-id")


def test_every_commit_of_a_squashed_branch_has_landed_with_it(repo: Repo):
    base = repo.commit(*OTHER)
    *_, sha = feature(repo, ONE, TWO, THREE)
    repo.squash("feature", "Something else entirely")
    repo.entry(1, commit=base)
    repo.entry(2, commit=sha)
    present(repo.one(2).signals.landed, 1.0, "3/3 commits on main", "3 commits since iteration 1")


def test_iterations_that_share_a_squashed_branch_have_all_landed(repo: Repo):
    shas = feature(repo, ONE, TWO, THREE)
    repo.squash("feature", "Something else entirely")
    for number, sha in enumerate(shas, start=1):
        repo.entry(number, commit=sha)
    for number in (1, 2, 3):
        present(repo.one(number).signals.landed, 1.0, "by patch-id of the squashed branch")
        assert repo.score(iteration=number).iterations[0].signals == repo.one(number).signals


def test_a_squash_after_the_trunk_was_merged_into_the_branch_has_landed(repo: Repo):
    feature(repo, ONE)
    repo.commit(*OTHER)
    repo.switch("feature")
    repo.merge("main")
    sha = repo.commit(*TWO)
    repo.switch("main")
    repo.commit(*THREE)
    repo.squash("feature", "Something else entirely")
    present(repo.landed(sha), 1.0, "patch-id of the squashed branch")


def test_a_squash_with_other_content_is_found_by_its_subject_without_the_pull_request(repo: Repo):
    (sha,) = feature(repo, ONE)
    repo.commit("Add one (#12)", {"one.py": "1, and a remark of the review\n"})
    present(repo.landed(sha), 1.0, "by subject")


def test_a_squash_that_lists_its_commits_carries_each_of_them(repo: Repo):
    first, second = feature(repo, ONE, TWO)
    repo.commit("Both (#12)\n\n* Add one\n\n* Add two\n", {"one.py": "mended\n", "two.py": "mended\n"})
    present(repo.landed(first), 1.0, "by subject")
    present(repo.landed(second), 1.0, "by subject")


def test_a_rebased_branch_has_landed_under_other_ids(repo: Repo):
    first, second = feature(repo, ONE, TWO)
    repo.commit(*OTHER)
    repo.switch("feature")
    repo.later("rebase", "--quiet", "main")
    repo.switch("main")
    repo.git("merge", "--quiet", "--ff-only", "feature")
    assert first not in repo.git("rev-list", "main").split()
    repo.git("commit", "--quiet", "--amend", "-m", "Reworded")
    present(repo.landed(first), 1.0, "by patch-id")
    present(repo.landed(second), 1.0, "by patch-id")


def test_a_cherry_picked_commit_has_landed_and_what_was_left_behind_has_not(repo: Repo):
    first, second = feature(repo, ONE, THREE)
    repo.commit(*OTHER)
    repo.later("cherry-pick", second)
    repo.git("commit", "--quiet", "--amend", "-m", "Reworded")
    present(repo.landed(second), 1.0, "by patch-id")
    absent(repo.landed(first), "not landed yet")


def test_an_equal_subject_from_before_the_branch_is_no_landing(repo: Repo):
    repo.commit("Mend lint", {"a.py": "1\n"})
    repo.commit(*OTHER)
    (sha,) = feature(repo, ("Mend lint", {"b.py": "1\n"}))
    absent(repo.landed(sha), "not landed yet")


# ── ways off it again ───────────────────────────────────────────────────────────────────────────────────────────


def test_reverts_and_their_reverts_are_followed_to_the_last_one(repo: Repo):
    sha = repo.commit(*ONE)
    first = repo.revert(sha)
    present(repo.landed(sha), 0.0, f"was reverted by {first[:12]}")
    second = repo.revert(first)
    present(repo.landed(sha), 1.0)
    third = repo.revert(second)
    present(repo.landed(sha), 0.0, "was reverted by")
    repo.revert(third)
    present(repo.landed(sha), 1.0)


def test_a_revert_by_the_sentence_alone_counts_although_the_patch_differs(repo: Repo):
    sha = repo.commit("Add one", {"one.py": "1\n", "two.py": "2\n"})
    repo.commit("Revert by hand\n\nThis reverts commit " + sha[:10] + ".\n", {"one.py": None})
    present(repo.landed(sha), 0.0, "was reverted by")


def test_a_revert_without_the_sentence_is_seen_by_its_inverse_patch(repo: Repo):
    sha = repo.commit("Add one", {"README.md": "start\nmore\n"})
    repo.commit(*OTHER)
    undone = repo.commit("Back to how it was", {"README.md": "start\n"})
    present(repo.landed(sha), 0.0, f"was reverted by {undone[:12]}")


def test_work_that_was_reverted_and_applied_anew_stands(repo: Repo):
    sha = repo.commit("Add one", {"README.md": "start\nmore\n"})
    repo.revert(sha)
    repo.commit("Once more", {"README.md": "start\nmore\n"})
    present(repo.landed(sha), 1.0)


def test_a_reverted_squash_takes_the_branch_with_it(repo: Repo):
    *_, sha = feature(repo, ONE, TWO)
    squashed = repo.squash("feature", "All of it")
    reverted = repo.revert(squashed)
    present(repo.landed(sha), 0.0, f"was reverted by {reverted[:12]}")


def test_a_reverted_merge_takes_every_commit_of_its_branch_with_it(repo: Repo):
    first, second, _ = feature(repo, ONE, TWO, THREE)
    repo.commit(*OTHER)
    merge = repo.merge("feature")
    reverted = repo.later("revert", "--no-edit", "-m", "1", merge)
    for sha in (first, second, merge):
        present(repo.landed(sha), 0.0, f"was reverted by {reverted[:12]}")
    present(repo.landed(repo.git("rev-parse", f"{merge}^1")), 1.0)
    repo.revert(reverted)
    present(repo.landed(first), 1.0)


@pytest.mark.parametrize(
    "words",
    [
        "do not revert {}",
        "do not revert commit {}",
        "Follow-up to {}, reverts the flag's name",
        "We may have to revert commit {} one day",
        "This partially reverts commit {}.",
        "This does not mean that this reverts commit {}.",
    ],
)
def test_a_message_that_merely_speaks_of_reverting_undoes_nothing(repo: Repo, words: str):
    sha = repo.commit(*ONE)
    repo.commit("Talk\n\n" + words.format(sha[:7]), {"talk.md": "…\n"})
    present(repo.landed(sha), 1.0)


def test_two_changes_of_one_binary_file_do_not_undo_each_other(repo: Repo):
    repo.commit("A picture", {"logo.png": b"\0\1\2"})
    sha = repo.commit("Another", {"logo.png": b"\0\1\3"})
    repo.commit("A third", {"logo.png": b"\0\1\4"})
    present(repo.landed(sha), 1.0)
    repo.commit("The one before", {"logo.png": b"\0\1\3"})
    repo.commit("As at first", {"logo.png": b"\0\1\2"})
    present(repo.landed(sha), 0.0, "was reverted by")


# ── a commit that is gone ───────────────────────────────────────────────────────────────────────────────────────


def test_a_commit_that_is_gone_lands_by_a_summary_that_is_a_subject(repo: Repo):
    (sha,) = feature(repo, ONE)
    squashed = repo.squash("feature", "Add one (#12)")
    gone(repo)
    summary = {"summary": "Add One\n\nand more words"}
    present(repo.landed(sha, impl=summary), 1.0, f"message-matched {squashed[:12]}", "not in this repository")
    absent(repo.landed(sha, impl={"summary": "Add onerous"}), sha[:12], "not in this repository")
    absent(repo.landed(sha), "not in this repository")
    reverted = repo.revert(squashed)
    present(repo.landed(sha, impl=summary), 0.0, f"reverted by {reverted[:12]}")


def test_no_commit_is_no_landing_even_when_the_summary_is_a_subject(repo: Repo):
    repo.commit(*ONE)
    absent(repo.landed("", impl={"summary": "Add one"}), "no commit recorded")


# ── which branch is the trunk ───────────────────────────────────────────────────────────────────────────────────


def trunk_of(repo: Repo, sha: str, **more: Any) -> str:
    signal = repo.landed(sha, **more)
    present(signal, 1.0)
    return signal.detail.split("reachable from ")[1].split(";")[0]


@pytest.mark.parametrize("branch", ["main", "master"])
def test_main_and_master_are_found_by_themselves(make_repo: MakeRepo, branch: str):
    repo = make_repo(branch=branch)
    assert trunk_of(repo, repo.head()) == branch


def test_main_goes_before_master_and_what_the_remote_calls_its_default_before_both(make_repo: MakeRepo, tmp_path: Path):
    origin = make_repo(branch="develop")
    origin.git("branch", "main")
    origin.git("branch", "master")
    sha = origin.commit(*ONE)
    clone = cloned(origin, tmp_path / "clone")
    clone.git("branch", "main", "origin/main")
    assert trunk_of(clone, sha) == "develop"
    clone.git("remote", "set-head", "origin", "--delete")
    absent(clone.landed(sha), "not landed yet (branch ")
    assert trunk_of(clone, sha, trunk="develop") == "develop"
    assert trunk_of(clone, sha, trunk="origin/develop") == "origin/develop"


def test_the_trunk_can_be_configured_and_named_for_one_run(make_repo: MakeRepo):
    repo = make_repo(branch="main")
    (sha,) = feature(repo, ONE, name="release/1.x")
    absent(repo.landed(sha), "not landed yet (branch release/1.x")
    repo.git("config", "gnomon.trunk", "release/1.x")
    assert trunk_of(repo, sha) == "release/1.x"
    absent(repo.landed(sha, trunk="main"), "not landed yet (branch release/1.x")


def test_what_only_the_remote_end_of_the_trunk_has_is_landed_too(make_repo: MakeRepo, tmp_path: Path):
    origin = make_repo()
    clone = cloned(origin, tmp_path / "clone")
    sha = origin.commit(*ONE)
    clone.git("fetch", "--quiet")
    present(clone.landed(sha), 1.0)
    mine = clone.commit(*OTHER)
    present(clone.landed(mine), 1.0)


@pytest.mark.parametrize(
    ("configured", "named", "words"),
    [
        (None, None, "neither origin/HEAD, main nor master exists"),
        (None, "nowhere", "no branch 'nowhere' exists"),
        ("elsewhere", None, "no branch 'elsewhere' exists"),
        (None, "--upload-pack=x", "no branch '--upload-pack=x' exists"),
    ],
)
def test_without_a_trunk_landed_is_absent_and_one_diagnostic_says_why(make_repo: MakeRepo, configured, named, words):
    repo = make_repo(branch="trunk")
    if configured:
        repo.git("config", "gnomon.trunk", configured)
    repo.entry(1, commit=repo.head(), impl={"retries": 0})
    report = repo.score(trunk=named)
    absent(report.iterations[0].signals.landed, "no trunk")
    (told,) = report.diagnostics
    assert (told.where, told.code) == ("git", "trunk")
    assert words in told.message
    assert "--trunk" in told.message
    assert report.iterations[0].score.scored


# ── kinds of repositories ───────────────────────────────────────────────────────────────────────────────────────


def cloned(origin: Repo, to: Path, *flags: str) -> Repo:
    command = ["git", "-c", "protocol.file.allow=always", "clone", "--quiet", *flags, origin.root.as_uri(), str(to)]
    subprocess.run(command, check=True, env=git_environment(), capture_output=True)
    return Repo(to, minutes=origin.minutes + 100)


def test_a_detached_head_changes_nothing(repo: Repo):
    sha = repo.commit(*ONE)
    repo.git("checkout", "--quiet", "--detach", "HEAD~1")
    present(repo.landed(sha), 1.0, "reachable from main")


def test_a_shallow_clone_says_what_it_cannot_know(make_repo: MakeRepo, tmp_path: Path):
    origin = make_repo()
    origin.planned("one.py")
    old = origin.head()
    (side,) = feature(origin, OTHER, name="side")
    origin.merge("side")
    tip = origin.commit(*ONE)
    shallow = cloned(origin, tmp_path / "shallow", "--depth", "1", "--no-single-branch")
    absent(shallow.landed(old), "not in this shallow clone")
    present(shallow.landed(tip, task_id="t"), 1.0)
    absent(shallow.one().signals.scope, "shallow")
    absent(shallow.landed(side), "shallow")
    shallow.git("fetch", "--quiet", "--unshallow")
    present(shallow.landed(old), 1.0)
    present(shallow.landed(side), 1.0)


def test_a_clone_that_is_made_whole_is_seen_whole_in_spite_of_a_cache(make_repo: MakeRepo, tmp_path: Path):
    origin = make_repo()
    old = origin.commit(*ONE)
    origin.commit(*TWO)
    shallow = cloned(origin, tmp_path / "shallow", "--depth", "1")
    absent(shallow.landed(old, cache=tmp_path / "cache"), "shallow")
    shallow.git("fetch", "--quiet", "--unshallow")
    present(shallow.landed(old, cache=tmp_path / "cache"), 1.0)


def test_a_repository_without_commits_is_told_once_and_the_rest_is_scored(make_repo: MakeRepo):
    repo = make_repo(first=None)
    repo.entry(1, commit="abc1234", impl={"retries": 1, "focused_tests_pass": True})
    report = repo.score()
    (told,) = report.diagnostics
    assert "the repository has no commits" in told.message
    signals = report.iterations[0].signals
    absent(signals.landed)
    absent(signals.scope)
    assert signals.tests.present
    assert signals.correction_pressure.sub_score == 0.5


def test_a_folder_that_is_no_repository_is_told_once_and_the_rest_is_scored(tmp_path: Path):
    repo = Repo(tmp_path)
    repo.entry(1, commit="abc1234", impl={"retries": 1})
    report = repo.score()
    (told,) = report.diagnostics
    assert "not a git repository" in told.message
    assert report.iterations[0].score.value == 0.5
    absent(report.iterations[0].signals.landed, "no git repository")


def test_a_repository_that_is_not_there_is_told_once(tmp_path: Path):
    repo = Repo(tmp_path)
    repo.entry(1, commit="abc1234", impl={"retries": 1})
    report = repo.score(repo=tmp_path / "nowhere")
    (told,) = report.diagnostics
    assert "nowhere" in told.message
    assert report.iterations[0].score.scored


def test_the_git_folder_itself_is_no_work_tree(repo: Repo):
    repo.entry(1, commit=repo.head(), impl={"retries": 1})
    (told,) = repo.score(repo=repo.root / ".git").diagnostics
    assert "work tree" in told.message


def test_a_folder_inside_the_repository_will_do(repo: Repo):
    repo.planned("a/")
    sha = repo.commit("Deep", {"a/b/c.py": "1\n", "d.py": "1\n"})
    repo.entry(1, commit=sha, task_id="t")
    signals = repo.one(repo=repo.root / "a" / "b").signals
    present(signals.landed, 1.0)
    present(signals.scope, 0.5)


def test_a_submodule_is_a_repository_of_its_own_and_a_file_of_the_one_around_it(make_repo: MakeRepo):
    inner, outer = make_repo("inner"), make_repo("outer")
    outer.git("submodule", "--quiet", "add", inner.root.as_uri(), "lib/inner")
    outer.commit("Take it in", {"lib.md": "…\n"})
    sub = Repo(outer.root / "lib" / "inner", minutes=50)
    sha = sub.commit(*ONE)
    present(sub.landed(sha), 1.0)
    shutil.rmtree(sub.root / ".agents")
    outer.planned("lib/inner")
    outer.git("add", "lib/inner")
    moved = outer.commit("Newer inner")
    outer.only_entry(commit=moved, task_id="t")
    present(outer.one().signals.landed, 1.0)
    present(outer.one().signals.scope, 1.0, "1/1")
    absent(outer.landed(outer.revert(moved)), "is a revert")
    present(outer.landed(moved), 0.0, "was reverted by")


def test_a_linked_worktree_sees_the_trunk_of_its_repository(repo: Repo, tmp_path: Path):
    sha = repo.commit(*ONE)
    repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", minutes=50)
    mine = linked.commit(*OTHER)
    present(linked.landed(sha), 1.0)
    absent(linked.landed(mine), "not landed yet")
    repo.merge("side")
    present(linked.landed(mine), 1.0)


def test_spaces_and_letters_of_all_kinds_in_the_folders_name_do_no_harm(make_repo: MakeRepo, tmp_path: Path):
    repo = make_repo("mit Räumen ünd 中文 'quotes\" $HOME")
    sha = repo.commit("Größer", {"Größe/中.py": "1\n"})
    present(repo.landed(sha, cache=tmp_path / "cäche"), 1.0)
    present(repo.landed(sha, cache=tmp_path / "cäche"), 1.0)


def test_a_sha256_repository_is_read_like_any_other(make_repo: MakeRepo):
    try:
        repo = make_repo(**{"object-format": "sha256"})
    except AssertionError:
        pytest.skip("this git makes no sha256 repositories")
    repo.planned("one.py", plan="other")
    repo.commit("Beside the plans", {".agents/workflow/plans/a.md": "…\n"})
    sha = repo.commit(*ONE)
    assert len(sha) == 64
    repo.only_entry(commit=sha, task_id="t")
    present(repo.one().signals.landed, 1.0)
    present(repo.one().signals.scope, 1.0, "plan other at the commit")
    repo.revert(sha)
    present(repo.landed(sha), 0.0, "was reverted by")
    repo.commit("Gone again\n\nThis reverts commit " + repo.head() + ".", {"more.py": "1\n"})
    present(repo.landed(sha), 1.0)


def test_the_habits_that_a_user_has_configured_change_nothing(make_repo: MakeRepo):
    repo = make_repo(first=None)
    path = repo.plan("p", {"t": ["ä.py"]})
    root = repo.commit("Gruß", {path: (repo.root / path).read_text(), "ä.py": "1\n", "sub/b.py": "1\n"})
    changed = repo.commit("Mehr", {"ä.py": "2\n", "sub/b.py": "2\n"})
    repo.commit("Weniger", {"ä.py": "1\n", "sub/b.py": "1\n"})
    repo.entry(1, commit=root, task_id="t")
    repo.entry(2, commit=changed, task_id="t")
    plain = [one.signals for one in repo.score(repo=repo.root / "sub").iterations]
    assert [(one.landed.sub_score, one.scope.sub_score) for one in plain] == [(1.0, 0.5), (0.0, 0.5)]
    settings = {
        "log.showRoot": "false", "log.showSignature": "true", "color.ui": "always", "diff.renames": "copies",
        "diff.noprefix": "true", "diff.relative": "true", "core.quotePath": "true", "i18n.logOutputEncoding": "latin1",
        "diff.mnemonicPrefix": "true", "diff.external": "false", "format.pretty": "oneline", "log.date": "relative",
        "core.abbrev": "4",
    }  # fmt: skip
    for name, value in settings.items():
        repo.git("config", name, value)
    assert [one.signals for one in repo.score(repo=repo.root / "sub").iterations] == plain


def test_a_blob_that_is_missing_costs_only_what_needs_it(repo: Repo):
    first, second = feature(repo, ONE, THREE)
    repo.later("cherry-pick", second)
    repo.git("commit", "--quiet", "--amend", "-m", "Reworded")
    third = repo.commit("Odd", {"odd.py": "odd\n"})
    repo.commit("Odder", {"odd.py": "odder\n"})
    repo.entry(1, commit=first)
    repo.entry(2, commit=second)
    repo.entry(3, commit=third)
    blob = repo.git("rev-parse", f"{third}:odd.py")
    (repo.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    signals = {one.iteration: one.signals for one in repo.score().iterations}
    present(signals[3].landed, 1.0)
    present(signals[2].landed, 1.0, "by patch-id")


def test_a_commit_of_the_year_1970_and_one_of_the_far_future_are_commits(repo: Repo):
    made = []
    for seconds in (0, 4_102_444_800):
        feed = (
            f"commit refs/heads/main\ncommitter C <c@example.com> {seconds} +0000\ndata 3\nodd\n"
            f"from refs/heads/main^0\nM 100644 inline odd-{seconds}.py\ndata 1\n1\n"
        )
        repo.git("fast-import", "--quiet", "--force", feed=feed.encode())
        made.append(repo.git("rev-parse", "main"))
    for number, sha in enumerate(made, start=1):
        repo.entry(number, commit=sha)
    assert [one.signals.landed.sub_score for one in repo.score().iterations] == [1.0, 1.0]
