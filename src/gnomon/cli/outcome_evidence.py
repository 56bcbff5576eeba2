"""Flags of `gnomon outcome` that say where the evidence lies: the log, the repository, sessions, CI results."""

import functools
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from gnomon.errors import InvalidInput
from gnomon.settings import from_environment

log_flag = click.option(
    "--log", type=click.Path(path_type=Path), help="The iteration log (default: .agents/active/iteration-log)."
)


def evidence_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the evidence lies and how it is read; the command gets all of it as one plan."""

    @click.option(
        "--repo", type=click.Path(path_type=Path), help="The git repository (default: the one of this folder)."
    )
    @click.option(
        "--transcripts",
        type=click.Path(path_type=Path),
        multiple=True,
        help="Folder with agents' session files; repeatable (default: this repository's).",
    )
    @click.option("--no-transcripts", is_flag=True, help="Read no sessions.")
    @click.option("--trunk", help="The branch that work lands on (default: origin/HEAD, main or master).")
    @click.option("--path", multiple=True, help="Count only commits that touch this folder, file or glob; repeatable.")
    @click.option("--rubric", help="2.1.0 (default), 3.0.0, or a YAML file of your own.")
    @click.option(
        "--profile",
        type=click.Choice(["gnomon", "compat"]),
        default="gnomon",
        show_default=True,
        help="Which rules to use: gnomon reads the best evidence, compat reproduces the original's scores exactly.",
    )
    @click.option(
        "--ci",
        type=click.Path(path_type=Path),
        multiple=True,
        help="Folder of JUnit files with commit ids in their paths.",
    )
    @click.option(
        "--pull-requests",
        type=click.Path(path_type=Path),
        help="A JSON file that lists pull requests, as `gh pr list --json` prints it.",
    )
    @click.option("--test-runner", multiple=True, help="A command that runs tests here, such as 'just test'.")
    @click.option("--no-cache", is_flag=True, help="Ignore the cache.")
    @functools.wraps(command)
    def run(
        repo: Path | None, transcripts: tuple[Path, ...], no_transcripts: bool, trunk: str | None,
        rubric: str | None, profile: Any, ci: tuple[Path, ...], test_runner: tuple[str, ...], no_cache: bool,
        path: tuple[str, ...], pull_requests: Path | None = None, log: Path | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        from gnomon.outcome import ScorePlan
        from gnomon.outcome.scorelog import log_around, repository_around

        if transcripts and no_transcripts:
            raise InvalidInput.of("transcripts", "--transcripts and --no-transcripts contradict each other; give one")
        for folder in ci:
            if not folder.is_dir():
                raise InvalidInput.of("ci", f"--ci {folder} is not a folder; give one with JUnit files in it")
        if profile != "compat":  # the original passes over folders that are missing
            _check_folders(log, transcripts)
        start = repo or Path.cwd()
        top = repository_around(start, None if repo else log)
        session_folders = () if no_transcripts or profile == "compat" else own_sessions(top)
        plan = ScorePlan(
            log=log or log_around(start, top),
            repo=repo or top,
            transcripts=transcripts or session_folders,
            profile=profile,
            rubric=rubric,
            trunk=trunk,
            cache=None if no_cache else from_environment().home / "cache" / "outcome",
            ci=ci,
            runners=test_runner,
            as_of=now(),
            paths=_parts(path),
            pull_requests=pull_requests,
        )
        return command(plan, **options)

    return run  # fmt: skip


def _check_folders(log: Path | None, transcripts: tuple[Path, ...]) -> None:
    if log is not None and not log.is_dir():
        words = f"--log {log} is not a folder; name the iteration log, or begin one with `gnomon outcome init`"
        raise InvalidInput.of("log", words)
    for folder in transcripts:
        if not folder.is_dir():
            words = f"--transcripts {folder} is not a folder; give one with sessions in it"
            raise InvalidInput.of("transcripts", words)


def _parts(paths: tuple[str, ...]) -> tuple[str, ...]:
    from gnomon.outcome.plans import leaves_repository

    for path in paths:
        if not path.strip() or leaves_repository(path):
            words = f"--path {path!r} is outside the repository; write it relative to the root, such as services/api"
            raise InvalidInput.of("path", words)
    return paths


def own_sessions(top: Path) -> tuple[Path, ...]:
    """Where agents keep the sessions of this repository, if they do; those of its other work trees too."""
    from gnomon.agentlogs import session_folders
    from gnomon.outcome.scorelog import work_trees_around

    return tuple(session_folders(work_trees_around(top)))


def now() -> datetime:
    return datetime.now(UTC)
