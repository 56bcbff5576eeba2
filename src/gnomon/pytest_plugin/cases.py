"""The items of a marked test function: one per data item and trial, and what each of them returned.

What a test returned is written to a folder that all workers of xdist share; the item of the gates reads it there.
"""

import asyncio
import hashlib
import inspect
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from gnomon.errors import GnomonError
from gnomon.interop.rows import short
from gnomon.model.experiment import MAX_TRIALS
from gnomon.model.nearest import not_a_field
from gnomon.service.evaluation.binding import TASK_NAMES
from gnomon.service.evaluation.data import EvaluationData, EvaluationItem, names_file, read_data
from gnomon.service.evaluation.plain import plain_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_ARGUMENTS = ("data", "scorers", "trials", "gate", "against", "name", "dataset", "columns")
_LONGEST_LABEL = 40
_FOLDER = pytest.StashKey[Path]()
_GROUPS = pytest.StashKey["dict[str, CaseGroup]"]()
_ALIVE = pytest.StashKey[IO[str]]()


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """A marked function with its data."""

    nodeid: str
    arguments: Mapping[str, Any]
    data: EvaluationData
    trials: int
    parameter: str
    """The function's first parameter that gets a part of the item."""
    folder: Path
    """Of the test file."""

    def case(self, number: int) -> tuple[int, int]:
        """Position of the item, and trial, of the case with this number."""
        trial, position = divmod(number, len(self.data.items))
        return position, trial

    @property
    def size(self) -> int:
        return len(self.data.items) * self.trials


def groups_of(config: pytest.Config) -> dict[str, CaseGroup]:
    return config.stash.setdefault(_GROUPS, {})


def parametrize(metafunc: pytest.Metafunc) -> None:
    """One call of the function per data item and trial. What is wrong with the marker is an error of the collection."""
    try:
        group = _group(metafunc)
    except GnomonError as bad:
        raise _refused(metafunc.definition.name, bad.message) from None
    groups_of(metafunc.config)[group.nodeid] = group
    names = [name for name in metafunc.fixturenames if name in TASK_NAMES]
    cases = [group.case(number) for number in range(group.size)]
    values = [[_part(group.data.items[position], name) for name in names] for position, _ in cases]
    ids = _ids(group)
    metafunc.parametrize(names, values, ids=ids)


def _group(metafunc: pytest.Metafunc) -> CaseGroup:
    function = metafunc.definition
    marker = function.get_closest_marker("gnomon")
    assert marker is not None
    arguments = dict(zip(("data",), marker.args, strict=False)) | dict(marker.kwargs)
    for name in arguments:
        if name not in _ARGUMENTS:
            raise _refused(function.name, f"gnomon({name}=…): {name} {not_a_field(name, _ARGUMENTS)}")
    if len(marker.args) > 1:
        raise _refused(function.name, "gnomon(…) takes data alone without a name; write scorers=[…], trials=…")
    if arguments.get("data") is None:
        raise _refused(function.name, 'gnomon(…) has no data; write @pytest.mark.gnomon(data="cases.jsonl")')
    if function.get_closest_marker("parametrize") is not None:
        raise _refused(function.name, "parametrize and gnomon do not go together; put the cases into the data")
    trials = arguments.get("trials", 1)
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MAX_TRIALS:
        raise _refused(function.name, f"trials is {short(trials)}; give a whole number from 1 to {MAX_TRIALS:,}")
    names = [name for name in metafunc.fixturenames if name in TASK_NAMES]
    if not names:
        words = f"it takes none of {', '.join(TASK_NAMES)}; write def {function.name}(item)"
        raise _refused(function.name, words)
    folder = function.path.parent
    data = arguments["data"]
    if isinstance(data, str) and not names_file(data):
        raise _refused(function.name, f"data is {short(data)}, which is not a file; give a path, a list or a table")
    if isinstance(data, str | os.PathLike):
        data = folder / data
    read = read_data(data, dataset=arguments.get("dataset"), columns_as=arguments.get("columns"))
    return CaseGroup(function.nodeid, arguments, read, trials, names[0], folder)


def _refused(name: str, words: str) -> pytest.Collector.CollectError:
    return pytest.Collector.CollectError(f"{name}: {words}")


def _part(item: EvaluationItem, name: str) -> Any:
    values = item.as_json()
    return values if name == "item" else values[name]


