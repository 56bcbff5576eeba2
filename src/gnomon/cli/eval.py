"""`gnomon eval`: run evaluations that are declared in files, compare them, and check their gates."""

import json as _json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags
from gnomon.cli.files import write_text
from gnomon.cli.flags import as_json
from gnomon.cli.reports import STDOUT, check_reports, report_flags, write_reports
from gnomon.cli.share import check_share, share_flag, shared
from gnomon.errors import InvalidInput

if TYPE_CHECKING:  # the SDK takes a while to load, and --help needs none of it
    from gnomon.report.evaluation import EvalReport
    from gnomon.service.evaluation.suites.declared import Eval
    from gnomon.service.evaluation.suites.running import RunOptions

_written_file = click.Path(path_type=Path, dir_okay=False)


class _EvalCommand(click.Command):
    """`gnomon eval init …` is a command of its own; everything else names what is to be run."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> click.Context:
        if args[:1] == ["init"]:
            return init.make_context(f"{info_name} init", args[1:], parent=parent, **extra)
        return super().make_context(info_name, args, parent=parent, **extra)


@click.command("eval", cls=_EvalCommand)
@click.argument("targets", metavar="SUITE...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", help="Name of the experiment (default: the evaluation's own).")
@click.option("--trials", type=click.IntRange(1), help="Runs per item.")
@click.option("--concurrency", type=click.IntRange(1), help="Runs at a time.")
@click.option("--limit", type=click.IntRange(1), help="Run only the first N items.", metavar="N")
@click.option("--filter", "filters", multiple=True, metavar="EXPR",
              help="Run only items with FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT; several must all hold.")  # fmt: skip
@click.option("--against", metavar="NAME|git:BRANCH", help="Compare with this experiment, and fail if it was better.")
@click.option("--resume", is_flag=True, help="Continue the unfinished experiment of that name.")
@click.option("--rescore", is_flag=True, help="Score the stored outputs again; the task is not run.")
@click.option("--watch", is_flag=True, help="Run again whenever a file in the suite's folder changes.")
@click.option("--dry-run", is_flag=True, help="Show what would run: items, model calls and expected cost.")
@report_flags
@share_flag
@click.option("--html", "html_file", type=_written_file, help="Also write an HTML page with all figures to this file.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of YAML suites.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.option("--project", help="Project to store in (default: GNOMON_PROJECT, else default).")
@backend_flags
@as_json
@click.pass_context
def eval_(
    ctx: click.Context, /, targets: tuple[Path, ...], schema: bool, watch: bool, dry_run: bool, quiet: bool,
    as_json: bool, markdown_file: Path | None, junit_file: Path | None, html_file: Path | None, project: str | None,
    url: str | None, key: str | None, db: str | None, share_days: int | None, **flags: Any,
) -> None:  # fmt: skip
    """Run the evaluations of SUITE: a YAML suite, a Python file with gn.Eval(...), or a folder of them.

    Exit code: 0 all gates passed, 1 a gate failed, 2 wrong usage, 3 something could not run or be decided at all, 4 a
    gate is undecided. `gnomon eval init DATA` writes a first suite for a data file.
    """
    if schema:
        from gnomon.model.suite import suite_schema

        show.line(_json.dumps(suite_schema(), indent=2))
        return
    if not targets:
        raise click.UsageError("name a suite: a .yaml or .py file, or a folder of them")
    check_reports(markdown_file, junit_file, html_file, as_json=as_json)
    if watch:
        ctx.exit(_watch(targets, [path for path in (markdown_file, junit_file, html_file) if path is not None]))
    with _connected(url=url, api_key=key, project=project, database=db):
        plans = _plans(targets, flags)
        options = _options(flags)
        if dry_run:
            _show_preview(plans, options, as_json)
            return
        reports = _run(plans, options, as_json, quiet, share_days, in_text=markdown_file != STDOUT)
        _write(reports, markdown_file, junit_file, html_file)
        from gnomon.service.evaluation.suites.running import exit_code

        ctx.exit(exit_code(reports))


@contextmanager
def _connected(**flags: str | None) -> Iterator[None]:
    """Where evaluations are stored, and where `gn.trace` in a user's code sends its spans: the same place."""
    from gnomon.sdk.connection import close, configure

    if any(flags.values()):
        configure(**flags)
    try:
        yield
    finally:
        configure() if any(flags.values()) else close()


def _plans(targets: Sequence[Path], flags: dict[str, Any]) -> "list[Eval]":
    from gnomon.sdk.suites import evals_in
    from gnomon.service.evaluation.suites.loading import eval_files
    from gnomon.service.evaluation.suites.preview import with_options

    listings = [eval_files(target) for target in targets]
    show.skipped_files({str(path): "it has no task" for files in listings for path in files.skipped})
    paths = dict.fromkeys(path for files in listings for path in files.paths)
    plans = [plan for path in paths for plan in evals_in(path)]
    changed = {key: flags[key] for key in ("trials", "concurrency", "against")}
    return [with_options(plan, **changed) for plan in plans]


def _options(flags: dict[str, Any]) -> "RunOptions":
    from gnomon.service.evaluation.selecting import ItemFilter, ItemSelection
    from gnomon.service.evaluation.suites.running import RunOptions

    if flags["rescore"]:
        for flag in ("resume", "limit", "filters", "trials"):
            if flags[flag]:
                name = flag.removesuffix("s") if flag == "filters" else flag
                raise InvalidInput(f"--rescore runs nothing, so --{name} has no use; leave it out")
    selection = ItemSelection(flags["limit"], tuple(map(ItemFilter.parse, flags["filters"])))
    return RunOptions(flags["name"], flags["resume"], flags["rescore"], selection or None)


