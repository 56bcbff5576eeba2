"""Reverts without an id: by pull request, by subject, by patch; and what only looks like one."""

import pytest

from gnomon.model.outcome import SignalValue
from gnomon.outcome import ScorePlan
from gnomon.outcome.pipeline import score_history
from gnomon.outcome.profilesettings import ProfileSettings
from gnomon.outcome.revertwords import stated
from gnomon.outcome.toggles import is_passing, is_toggle
from outcome.conftest import Repo

ONE = {"one.py": "1\n"}
OTHER = ("Something else (#4)", {"other.py": "x\n"})
DAY = 24 * 60


def landed(repo: Repo, sha: str, **more: object) -> SignalValue:
    return repo.landed(sha, **more)


@pytest.mark.parametrize(
    "message",
    [
        'Revert "Add one" (#5)\n\nReverts owner/repo#3',
        'Revert "Add one (#3)" (#5)',
        'Revert "Add one" (#5)',
        "[ci] Revert #3 (#5)",
        "Back to before\n\nThis reverts PR #3.",
        "fix: revert Add one (#5)",
        "revert: Add one (#5)",
        'Revert "A title which is far too long for one li… (#5)\n\n…ne"\n\nReverts owner/repo#3',
    ],
)
def test_a_squash_revert_without_an_id_is_recognised(repo: Repo, message: str):
    sha = repo.commit("Add one (#3)", {"one.py": "1\n", "two.py": "2\n"})
    repo.commit(*OTHER)
    by = repo.commit(message, {"one.py": None})
    signal = landed(repo, sha)
    assert (signal.sub_score, f"was reverted by {by[:12]}" in signal.detail) == (0.0, True)


@pytest.mark.parametrize(
    "message",
    [
        "Do not revert #3 (#5)",
        "This partially reverts #3.",
        'Explain why we did not revert "Add one" (#5)',
        "Partial revert of #3 (#5)",
        'Revert "Another subject" (#5)',
        "Talk\n\nWe may revert #3 one day.",
    ],
)
def test_a_message_that_merely_speaks_of_a_pull_request_undoes_nothing(repo: Repo, message: str):
    sha = repo.commit("Add one (#3)", {"one.py": "1\n", "two.py": "2\n"})
    repo.commit(message, {"one.py": "another\n"})
    assert landed(repo, sha).sub_score == 1.0


def test_a_pull_request_of_another_repository_shares_no_file_and_is_not_meant(repo: Repo):
    sha = repo.commit("Add one (#3)", ONE)
    repo.commit("Revert the tool (#5)\n\nReverts owner/elsewhere#3", {"tool.toml": "old\n"})
    assert landed(repo, sha).sub_score == 1.0


def test_what_is_reapplied_by_its_subject_stands_again(repo: Repo):
    sha = repo.commit("Add one (#3)", {"one.py": "1\n", "two.py": "2\n"})
    repo.commit('Revert "Add one (#3)" (#5)', {"one.py": None})
    repo.commit('Reapply "Add one" (#6)', {"one.py": "1, mended\n"})
    assert landed(repo, sha).sub_score == 1.0


def test_the_nearest_earlier_commit_with_the_subject_is_meant(repo: Repo):
    first = repo.commit("Update the docs (#1)", {"docs.md": "1\n"})
    second = repo.commit("Update the docs (#2)", {"docs.md": "2\n"})
    repo.commit('Revert "Update the docs" (#3)', {"docs.md": "0\n"})
    assert (landed(repo, first).sub_score, landed(repo, second).sub_score) == (1.0, 0.0)


def test_a_change_undone_after_ninety_days_was_superseded_and_is_worth_how_long_it_stood(repo: Repo):
    sha = repo.commit("Add one", ONE)
    repo.minutes += 89 * DAY
    repo.commit(*OTHER)
    early = repo.commit("Without one", {"one.py": None})
    assert landed(repo, sha).detail.startswith(f"{sha[:12]} was reverted by {early[:12]}")
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    repo.minutes += 91 * DAY
    late = repo.commit("Without one", {"one.py": None})
    signal = landed(repo, sha)
    assert signal.sub_score == pytest.approx(0.75, abs=0.001), "two half-lives of ninety days"
    assert f"was superseded by {late[:12]} after 180 days (0.75)" in signal.detail
    longer = ProfileSettings(superseded_half_life_days=180)
    assert landed(repo, sha, settings=longer).sub_score == pytest.approx(0.5, abs=0.001)
    repo.entry(2, commit=late)
    assert repo.one(2).signals.landed.sub_score == 1.0, "what replaces old work is work"


def test_what_a_branch_undid_before_it_was_merged_is_no_revert(repo: Repo):
    repo.switch("feature", "main")
    tried = repo.commit("Try one", ONE)
    repo.revert(tried)
    repo.commit("Keep two", {"two.py": "2\n"})
    repo.switch("main")
    repo.commit(*OTHER)
    repo.merge("feature")
    last = score_history(ScorePlan(log=repo.root / "nowhere", repo=repo.root)).iterations[-1]
    assert last.signals.landed.sub_score == 1.0
    assert "reverted by" not in last.signals.landed.detail
    assert "in the same merge, before it landed" in landed(repo, tried).detail


@pytest.mark.parametrize(
    ("name", "before", "after", "subject"),
    [
        ("setup.py", 'version="1.2.0"\n', 'version="1.3.0.dev0"\n', "Bump version"),
        ("requirements.txt", "numpy\n", "numpy<2.0\n", "Numpy 2 breaks us"),
        ("constraints.txt", "a==1.0\n", "a==1.0\nb<3.1\n", "Keep b back"),
        ("ci.yml", "run: all\n", "run: some\n", "Temporarily run some tests"),
    ],
)
def test_versions_and_pins_that_toggle_back_undo_nothing(repo: Repo, name: str, before: str, after: str, subject: str):
    repo.commit("Begin", {name: before})
    sha = repo.commit(subject, {name: after})
    repo.commit("As before", {name: before})
    assert landed(repo, sha).sub_score == 1.0
    repo.commit("Again", {name: after})
    repo.commit(f"Undo it\n\nThis reverts commit {sha}.", {name: before})
    assert landed(repo, sha).sub_score == 0.0, "it says so"


def test_statements_are_read_from_the_message_alone():
    message = 'Revert "Fix (#1)" (#2)\n\nThis reverts commit 0123456789ab and 456789abcdef.\n\nReverts o/r#1'
    found = stated(message.splitlines()[0], message)
    assert found is not None
    assert (found.ids, found.numbers, found.subject) == (("0123456789ab", "456789abcdef"), (1,), "fix")
    assert stated("Add a feature", "Add a feature\n\nthat nobody takes back") is None


def test_a_toggle_changes_versions_only():
    assert is_toggle("+++ b/a.toml\n-x = 1.2.3\n+x = 1.2.4\n")
    assert not is_toggle("+++ b/a.py\n-x = 1\n+x = 2\n")
    assert not is_toggle("+++ b/a.toml\n-x = 1.2.3\n+x = 1.2.4\n+y = new()\n")
    assert is_passing("Disable the flaky test", "Re-enable the test")
    assert not is_passing("Disable the feature", "Add another")
