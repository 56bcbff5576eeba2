"""`gnomon demo`: something to look at, in a minute and without any setup."""

import shlex
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, at_public_url, in_browser, on_host
from gnomon.cli.serve import Started, at_port, check_can_serve, run, show_in_browser
from gnomon.settings import from_environment


@click.command()
@on_host
@at_port
@click.option("--db", help="Database file or URL (default: demo.db in GNOMON_HOME).")
@click.option("--no-serve", is_flag=True, help="Fill the database and stop.")
@at_public_url
@in_browser
@as_json
def demo(
    host: str, port: int, db: str | None, no_serve: bool, public_url: str | None, open_browser: bool, as_json: bool
) -> None:
    """Create a small project with data, once, and start a server on it."""
    settings = from_environment().with_public_url(public_url)
    settings = settings.with_database(db or str(settings.home / "demo.db"))
    if not no_serve:
        check_can_serve(host, port)
    notes = _fill(settings.database_url, settings.home)

    def tell(started: Started | None = None) -> None:
        known = (None, None, None) if started is None else (started.url, started.login_url, started.admin.secret)
        details = {**dict(zip(("url", "login_url", "key"), known, strict=True)), **notes}
        show.json_line(details) if as_json else show.demo(details)
        if open_browser and started is not None:
            show_in_browser(started.login_url or started.url)

    if no_serve:
        tell()
    else:
        run(settings, host, port, tell)


def _fill(database_url: str, home: Path) -> dict[str, Any]:
    """Make the demo unless it is there; say where, and what to try."""
    from gnomon.cli.demo_bench import DATASET, make_runs
    from gnomon.service.demo import VERSIONS, fill
    from gnomon.store.engine import open_store, public_name, sqlite_file

    with closing(open_store(database_url)) as store:
        filled = fill(store, time.time_ns() // 1_000_000)
    file = sqlite_file(database_url)
    database = public_name(database_url)
    bench = make_runs((file.parent if file else home) / "demo-bench", database_url, filled.project_id)
    # A URL may hold a password: it is not repeated, and the commands take it from where it belongs.
    db_flag = f"--db {shlex.quote(_from_here(file))}" if file else '--db "$GNOMON_DATABASE_URL"'
    gnomon, (base, other) = _program(), VERSIONS
    return {
        "database": database,
        "project_id": filled.project_id,
        "made": filled.made,
        "commands": [
            f"{gnomon} summary {other} {db_flag}",
            f"{gnomon} compare {base} {other} {db_flag}",
            f"{gnomon} gate {other} --scorer contains --threshold 0.6 {db_flag}",
            f"{gnomon} outcome trend --html trend.html {db_flag}",
            f"{gnomon} leaderboard --dataset {shlex.quote(DATASET)} --scorer success {db_flag}",
            f"{gnomon} bench leaderboard {shlex.quote(_from_here(bench.runs))} --html leaderboard.html",
        ],
        "leaderboard": [
            {
                "agent_id": agent.agent_id,
                "rank": agent.rank,
                "success": agent.overall_score,
                "confidence_interval": agent.confidence_interval,
            }
            for agent in bench.leaderboard.agents
        ],
    }


def _program() -> str:
    """How to call this program from here: by its name where that finds it, else by its path."""
    called, installed = Path(sys.argv[0]), shutil.which("gnomon")
    if called.name != "gnomon":
        return f"{shlex.quote(sys.executable)} -m gnomon"
    if installed is not None and Path(installed).samefile(called):
        return "gnomon"
    return shlex.quote(_from_here(called))


def _from_here(path: Path) -> str:
    """The path as short as it can be typed in this folder."""
    cwd = Path.cwd()
    return str(path.absolute().relative_to(cwd)) if path.absolute().is_relative_to(cwd) else str(path.absolute())
