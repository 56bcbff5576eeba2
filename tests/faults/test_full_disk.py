"""A disk that is full: every refusal says so, nothing is there by half, and freed space is used again.

The disk is a small one of its own where mounting is permitted; otherwise the server process is
forbidden to make files longer than they are, which ends in the same refusals.
"""

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contract.caller import Api, Refusal, expect, span
from faults.victim import Victim, eventually

DISK = 12_000_000
PAYLOAD = "x" * 200_000
MOST_BATCHES = 200


@dataclass(frozen=True)
class Disk:
    """Where the database is, and how to take space away and give it back."""

    folder: Path
    fill: Callable[[Victim], None]
    free: Callable[[Victim], None]
    words: str
    """What the refusals say."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"mounting is not permitted here: {mounted.stderr.strip()}")
    ballast = folder / "ballast"

    def fill(_: Victim) -> None:
        """Leave a little, so that it is a write in the middle that meets the end."""
        room = os.statvfs(folder)
        ballast.write_bytes(b"x" * max(0, room.f_bavail * room.f_frsize - 3 * len(PAYLOAD)))

    yield Disk(folder, fill, lambda _: ballast.unlink(), "the disk that holds the database is full")
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def short_files(tmp_path: Path) -> Disk:
    """No disk of its own: the kernel refuses to let the server's files grow past a limit."""
    folder = tmp_path / "disk"
    folder.mkdir()
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

    def fill(server: Victim) -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))

    return Disk(folder, fill, lambda server: resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited), "the d")


@pytest.fixture(params=["small_disk", "short_files"])
def disk(request: pytest.FixtureRequest) -> Disk:
    found: Disk = request.getfixturevalue(request.param)
    return found


def batch(number: int) -> dict[str, Any]:
    trace = f"t{number}"
    return {"project_id": "p", "spans": [span("a", trace, input=PAYLOAD), span("b", trace, parent_span_id="a")]}


def test_a_full_disk_is_said_and_survived(disk: Disk, victim):
    server: Victim = victim(f"sqlite:///{disk.folder}/gnomon.db").start()
    with server.api() as api:
        expect(201, api.post("/traces/ingest", batch(0)))
        disk.fill(server)
        stored = {"t0", *_until_refused(api, disk.words)}

        assert Refusal.of(api.post("/traces/ingest", batch(998))).said == (503, "UNAVAILABLE")
        assert _traces(api) == stored, "a refused batch left something behind"
        assert expect(200, api.get("/traces/t0", project_id="p"))["span_count"] == 2

        disk.free(server)
        eventually(lambda: api.post("/traces/ingest", batch(999)).status_code == 201, "writes to work again")
        assert _traces(api) == {*stored, "t999"}
    assert server.stop() == 0
    assert "Traceback" not in server.last_words()


def _until_refused(api: Api, words: str) -> list[str]:
    """Write until it is refused; the traces that were acknowledged before."""
    stored = []
    for number in range(1, MOST_BATCHES):
        answer = api.post("/traces/ingest", batch(number))
        if answer.status_code != 201:
            refused = Refusal.of(answer)
            assert refused.said == (503, "UNAVAILABLE")
            assert refused.message.startswith(words), refused.message
            assert "\n" not in refused.message
            return stored
        stored.append(f"t{number}")
    raise AssertionError("the disk never became full")


def _traces(api: Api) -> set[str]:
    rows = api.items("/traces", project_id="p")
    assert all(row["span_count"] == 2 for row in rows)
    return {row["id"] for row in rows}
