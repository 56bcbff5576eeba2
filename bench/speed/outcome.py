"""How fast a coding agent's iterations are scored, beside a git process for each fact and a scan for each iteration.

    python -m bench.speed.outcome [--size small|medium] [--keep DIR | --world DIR] [--json]

The plain way is timed on a few iterations, before and after Gnomon scores all of them; both are held on one core and
read files that the kernel has in memory. Gnomon, asked for the same simple rules (`compat`), has to give the same
answers before any ratio is told; what is timed is the default, which looks closer.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.speed.outcome_plain import Facts, plain_facts
from bench.speed.outcome_world import SIZES, World, files, load, make
from bench.speed.stand import Figure, at_least, at_most, machine, one_core, show, workplace

SAMPLE, ROUNDS = 5, 3
RATIO, ALL_SECONDS, PEAK_MB, COLD_SECONDS, WARM_SECONDS = 50, 30, 500, 2.0, 0.3
IN_ALL = {"small": "small", "medium": "small", "full": "medium"}
_SCORE = """
import json, os, sys, time
began = time.perf_counter()
from pathlib import Path
from gnomon.outcome import ScorePlan, score_log
loaded, before = time.perf_counter(), sum(os.times()[:4])
told = json.loads(sys.argv[1])
paths = {name: Path(told.pop(name)) for name in ("log", "repo", "cache")}
plan = ScorePlan(**paths, transcripts=tuple(map(Path, told.pop("transcripts"))), **told)
found = score_log(plan)
seconds, cpu = time.perf_counter() - loaded, sum(os.times()[:4]) - before
# Not getrusage: its peak is inherited from the process that started this one.
peak = next(int(line.split()[1]) / 1000 for line in open("/proc/self/status") if line.startswith("VmHWM"))
scored = [
    {"iteration": one.score.iteration,
     "signals": {row.signal: row.sub_score if row.present else None for row in one.score.breakdown},
     "objectives": {name: fact.sub_score if fact.present else None for name, fact in one.objectives.items()}}
    for one in found.iterations
]
print(json.dumps({"import": loaded - began, "seconds": seconds, "cpu": cpu, "peak_mb": peak, "scored": scored}))
"""


def measure(options: argparse.Namespace) -> list[Figure]:
    """As a part of all benchmarks: a small world, unless everything is asked for."""
    with workplace() as folder:
        return measure_world(make(folder / "world", SIZES[IN_ALL[options.size]]), folder)


def measure_world(world: World, folder: Path) -> list[Figure]:
    numbers = [world.size.iterations * (2 * n + 1) // (2 * SAMPLE) + 1 for n in range(SAMPLE)]
    for path in files(world):
        path.read_bytes()
    with one_core():
        half = SAMPLE // 2
        plain = _plainly(world, numbers[:half])
        everything = _score(world, folder / "cache-all")
        plain |= _plainly(world, numbers[half:])
        _compare(world, folder, {number: facts for number, (facts, _) in plain.items()})
        again = _score(world, folder / "cache-all")
        singles = [_single(world, folder, number) for number in numbers[:ROUNDS]]
    return [*_overall(world, [seconds for _, seconds in plain.values()], everything, again), *_alone(singles)]


def _plainly(world: World, numbers: list[int]) -> dict[int, tuple[Facts, float]]:
    results = {}
    for number in numbers:
        began = time.perf_counter()
        facts = plain_facts(world, number)
        results[number] = facts, time.perf_counter() - began
    return results


def _score(world: World, cache: Path, **more: Any) -> dict[str, Any]:
    """In a process of its own."""
    fields = {"log": str(world.log), "repo": str(world.repo), "transcripts": list(map(str, world.transcripts))}
    fields |= {"cache": str(cache), "profile": "gnomon"} | more
    command = [sys.executable, "-c", _SCORE, json.dumps(fields)]
    result: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    wanted = 1 if "iteration" in more else world.size.iterations
    assert len(result["scored"]) == wanted, f"{len(result['scored'])} iterations were scored, not {wanted}"
    return result


def _single(world: World, folder: Path, number: int) -> dict[str, float]:
    """One iteration by the library and by the command, each with an empty cache and then again."""
    results: dict[str, float] = {}
    for turn in ("cold", "warm"):
        told = _score(world, folder / f"cache-{number}", iteration=number)
        results |= {turn: told["seconds"], f"{turn} import": told["import"]}
        results[f"{turn} command"] = _command(world, folder / f"home-{number}", number)
    return results


def _command(world: World, home: Path, number: int) -> float:
    command = [sys.executable, "-m", "gnomon", "outcome", "score", "--iteration", str(number), "--no-write", "--json"]
    command += ["--log", str(world.log), "--repo", str(world.repo)]
    for folder in world.transcripts:
        command += ["--transcripts", str(folder)]
    environment = os.environ | {"GNOMON_HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    began = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _overall(world: World, plain: list[float], everything: dict[str, Any], again: dict[str, Any]) -> list[Figure]:
    """The ratio has a target in the world of a thousand iterations alone: it grows with what is scored at once."""
    count = world.size.iterations
    each = everything["seconds"] / count
    about = f"{world.size.commits:,} commits, {world.size.transcript_bytes / 1e6:,.0f} MB of sessions"
    naive = statistics.median(plain)
    note = f"{naive:.3g} s against {each * 1000:.3g} ms; the same answers for {len(plain)} iterations"
    cpu = f"{everything['cpu']:.3g} s of CPU, {about}"
    versus, full = "outcome, plain way against Gnomon, an iteration", world.size == SIZES["medium"]
    return [
        Figure("outcome, the plain way, one iteration", naive, "s", note=f"median of {len(plain)}, {about}"),
        at_least(versus, naive / each, "×", RATIO, note) if full else Figure(versus, naive / each, "×", note=note),
        at_most(f"outcome, all {count:,} iterations, one core", everything["seconds"], "s", ALL_SECONDS, cpu),
        Figure(f"outcome, all {count:,} iterations again, from the cache", again["seconds"], "s"),
        at_most(f"outcome, peak memory for all {count:,}", everything["peak_mb"], "MB", PEAK_MB),
    ]


def _alone(singles: list[dict[str, float]]) -> list[Figure]:
    def middle(name: str) -> float:
        return statistics.median(single[name] for single in singles)

    figures = []
    for turn, told, limit in (("cold", "empty cache", COLD_SECONDS), ("warm", "warm cache", WARM_SECONDS)):
        note = f"and {middle(f'{turn} import'):.2g} s to import; median of {len(singles)} iterations"
        figures.append(at_most(f"outcome, one iteration, {told}", middle(turn), "s", limit, note))
        figures.append(Figure(f"outcome, one iteration as a command, {told}", middle(f"{turn} command"), "s"))
    return figures


# --- the same answers -----


def _compare(world: World, folder: Path, plain: dict[int, Facts]) -> None:
    """Ends the benchmark where the two ways differ. These simple rules read no folders within folders."""
    holding = sorted({str(path.parent) for path in files(world)})
    told = _score(world, folder / "cache-compat", profile="compat", trunk="main", transcripts=holding)
    found = {one["iteration"]: one for one in told["scored"]}
    for number, facts in plain.items():
        for name in ("landed", "scope", "token_efficiency", "correction_pressure"):
            _same(number, name, getattr(facts, name), found[number]["signals"][name])
        for name, fact in facts.objectives.items():
            _same(number, name, fact, found[number]["objectives"][name])


def _same(number: int, name: str, plain: float | None, own: float | None) -> None:
    if plain is None and name == "scope":
        return  # then a claim stands in, which the plain way does not read
    if (plain is None) != (own is None) or (plain is not None and own is not None and abs(plain - own) > 1e-9):
        raise SystemExit(f"iteration {number}: {name} is {own}, and {plain} by the plain way")


def _main() -> None:
    parser = argparse.ArgumentParser(description="How fast iterations are scored, beside the plain way.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--size", choices=list(SIZES), default="medium", help="how large a world to make")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--keep", type=Path, metavar="DIR", help="make the world in this new folder, and leave it")
    where.add_argument("--world", type=Path, metavar="DIR", help="measure in the world that --keep left there")
    options = parser.parse_args()
    before = machine()
    with workplace() as folder:
        world = load(options.world) if options.world else make(options.keep or folder / "world", SIZES[options.size])
        began = time.perf_counter()
        figures = measure_world(world, folder)
    show(figures, before, time.perf_counter() - began, as_json=options.json)


if __name__ == "__main__":
    _main()
