"""A revert takes work away and is no work itself: what that means for the iteration that makes it."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.model.outcome import SignalValue
from gnomon.outcome import ScorePlan
from gnomon.outcome.pipeline import score_history
from outcome.conftest import MakeRepo, Repo

FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def add(repo: Repo, name: str) -> str:
    return repo.commit(f"Add {name}", {f"{name}.py": f"{name}\n"})


def silently_back(repo: Repo, name: str) -> str:
    """The inverse patch, with no word of a revert."""
    return repo.commit(f"Without {name}", {f"{name}.py": None})


def begun(repo: Repo) -> str:
    """A first iteration with one commit, so that the second one's commits are known."""
    sha = add(repo, "before")
    repo.entry(1, commit=sha)
    return sha


def second(repo: Repo, **more: Any) -> SignalValue:
    """The landed signal of a second iteration that ends here."""
    repo.entry(2, commit=repo.head(), **more)
    return repo.one(2).signals.landed


def value(signal: SignalValue) -> float | None:
    return signal.sub_score if signal.present else None


# ── its own work ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("said", [True, False], ids=["says so", "inverse patch alone"])
def test_an_iteration_that_takes_its_own_commit_back_has_landed_nothing(repo: Repo, said: bool):
    """Required: an iteration that reverts its own commit is not half landed; the work did not land."""
    begun(repo)
    work = add(repo, "work")
    by = repo.revert(work) if said else silently_back(repo, "work")
    landed = second(repo)
    assert value(landed) == 0.0
    assert landed.detail == (
        f"{work[:12]} was reverted by {by[:12]}; not counted: 1 revert ({by[:12]}); 2 commits since iteration 1"
    )


def test_of_several_commits_the_one_that_was_taken_back_counts_as_missing_and_its_revert_not_at_all(repo: Repo):
    begun(repo)
    tried = add(repo, "tried")
    by = repo.revert(tried)
    add(repo, "kept")
    landed = second(repo)
    assert value(landed) == 0.5
    assert landed.detail == (
        f"1/2 commits on main; {tried[:12]} was reverted by {by[:12]}; not counted: 1 revert ({by[:12]}); "
        "3 commits since iteration 1"
    )


def test_what_an_iteration_took_back_and_brought_back_has_landed_once(repo: Repo):
    begun(repo)
    work = add(repo, "work")
    repo.revert(repo.revert(work))
    landed = second(repo)
    assert value(landed) == 1.0
    assert "not counted: 2 reverts" in landed.detail


# ── the work of others ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("said", [True, False], ids=["says so", "inverse patch alone"])
def test_taking_back_another_iteration_s_work_is_not_landed_work_of_the_next_one(repo: Repo, said: bool):
    """Required: a revert of another iteration's work is not landed work of the next. Nor is it a failure: absent."""
    work = begun(repo)
    by = repo.revert(work) if said else silently_back(repo, "before")
    landed = second(repo)
    assert value(landed) is None
    assert landed.detail == f"{by[:12]} is a revert, and there is no other work that could land; the recorded commit"
    assert value(repo.one(1).signals.landed) == 0.0


def test_beside_a_revert_of_others_the_iteration_s_own_work_decides(repo: Repo):
    """Required: a revert earns no credit. Where there is real work too, the share is that of the work alone."""
    others = begun(repo)
    repo.revert(others)
    first, last = add(repo, "first"), add(repo, "last")
    assert value(second(repo)) == 1.0
    repo.revert(first)
    assert value(repo.one(2).signals.landed) == 0.5
    repo.revert(last)
    assert value(repo.one(2).signals.landed) == 0.0


def test_a_revert_by_the_sentence_is_one_whatever_else_it_changes(repo: Repo):
    work = begun(repo)
    message = f"Back to before\n\nThis reverts commit {work}.\n"
    repo.commit(message, {"before.py": None, "notes.md": "why\n"})
    assert value(second(repo)) is None


@pytest.mark.parametrize("how", ["a revert of the revert", "the same patch once more"])
def test_bringing_back_what_another_iteration_took_away_is_work(repo: Repo, how: str):
    work = begun(repo)
    taken = repo.revert(work)
    repo.entry(2, commit=taken)
    again = repo.revert(taken) if how.startswith("a revert") else add(repo, "before")
    repo.entry(3, commit=again)
    assert [value(one.signals.landed) for one in repo.score().iterations] == [1.0, None, 1.0]
    repo.revert(again)
    assert [value(one.signals.landed) for one in repo.score().iterations] == [0.0, None, 0.0]


def test_taking_others_work_away_and_bringing_it_back_is_no_work(repo: Repo):
    work = begun(repo)
    repo.revert(repo.revert(work))
    landed = second(repo)
    assert value(landed) is None
    assert "are reverts, and there is no other work" in landed.detail


def test_a_commit_that_is_gone_and_became_a_revert_is_no_work(repo: Repo):
    work = begun(repo)
    by = repo.revert(work)
    repo.entry(2, commit="0123456789ab", impl={"summary": 'Revert "Add before"'})
    landed = repo.one(2).signals.landed
    assert value(landed) is None
    assert f"message-matched {by[:12]}, a revert" in landed.detail


# ── branches ────────────────────────────────────────────────────────────────────────────────────────────────────


def branch_that_takes_back(repo: Repo, *, own: bool, kept: bool = False) -> None:
    others = repo.head()
    repo.switch("feature", "main")
    repo.revert(add(repo, "work") if own else others)
    if kept:
        add(repo, "kept")
    repo.switch("main")