def _ids(group: CaseGroup) -> list[str]:
    """The ids of tests: the items' ids, else their short inputs; with the trial where there are several."""
    labels: list[str] = []
    for position, item in enumerate(group.data.items):
        label = item.id or (item.input if isinstance(item.input, str) else "")
        label = " ".join(label.split())
        if not label or len(label) > _LONGEST_LABEL:
            label = f"item{position + 1}"
        labels.append(f"{label}~{position + 1}" if label in labels or label == "gate" else label)
    if group.trials == 1:
        return labels
    return [f"{labels[position]}#{trial + 1}" for position, trial in map(group.case, range(group.size))]


# What they return


def run_case(item: pytest.Function) -> None:
    """Call the test and keep what it returned or raised."""
    group = groups_of(item.config)[item.nodeid.partition("[")[0]]
    position, trial = group.case(item.callspec.indices[group.parameter])
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    try:
        output = item.obj(**arguments)
        if inspect.iscoroutine(output):
            output = asyncio.run(output)
        if output is None:
            pytest.fail(f"{group.nodeid} returned None; return the output that is to be scored", pytrace=False)
        output = plain_json(output, "the output")
    except (Exception, pytest.fail.Exception) as bad:
        error = {"type": type(bad).__name__, "message": str(bad) or type(bad).__name__}
        _record(item.config, group, {"position": position, "trial": trial, "error": error})
        raise
    _record(item.config, group, {"position": position, "trial": trial, "output": output})


def _record(config: pytest.Config, group: CaseGroup, record: Mapping[str, Any]) -> None:
    path = records_folder(config) / f"{_digest(group)}-{worker_id(config)}.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def records(config: pytest.Config, group: CaseGroup) -> dict[tuple[int, int], dict[str, Any]]:
    """What all workers have recorded so far: position and trial → the record."""
    records_by_position: dict[tuple[int, int], dict[str, Any]] = {}
    for path in sorted(records_folder(config).glob(f"{_digest(group)}-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):  # else a worker is still writing it
                record = json.loads(line)
                records_by_position[record["position"], record["trial"]] = record
    return records_by_position


def _digest(group: CaseGroup) -> str:
    return hashlib.sha256(group.nodeid.encode()).hexdigest()[:16]


# The shared folder


def worker_id(config: pytest.Config) -> str:
    workerinput = getattr(config, "workerinput", None)
    return "main" if workerinput is None else str(workerinput["workerid"])


def records_folder(config: pytest.Config) -> Path:
    """Made by the process that was started by a person; workers of xdist are told its name."""
    if _FOLDER not in config.stash:
        workerinput = getattr(config, "workerinput", None)
        folder_name = None if workerinput is None else workerinput["gnomon_folder"]
        config.stash[_FOLDER] = Path(folder_name or tempfile.mkdtemp(prefix="gnomon-pytest-"))
    return config.stash[_FOLDER]


def announce_worker(config: pytest.Config) -> None:
    """Let others see whether this worker lives: it holds a lock, which ends with the process, however that ends."""
    if getattr(config, "workerinput", None) is None or _ALIVE in config.stash:
        return
    file = (records_folder(config) / f"alive-{worker_id(config)}").open("w", encoding="utf-8")
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    config.stash[_ALIVE] = file


def others_may_record(config: pytest.Config) -> bool:
    """Whether another worker is still running tests."""
    if getattr(config, "workerinput", None) is None:
        return False
    alive_file = f"alive-{worker_id(config)}"
    folder = records_folder(config)
    return any(_is_running(path) for path in folder.glob("alive-*") if path.name != alive_file)


def _is_running(path: Path) -> bool:
    if path.with_name(path.name.replace("alive-", "waiting-")).exists():
        return False
    if path.with_name(path.name.replace("alive-", "finished-")).exists():
        return False
    if fcntl is None:
        return True
    with path.open("r+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def announce_waiting(config: pytest.Config) -> None:
    """This worker has reached its gates, which come last: it runs no more cases."""
    if getattr(config, "workerinput", None) is not None:
        (records_folder(config) / f"waiting-{worker_id(config)}").touch()


def end_session(config: pytest.Config) -> None:
    if _FOLDER not in config.stash:
        return
    folder = config.stash[_FOLDER]
    if getattr(config, "workerinput", None) is not None:
        (folder / f"finished-{worker_id(config)}").touch()
        if _ALIVE in config.stash:
            config.stash[_ALIVE].close()
    else:
        shutil.rmtree(folder, ignore_errors=True)


def missing(recorded: Mapping[tuple[int, int], Any], group: CaseGroup) -> Sequence[tuple[int, int]]:
    return [case for case in map(group.case, range(group.size)) if case not in recorded]
