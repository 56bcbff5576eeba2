"""Whether the work reached `master` and stayed, and whether it kept to its files: on real repositories."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gnomon.errors import Refused
from gnomon.outcome import GitSignals
from gnomon.outcome.compat.git import reverting_runs
from gnomon.outcome.landing import short
from gnomon.outcome.plans import exact_in_scope
from outcome.compat.building import NO_SUCH_COMMIT, Repo, extract_git_signals, found, near, record


@dataclass
class History:
    """A repository, its commits by name, and what the extractor says about any of them."""

    repo: Repo
    commits: dict[str, str] = field(default_factory=dict)

    def ask(self, commit: str, summary: str = "", task: str = "") -> GitSignals:
        """`commit` is a name of ours, else it is taken as it is."""
        return extract_git_signals(
            record(commit=self.commits.get(commit, commit), task=task, summary=summary), self.repo.root
        )


@pytest.fixture(scope="module")
def landing(tmp_path_factory: pytest.TempPathFactory) -> History:
    repo = Repo.new(tmp_path_factory.mktemp("landing"))
    known = {name: repo.commit(f"Add {name}", f"{name}.txt") for name in ("first", "second", "undone", "undone-short")}
    known["matched"] = repo.commit("Match me by subject")
    known["matched-undone"] = repo.commit("Match me, then revert me")
    for name in ("undone", "matched-undone"):
        repo.commit(f'Revert "{name}"\n\nThis reverts commit {known[name]}.')
    repo.commit(f"Revert a part\n\nreverts {known['undone-short'][:10]}")
    repo.git("checkout", "--quiet", "-b", "side")
    known["side"] = repo.commit("Never merged", "side.txt")
    repo.git("checkout", "--quiet", "master")
    repo.commit("The newest")
    return History(repo, known)


@pytest.fixture(scope="module")
def on_main(tmp_path_factory: pytest.TempPathFactory) -> History:
    repo = Repo.new(tmp_path_factory.mktemp("on-main"), branch="main")
    return History(repo, {"first": repo.commit("Work on main", "a.txt")})


PLAN = """tasks:
  - id: scoring
    write_scope: [internal/scoring/, docs/NOTES.md]
  - id: unscoped
    write_scope: []
