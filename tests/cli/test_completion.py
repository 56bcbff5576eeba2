"""Completion in real shells: commands, flags, and names of the local database."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import preloaded
from cli.conftest import Run


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a command `gnomon`, first on the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "gnomon"
    words = " ".join(f"'{word}'" for word in preloaded.command("-m", "gnomon"))
    script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def in_bash(*words: str) -> list[str]:
    """What bash offers after these words, the last of which is being typed."""
    typed = " ".join(f'"{word}"' for word in words)
    script = (
        'eval "$(gnomon completion bash)"\n'
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}\n"
        '_gnomon_completion gnomon\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.usefixtures("on_path")
def test_bash_completes_commands_flags_and_stored_names(demo_db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_bash("gnomon", "summ") == ["summary"]
    assert in_bash("gnomon", "db", "ba") == ["backup"]
    assert "--skip-bad-lines" in in_bash("gnomon", "score", "--s")
    assert in_bash("gnomon", "export", "exp") == ["experiments"]
    monkeypatch.setenv("GNOMON_DATABASE_URL", f"sqlite:///{demo_db}")
    assert {"answers-v1", "answers-v2"} <= set(in_bash("gnomon", "summary", "answers"))
    assert in_bash("gnomon", "summary", "--project", "supp") == ["support-demo"]
    assert in_bash("gnomon", "leaderboard", "--dataset", "support-q") == ["support-questions"]
    assert "contains" in in_bash("gnomon", "leaderboard", "--scorer", "con")
    assert in_bash("gnomon", "score", "--scorer", "exact") == ["exact_match"]
    monkeypatch.delenv("GNOMON_DATABASE_URL")
    assert "answers-v1" in in_bash("gnomon", "summary", "--db", str(demo_db), "answers")


@pytest.mark.usefixtures("on_path")
def test_nothing_is_offered_and_nothing_said_where_there_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "damaged.db").write_text("Dear reader\n" * 100)
    assert in_bash("gnomon", "summary", "") == [""]
    assert in_bash("gnomon", "summary", "--db", str(tmp_path / "damaged.db"), "") == [""]
    assert in_bash("gnomon", "summary", "--db", "mysql://nowhere", "") == [""]


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_the_script(shell: str, gnomon: Run, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed (Debian: apt-get install {shell}): ITS COMPLETION WAS NOT TESTED")
    script = tmp_path / "script"
    script.write_text(gnomon("completion", shell).out)
    start = "autoload -U compinit && compinit -u\n" if shell == "zsh" else ""
    done = subprocess.run([shell, "-c", f"{start}source {script}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_says_where_it_goes_and_calls_gnomon(gnomon: Run, shell: str) -> None:
    done = gnomon("completion", shell)
    assert done.code == 0
    assert done.out.startswith("# ")
    assert f"_GNOMON_COMPLETE={shell}_complete" in done.out


def test_completing_loads_little(demo_db: Path) -> None:
    """A press of the tab key must not wait for the database's and the server's packages."""
    script = (
        "import sys\nfrom gnomon.cli.main import main\n"
        "try:\n    main([])\nfinally:\n    print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    own = {
        **os.environ, "_GNOMON_COMPLETE": "bash_complete", "COMP_WORDS": "gnomon summary answers-v", "COMP_CWORD": "2",
        "GNOMON_DATABASE_URL": f"sqlite:///{demo_db}",
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], env=own, capture_output=True, text=True, check=False)
    assert "plain,answers-v1" in done.stdout
    assert not set(done.stderr.split()) & {"sqlalchemy", "fastapi", "numpy", "scipy", "rich", "httpx2"}