@pytest.mark.parametrize(("own", "kept", "expected"), [(True, False, 0.0), (False, False, None), (True, True, 1.0)])
def test_a_merge_is_worth_what_its_branch_brought(repo: Repo, own: bool, kept: bool, expected: float | None):
    """A merge stands for its branch: with nothing but reverts it is one, and it is undone when all its work is."""
    begun(repo)
    branch_that_takes_back(repo, own=own, kept=kept)
    add(repo, "meanwhile")
    repo.entry(2, commit=repo.head())
    merge = repo.merge("feature")
    repo.entry(3, commit=merge)
    assert value(repo.one(3).signals.landed) == expected
    assert value(repo.score(iteration=3).iterations[0].signals.landed) == expected


@pytest.mark.parametrize(("own", "kept", "expected"), [(True, False, 0.0), (False, False, None), (True, True, 1.0)])
def test_plain_history_is_read_in_the_same_way(repo: Repo, own: bool, kept: bool, expected: float | None):
    begun(repo)
    branch_that_takes_back(repo, own=own, kept=kept)
    add(repo, "meanwhile")
    repo.merge("feature")
    last = score_history(ScorePlan(log=repo.root / "nowhere", repo=repo.root)).iterations[-1]
    assert value(last.signals.landed) == (expected if expected is None else pytest.approx(expected))


def test_what_a_branch_took_back_before_it_was_squashed_has_not_landed(repo: Repo):
    begun(repo)
    branch_that_takes_back(repo, own=True, kept=True)
    add(repo, "meanwhile")
    repo.squash("feature", "All of it")
    repo.entry(2, commit=repo.git("rev-parse", "feature"))
    landed = repo.one(2).signals.landed
    assert value(landed) == 0.5
    assert "was reverted by" in landed.detail
    assert "not counted: 1 revert" in landed.detail


def test_what_a_branch_took_back_after_it_was_squashed_still_stands(repo: Repo):
    begun(repo)
    repo.switch("feature", "main")
    work = add(repo, "work")
    repo.entry(2, commit=work)
    repo.switch("main")
    add(repo, "meanwhile")
    repo.squash("feature", "All of it")
    repo.switch("feature")
    repo.entry(3, commit=repo.revert(work))
    assert value(repo.one(2).signals.landed) == 1.0
    assert value(repo.one(3).signals.landed) is None


def test_a_rebased_branch_that_took_its_work_back_has_landed_nothing(repo: Repo):
    begun(repo)
    branch_that_takes_back(repo, own=True)
    repo.entry(2, commit=repo.git("rev-parse", "feature"))
    add(repo, "meanwhile")
    repo.switch("feature")
    repo.later("rebase", "--quiet", "main")
    repo.switch("main")
    repo.git("merge", "--quiet", "--ff-only", "feature")
    assert value(repo.one(2).signals.landed) == 0.0


def test_a_revert_on_a_branch_that_never_landed_undoes_nothing_and_is_no_work(repo: Repo):
    work = begun(repo)
    repo.switch("feature", "main")
    repo.entry(2, commit=repo.revert(work))
    repo.switch("main")
    assert [value(one.signals.landed) for one in repo.score().iterations] == [1.0, None]


def test_a_squash_that_lists_a_revert_among_its_commits_is_work(repo: Repo):
    """What a squashed branch lists cannot be told apart in its patch; it takes back, and it lands something too."""
    others = begun(repo)
    listed = f'Larger work (#7)\n\n* Add more\n\n* Revert "Add before"\n\nThis reverts commit {others}.\n'
    repo.commit(listed, {"before.py": None, "more.py": "more\n"})
    assert value(second(repo)) == 1.0
    assert value(repo.one(1).signals.landed) == 0.0


# ── a law, for any history ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """A piece of work that is not there is added, and one that is there is taken away."""

    piece: str
    says_so: bool
    ends_iteration: bool


STEPS = st.lists(st.builds(Step, st.sampled_from("abc"), st.booleans(), st.booleans()), min_size=1, max_size=9)


@FEW
@given(STEPS)
def test_landed_is_the_share_of_the_pieces_of_work_that_are_there_in_the_end(make_repo: MakeRepo, steps: list[Step]):
    repo = make_repo()
    repo.entry(1, commit=repo.head())
    newest: dict[str, str] = {}
    there: dict[str, bool] = {}
    iterations: list[list[tuple[str, bool]]] = [[]]
    for number, step in enumerate(steps):
        piece = step.piece
        there[piece] = not there.get(piece, False)
        said = step.says_so and piece in newest
        words = f"Step {number}\n\nThis reverts commit {newest[piece]}.\n" if said else f"Step {number}"
        newest[piece] = repo.commit(words, {f"{piece}.py": f"{piece}\n" if there[piece] else None})
        iterations[-1].append((piece, there[piece]))
        if step.ends_iteration or number == len(steps) - 1:
            repo.entry(len(iterations) + 1, commit=repo.head())
            iterations.append([])
    report = repo.score()
    for changes, scored in zip(iterations, report.iterations[1:], strict=False):
        removed: set[str] = set()
        work = []
        for piece, added in changes:
            if added and piece not in removed:
                work.append(there[piece])
            removed |= set() if added else {piece}
        expected = sum(work) / len(work) if work else None
        assert value(scored.signals.landed) == (expected if expected is None else pytest.approx(expected))
        (alone,) = repo.score(iteration=scored.iteration).iterations
        assert alone == scored
