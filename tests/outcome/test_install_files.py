"""Hooks are put into files that are there already, and come out again byte for byte."""

import json
import os
import stat
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import Refused
from gnomon.outcome.installing import githook
from gnomon.outcome.installing.installer import Installer, InstallPlan
from gnomon.outcome.installing.jsontext import BadJsonText, with_item, without_items
from gnomon.outcome.installing.program import HookProgram
from gnomon.outcome.installing.targets import TARGETS, Target
from gnomon.outcome.worktree import WorkTree
from outcome.conftest import Repo

ITEM = {"hooks": [{"type": "command", "command": "gnomon outcome record claude-code"}]}
STOP = ("hooks", "Stop")
PROGRAM = HookProgram(Path("/opt/gnomon/bin/gnomon"), on_path=False)

values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
others = st.dictionaries(st.text(max_size=4).filter(lambda key: key != "hooks"), values, max_size=3)
hooks = st.none() | st.dictionaries(st.sampled_from(["PreToolUse", "Stop"]), st.lists(values, max_size=3), max_size=2)
layouts = st.sampled_from([{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}])
newlines = st.sampled_from(["\n", "\r\n"])


def is_ours(value: Any) -> bool:
    return bool(value == ITEM)


@given(others, hooks, layouts, newlines, st.sampled_from(["", "\n"]))
def test_an_item_goes_in_and_comes_out_and_nothing_else_changes(
    rest: dict[str, Any], listed: dict[str, Any] | None, layout: dict[str, Any], newline: str, end: str
):
    content = rest if listed is None else {**rest, "hooks": listed}
    text = json.dumps(content, ensure_ascii=False, **layout).replace("\n", newline) + end
    added = with_item(text, STOP, ITEM)
    wanted = json.loads(text)
    wanted.setdefault("hooks", {}).setdefault("Stop", []).append(ITEM)
    assert json.loads(added) == wanted
    removed = without_items(added, STOP, is_ours)
    if (listed and listed.get("Stop")) or (listed is None and rest):
        assert removed == text
    else:  # an empty container that was there goes with what is in it: the ledger puts it back
        assert json.loads(without_items(with_item(removed, STOP, ITEM), STOP, is_ours)) == json.loads(removed)


@pytest.mark.parametrize("text", ["[]", "{", '{"hooks": []}', '{"hooks": {"Stop": {}}}', '// words\n{"a": 1}'])
def test_what_cannot_take_a_hook_is_refused(text: str):
    with pytest.raises(BadJsonText):
        with_item(text, STOP, ITEM)


def test_a_file_that_is_not_there_becomes_one():
    assert json.loads(with_item("", STOP, ITEM)) == {"hooks": {"Stop": [ITEM]}}


def test_a_byte_order_mark_stays():
    text = '\ufeff{"a": 1}'
    assert without_items(with_item(text, STOP, ITEM), STOP, is_ours) == text


# ── files of a repository ───────────────────────────────────────────────────────────────────────────────────────


def installer(repo: Repo) -> Installer:
    return Installer(WorkTree(repo.root), PROGRAM)


def installed(repo: Repo, *targets: Target, **options: Any) -> list[str]:
    changes = installer(repo).install(InstallPlan(targets or TARGETS, **options))
    return [change.action for change in changes]


def uninstalled(repo: Repo, *targets: Target) -> list[str]:
    return [change.action for change in installer(repo).uninstall(targets)]


def everything(root: Path) -> dict[str, tuple[bytes, int]]:
    """All files with their modes, git's own hooks and folders among them; not git's database."""
    kept = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(".git/") and not name.startswith((".git/hooks", ".git/gnomon")):
            continue
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        kept[name] = content, stat.S_IMODE(path.lstat().st_mode)
    return kept


def hook(repo: Repo, content: str, name: str = ".git/hooks/post-commit", mode: int = 0o755) -> Path:
    path = repo.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(mode)
    return path


def test_a_repository_without_hooks_is_as_before(repo: Repo):
    before = everything(repo.root)
    assert installed(repo) == ["install"] * 4
    assert installed(repo) == ["keep"] * 4, "again changes nothing"
    assert set(everything(repo.root)) - set(before) >= {
        ".claude/settings.json", ".codex/hooks.json", ".git/hooks/post-commit", ".github/workflows/gnomon-outcome.yml",
    }  # fmt: skip
    assert uninstalled(repo) == ["remove"] * 4
    assert everything(repo.root) == before
    assert uninstalled(repo) == []


