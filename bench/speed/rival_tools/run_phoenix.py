"""Phoenix: `AsyncClient().experiments.run_experiment` with a server of its own on the loopback interface.

Dataset, runs, evaluations and a trace for each task and each evaluator are stored in the server's SQLite file.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import common
from phoenix.client import AsyncClient

START_SECONDS = 180


def task(input: dict[str, str]) -> str:
    return input["input"]


def exact_match(output: str, expected: dict[str, str]) -> float:
    return common.exact_match(output, expected["expected_output"])


def contains(output: str, expected: dict[str, str]) -> float:
    return common.contains(output, expected["expected_output"])


async def _evaluate(items: list[dict[str, str]], url: str) -> float:
    client = AsyncClient(base_url=url)
    dataset = await client.datasets.create_dataset(
        name=f"bench-{len(items)}",
        inputs=[{"input": item["input"]} for item in items],
        outputs=[{"expected_output": item["expected_output"]} for item in items],
        timeout=600,
    )
    ran = await client.experiments.run_experiment(
        dataset=dataset, task=task, evaluators=[exact_match, contains], print_summary=False, concurrency=16, timeout=600
    )
    return _mean(ran["evaluation_runs"], len(items))


def _mean(evaluations: Any, count: int) -> float:
    values = [evaluation.result["score"] for evaluation in evaluations if evaluation.name == "exact_match"]
    assert len(values) == count, f"{len(values)} of {count} items were evaluated"
    return float(sum(values) / count)


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int]]:
    """The URL and the process id of a Phoenix server."""
    port, grpc = _free_port(), _free_port()
    environment = os.environ | {
        "PHOENIX_WORKING_DIR": str(folder), "PHOENIX_HOST": "127.0.0.1", "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(grpc), "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
    }  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("phoenix")), "serve"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_until_ready(url, process, folder / "server.log")
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(60)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_until_ready(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"the server of Phoenix did not start: {log.read_text()[-500:]}")


def cpu_seconds(process_id: int) -> float:
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as (url, process_id):
        common.report(
            "arize-phoenix", lambda items: asyncio.run(_evaluate(items, url)), lambda: cpu_seconds(process_id)
        )
