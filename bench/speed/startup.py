"""How soon is it there: the server on an existing file, the import, the help text, a first evaluation? Idling costs?"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.speed import fill
from bench.speed.fill import Shape
from bench.speed.stand import Figure, at_most, main, serving, workplace

import gnomon
from gnomon.service.clock import Clock
from gnomon.store.engine import open_store

TIMES = {"small": 3, "medium": 7, "full": 15}
READY_SECONDS, IDLE_MB, IMPORT_SECONDS, HELP_SECONDS = 2.0, 150, 0.15, 0.3


def measure(options: argparse.Namespace) -> list[Figure]:
    times = TIMES[options.size]
    with workplace() as folder:
        return [*_server(folder, times), *_commands(times), *_first_call(folder, times)]


def _server(folder: Path, times: int) -> list[Figure]:
    url = f"sqlite:///{folder}/gnomon.db"
    store, clock = open_store(url), Clock()
    dataset, items = fill.dataset(store, clock, 1000)
    fill.experiment(store, clock, dataset, items, Shape(1000))
    store.close()
    cold, memory = _ready(url, folder, cold=True)
    warm = [_ready(url, folder, cold=False)[0] for _ in range(times)]
    return [
        at_most("serve on an existing file, ready, modules not in memory", cold, "s", READY_SECONDS, _COLD),
        at_most("serve on an existing file, ready, warm", statistics.median(warm), "s", READY_SECONDS),
        at_most("resident memory of the idle server", memory, "MB", IDLE_MB),
    ]


_COLD = "our modules are read from the disk"


def _ready(url: str, folder: Path, *, cold: bool) -> tuple[float, float]:
    if cold:
        _forget_files()
    with serving(url, folder / "home") as server:
        return server.ready_after, server.resident_mb()


def _forget_files() -> None:
    """Drop the kernel's copies of our modules and of the database, so that they are read from the disk."""
    os.sync()
    folders = [Path(entry) for entry in sys.path if entry.endswith("site-packages")]
    for folder in [*folders, Path(gnomon.__file__).parent]:
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".pyc", ".so") and path.is_file():
                with path.open("rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _commands(times: int) -> list[Figure]:
    nothing = _run(times, "-c", "pass")
    imported = _run(times, "-c", "import gnomon")
    helped = _run(times, "-m", "gnomon", "--help")
    return [
        at_most("import gnomon, beyond bare Python", imported - nothing, "s", IMPORT_SECONDS, f"bare: {nothing:.3f} s"),
        at_most("gnomon --help, all of it", helped, "s", HELP_SECONDS),
    ]


def _run(times: int, *arguments: str, home: Path | None = None) -> float:
    environment = os.environ | ({} if home is None else {"GNOMON_HOME": str(home)})
    results = []
    for _ in range(times + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
        results.append(time.perf_counter() - began)
    return statistics.median(results[1:])


_EVALUATE = """
import gnomon as gn
gn.evaluate(str, [{"input": 1, "expected_output": "1"}], [gn.exact_match()], progress=False, traces=%s)
"""


def _first_call(folder: Path, times: int) -> list[Figure]:
    """A program that evaluates one item and ends, on a file that is there; most of it is loading modules."""
    home, figures = folder / "first", []
    for name, code in (
        ("import gnomon; gn.evaluate: its modules, all of the process", "import gnomon as gn; gn.evaluate"),
        ("a first evaluation of one item, all of the process", _EVALUATE % False),
        ("a first evaluation of one item with its trace, all of the process", _EVALUATE % True),
    ):
        before = _children_cpu()
        seconds = _run(times, "-c", code, home=home)
        cpu = (_children_cpu() - before) / (times + 1)
        figures.append(Figure(name, seconds, "s", note=f"{cpu:.2f} s of CPU time"))
    return figures


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(__doc__, measure)