SETTINGS = '{\r\n    "permissions": {"allow": ["Bash(ls:*)"]},\r\n    "hooks": {\r\n        "Stop": []\r\n    }\r\n}'


def test_settings_with_windows_line_ends_and_hooks_of_others_are_as_before(repo: Repo):
    repo.write({".claude/settings.json": SETTINGS, ".codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[]}]}}'})
    hook(repo, "#!/bin/bash\necho mine\nexec true\n", mode=0o700)
    before = everything(repo.root)
    installed(repo)
    settings = (repo.root / ".claude/settings.json").read_bytes()
    assert settings.count(b"\n") == settings.count(b"\r\n")
    assert len(json.loads((repo.root / ".codex/hooks.json").read_text())["hooks"]["Stop"]) == 2
    assert uninstalled(repo) == ["restore", "restore", "restore", "remove"]
    assert everything(repo.root) == before


def test_what_somebody_changed_since_loses_only_the_hook(repo: Repo):
    repo.write({".claude/settings.json": '{\n  "model": "opus"\n}\n'})
    path = hook(repo, "#!/bin/sh\necho mine\n")
    installed(repo, "claude-code", "git")
    settings = repo.root / ".claude/settings.json"
    settings.write_text(settings.read_text().replace("opus", "sonnet"))
    path.write_text(path.read_text() + "echo more\n")
    assert uninstalled(repo) == ["clean", "clean"]
    assert settings.read_text() == '{\n  "model": "sonnet"\n}\n'
    assert path.read_text() == "#!/bin/sh\necho mine\necho more\n"


def test_a_colleague_who_has_the_hooks_from_a_commit_can_take_them_out(repo: Repo):
    """Without a ledger: nobody installed anything in this clone."""
    repo.write({".claude/settings.json": '{\n  "model": "opus"\n}\n'})
    installed(repo, "claude-code", "codex", "git")
    (repo.root / ".git/gnomon/outcome-install.json").unlink()
    assert uninstalled(repo) == ["clean", "clean", "clean"]
    assert (repo.root / ".claude/settings.json").read_text() == '{\n  "model": "opus"\n}\n'
    assert not (repo.root / ".codex/hooks.json").exists()
    assert not (repo.root / ".git/hooks/post-commit").exists()


def test_other_flags_replace_the_hook_and_do_not_add_a_second_one(repo: Repo):
    before = everything(repo.root)
    installed(repo, "claude-code", "git")
    assert installed(repo, "claude-code", "git", prompts=True) == ["install", "install"]
    text = (repo.root / ".claude/settings.json").read_text()
    assert text.count('"Stop"') == 1
    assert all("--prompts" in each["hooks"][0]["command"] for each in json.loads(text)["hooks"]["Stop"])
    assert (repo.root / ".git/hooks/post-commit").read_text().count("# >>> gnomon") == 1
    uninstalled(repo)
    assert everything(repo.root) == before


def test_what_was_changed_before_the_hook_was_renewed_does_not_bring_the_old_hook_back(repo: Repo):
    repo.write({".claude/settings.json": '{\n  "model": "opus"\n}\n'})
    path = hook(repo, "#!/bin/sh\necho mine\n")
    installed(repo, "claude-code", "git")
    settings = repo.root / ".claude/settings.json"
    settings.write_text(settings.read_text().replace("opus", "sonnet"))
    path.write_text(path.read_text() + "echo more\n")
    installed(repo, "claude-code", "git", prompts=True)
    assert uninstalled(repo) == ["restore", "restore"]
    assert settings.read_text() == '{\n  "model": "sonnet"\n}\n'
    assert path.read_text() == "#!/bin/sh\necho mine\necho more\n"


@pytest.mark.parametrize("obstacle", [".git/gnomon", ".codex"], ids=["no ledger", "second file"])
def test_where_one_file_cannot_be_written_the_others_are_as_they_were(repo: Repo, obstacle: str):
    (repo.root / obstacle).symlink_to("nowhere")
    before = everything(repo.root)
    with pytest.raises(Refused, match="cannot make"):
        installed(repo)
    assert everything(repo.root) == before


def test_an_earlier_install_stands_where_a_later_one_cannot_be_written(repo: Repo):
    before = everything(repo.root)
    installed(repo, "claude-code", "git")
    after = everything(repo.root)
    (repo.root / ".codex").symlink_to("nowhere")
    with pytest.raises(Refused, match="cannot make"):
        installed(repo, prompts=True)
    (repo.root / ".codex").unlink()
    assert everything(repo.root) == after
    uninstalled(repo)
    assert everything(repo.root) == before


@pytest.mark.parametrize("again", [True, False])
def test_a_hook_that_was_moved_aside_comes_back_after_an_install_that_was_cut_off(repo: Repo, again: bool):
    hook(repo, "#!/usr/bin/env python3\nprint('mine')\n")
    before = everything(repo.root)
    installed(repo, "git")
    (repo.root / ".git/hooks/post-commit").unlink()  # as when it was killed between the two
    if again:
        assert installed(repo, "git") == ["install"]
    uninstalled(repo)
    assert everything(repo.root) == before


@pytest.mark.parametrize("content", ["{", "[]", '{"hooks": 1}'])
def test_where_one_file_cannot_be_changed_none_is(repo: Repo, content: str):
    repo.write({".codex/hooks.json": content})
    before = everything(repo.root)
    with pytest.raises(Refused, match=r"hooks\.json: .*fix the file first, nothing is changed"):
        installed(repo)
    assert everything(repo.root) == before


def test_a_workflow_of_somebody_elses_is_left_alone(repo: Repo):
    repo.write({".github/workflows/gnomon-outcome.yml": "name: mine\n"})
    with pytest.raises(Refused, match="exists already and is not ours"):
        installed(repo, "ci")
    assert uninstalled(repo) == []


# ── git's hooks, whoever manages them ───────────────────────────────────────────────────────────────────────────


def ran(repo: Repo, program: Path) -> list[str]:
    """What the hooks of a commit wrote into a file, with a program of ours in the place of Gnomon."""
    journal = repo.root / "journal"
    program.write_text(f'#!/bin/sh\necho "gnomon $*" >> "{journal}"\nexit 3\n')
    program.chmod(0o755)
    Installer(WorkTree(repo.root), HookProgram(program, on_path=False)).install(InstallPlan(("git",)))
    repo.commit("Work", {"work": "1"})
    return journal.read_text().splitlines() if journal.exists() else []


@pytest.mark.parametrize(
    ("content", "mode", "expected"),
    [
        ("#!/bin/sh\necho mine >> journal\nexit 1\n", 0o755, ["gnomon outcome record git", "mine"]),
        ("#!/usr/bin/env bash\necho mine >> journal\nexec true\n", 0o755, ["gnomon outcome record git", "mine"]),
        ("#!/usr/bin/env python3\nprint('mine', file=open('journal', 'a'))\n", 0o755,
         ["gnomon outcome record git", "mine"]),
        ("#!/bin/sh\necho mine >> journal\n", 0o644, ["gnomon outcome record git"]),
    ],
    ids=["exits", "execs", "python", "off"],
)  # fmt: skip
def test_a_hook_that_is_there_runs_as_before(repo: Repo, tmp_path: Path, content: str, mode: int, expected: list[str]):
    path = hook(repo, content, mode=mode)
    assert ran(repo, tmp_path / "program") == expected
    assert [change.action for change in installer(repo).uninstall((), write=False)] == ["restore"]
    assert [change.action for change in installer(repo).uninstall(())] == ["restore"]
    assert path.read_text() == content
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert not path.with_name("post-commit.before-gnomon").exists()


def test_a_hook_that_is_a_link_stays_one(repo: Repo, tmp_path: Path):
    repo.write({"scripts/hook.sh": "#!/bin/sh\necho mine >> journal\n"})
    (repo.root / "scripts/hook.sh").chmod(0o755)
    link = repo.root / ".git/hooks/post-commit"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("../../scripts/hook.sh")
    assert ran(repo, tmp_path / "program") == ["gnomon outcome record git", "mine"]
    uninstalled(repo)
    assert os.readlink(link) == "../../scripts/hook.sh"


def test_huskys_hooks_are_in_its_own_folder(repo: Repo, tmp_path: Path):
    """Version 9: core.hooksPath is .husky/_, which each install writes anew, and calls .husky/post-commit by sh -e."""
    repo.git("config", "core.hooksPath", ".husky/_")
    caller = '#!/usr/bin/env sh\ns="$(dirname "$(dirname "$0")")/$(basename "$0")"\n[ ! -f "$s" ] || sh -e "$s"\n'
    hook(repo, caller, ".husky/_/post-commit")
    own = hook(repo, "echo mine >> journal\n", ".husky/post-commit", 0o644)
    assert ran(repo, tmp_path / "program") == ["gnomon outcome record git", "mine"]
    assert (repo.root / ".husky/_/post-commit").read_text() == caller
    uninstalled(repo)
    assert own.read_text() == "echo mine >> journal\n"


def test_a_folder_of_hooks_in_the_repository_is_used(repo: Repo, tmp_path: Path):
    repo.git("config", "core.hooksPath", "hooks")
    hook(repo, "#!/bin/sh\necho mine >> journal\n", "hooks/post-commit")
    assert ran(repo, tmp_path / "program") == ["gnomon outcome record git", "mine"]


def test_hooks_that_other_repositories_share_are_not_touched(repo: Repo, tmp_path: Path):
    repo.git("config", "core.hooksPath", str(tmp_path / "everybody"))
    with pytest.raises(Refused, match=r"core\.hooksPath is .*everybody, outside of this repository"):
        installed(repo, "git")
    assert "git" not in installer(repo).detected()
    assert not (tmp_path / "everybody").exists()


def test_a_linked_work_tree_has_the_hooks_of_its_repository(repo: Repo, tmp_path: Path):
    repo.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "other"))
    linked = Repo(tmp_path / "other", repo.minutes)
    assert ran(linked, tmp_path / "program") == ["gnomon outcome record git"]
    assert (repo.root / ".git/hooks/post-commit").exists()
    uninstalled(repo)
    assert not (repo.root / ".git/hooks/post-commit").exists()