"""


@pytest.fixture(scope="module")
def scoped(tmp_path_factory: pytest.TempPathFactory) -> History:
    repo = Repo.new(tmp_path_factory.mktemp("scoped"))
    repo.plan("a-broken-one", "tasks: [unbalanced\n  - id: scoring\n")
    repo.plan("the-good-one", PLAN)
    repo.plan("zz-a-later-one", "tasks:\n  - {id: scoring, write_scope: [nothing/]}\n")
    known = {
        "inside": repo.commit("Inside", "internal/scoring/widget.go"),
        "mixed": repo.commit("Mixed", "internal/scoring/x.go", "docs/NOTES.md", "cmd/main.go"),
        "empty": repo.commit("Nothing changed"),
    }
    known["tree"] = repo.git("rev-parse", "HEAD^{tree}")
    return History(repo, known)


# ── landed ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("commit", [pytest.param("abc1234", id="row-131")])
def test_a_plain_directory_is_refused(tmp_path: Path, commit: str):
    with pytest.raises(Refused, match="not a git repository"):
        extract_git_signals(record(commit=commit), tmp_path)


@pytest.mark.parametrize("inside", [pytest.param(".git", id="row-132")])
def test_the_insides_of_a_repository_are_no_work_tree(landing: History, inside: str):
    with pytest.raises(Refused, match="work tree"):
        extract_git_signals(record(commit="abc1234"), landing.repo.root / inside)


@pytest.mark.parametrize(
    ("commit", "expected", "words"),
    [
        pytest.param("second", 1.0, "reachable", id="row-133"),
        pytest.param("undone", 0.0, "reverted", id="row-135"),
        pytest.param("undone-short", 0.0, "reverted", id="row-136"),
        pytest.param("side", 0.0, "not reachable", id="row-137"),
        pytest.param("", None, "no commit SHA", id="row-138"),
        pytest.param("   ", None, "no commit SHA", id="row-138-blank"),
        pytest.param("HEAD", 1.0, "reachable", id="a name resolves too"),
    ],
)
def test_a_commit_landed_when_master_reaches_it_and_nothing_later_reverts_it(
    landing: History, commit: str, expected: float | None, words: str
):
    landed = landing.ask(commit).landed_observed
    assert found(landed) == expected
    assert words in landed.detail


@pytest.mark.parametrize("length", [pytest.param(8, id="row-134")])
def test_the_beginning_of_a_commit_s_id_is_enough(landing: History, length: int):
    assert found(landing.ask(landing.commits["second"][:length]).landed_observed) == 1.0


@pytest.mark.parametrize(
    ("summary", "expected", "words"),
    [
        pytest.param("Match me by subject", 1.0, "message-matched", id="row-139"),
        pytest.param("  MATCH me by Subject\n", 1.0, "message-matched", id="row-139-spelling"),
        pytest.param("Match me, then revert me", 0.0, "reverted", id="row-140"),
        pytest.param("Nobody wrote this", None, "", id="row-141-no-match"),
        pytest.param("", None, "", id="row-141-no-summary"),
    ],
)
def test_work_whose_commit_is_gone_is_found_by_its_subject(
    landing: History, summary: str, expected: float | None, words: str
):
    landed = landing.ask(NO_SUCH_COMMIT, summary).landed_observed
    assert found(landed) == expected
    assert words in landed.detail


def test_a_revert_that_stands_behind_the_commit_in_the_log_does_not_count(tmp_path: Path):
    repo = Repo.new(tmp_path)
    repo.commit("Base", when="2026-05-01T00:00:00+00:00")
    repo.git("checkout", "--quiet", "-b", "side")
    work = repo.commit("Work", "work.txt", when="2026-05-01T10:00:00+00:00")
    repo.git("checkout", "--quiet", "master")
    repo.commit(f"Revert {work}", when="2026-05-01T05:00:00+00:00")
    repo.git("merge", "--quiet", "--no-ff", "--message", "Merge side", "side", when="2026-05-01T12:00:00+00:00")
    assert found(extract_git_signals(record(commit=work), tmp_path).landed_observed) == 1.0


@pytest.mark.parametrize(
    ("commit", "summary", "expected"),
    [
        pytest.param("first", "", 0.0, id="row-142"),
        pytest.param(NO_SUCH_COMMIT, "Work on main", None, id="row-143"),
    ],
)
def test_without_a_branch_master_nothing_lands(on_main: History, commit: str, summary: str, expected: float | None):
    assert found(on_main.ask(commit, summary).landed_observed) == expected


def test_another_trunk_can_be_named(on_main: History):
    given = record(commit=on_main.commits["first"])
    assert found(extract_git_signals(given, on_main.repo.root, trunk="main").landed_observed) == 1.0


@pytest.mark.parametrize(
    ("body", "reverts"),
    [
        pytest.param(f"This reverts commit {'a' * 40}.", True, id="row-144-full"),
        pytest.param(f"reverts {'a' * 9}", True, id="row-144-nine"),
        pytest.param(f"Reverts {'A' * 8}", True, id="row-144-capitals"),
        pytest.param("reverts abc", False, id="row-145-too-short"),
        pytest.param("this one reverts nothing at all", False, id="row-145-no-hex"),
        pytest.param(f"reverts {'b' * 9}", False, id="row-145-another"),
        pytest.param(f"reverts {'a' * 6}", False, id="six digits"),
        pytest.param(f"reverts {'a' * 41}", False, id="longer than an id"),
        pytest.param(f"follow-up to {'a' * 9}", False, id="no word of reverting"),
    ],
)
def test_a_message_reverts_what_it_names_by_the_beginning_of_an_id(body: str, reverts: bool):
    assert any(("a" * 40).startswith(run) for run in reverting_runs(body)) is reverts


# ── scope ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("commit", "task", "expected"),
    [
        pytest.param("inside", "scoring", 1.0, id="row-146"),
        pytest.param("mixed", "scoring", 2 / 3, id="row-147"),
        pytest.param("inside", "unscoped", None, id="row-148-empty-scope"),
        pytest.param("inside", "nobody-knows", None, id="row-148-unknown-task"),
        pytest.param("inside", "", None, id="row-148-no-task"),
        pytest.param("", "scoring", None, id="row-148-no-commit"),
        pytest.param(NO_SUCH_COMMIT, "scoring", None, id="row-148-unresolvable"),
        pytest.param("tree", "scoring", None, id="row-148-a-tree"),
        pytest.param("empty", "scoring", 1.0, id="row-149"),
    ],
)
def test_scope_is_the_share_of_changed_files_that_the_task_may_write(
    scoped: History, commit: str, task: str, expected: float | None
):
    assert found(scoped.ask(commit, task=task).scope_observed) == near(expected)


@pytest.mark.parametrize("task", [pytest.param("scoring", id="row-150")])
def test_a_plan_that_cannot_be_read_is_passed_over_and_the_first_that_can_decides(scoped: History, task: str):
    assert found(scoped.ask("inside", task=task).scope_observed) == 1.0


def test_only_the_new_name_of_a_renamed_file_counts(tmp_path: Path):
    repo = Repo.new(tmp_path)
    repo.plan("plan", PLAN)
    repo.commit("Outside", "cmd/widget.go")
    (tmp_path / "internal/scoring").mkdir(parents=True)
    repo.git("mv", "cmd/widget.go", "internal/scoring/widget.go")
    moved = repo.commit("Move it in")
    given = record(commit=moved, task="scoring")
    assert found(extract_git_signals(given, tmp_path).scope_observed) == 1.0


SCOPE = ["internal/scoring/", "docs/NOTES.md", "", "   ", "cmd/main.go"]


@pytest.mark.parametrize(
    ("path", "scope", "inside"),
    [
        pytest.param("internal/scoring/signal.go", SCOPE, True, id="row-151-below"),
        pytest.param("internal/scoring", SCOPE, True, id="row-151-itself"),
        pytest.param("docs/NOTES.md", SCOPE, True, id="row-151-file"),
        pytest.param("cmd/main.go", SCOPE, True, id="row-151-last"),
        pytest.param("internal/scoringx/other.go", SCOPE, False, id="row-152-longer-folder"),
        pytest.param("docs/NOTES.md.bak", SCOPE, False, id="row-152-longer-file"),
        pytest.param("README.md", SCOPE, False, id="row-152-elsewhere"),
        pytest.param("internal/scoring/signal.go", [], False, id="row-152-no-scope"),
        pytest.param("docs/a.md", ["docs"], False, id="a folder without a slash"),
        pytest.param("docs/a.md", ["docs/*.md"], False, id="a glob"),
        pytest.param("docs/a.md", ["./"], False, id="everything here"),
        pytest.param("docs/a.md", ["/"], False, id="everything"),
    ],
)
def test_a_path_is_in_scope_by_its_exact_name_or_below_a_folder_with_a_slash(path: str, scope: list[str], inside: bool):
    assert exact_in_scope(path, scope) is inside


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("0123456789abcdef" * 2 + "01234567", "0123456789ab", id="row-153"),
        pytest.param("abc", "abc", id="row-153-short"),
    ],
)
def test_an_id_is_shown_by_its_first_twelve_characters(text: str, shown: str):
    assert short(text) == shown
