"""An export that cannot be finished: the file is whole or not there, and one line says why."""

import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import preloaded
from faults.victim import eventually
from gnomon.model.trace import SpanDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

LIMIT = 500_000
TRACES = 100
CANNOT_RUN = 3


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traces of two megabytes."""
    file = tmp_path_factory.mktemp("export") / "gnomon.db"
    open_store(f"sqlite:///{file}").close()
    with Embedded(f"sqlite:///{file}") as backend:
        for at in range(TRACES):
            start, payload = datetime(2026, 2, 21, 22, tzinfo=UTC), random.Random(at).randbytes(12_000).hex()
            backend.ingest([SpanDraft(id="a", trace_id=f"t{at}", name="n", start_time=start, input=payload)], "p")
    return file


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={LIMIT}", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"mounting is not permitted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def export(
    database: Path, out: object, *more: str, start: Callable[..., list[str]] = preloaded.command
) -> subprocess.Popen[str]:
    command = start("-m", "gnomon", "export", "traces", "--db", str(database), "--out", str(out), *more)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)


def own_child(*arguments: str) -> list[str]:
    """For what a process inherits from its parent: the umask, and the limits that a shell sets."""
    return [sys.executable, *arguments]


def limited(*arguments: str) -> list[str]:
    return ["sh", "-c", f'ulimit -f {LIMIT // 512} && exec "$@"', "sh", *own_child(*arguments)]


@pytest.mark.parametrize("name", ["traces.jsonl", "traces.csv", "traces.parquet", "traces.json"])
def test_a_full_disk_is_said_and_nothing_is_left(database: Path, small_disk: Path, name: str) -> None:
    running = export(database, small_disk / name)
    out, err = running.communicate()
    assert (running.returncode, out) == (CANNOT_RUN, ""), err
    assert err == f"gnomon: cannot write {small_disk / name}: No space left on device; the partial file was removed\n"
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize("name", ["traces.jsonl", "traces.csv", "traces.parquet"])
def test_a_file_that_may_not_grow_is_said_and_the_old_one_stays(database: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("what was there")
    running = export(database, tmp_path / name, "--force", start=limited)
    _, err = running.communicate()
    assert running.returncode == CANNOT_RUN
    assert err == f"gnomon: cannot write {tmp_path / name}: File too large; the partial file was removed\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "what was there"


def test_a_folder_that_does_not_exist_is_named(database: Path, tmp_path: Path) -> None:
    running = export(database, tmp_path / "no" / "traces.csv")
    _, err = running.communicate()
    assert running.returncode == 2
    assert f"the folder {tmp_path / 'no'} does not exist; make it, or name another file" in err


def test_ctrl_c_leaves_no_half_file(database: Path, tmp_path: Path) -> None:
    running = export(database, tmp_path / "traces.jsonl")
    eventually(lambda: any(tmp_path.iterdir()) or running.poll() is not None, "the file to be begun")
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    if running.returncode == 0:  # it had finished
        assert [path.name for path in tmp_path.iterdir()] == ["traces.jsonl"]
    else:
        assert (running.returncode, err.strip()) == (CANNOT_RUN, "gnomon: interrupted")
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["jsonl", "csv", "otlp-json"])
def test_a_reader_that_has_seen_enough_is_no_error(database: Path, format: str) -> None:
    """`gnomon export … --out - | head -1`."""
    running = export(database, "-", "--format", format)
    assert running.stdout is not None
    assert running.stdout.readline()
    running.stdout.close()
    assert running.stderr is not None
    assert running.stderr.read() == ""
    assert running.wait() == 0


def test_only_its_owner_can_read_an_export(database: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        running = export(database, tmp_path / "traces.jsonl", start=own_child)
        running.communicate()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "traces.jsonl").stat().st_mode) == 0o600


def test_memory_does_not_grow_with_what_is_exported(database: Path, tmp_path: Path) -> None:
    """Two megabytes of traces through a process that may hold little more than itself when it has written half."""
    script = (
        "import sys, tracemalloc\n"
        "from gnomon.service.exchange import exporting\n"
        "from gnomon.service.embedded import Embedded\n"
        "class Out:\n"
        "    size = 0\n"
        "    def write(self, data):\n"
        "        Out.size += len(data)\n"
        "        if Out.size > 1_000_000 and not tracemalloc.is_tracing(): tracemalloc.start()\n"
        "with Embedded(f'sqlite:///{sys.argv[1]}') as backend:\n"
        "    exporting.write(backend, exporting.Selection('traces', project_id='p'), sys.argv[2], Out())\n"
        "assert Out.size > 2_000_000, Out.size\n"
        "print(tracemalloc.get_traced_memory()[1])\n"
    )
    for format in ("jsonl", "csv"):
        command = preloaded.command("-c", script, database, format)
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        # The second half as nouns and as text would be more than two million; a page of the list is one.
        assert int(done.stdout) < 1_500_000
