"""`gnomon bench`: benchmarks of agents, from a scenario to a leaderboard."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.bench_runs import leaderboard, push, run, score
from gnomon.cli.files import write_text
from gnomon.cli.flags import GATE_FAILED, OK, as_json

if TYPE_CHECKING:
    from gnomon.bench.package import Scenario

_TOLD = {"name", "summary", "carrier", "domain", "gradual", "control"}
_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.group()
def bench() -> None:
    """Benchmarks of agents: a day in updates, what an agent did with it, and how surely it did better.

    \b
    gnomon bench generate --scenario cardiac_arrest --tier T1 --seed 7
    gnomon bench run --scenario scenarios/cardiac_arrest_T1_s7 --agent reference:threshold-monitor --runs 5 --out runs
    gnomon bench leaderboard runs
    """


bench.add_command(run)
bench.add_command(score)
bench.add_command(leaderboard)
bench.add_command(push)


@bench.command(short_help="Which days can be drawn.")
@click.option("--kinds", "folder", type=click.Path(path_type=Path), help="A folder with kinds of your own (YAML).")
@as_json
def kinds(folder: Path | None, as_json: bool) -> None:
    """The anomalies and the quiet days that `generate` can draw."""
    from gnomon.bench.generate import kinds as known
    from gnomon.cli.show.bench import kinds as show_kinds

    found = list(known(folder).values())
    show.json([one.model_dump(mode="json", include=_TOLD) for one in found]) if as_json else show_kinds(found)


@bench.command(short_help="Draw a day from a seed.")
@click.option("--scenario", "kind", required=True, help="Which kind of day; `gnomon bench kinds` lists them.")
@click.option("--tier", required=True, help="How much surrounds the signal: T1, T2, T3 or T4.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same bytes.")
@click.option("--count", type=click.IntRange(1, 10_000), default=1, show_default=True, help="So many seeds from there.")
@click.option("--date", help="The day (default: 2027-06-15); 2027 or later, so that no model has read of it.")
@click.option("--kinds", "folder", type=click.Path(path_type=Path), help="A folder with kinds of your own (YAML).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("scenarios"), show_default=True, help="Where to.")
@as_json
def generate(
    kind: str, tier: str, seed: int, count: int, date: str | None, folder: Path | None, out: Path, as_json: bool
) -> None:
    """Draw a day from a seed and write it as a package.

    \b
    gnomon bench generate --scenario house_fire --tier T3 --seed 1 --count 20
    """
    from gnomon.bench.generate import generate as drawn
    from gnomon.bench.package import write
    from gnomon.cli.show.bench import written
    from gnomon.cli.show.pen import steps

    made = []
    with steps("drawing days", count, quiet=as_json) as done:
        for number in range(count):
            package, key = drawn(kind, tier, seed + number, date, folder)
            path = write(package, key, out / package.scenario_id)
            made.append({"scenario_id": package.scenario_id, "path": str(path), "beats": len(package.heartbeats),
                         "content_hash": package.manifest.content_hash})  # fmt: skip
            done(number + 1)
    show.json(made) if as_json else written(made)


@bench.command(short_help="Is a package whole and untouched?")
@_folder
@as_json
def verify(folder: Path, as_json: bool) -> None:
    """Check every file and both hashes of a package. Exit code 3, and one line, when something is wrong."""
    from gnomon.bench.package import verify as checked
    from gnomon.cli.show.bench import verified

    found = checked(folder)
    show.json(found) if as_json else verified(found)


@bench.command(short_help="Does anything that an agent sees give it away?")
@_folder
@as_json
@click.pass_context
def lint(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Look through all that an agent can see for words that hint at what is tested. Exit code 1 when there are any."""
    from dataclasses import asdict

    from gnomon.bench.hints import find_hints
    from gnomon.bench.prompt import wording
    from gnomon.cli.show.bench import hints

    scenario = _loaded(folder)
    found = find_hints(scenario, wording(scenario.package))
    told = {"scenario_id": scenario.package.scenario_id, "hints": [asdict(one) for one in found]}
    show.json(told) if as_json else hints(scenario.package.scenario_id, found)
    ctx.exit(GATE_FAILED if found else OK)


@bench.command("show", short_help="Draw the day of a package.")
@_folder
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page with plots here.")
@as_json
def show_day(folder: Path, html: Path | None, as_json: bool) -> None:
    """Draw the day: sensors over time, the onset marked, what it changes first. Not for an agent's eyes."""
    from gnomon.cli.show.day import day
    from gnomon.service.days import day_view

    view = day_view(_loaded(folder))
    if html is not None:
        from gnomon.report.day import page

        write_text(html, page(view))
    show.json(view) if as_json else day(view, html)


@bench.command(short_help="A transcript in the first published format.")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here (default: print).")
@as_json
def export(transcript: Path, out: Path | None, as_json: bool) -> None:
    """Write a TRANSCRIPT as one JSON object, as the first published format has it."""
    from gnomon.bench.transcripts import original, read_transcript
    from gnomon.model.jsonvalue import dump

    whole = original(read_transcript(transcript))
    if out is None:
        show.json(whole)
        return
    write_text(out, dump(whole) + "\n", "--out")
    told = {"run_id": whole["run_id"], "beats": len(whole["heartbeats"]), "path": str(out)}
    show.json(told) if as_json else show.line(f"{told['beats']} beats of run {told['run_id']} are in {out}")


def _loaded(folder: Path) -> "Scenario":
    from gnomon.bench.package import load

    return load(folder)
