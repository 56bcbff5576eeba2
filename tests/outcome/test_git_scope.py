"""Did the changes stay inside the files that the task may write? The scope is read as it was at the commit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.outcome import SignalValue
from gnomon.outcome.plans import in_scope, leaves_repository
from outcome.conftest import LOG, PLANS, MakeRepo, Repo

# ── the pattern language ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("entry", "inside", "outside"),
    [
        ("src/", ["src/a.py", "src/a/b.py", "src"], ["srcs/a.py", "a/src/b.py", "src.py"]),
        ("src", ["src/a.py", "src/a/b.py", "src"], ["srcs/a.py", "src.py"]),
        ("./src//a/", ["src/a/b.py"], ["src/b.py"]),
        ("docs/NOTES.md", ["docs/NOTES.md"], ["docs/NOTES.md.bak", "NOTES.md"]),
        ("*.py", ["a.py", ".py"], ["src/a.py", "a.pyc", "py"]),
        ("src/*.py", ["src/a.py"], ["src/a/b.py", "a.py"]),
        ("src/*", ["src/a.py", "src/a/b.py"], ["a.py"]),
        ("src/*/test", ["src/a/test/b.py", "src/a/test"], ["src/test", "src/a/b/test"]),
        ("**/*.py", ["a.py", "src/a.py", "src/a/b.py"], ["a.md"]),
        ("src/**", ["src/a.py", "src/a/b/c"], ["a.py"]),
        ("src/**/test_*.py", ["src/test_a.py", "src/a/b/test_c.py"], ["src/a.py", "test_a.py"]),
        ("**", ["a", "a/b/c"], []),
        ("a?c.py", ["abc.py"], ["ac.py", "a/c.py", "abbc.py"]),
        ("a+b(1).py", ["a+b(1).py"], ["aab1.py", "aab(1).py"]),
        ("[ab].py", ["[ab].py"], ["a.py"]),
        (".", ["a", "a/b"], []),
        ("./", ["a", "a/b"], []),
        ("  src/  ", ["src/a.py"], ["a.py"]),
        ("Größe/*.py", ["Größe/ä.py"], ["Grosse/a.py"]),
        ("", [], ["a", ""]),
        ("..", [], ["a", "../a"]),
        ("../src", [], ["src/a", "../src/a"]),
        ("/etc", [], ["etc/passwd", "/etc/passwd"]),
        ("src/../../etc", [], ["etc/passwd"]),
    ],
)
def test_a_scope_covers_folders_files_and_globs(entry, inside, outside):
    assert [path for path in inside if not in_scope(path, [entry])] == []
    assert [path for path in outside if in_scope(path, [entry])] == []


parts = st.sampled_from(["a", "b.py", "*", "**", "?", "..", ".", "c d", "ä", "+"])
entries = st.lists(parts, min_size=1, max_size=5).map("/".join)
paths = st.lists(st.sampled_from(["a", "b.py", "c d", "ä", "+", "x"]), min_size=1, max_size=4).map("/".join)


@given(paths, entries, entries)
def test_more_entries_never_cover_less_and_what_leaves_the_repository_covers_nothing(path, one, other):
    assert in_scope(path, [one, other]) == (in_scope(path, [one]) or in_scope(path, [other]))
    assert in_scope(path, [path])
    assert in_scope(path, [one + "/"]) == in_scope(path, [one])
    if leaves_repository(one):
        assert not in_scope(path, [one])


# ── in a repository ─────────────────────────────────────────────────────────────────────────────────────────────


def scope(repo: Repo, sha: str, task: str = "t", **fields) -> SignalValue:
    repo.only_entry(commit=sha, task_id=task, **fields)
    return repo.one().signals.scope


def test_the_share_of_files_inside_the_scope_is_the_signal_and_one_outside_is_named(repo: Repo):
    repo.planned("src", "docs/*.md")
    sha = repo.commit("Work", {"src/a.py": "1", "docs/b.md": "1", "docs/deep/c.md": "1", "src/d/e.py": "1"})
    found = scope(repo, sha)
    assert found.sub_score == 0.75
    assert found.detail == "3/4 changed files in the scope of plan p at the commit; outside: docs/deep/c.md"


def test_a_renamed_file_counts_under_both_its_names(repo: Repo):
    repo.planned("new/")
    repo.commit("Before", {"old/a.py": "a\n" * 50})
    (repo.root / "new").mkdir()
    repo.git("mv", "old/a.py", "new/a.py")
    found = scope(repo, repo.commit("Move"))
    assert (found.sub_score, "1/2" in found.detail, "outside: old/a.py" in found.detail) == (0.5, True, True)


def test_names_of_all_kinds_are_compared_as_they_are(repo: Repo):
    repo.planned("Größe/", 'qu"ote.py', "tab\tin.py", "中/*")
    sha = repo.commit("Work", {"Größe/ä.py": "1", 'qu"ote.py': "1", "tab\tin.py": "1", "中/文.py": "1"})
    assert scope(repo, sha).sub_score == 1.0


def test_a_name_that_is_no_text_is_shown_all_the_same(repo: Repo):
    repo.planned("src/")
    feed = b"commit refs/heads/main\ncommitter C <c@example.com> 1777900000 +0000\ndata 1\n.\nfrom refs/heads/main^0\n"
    feed += b"M 100644 inline odd\xff.py\ndata 1\n1\n"
    repo.git("fast-import", "--quiet", "--force", feed=feed)
    found = scope(repo, repo.git("rev-parse", "main"))
    assert found.sub_score == 0.0
    found.detail.encode()
    assert "odd\ufffd.py" in found.detail


def test_a_commit_without_files_is_inside(repo: Repo):
    repo.planned("src/")
    found = scope(repo, repo.commit("Nothing"))
    assert (found.sub_score, found.detail) == (1.0, "no files changed (the recorded commit)")


def test_a_merge_stands_for_the_branch_that_it_brought(repo: Repo):
    repo.planned("src/")
    repo.switch("side", "main")
    repo.commit("In", {"src/a.py": "1"})
    repo.commit("Out", {"b.py": "1"})
    repo.switch("main")
    repo.commit("Meanwhile", {"c.py": "1"})
    found = scope(repo, repo.merge("side"))
    assert (found.sub_score, "outside: b.py" in found.detail) == (0.5, True)


def test_a_merge_of_the_trunk_among_an_iteration_s_commits_adds_no_files(repo: Repo):
    repo.planned("src/")
    repo.switch("side", "main")
    first = repo.commit("One", {"src/a.py": "1"})
    repo.switch("main")
    repo.commit("Meanwhile", {"c.py": "1"})
    repo.switch("side")
    repo.merge("main")
    last = repo.commit("Two", {"src/b.py": "1"})
    repo.entry(1, commit=first)
    repo.entry(2, commit=last, task_id="t")
    assert repo.one(2).signals.scope.detail == "1/1 changed files in the scope of plan p at the commit"


def test_the_first_commit_of_a_repository_changes_all_its_files(make_repo: MakeRepo):
    repo = make_repo(first=None)
    path = repo.plan("p", {"t": [".agents/", "a.py"]})
    sha = repo.commit("First", {path: (repo.root / path).read_text(), "a.py": "1", "b.py": "1"})
    assert scope(repo, sha).sub_score == pytest.approx(2 / 3)


# ── bookkeeping ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_the_loop_itself_asks_for_is_no_breach(repo: Repo):
    repo.planned("src/")
    own = {
        f"{LOG}/iter-1.yaml": "x", f"{PLANS}/p/PLAN.md": "x", ".agents/active/delegation-bundles/d-1.yaml": "x",
        "AGENTS.md": "x", "lib/CLAUDE.md": "x", ".claude/settings.json": "{}", ".codex/config.toml": "",
        ".cursor/rules/a.mdc": "x", ".github/copilot-instructions.md": "x",
    }  # fmt: skip
    found = scope(repo, repo.commit("Work", {"src/a.py": "1", **own}))
    assert found.detail == "1/1 changed files in the scope of plan p at the commit; 9 of bookkeeping left out"
    assert found.sub_score == 1.0
    worse = scope(repo, repo.commit("More", {"src/a.py": "2", "b.py": "1", "CLAUDE.md": "y"}))
    assert (worse.sub_score, "outside: b.py" in worse.detail) == (0.5, True)


def test_a_task_may_declare_what_is_bookkeeping_elsewhere(repo: Repo):
    repo.planned("AGENTS.md")
    found = scope(repo, repo.commit("Rules", {"AGENTS.md": "x", "CLAUDE.md": "x"}))
    assert found.detail == "1/1 changed files in the scope of plan p at the commit; 1 of bookkeeping left out"


def test_a_commit_of_bookkeeping_alone_says_nothing_of_scope(repo: Repo):
    repo.planned("src/")
    found = scope(repo, repo.commit("Checkpoint", {f"{LOG}/iter-9.yaml.md": "x"}))
    assert (found.present, found.detail.split(";")[0]) == (False, "nothing but bookkeeping changed (1 file)")


def test_which_paths_are_bookkeeping_is_the_team_s_choice_and_the_log_is_always(repo: Repo):
    repo.planned("src/")
    repo.write({".agents/outcome.yaml": "bookkeeping: [notes/]\n"})
    sha = repo.commit("Work", {"src/a.py": "1", "notes/a.md": "x", "AGENTS.md": "x", f"{LOG}/x.md": "x"})
    found = scope(repo, sha)
    assert (found.sub_score, "outside: AGENTS.md" in found.detail) == (0.5, True)
    assert "2 of bookkeeping left out" in found.detail


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("abandoned_after_days: -1", "abandoned_after_days is -1; give a number of days above 0"),
        ("abandoned_after_days: soon", "abandoned_after_days at line 1 is 'soon', not a number"),
        ("abandonned: 3", "unknown field 'abandonned'; known are abandoned_after_days"),
        ("[1]", "the document is a list, not a mapping"),
        ("bookkeeping: src", "bookkeeping at line 1 is 'src', not a list"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_one_line(repo: Repo, text: str, words: str):
    repo.write({".agents/outcome.yaml": text + "\n"})
    repo.only_entry(commit=repo.head())
    with pytest.raises(InvalidInput) as refused:
        repo.score()
    assert words in refused.value.message
    assert refused.value.message.startswith(".agents/outcome.yaml: ")


# ── which plan ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_plan_that_the_entry_names_goes_before_others(repo: Repo):
    repo.planned("elsewhere/", plan="a")
    repo.planned("src/", plan="wave-2")
    sha = repo.commit("Work", {"src/a.py": "1"})
    assert scope(repo, sha, wave="wave-2").detail == "1/1 changed files in the scope of plan wave-2 at the commit"
    for wave in ("", "n/a", "none", "unknown", "../..", "a b", "a\nb"):
        found = scope(repo, sha, wave=wave)
        assert (found.sub_score, "plan a at the commit" in found.detail) == (0.0, True)


def test_a_plan_without_the_task_or_without_a_scope_for_it_is_passed_over(repo: Repo):
    repo.planned("elsewhere/", plan="a", task="other")
    repo.planned(plan="b")
    repo.planned("src/", plan="c")
    sha = repo.commit("Work", {"src/a.py": "1"})
    assert scope(repo, sha, wave="b").detail.startswith("1/1 changed files in the scope of plan c")


@pytest.mark.parametrize("task", ["unknown", "", "t "])
def test_a_task_that_no_plan_declares_is_absent_and_the_note_stands_in(repo: Repo, task: str):
    repo.planned("src/", task="other")
    sha = repo.commit("Work", {"src/a.py": "1"})
    found = scope(repo, sha, task)
    assert not found.present
    assert f"no write_scope declared for task {task.strip()!r}" in found.detail
    claimed = scope(repo, sha, task, impl={"scope_note": "partial"})
    assert claimed.sub_score == 0.5
    assert "self-reported" in claimed.detail


def test_the_scope_as_it_was_at_the_commit_counts_not_the_one_of_today(repo: Repo):
    repo.planned("src/")
    sha = repo.commit("Work", {"src/a.py": "1", "b.py": "1"})
    repo.planned(".")
    assert scope(repo, sha).sub_score == 0.5


def test_a_plan_that_was_deleted_or_archived_later_still_counts(repo: Repo):
    repo.planned("src/")
    sha = repo.commit("Work", {"src/a.py": "1", "b.py": "1"})
    repo.git("rm", "--quiet", "-r", PLANS)
    repo.commit("Tidy up")
    assert scope(repo, sha).sub_score == 0.5


def test_a_plan_that_was_never_committed_counts_as_it_is_today(repo: Repo):
    sha = repo.commit("Work", {"src/a.py": "1", "b.py": "1"})
    repo.plan("p", {"t": ["src/"]})
    found = scope(repo, sha)
    assert found.sub_score == 0.5
    assert f"in the scope of {PLANS}/p/TASKS.yaml of today" in found.detail


def test_a_plan_that_exists_in_the_archive_only_counts(repo: Repo):
    sha = repo.commit("Work", {"src/a.py": "1", "b.py": "1"})
    repo.plan("p", {"t": ["src/"]}, folder=".agents/history")
    assert ".agents/history/p/TASKS.yaml of today" in scope(repo, sha).detail


def test_a_task_in_two_plans_takes_the_first_by_name(repo: Repo):
    repo.planned("b.py", plan="z")
    repo.planned("src/", plan="a")
    sha = repo.commit("Work", {"src/a.py": "1"})
    assert scope(repo, sha).detail.startswith("1/1 changed files in the scope of plan a at")


def test_an_entry_that_leaves_the_repository_is_told_and_covers_nothing(repo: Repo):
    repo.planned("../secret", "/etc", "src/")
    repo.only_entry(commit=repo.commit("Work", {"src/a.py": "1"}), task_id="t")
    report = repo.score()
    assert report.iterations[0].signals.scope.sub_score == 1.0
    assert [one.message for one in report.diagnostics] == [
        "write_scope '../secret' of task t leaves the repository; it covers nothing",
        "write_scope '/etc' of task t leaves the repository; it covers nothing",
    ]


def test_a_plan_that_is_no_yaml_is_told_once_and_the_others_are_read(repo: Repo):
    repo.write({f"{PLANS}/broken/TASKS.yaml": "tasks: [\n"})
    repo.planned("src/")
    repo.git("add", "--all")
    repo.commit("Broken")
    for number in (1, 2):
        sha = repo.commit(f"Work {number}", {f"src/{number}.py": "1"})
        repo.entry(number, commit=sha, task_id="t" if number == 1 else "nowhere", wave="broken")
    report = repo.score()
    assert report.iterations[0].signals.scope.sub_score == 1.0
    (told,) = report.diagnostics
    assert (told.where, told.code) == (f"{PLANS}/broken/TASKS.yaml", "plan")
    assert "not YAML at line 2" in told.message