def test_a_hook_whose_program_is_gone_fails_no_commit(repo: Repo, tmp_path: Path):
    installed(repo, "git")
    before = repo.head()
    assert repo.commit("Work", {"work": "1"}) != before


def test_the_commits_that_a_rebase_makes_anew_call_nothing(repo: Repo, tmp_path: Path):
    called = ran(repo, tmp_path / "program")
    repo.git("switch", "--quiet", "-c", "topic", "HEAD^")
    repo.commit("Topic", {"topic": "1"})
    repo.git("rebase", "--quiet", "main")
    assert (repo.root / "journal").read_text().splitlines() == called * 2


def test_the_block_is_a_script_that_a_shell_can_read():
    text = githook.with_block(b"", PROGRAM.call("git", "", shared=False))
    assert subprocess.run(["sh", "-n"], input=text, check=False).returncode == 0
    assert githook.is_only_ours(text)


def test_the_workflow_is_yaml_that_records_scores_and_sends(repo: Repo):
    import yaml

    (repo.root / "api: 1 #").mkdir()
    installed(repo, "ci", every_commit=True, folder="api: 1 #")
    workflow = yaml.safe_load((repo.root / ".github/workflows/gnomon-outcome.yml").read_text())
    steps = workflow["jobs"]["outcome"]["steps"]
    assert [step["run"] for step in steps if "record ci" in step.get("run", "")] == [
        "gnomon outcome record ci --strict --since \"$BEFORE\" --every-commit --folder 'api: 1 #'\n"
    ]
    here = {
        step["working-directory"]
        for step in steps
        if "outcome score" in step.get("run", "") or "outcome push" in step.get("run", "")
    }
    assert here == {"api: 1 #"}
    assert steps[-1]["with"]["path"] == "api: 1 #/.agents/active/iteration-log"
    assert workflow[True]["push"]["branches"] == ["main"]
    assert steps[0]["with"]["fetch-depth"] == 0


def test_a_push_without_an_agents_work_fails_no_workflow(repo: Repo, tmp_path: Path):
    """Each step as CI runs it, with a server configured, and a `gnomon` that would fail with nothing to send."""
    import yaml

    installed(repo, "ci")
    steps = yaml.safe_load((repo.root / ".github/workflows/gnomon-outcome.yml").read_text())["jobs"]["outcome"]["steps"]
    (send,) = [step["run"] for step in steps if "outcome push" in step.get("run", "")]
    (tmp_path / "gnomon").write_text(f'#!/bin/sh\necho "$*" >> "{tmp_path}/called"\n')
    (tmp_path / "gnomon").chmod(0o755)
    own = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GNOMON_URL": "http://127.0.0.1:1"}
    run = partial(subprocess.run, ["bash", "-e", "-c", send], cwd=repo.root, env={**os.environ, **own}, check=True)
    run()
    assert not (tmp_path / "called").exists()
    repo.write({".agents/active/iteration-log/iter-1.score.yaml": ""})
    run()
    assert (tmp_path / "called").read_text() == "outcome push\n"