def _show_preview(plans: "Sequence[Eval]", options: "RunOptions", as_json: bool) -> None:
    from gnomon.sdk.suites import preview_evals

    previews = preview_evals(plans, options)
    if as_json:
        show.json(previews)
        return
    for preview in previews:
        show.eval_preview(preview)


def _run(
    plans: "Sequence[Eval]", options: "RunOptions", as_json: bool, quiet: bool, share_days: int | None, *, in_text: bool
) -> "list[EvalReport]":
    from gnomon.sdk.connection import connection
    from gnomon.sdk.suites import page_of, run_evals
    from gnomon.service.evaluation.engine import EvaluationStopped
    from gnomon.service.evaluation.suites.running import exit_code

    url = connection().url
    check_share(share_days, url)
    on_report: Callable[[EvalReport], None] = lambda report: show.eval_report(report, page_of(report))  # noqa: E731
    try:
        report_shown = on_report if in_text and not as_json else _say_nothing
        reports = run_evals(plans, options, progress=False if quiet else None, on_report=report_shown)
    except EvaluationStopped as stopped:
        raise click.ClickException(f"{str(stopped).partition(';')[0]}; --resume goes on") from None
    reports = [shared(report, connection().backend, url, share_days) for report in reports]
    if in_text and not as_json:
        for report in reports:
            show.shared_link(report)
    if as_json:
        evaluations = [show.eval_json(report, page_of(report)) for report in reports]
        show.json({"exit_code": exit_code(reports), "evaluations": evaluations})
    return reports


def _say_nothing(report: "EvalReport") -> None:
    """Print nothing meanwhile: --json and Markdown on stdout print everything at the end."""


# Files


def _write(
    reports: "Sequence[EvalReport]", markdown_file: Path | None, junit_file: Path | None, html_file: Path | None
) -> None:
    from gnomon.report.gate import Gate
    from gnomon.report.pullrequest import pull_request

    gates = [Gate.of_result(gate) for report in reports for gate in report.gates]
    gates += [Gate.of_problem(report.name, report.problem) for report in reports if report.problem]
    write_reports(lambda: pull_request(reports), gates, "gnomon eval", markdown_file, junit_file)
    if html_file is not None:
        _write_pages(reports, html_file)


def _write_pages(reports: "Sequence[EvalReport]", path: Path) -> None:
    """A page per evaluation; of several, each has its name in the file's."""
    from gnomon.sdk.connection import connection
    from gnomon.service.exchange.experimentreport import experiments_page
    from gnomon.service.exchange.exporting import Selection

    for report in reports:
        if report.experiment is None:
            continue
        names = [run.id for run in (report.base, report.experiment) if run is not None]
        name = re.sub(r"[^\w.-]+", "-", report.name)
        file = path if len(reports) == 1 else path.with_name(f"{path.stem}-{name}{path.suffix}")
        write_text(file, experiments_page(connection().backend, Selection("experiments", names)))


# Watching


def _watch(targets: Sequence[Path], written: Sequence[Path]) -> int:
    """Run in a process of its own each time, so that changed modules are loaded anew. Ctrl-C ends it."""
    from gnomon.service.evaluation.suites.loading import eval_files
    from gnomon.service.evaluation.suites.watching import state_of, wait_for_change

    for target in targets:
        eval_files(target)
    folders = list(dict.fromkeys((path if path.is_dir() else path.parent).resolve() for path in targets))
    written_paths = {path.resolve() for path in written}
    stop = threading.Event()
    before_signal = signal.signal(signal.SIGINT, lambda *_: stop.set())
    command = [sys.executable, "-m", "gnomon", *(word for word in sys.argv[1:] if word != "--watch")]
    try:
        while True:
            state = {path: seen for path, seen in state_of(folders).items() if path not in written_paths}
            code = subprocess.run(command, check=False).returncode
            if stop.is_set():
                return code
            show.line(f"watching {', '.join(map(str, folders))}; Ctrl-C ends it")
            changed = wait_for_change(folders, state, stop, without=written_paths)
            if not changed:
                return code
            show.line(f"{', '.join(path.name for path in changed[:5])} changed")
    finally:
        signal.signal(signal.SIGINT, before_signal)


# A first suite


@click.command("init")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--out", type=_written_file, help="File to write (default: NAME.suite.yaml beside the data).")
@click.option("--task", help="module:function or file.py:function (default: a command that echoes the input).")
@click.option("--name", help="Name of the suite (default: that of the data file).")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def init(data: Path, out: Path | None, task: str | None, name: str | None, force: bool) -> None:
    """Write a first suite for the data file DATA (.jsonl, .csv, .parquet, …). Columns are guessed, and said."""
    from gnomon.service.evaluation.suites.loading import function_of
    from gnomon.service.evaluation.suites.starting import first_suite

    path = out or data.with_name(f"{data.stem}.suite.yaml")
    check_reports(path)
    if path.exists() and not force:
        raise InvalidInput(f"{path} exists already; name another file with --out, or give --force")
    if task is not None:
        function_of(task, path.parent)
    suite = first_suite(data, path.parent, task=task, name=name)
    write_text(path, suite.text, "--out")
    show.first_suite(suite, path)
