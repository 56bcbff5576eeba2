"""Which commits are an iteration's work: from where the one before ended, or those that name the task."""

from typing import Any

import pytest

from outcome.conftest import Repo, moment


def commits(repo: Repo, iteration: int, **more: Any) -> list[str]:
    return repo.one(iteration, **more).inputs["commits"]


def how(repo: Repo, iteration: int) -> str:
    return repo.one(iteration).inputs["commits_how"]


def test_an_iteration_owns_every_commit_since_the_one_before(repo: Repo):
    first = repo.commit("One", {"1": "1"})
    shas = [repo.commit(f"Step {step}", {f"s{step}": "1"}) for step in range(3)]
    repo.entry(1, commit=first)
    repo.entry(2, commit=shas[-1])
    assert commits(repo, 1) == [first]
    assert commits(repo, 2) == shas[::-1]
    assert how(repo, 2) == "3 commits since iteration 1"
    assert repo.one(2).signals.landed.detail == "3/3 commits on main; 3 commits since iteration 1"


def test_what_was_reverted_of_several_commits_is_told_and_the_rest_counts(repo: Repo):
    repo.entry(1, commit=repo.commit("One", {"1": "1"}))
    shas = [repo.commit(f"Step {step}", {f"s{step}": "1"}) for step in range(4)]
    repo.entry(2, commit=shas[-1])
    by = repo.revert(shas[1])
    landed = repo.one(2).signals.landed
    assert landed.sub_score == 0.75
    assert f"3/4 commits on main; {shas[1][:12]} was reverted by {by[:12]}" in landed.detail


def test_commits_that_name_the_task_go_before_the_others_of_the_range(repo: Repo):
    repo.entry(1, commit=repo.commit("One", {"1": "1"}))
    mine = repo.commit("p1: the work", {"a": "1"})
    repo.commit("p10: somebody else's", {"b": "1"})
    repo.commit("super-p1-x: likewise", {"c": "1"})
    last = repo.commit("Keep the books (p1)", {"d": "1"})
    end = repo.commit("Books", {"e": "1"})
    repo.entry(2, commit=end, task_id="p1")
    assert commits(repo, 2) == [last, mine]
    assert how(repo, 2) == "2 of 5 commits since iteration 1, naming p1"


@pytest.mark.parametrize("task", ["", "p1", "(", ".*", "\\"])
def test_a_task_that_no_commit_names_leaves_the_whole_range(repo: Repo, task: str):
    repo.entry(1, commit=repo.commit("One", {"1": "1"}))
    shas = [repo.commit(f"Step {step}", {f"s{step}": "1"}) for step in range(2)]
    repo.entry(2, commit=shas[-1], task_id=task)
    assert commits(repo, 2) == shas[::-1]


def test_a_commit_that_two_iterations_share_is_each_ones_and_said_to_be_shared(repo: Repo):
    repo.commit("Before", {"0": "1"})
    sha = repo.commit("One", {"1": "1"})
    for number in (1, 2, 3):
        repo.entry(number, commit=sha)
    assert [commits(repo, number) for number in (1, 2, 3)] == [[sha]] * 3
    assert how(repo, 3) == "the recorded commit, shared with iteration 2"
    told = [one.message for one in repo.score().diagnostics]
    assert told == [f"iterations 1 to 3 share the commit {sha[:12]}"]


def test_a_previous_commit_on_another_line_leaves_the_recorded_commit_alone(repo: Repo):
    repo.switch("side", "main")
    repo.entry(1, commit=repo.commit("Aside", {"a": "1"}))
    repo.switch("main")
    repo.commit("Between", {"b": "1"})
    sha = repo.commit("Two", {"2": "1"})
    repo.entry(2, commit=sha)
    assert commits(repo, 2) == [sha]
    assert how(repo, 2) == "the recorded commit alone; no line leads to it from iteration 1"


def test_a_log_whose_commits_run_backwards_gives_each_its_own(repo: Repo):
    older = repo.commit("Older", {"a": "1"})
    newer = repo.commit("Newer", {"b": "1"})
    repo.entry(1, commit=newer)
    repo.entry(2, commit=older)
    assert (commits(repo, 1), commits(repo, 2)) == ([newer], [older])


def test_the_checkpoint_s_time_stands_in_for_a_previous_commit_that_is_gone(repo: Repo):
    repo.commit("Its work", {"a": "1"})
    between = repo.commit("Between", {"b": "1"})
    last = repo.commit("Two", {"2": "1"})
    repo.entry(1, commit="0123456789ab", checkpoint_at=moment(2.5))
    repo.entry(2, commit=last)
    assert commits(repo, 2) == [last, between]
    assert how(repo, 2) == "2 commits since iteration 1"


def test_a_previous_iteration_that_left_no_trace_is_stepped_over(repo: Repo):
    first = repo.commit("One", {"1": "1"})
    middle = repo.commit("Two", {"2": "1"})
    last = repo.commit("Three", {"3": "1"})
    repo.entry(1, commit=first)
    repo.entry(2, commit="0123456789ab")
    repo.entry(3, commit=last)
    assert commits(repo, 3) == [last, middle]
    assert how(repo, 3) == "2 commits since iteration 1"


def test_a_range_is_not_followed_without_end(repo: Repo):
    start = repo.head()
    feed = "".join(
        f"commit refs/heads/main\ncommitter C <c@example.com> {1_777_900_000 + n} +0000\ndata 1\n.\n"
        + ("from refs/heads/main^0\n" if n == 0 else "")
        for n in range(150)
    )
    repo.git("fast-import", "--quiet", feed=feed.encode())
    repo.entry(1, commit=start)
    last = repo.git("rev-parse", "main")
    repo.entry(2, commit=last)
    assert commits(repo, 2) == [last]
    assert "alone" in how(repo, 2)


@pytest.mark.parametrize("name", ["deadbee", "deadbeefcafe"])
def test_a_branch_that_is_named_like_a_commit_id_is_no_commit(repo: Repo, name: str):
    repo.git("branch", name)
    assert not repo.landed(name).present
    assert "not in this repository" in repo.landed(name).detail


def test_the_id_of_something_that_is_no_commit_is_not_found(repo: Repo):
    for thing in ("HEAD^{tree}", "HEAD:README.md"):
        assert not repo.landed(repo.git("rev-parse", thing)).present
