"""`gnomon bench`: benchmarks of agents, from a scenario to a leaderboard."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.bench_foreign import are_foreign, by_folder_flag, refuse_files, show_carried
from gnomon.cli.bench_items import items
from gnomon.cli.bench_runs import leaderboard, push, run, score
from gnomon.cli.files import write_text
from gnomon.cli.flags import GATE_FAILED, OK, as_json
from gnomon.cli.groups import CommandGroup
from gnomon.errors import InvalidInput
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.bench.family import Family, Generator

_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.group(cls=CommandGroup)
def bench() -> None:
    """Benchmark agents: play scenarios to them, score what they did, and rank them.

    \b
    gnomon bench generate --scenario cardiac_arrest --tier T1 --seed 7
    gnomon bench run --scenario scenarios/cardiac_arrest_T1_s7 --agent reference:threshold-monitor --runs 5 --out runs
    gnomon bench leaderboard runs
    """


bench.add_command(run)
bench.add_command(score)
bench.add_command(leaderboard)
bench.add_command(push)
bench.add_command(items)


_family = click.option("--family", help="Family of benchmarks (default: the only one that generates).")
_kinds = click.option("--kinds", "folder", type=click.Path(path_type=Path), help="Folder with your own kinds (YAML).")


@bench.command(short_help="List the families of benchmarks.")
@as_json
def families(as_json: bool) -> None:
    """List the families of benchmarks, with their metrics, settings and reference agents."""
    from gnomon.bench.families import FAMILIES
    from gnomon.cli.show.bench import families as show_families

    described = [_described(family) for family in FAMILIES]
    show.json(described) if as_json else show_families(described)


def _described(family: "Family") -> dict[str, Any]:
    return {
        "family": family.name, "summary": family.summary, "success": family.metrics.success,
        "metrics": {metric.name: metric.description for metric in family.metrics.metrics},
        "settings": {
            name: {"default": field.default, "description": field.description}
            for name, field in family.settings.model_fields.items()
        },
        "reference_agents": list(family.reference_agents), "generates": family.generator is not None,
    }  # fmt: skip


@bench.command(short_help="List the kinds of scenarios that can be generated.")
@_family
@_kinds
@as_json
def kinds(family: str | None, folder: Path | None, as_json: bool) -> None:
    """List the kinds of scenarios that `generate` can make."""
    from gnomon.cli.show.bench import kinds as show_kinds

    listed = _generator(family).kinds(folder)
    show.json([kind.model_dump(mode="json") for kind in listed]) if as_json else show_kinds(listed)


@bench.command(short_help="Generate scenarios from a seed.")
@_family
@click.option("--scenario", "kind", required=True, help="Kind of scenario; `gnomon bench kinds` lists them.")
@click.option("--tier", help="How much surrounds the signal: T1, T2, T3 or T4.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same bytes.")
@click.option(
    "--count",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Number of scenarios, from consecutive seeds.",
)
@click.option(
    "--date", help="Date of the scenarios (default: 2027-06-15); 2027 or later, so that no model has read about it."
)
@_kinds
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("scenarios"), show_default=True, help="Folder to write to."
)
@as_json
def generate(
    family: str | None, kind: str, tier: str | None, seed: int, count: int, date: str | None, folder: Path | None,
    out: Path, as_json: bool,
) -> None:  # fmt: skip
    """Generate scenarios from a seed and write them as packages.

    \b
    gnomon bench generate --scenario house_fire --tier T3 --seed 1 --count 20
    """
    from gnomon.cli.show.bench import written

    generator = _generator(family)
    options = {name: value for name, value in (("tier", tier), ("date", date)) if value is not None}
    scenarios = []
    with show.progress("generating scenarios", count, quiet=as_json) as done:
        for number in range(count):
            scenario = generator.generate(kind, seed + number, out, options, folder)
            scenarios.append({"scenario_id": scenario.scenario_id, "path": str(scenario.path),
                         "content_hash": scenario.content_hash})  # fmt: skip
            done(number + 1)
    show.json(scenarios) if as_json else written(scenarios)


def _generator(name: str | None) -> "Generator":
    from gnomon.bench.families import FAMILIES, by_name

    able = [family for family in FAMILIES if family.generator is not None]
    family = by_name(name) if name is not None else able[0] if len(able) == 1 else None
    known = ", ".join(generator.name for generator in able)
    if family is None:
        raise InvalidInput.of("family", f"several families generate scenarios ({known}); name one with --family")
    if family.generator is None:
        raise InvalidInput.of("family", f"--family {family.name} generates no scenarios; these do: {known}")
    return family.generator


@bench.command(short_help="Check that a package is whole and untouched.")
@_folder
@as_json
def verify(folder: Path, as_json: bool) -> None:
    """Check every file and hash of a package. Exit code 3, and one line, when something is wrong."""
    from gnomon.bench.families import family_of
    from gnomon.cli.show.bench import verified

    result = family_of(folder).verify(folder)
    show.json(result) if as_json else verified(result)


@bench.command(short_help="Write the hashes of a package.")
@_folder
@as_json
def seal(folder: Path, as_json: bool) -> None:
    """Write the manifest of a package that you made or changed by hand, so that later changes are detected."""
    from gnomon.bench.families import family_of
    from gnomon.cli.show.bench import verified

    sealed = family_of(folder).seal(folder)
    show.json(sealed) if as_json else verified(sealed)


@bench.command(short_help="Copy the example packages.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("examples"), show_default=True, help="Folder to write to."
)
@as_json
def examples(out: Path, as_json: bool) -> None:
    """Copy the packages that come with Gnomon into a folder, to run or adapt them."""
    from gnomon.bench.families import copy_examples

    copied = [{"family": family, "path": str(path)} for family, path in copy_examples(out)]
    if as_json:
        show.json(copied)
        return
    for package in copied:
        show.line(f"{package['path']} ({package['family']})")


@bench.command(short_help="Check that a package measures what it is meant to.")
@_folder
@as_json
@click.pass_context
def lint(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Check scenarios for defects, and what agents see for words that give the test away.

    A scenario is defective when its own solution does not succeed, or when doing nothing does. Exit code 1 when there
    is a hint or a defect.
    """
    from gnomon.bench.families import load
    from gnomon.cli.show.bench import lint_results

    scenarios = load(folder)
    hints = {scenario.scenario_id: scenario.family.lint(scenario) for scenario in scenarios}
    defects = {scenario.scenario_id: scenario.family.defects(scenario) for scenario in scenarios}
    if as_json:
        listed = [
            {
                "scenario_id": name,
                "hints": [hint._asdict() for hint in hints[name]],
                "defects": [defect._asdict() for defect in defects[name]],
            }
            for name in hints
        ]
        show.json(listed[0] if len(listed) == 1 else listed)
    else:
        lint_results(folder.resolve().name, hints, defects)
    ctx.exit(GATE_FAILED if any(hints.values()) or any(defects.values()) else OK)


