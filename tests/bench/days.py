"""Three short days, and what each reference agent makes of them: known in advance, written down by hand.

An arrest at the fifth beat; an evening on which nothing happens; and one on which the watch lies on a table for three
beats and reads nothing, which looks the same as an arrest to whoever goes by the numbers alone.
"""

from collections.abc import Sequence
from pathlib import Path

from bench.small import SCENARIO_ID, small_package, write_small
from gnomon.bench.noticing.package import content_hash, write
from gnomon.bench.noticing.scenario import ScenarioPackage
from gnomon.service.bench.benchmark import run_benchmark

ARREST, QUIET, WATCH = SCENARIO_ID, "normal_day_T1_s0", "watch_off_wrist_T1_s0"
RUNS = 3

SUCCESS = {
    "never-acts": {ARREST: [0, 0, 0], QUIET: [1, 1, 1], WATCH: [1, 1, 1]},
    "always-calls": {ARREST: [0, 0, 0], QUIET: [0, 0, 0], WATCH: [0, 0, 0]},
    "threshold-monitor": {ARREST: [1, 1, 1], QUIET: [1, 1, 1], WATCH: [0, 0, 0]},
    "late-by-2": {ARREST: [1, 1, 1], QUIET: [1, 1, 1], WATCH: [0, 0, 0]},
    "memory-only": {ARREST: [0, 0, 0], QUIET: [1, 1, 1], WATCH: [1, 1, 1]},
    "spams-everyone": {ARREST: [1, 1, 1], QUIET: [1, 1, 1], WATCH: [0, 0, 0]},
    # The first six bytes of SHA-256 of "flaky:0.7/1", …/2 and …/3 are 0.498, 0.088 and 0.785 of all there are.
    "flaky:0.7": {ARREST: [1, 1, 0], QUIET: [1, 1, 1], WATCH: [0, 0, 1]},
}
"""Agent → day → success in runs 1, 2 and 3."""


def quiet_day(scenario_id: str, off: Sequence[int] = ()) -> ScenarioPackage:
    """The small package without its anomaly; in the beats `off` the watch reads no pulse and no oxygen."""
    package = small_package()
    normal = package.heartbeats[0].wearable
    assert normal is not None
    nothing = normal.model_copy(update={"heart_rate": 0, "spo2": 0})
    beats = [
        beat.model_copy(update={"wearable": nothing if beat.heartbeat_id in off else normal})
        for beat in package.heartbeats
    ]
    manifest = package.manifest.model_copy(update={"content_hash": content_hash(beats)})
    about = {"scenario_id": scenario_id, "crisis_type": "none", "crisis_heartbeat_id": len(beats)}
    return package.model_copy(update={**about, "heartbeats": beats, "manifest": manifest})


def write_days(folder: Path) -> list[Path]:
    quiet = [quiet_day(QUIET), quiet_day(WATCH, off=(4, 5, 6))]
    return [write_small(folder), *(write(day, None, folder / day.scenario_id) for day in quiet)]


def play(out: Path, days: Sequence[Path], agents: Sequence[str] = tuple(SUCCESS), runs: int = RUNS) -> Path:
    """Runs of reference agents, played and scored as the command does it, without the command."""
    run_benchmark(days, [f"reference:{name}" for name in agents], out, runs=runs, resume=True)
    return out
