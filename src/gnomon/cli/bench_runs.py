"""`gnomon bench run | score | leaderboard | push`: runs of agents, and what they come to."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags
from gnomon.cli.bench_foreign import are_foreign, by_folder_flag, read_foreign, refuse_files, scorer_flag
from gnomon.cli.flags import CANNOT_RUN, OK, as_json, interval
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.bench.batch import Outcome
    from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
    from gnomon.model.transcript import RunConfig

_scenarios = click.option(
    "--scenarios", type=click.Path(path_type=Path), multiple=True,
    help="Scenario packages, or a folder of them (default: where each run read its own).",
)  # fmt: skip


def _pairs(_ctx: click.Context, option: click.Parameter, texts: Sequence[str]) -> dict[str, Any]:
    """`temperature=0.2` as a name and a value: JSON where it is JSON, else the text itself."""
    import json

    pairs: dict[str, Any] = {}
    for pair in texts:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            flag = option.opts[0]
            raise InvalidInput.of(
                flag.lstrip("-"), f"{flag} {pair!r} is not NAME=VALUE; write it like {_EXAMPLES[flag]}"
            )
        try:
            pairs[name.strip()] = json.loads(value)
        except ValueError:
            pairs[name.strip()] = value
    return pairs


_EXAMPLES = {"--param": "temperature=0.2", "--setting": "window=5"}
_settings = click.option("--setting", "settings", multiple=True, callback=_pairs, metavar="NAME=VALUE",
                         help="A setting of the benchmark's family; `gnomon bench families` lists them.")  # fmt: skip
_window = click.option("--window", type=click.IntRange(min=0), help="Short for --setting window=N.")


def _with_window(settings: dict[str, Any], window: int | None) -> dict[str, Any]:
    return settings if window is None else {**settings, "window": window}


def _variables(_ctx: click.Context, _option: click.Parameter, texts: Sequence[str]) -> dict[str, str]:
    """`NAME,NAME` from our own environment, or `NAME=VALUE`. No value is ever shown."""
    import os

    variables: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        for variable in [name] if equals else text.split(","):
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
                message = f"--agent-env {variable!r} is not a variable's name; write NAME, NAME,NAME or NAME=VALUE"
                raise InvalidInput.of("agent_env", message)
            if not equals and variable not in os.environ:
                raise InvalidInput.of(
                    "agent_env", f"--agent-env {variable} is not set here; set it, or write NAME=VALUE"
                )
            variables[variable] = value if equals else os.environ[variable]
    return variables


@click.command(short_help="Run agents on scenarios, several times each.")
@click.option("--scenario", "scenarios", type=click.Path(path_type=Path), multiple=True, required=True,
              help="Scenario package to run; repeatable.")  # fmt: skip
@click.option("--agent", "agents", multiple=True, required=True,
              help="A model's name, reference:NAME, python:module:attr, http://… or 'cmd:…'; repeatable.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(1, 10_000), default=5, show_default=True, help="Runs per agent and scenario."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the runs, written as OUT/AGENT/SCENARIO/run-KK.",
)
@click.option("--resume", is_flag=True, help="Keep finished runs, and continue interrupted ones.")
@click.option("--retry-failed", is_flag=True, help="Like --resume, and start failed runs again.")
@click.option("--config", type=click.Path(path_type=Path), help="JSON file with settings; flags override it.")
@click.option(
    "--param", "params", multiple=True, callback=_pairs, help="Model parameter, like temperature=0.2; repeatable."
)
@click.option("--agent-env", multiple=True, callback=_variables, metavar="NAME[,NAME…]|NAME=VALUE",
              help="Environment variable to pass to cmd: agents besides PATH, HOME and the like; repeatable.",
)  # fmt: skip
@click.option("--user-sim", help="Who answers for the user: scripted (default), none, or a model's name.")
@_settings
@_window
@click.option("--max-tool-turns", type=click.IntRange(min=1), help="Rounds of tool calls per step (default: 10).")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds per turn (default: 120).")
@click.option("--max-steps", type=click.IntRange(min=1), help="Stop each run after N steps.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Number of concurrent runs."
)
@click.option("--per-minute", type=click.IntRange(min=1), help="Most turns per minute, over all runs.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    help="Budget in US dollars; no further step begins once it is spent.",
)
@as_json
@click.pass_context
def run(
    ctx: click.Context, /, scenarios: Sequence[Path], agents: Sequence[str], out: Path, as_json: bool,
    budget: float | None, timeout: float | None, config: Path | None, params: dict[str, Any], user_sim: str | None,
    settings: dict[str, Any], window: int | None, max_tool_turns: int | None, **options: Any,
) -> None:  # fmt: skip
    """Run each agent on each scenario K times. Each step is on disk before the next begins.

    \b
    gnomon bench run --scenario scenarios/house_fire_T2_s1 --agent reference:flaky:0.7 --runs 10 --out runs
    gnomon bench run --scenario scenarios/house_fire_T2_s1 --agent gpt-4o --param temperature=0 --budget 2 --out runs
    Runs are scored as they end. Exit code 3 when a run failed or waits; what was written can be resumed.
    """
    from gnomon.bench.agents import TIMEOUT
    from gnomon.cli.show.bench import ran, running
    from gnomon.service.bench.benchmark import run_benchmark

    flags = {"user_sim_model": user_sim, "max_tool_turns": max_tool_turns}
    run_config = _run_config(config, flags, params, _with_window(settings, window))
    with running(quiet=as_json) as (begin, progress):
        result = run_benchmark(
            scenarios, agents, out, config=run_config, budget_usd=budget, timeout=timeout or TIMEOUT,
            on_progress=progress, on_begin=begin, **options,
        )  # fmt: skip
    if as_json:
        success = {scored.folder: scored.score.success for scored in result.scored}
        listed = [{**_as_json(outcome), "success": success.get(outcome.plan.folder)} for outcome in result.outcomes]
        show.json({"out": str(out), "runs": listed, "notes": result.notes})
    else:
        ran(result)
    ctx.exit(OK if result.finished else CANNOT_RUN)


def _as_json(outcome: "Outcome") -> dict[str, Any]:
    plan, end = outcome.plan, outcome.end
    return {
        "folder": str(plan.folder), "agent": plan.spec.text, "scenario_id": plan.scenario.scenario_id,
        "run_number": plan.run_number, "state": outcome.state, "reason": outcome.reason,
        "steps": None if end is None else end.steps, "cost_usd": None if end is None else end.cost_usd,
    }  # fmt: skip


def _run_config(
    path: Path | None, flags: dict[str, Any], params: dict[str, Any], settings: dict[str, Any]
) -> "RunConfig":
    """Settings from a file, then from flags. Which agent it is, each run says itself."""
    import json

    from pydantic import ValidationError

    from gnomon.model.firstformat import step_config
    from gnomon.model.transcript import RunConfig
    from gnomon.service.bench.benchmark import default_config

    from_file: dict[str, Any] = {}
    if path is not None:
        try:
            from_file = json.loads(path.read_bytes())
        except OSError as bad:
            raise InvalidInput.of("config", f"--config {path}: {bad.strerror or bad}; name a JSON file") from None
        except (ValueError, RecursionError) as bad:
            raise InvalidInput.of("config", f"--config {path} is not JSON ({bad}); fix it") from None
        if not isinstance(from_file, dict):
            raise InvalidInput.of("config", f"--config {path} is not a JSON object; write one with keys")
    stated = {name: value for name, value in flags.items() if value is not None}
    try:
        run_config = RunConfig.model_validate({**default_config().model_dump(), **step_config(from_file), **stated})
    except ValidationError as bad:
        first = bad.errors()[0]
        field = ".".join(map(str, first["loc"]))
        where = ": ".join(filter(None, [f"--config {path}" if path else "settings", field]))
        raise InvalidInput.of(field or "config", f"{where}: {first['msg']}") from None
    return run_config.model_copy(
        update={"model_params": {**run_config.model_params, **params}, "settings": {**run_config.settings, **settings}}
    )


@click.command(short_help="Score transcripts.")
@click.option("--transcript", type=click.Path(path_type=Path), help="Transcript of one run.")
@click.option("--transcripts", type=click.Path(path_type=Path), help="Folder of runs; all are scored.")
@click.option("--trace", "trace_id", help="A stored trace, by its id (with --url or --db, and --project if needed).")
@click.option(
    "--scenario", type=click.Path(path_type=Path), help="With --transcript: the scenario package that was run."
)
@_scenarios
@click.option("--format", "kind", help="Transcript format, where it is not recognised: messages, inspect, …")
@click.option(
    "--expect",
    type=click.Path(path_type=Path),
    help="Expected tool calls, JSON: a list of {name, args}, or {expected, mode, args}.",
)
@_settings
@_window
@click.option("--judge", "model", help="Also ask this model for its opinion.")
@click.option(
    "--rubric", type=click.Path(path_type=Path), help="With --judge: rubric file (default: the built-in rubric)."
)
@click.option(
    "--passes", type=click.IntRange(1, 25), default=1, show_default=True, help="With --judge: opinions per run."
)
@click.option(
    "--temperature", type=click.FloatRange(0, 2), help="With --judge: sampling temperature (default: the provider's)."
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 256),
    default=8,
    show_default=True,
    help="With --judge: number of concurrent calls.",
)
@click.option("--no-write", is_flag=True, help="Show the scores; write no files.")
@click.option("--project", help="With --trace: its project, when several have that id.")
@backend_flags
@as_json
@click.pass_context
def score(
    ctx: click.Context, /, transcript: Path | None, transcripts: Path | None, trace_id: str | None,
    project: str | None, url: str | None, key: str | None, db: str | None, as_json: bool, settings: dict[str, Any],
    window: int | None, **options: Any,
) -> None:  # fmt: skip
    """Score one transcript, all below a folder, or a stored trace, by rules and, if you like, by a judge.

    \b
    gnomon bench score --transcript runs/…/run-01/transcript.jsonl
    gnomon bench score --transcripts runs --judge gpt-4o --passes 3
    gnomon bench score --transcript trajectories.json --expect calls.json
    gnomon bench score --trace 4f1c… --expect calls.json --url http://127.0.0.1:8321
    Scores are written beside their transcripts: score.json, judge.json. Exit code 3 when nothing could be scored,
    or when the judge failed on every run.
    """
    from gnomon.cli import bench_scores
    from gnomon.cli.backend import open_backend

    if sum(source is not None for source in (transcript, transcripts, trace_id)) != 1:
        raise InvalidInput.of("transcript", "give one of --transcript FILE, --transcripts DIR and --trace ID")
    options["settings"] = _with_window(settings, window)
    bench_scores.check_judge(options["model"], options["rubric"])
    if transcript is not None:
        scored = bench_scores.one_file(transcript, as_json=as_json, **options)
    elif trace_id is not None:
        judge_options = {
            name: value for name, value in options.items() if name not in ("scenarios", "kind", "no_write")
        }
        with open_backend(url, key, db) as backend:
            scored = bench_scores.stored(backend, trace_id, project, as_json=as_json, **judge_options)
    else:
        assert transcripts is not None
        scored = bench_scores.folder(transcripts, as_json=as_json, **options)
    ctx.exit(OK if scored else CANNOT_RUN)


@click.command(short_help="Rank the agents of runs, ours or other tools'.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@_scenarios
@_settings
@_window
@click.option("--k", type=click.IntRange(1), help="Show pass@k and pass^k up to this k.")
@click.option("--missing", type=click.Choice(["drop", "zero", "bracket"]), default="drop", show_default=True,
              help="How to count a run that could not be scored.")  # fmt: skip
@click.option("--min-effect", type=click.FloatRange(0, 1), help="Smallest difference that matters.")
@interval
@scorer_flag
@by_folder_flag
@click.option("--pass-threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True,
              help="With files of other tools: lowest value that passes, for pass@k and pass^k.")  # fmt: skip
@click.option("--details", is_flag=True, help="Also show each scenario.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page with plots here.")
@as_json
def leaderboard(
    paths: Sequence[Path], scenarios: Sequence[Path], settings: dict[str, Any], window: int | None, details: bool,
    scorer_name: str | None, by_folder: bool, html: Path | None, as_json: bool, **flags: Any,
) -> None:  # fmt: skip
    """Rank the agents by how often they succeed, every number with its interval.

    PATHS are a folder of runs of `gnomon bench run`, or files and folders of other tools, which are ranked by the
    scores that they carry.

    \b
    gnomon bench leaderboard runs --details --html leaderboard.html
    gnomon bench leaderboard inspect-logs/ --scorer match
    """
    from gnomon.cli.files import write_text
    from gnomon.model.leaderboard import LeaderboardOptions

    options = LeaderboardOptions(**flags)
    if are_foreign(paths):
        ranking = _rank_foreign(paths, scorer_name, by_folder, options, as_json)
    else:
        refuse_files(paths)
        if len(paths) > 1:
            raise InvalidInput.of("paths", f"{paths[1]} holds no results that can be read; name one folder of runs")
        if scorer_name is not None or by_folder:
            flag = "--by-folder" if scorer_name is None else "--scorer"
            raise InvalidInput.of("scorer", f"{flag} is for files of other tools; runs are ranked by success")
        ranking = _rank_runs(paths[0], scenarios, _with_window(settings, window), options, as_json)
    if html is not None:
        from gnomon.report.leaderboard import page

        write_text(html, page(ranking))
    show.json(ranking) if as_json else show.leaderboard(ranking, html, details=details)


def _rank_runs(
    folder: Path, scenarios: Sequence[Path], settings: dict[str, Any], options: "LeaderboardOptions", quiet: bool
) -> "Leaderboard":
    from gnomon.service.bench.benchmark import rank_runs

    with show.progress("ranking", quiet=quiet):
        return rank_runs(folder, scenarios, settings=settings, options=options)


def _rank_foreign(
    paths: Sequence[Path], scorer_name: str | None, by_folder: bool, options: "LeaderboardOptions", quiet: bool
) -> "Leaderboard":
    from gnomon.service.bench.carriedscores import foreign_leaderboard

    results = read_foreign(paths, by_folder=by_folder, quiet=quiet)
    with show.progress("ranking", quiet=quiet):
        return foreign_leaderboard(results, scorer_name, options)


@click.command(short_help="Send runs to a server, or into a database.")
@click.argument("folder", type=click.Path(path_type=Path))
@_scenarios
@click.option("--dataset", help="Name of the dataset for the scenarios (default: agent days, or agent tasks).")
@click.option("--project", help="Project to store in (not needed with a project's own key).")
@backend_flags
@as_json
def push(
    folder: Path, scenarios: Sequence[Path], dataset: str | None, project: str | None, url: str | None,
    key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Push runs to a server or a database: a scenario becomes an item, a run becomes a trial with its trace.

    Runs that are already stored are left unchanged, so a push can be repeated.

    \b
    gnomon bench push runs --project my-agents
    gnomon leaderboard --dataset 'agent days' --scorer success
    """
    from gnomon.cli.backend import open_backend, refusal_of_flags
    from gnomon.cli.show.bench import pushed
    from gnomon.service.bench import gathering as benchruns
    from gnomon.service.bench import push as benchpush

    gathered = benchruns.read_runs(folder, scenarios)
    with (
        open_backend(url, key, db) as backend,
        show.progress("sending runs", len(gathered.runs), quiet=as_json) as done,
    ):
        try:
            sent = benchpush.push(backend, folder, gathered.runs, project, dataset, done)
        except InvalidInput as bad:
            if bad.code == "PROJECT_REQUIRED":
                raise InvalidInput.of("project", "runs belong to a project; name it with --project") from None
            raise refusal_of_flags(bad, project_id=("project", project), name=("dataset", dataset)) from None
    backend_options = {"--url": url, "--db": db, "--project": project}
    show.json(sent) if as_json else pushed(sent, backend_options)