@bench.command("show", short_help="Show a package, or what files of other tools carry.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page with plots here.")
@by_folder_flag
@as_json
def show_package(paths: Sequence[Path], html: Path | None, by_folder: bool, as_json: bool) -> None:
    """Show what a package plays to an agent, and what it tests. Agents must not see this.

    Of files and folders of other tools (Inspect, tau-bench, tau2, SWE-bench, SWE-agent, mini-swe-agent,
    Terminal-Bench): the scores that they carry, how many runs have one, and why others have none.

    \b
    gnomon bench show scenarios/house_fire_T1_s1
    gnomon bench show trajectories/
    """
    from gnomon.bench.families import is_package, load
    from gnomon.cli.show.bench import scenario_lines
    from gnomon.cli.show.day import day
    from gnomon.model.day import DayView
    from gnomon.service.bench.gathering import holds_runs

    if are_foreign(paths):
        if html is not None:
            words = f"--html {html}: of files of other tools `gnomon bench leaderboard` writes a page; leave --html out"
            raise InvalidInput.of("html", words)
        show_carried(paths, by_folder=by_folder, as_json=as_json)
        return
    refuse_files(paths)
    if len(paths) > 1:
        raise InvalidInput.of("paths", f"{paths[1]}: packages are shown one at a time; name one")
    folder = paths[0]
    if not is_package(folder) and holds_runs(folder):
        words = f"{folder} holds runs, not a package; rank them with `gnomon bench leaderboard {folder}`"
        raise InvalidInput.of("paths", words)
    views = [scenario.view() for scenario in load(folder)]
    if html is not None:
        from gnomon.report.day import page

        first = views[0]
        if not isinstance(first, DayView):
            raise InvalidInput.of("html", f"--html {html}: there is no page for {folder}; leave --html out")
        write_text(html, page(first))
    if as_json:
        show.json(views[0] if len(views) == 1 else views)
        return
    for view in views:
        day(view, html) if isinstance(view, DayView) else scenario_lines(view)


@bench.command(short_help="Write a transcript in the first published format.")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write (default: print).")
@as_json
def export(transcript: Path, out: Path | None, as_json: bool) -> None:
    """Write a TRANSCRIPT as one JSON object, as the first published format has it."""
    from gnomon.bench.transcripts import read_transcript
    from gnomon.model.firstformat import first_format
    from gnomon.model.jsonvalue import dump

    run = read_transcript(transcript)
    document = first_format(run)
    if out is None:
        show.json(document)
        return
    write_text(out, dump(document) + "\n", "--out")
    written = {"run_id": run.run_id, "steps": len(run.steps), "path": str(out)}
    words = f"wrote {counted(len(run.steps), 'step')} of run {run.run_id} to {out}"
    show.json(written) if as_json else show.line(words)
