"""Evaluations that are stopped, killed, doubled, or lose their server: what ran is kept, and the same call goes on."""

import json
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gnomon as gn
import preloaded
from conftest import Server, free_port, start_server
from gnomon.errors import GnomonError, StoreTrouble
from gnomon.model.experiment import RunDraft
from gnomon.sdk import connection
from gnomon.service.evaluation.storing import Unsent

SCRIPT = """
import sys, time
from pathlib import Path
import gnomon as gn

ran, gate = Path(sys.argv[1]), Path(sys.argv[2])

def task(number):
    if number >= 5:
        ran.with_name(f"{ran.name}-waits").touch()
        while not gate.exists():
            time.sleep(0.01)
    with ran.open("a") as file:
        file.write(f"{number}\\n")
    return number

def small(output):
    return output < 5

result = gn.evaluate(task, [{"input": number} for number in range(10)], [small], name="long", concurrency=2,
                     version="1", progress=False)
print(result.id, result.summary.run_count, *result.notes, sep="|")
"""
SECONDS = 600


def wait_until(true: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


class Evaluation:
    """The script in a process of its own."""

    def __init__(self, folder: Path, gate: str = "gate", ran: str = "ran") -> None:
        self.ran, self.gate = folder / ran, folder / gate
        (folder / "script.py").write_text(SCRIPT)
        command = preloaded.command(folder / "script.py", self.ran, self.gate)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def until_it_waits(self) -> None:
        wait_until(lambda: self.ran.with_name(f"{self.ran.name}-waits").exists() or self.process.poll() is not None)
        wait_until(lambda: len(stored()) >= 5 or self.process.poll() is not None)

    def open_gate(self) -> None:
        self.gate.touch()

    def said(self) -> list[str]:
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, err
        return out.strip().split("|")

    def numbers(self) -> list[int]:
        return sorted(int(line) for line in self.ran.read_text().split())


def stored() -> list[int]:
    """What is stored under that name, in all experiments."""
    here = connection.connection()
    found = here.backend.experiments(here.project_id, name="long")
    return sorted(run.output for one in found for run in here.backend.runs(one.id))


def test_ctrl_c_keeps_what_ran_and_says_how_to_go_on(home: Path, tmp_path: Path) -> None:
    first = Evaluation(tmp_path)
    first.until_it_waits()
    first.process.send_signal(signal.SIGINT)
    _, err = first.process.communicate(timeout=SECONDS)
    assert "5 of 10 runs of 'long' are stored; run the same call again to go on" in err
    assert stored() == [0, 1, 2, 3, 4]
    first.open_gate()
    second = Evaluation(tmp_path)
    _, count, note = second.said()
    assert (count, note) == ("10", "'long' is continued: 5 runs were there already")
    assert second.numbers() == list(range(10))


def test_kill_9_loses_nothing_that_was_stored_and_the_next_call_goes_on_at_once(home: Path, tmp_path: Path) -> None:
    first = Evaluation(tmp_path)
    first.until_it_waits()
    first.process.send_signal(preloaded.KILL)
    first.process.wait()
    first.open_gate()
    _, count, note = Evaluation(tmp_path).said()
    assert (count, note) == ("10", "'long' is continued: 5 runs were there already")
    assert stored() == list(range(10))


def test_a_second_process_under_the_same_name_begins_its_own_experiment(home: Path, tmp_path: Path) -> None:
    first = Evaluation(tmp_path)
    first.until_it_waits()
    second = Evaluation(tmp_path, gate="other gate", ran="other")
    second.open_gate()
    other, count_too, note = second.said()
    first.open_gate()
    one, count, *none = first.said()
    assert one != other
    assert (count, count_too, none) == ("10", "10", [])
    assert note == (
        "'long' was left unfinished, but another process is evaluating into it, "
        "so a new experiment of that name was begun"
    )


def test_runs_are_kept_in_a_file_while_the_server_is_away_and_sent_later(tmp_path: Path, home: Path) -> None:
    database = f"sqlite:///{tmp_path / 'server.db'}"
    server = start_server(database, tmp_path / "server")
    connection.configure(url=server.url, api_key=server.admin_key)
    begun, go_on = threading.Event(), threading.Event()

    def task(number: int) -> int:
        if number == 5:
            begun.set()
            assert go_on.wait(SECONDS)
        return number

    def call() -> Any:
        data = [{"input": number} for number in range(10)]
        return gn.evaluate(task, data, [lambda output: 1.0], name="away", concurrency=1, version="1", progress=False)

    def stop_the_server() -> None:
        begun.wait(SECONDS)
        server.kill()
        go_on.set()

    threading.Thread(target=stop_the_server).start()
    with pytest.raises(StoreTrouble) as trouble:
        call()
    assert "run the same call again" in trouble.value.message
    (file,) = (home / "unsent").iterdir()
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert kept
    assert str(file) in trouble.value.message

    again = start_on_port(server, database, tmp_path)
    try:
        connection.configure(url=again.url, api_key=again.admin_key)
        result = call()
        assert result.summary.run_count == 10
        assert sorted(run.output for run in result.runs) == list(range(10))
        assert result.ran < 10
        assert not file.exists()
    finally:
        connection.configure()
        again.stop()


def start_on_port(server: Server, database: str, folder: Path) -> Server:
    """Another server on the same database, with the same key."""
    started = start_server(database, folder / "server", GNOMON_ADMIN_KEY=server.admin_key)
    return replace(started, admin_key=server.admin_key)


def test_an_evaluation_in_a_forked_child_has_a_connection_of_its_own(home: Path) -> None:
    gn.evaluate(str, [{"input": 1}], [], name="parent", progress=False)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            result = gn.evaluate(str, [{"input": 2}], [], name="child", progress=False)
            os.write(writing, result.id.encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    id = os.read(reading, 100).decode()
    assert gn.experiment(id).name == "child"


def test_a_port_where_nothing_listens_is_one_line(home: Path) -> None:
    connection.configure(url=f"http://127.0.0.1:{free_port()}", api_key="none")
    with pytest.raises(GnomonError) as trouble:
        gn.evaluate(str, [{"input": 1}], [], progress=False)
    assert trouble.value.message.startswith("cannot reach http://127.0.0.1:")
    assert "\n" not in trouble.value.message


def test_runs_that_cannot_be_kept_are_said_and_leave_no_half_line(tmp_path: Path) -> None:
    """A full disk in the middle of a line: the next line must not join it."""
    unsent = Unsent(tmp_path / "unsent", "experiment")
    unsent.keep([RunDraft(dataset_item_id="a", output="short")])
    kept = unsent.file.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) + 10, limits[1]))
    try:
        with pytest.raises(StoreTrouble, match=r"cannot keep 2 runs in .*: File too large; free some space"):
            unsent.keep([RunDraft(dataset_item_id="a", output="x" * 1000)] * 2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert unsent.file.read_bytes() == kept
