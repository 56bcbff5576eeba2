"""What pages tell their readers to have: a repository, sessions of coding agents, scores of some days, models."""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml

from agentlogs import sessions
from gnomon import Client
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft
from gnomon.testing import Asked
from pages.blocks import ROOT
from pages.walk import Walk, at_the

EXAMPLE_RUBRIC = ROOT / "examples" / "judge_rubric.yaml"
BENCHMARK_RUBRIC = ROOT / "src" / "gnomon" / "bench" / "noticing" / "rubric.yaml"


def repository_of_an_agent(walk: Walk) -> None:
    """A git repository with a commit, a session of Claude Code from before it, and a folder of CI's reports."""
    for arguments in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
        subprocess.run(["git", *arguments], cwd=walk.folder, env=walk.environment | at_the(-24), check=True)
    (walk.folder / "build" / "reports").mkdir(parents=True)
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(walk.folder))
    sessions_folder = Path(walk.environment["HOME"]) / ".claude" / "projects" / slug
    sessions_folder.mkdir(parents=True)
    usage = {"input_tokens": 40, "output_tokens": 200}
    usage |= {"cache_read_input_tokens": 9000, "cache_creation_input_tokens": 960}
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}
    answer = {"id": "m1", "model": "claude-sonnet-4-5-20250929", "usage": usage, "content": [call]}
    result = {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "3 passed", "is_error": False}]}
    about = {"timestamp": "2026-05-31T07:59:00Z", "sessionId": "first", "cwd": str(walk.folder)}
    lines = [{**about, "type": "assistant", "message": answer}, {**about, "type": "user", "message": result}]
    (sessions_folder / "first.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def sessions_of_coding_agents(walk: Walk) -> None:
    home = Path(walk.environment["HOME"])
    message = {"role": "user", "content": "Say hello with bash"}
    prompt = {"type": "user", "timestamp": sessions.stamp(0), "sessionId": "s1", "cwd": "/repo", "message": message}
    lines = [prompt, sessions.said(1, sessions.bash("echo hello")), sessions.came_back(2, output="hello")]
    sessions.write(home / ".claude" / "projects" / "repo" / "s1.jsonl", *lines)
    head = sessions.codex(0, "session_meta", id="c1", cwd="/repo")
    asked = sessions.codex(1, "event_msg", type="user_message", message="Say hello with the shell")
    lines = [head, asked, sessions.shell(2, ["echo", "hello"]), sessions.shell_output(3, "hello")]
    sessions.write(home / ".codex" / "sessions" / "rollout-c1.jsonl", *lines)


def export_of_another_tool(walk: Walk) -> None:
    shutil.copytree(ROOT / "tests" / "golden" / "foreign_traces" / "phoenix", walk.folder / "export")


def scores_of_some_days(walk: Walk) -> None:
    """24 days of 40 answers each by two models: the scorer `helpful` falls on the thirteenth."""
    first = datetime(2026, 1, 1, 12, tzinfo=UTC)
    good = [36, 35, 37, 36, 38, 34, 36, *[36] * 5, *[30] * 12]
    with _client(walk) as client:
        for day, passed in enumerate(good):
            client.ingest(
                [
                    SpanDraft(
                        id=f"{day}-{n}", trace_id=f"{day}-{n}", name="llm.chat", model=["large", "small"][n % 2],
                        input="Where is my lamp?", output="Please wait.", start_time=first + timedelta(days=day),
                        scores=[InlineScoreDraft(scorer_name="helpful", value=float(n < passed))],
                    )
                    for n in range(40)
                ],
                "support",
            )  # fmt: skip


def a_run(walk: Walk) -> None:
    """RUN is the id of a run; examples/judge_rubric.yaml is here as rubric.yaml."""
    shutil.copy(EXAMPLE_RUBRIC, walk.folder / "rubric.yaml")
    with _client(walk) as client:
        dataset = client.create_dataset(DatasetDraft(project_id="support", name="questions"))
        item = client.add_item(dataset.id, ItemDraft(input="Where is my parcel?"))
        draft = ExperimentDraft(project_id="support", name="answers", dataset_id=dataset.id)
        experiment = client.create_experiment(draft)
        client.add_runs(experiment.id, [RunDraft(dataset_item_id=item.id, output="It left yesterday.")])
        walk.environment["RUN"] = next(client.runs(experiment.id)).id


def own_rubric(walk: Walk) -> None:
    shutil.copy(EXAMPLE_RUBRIC, walk.folder / "my-rubric.yaml")


def example_rubric(walk: Walk) -> None:
    shutil.copy(EXAMPLE_RUBRIC, walk.folder / "rubric.yaml")


def server_of_its_own(walk: Walk) -> None:
    """The page names the server's address itself."""
    del walk.environment["GNOMON_URL"]


def _client(walk: Walk) -> Client:
    return Client(walk.environment["GNOMON_URL"], walk.environment["GNOMON_API_KEY"])


# -- models


def judge(request: Asked) -> Any:
    """Answers by the rubric that it is asked about: our own of the benchmark, or the example."""
    if "from 0 to 1" in request.prompt:
        return "0.8"
    files = (EXAMPLE_RUBRIC, BENCHMARK_RUBRIC)
    rubrics = [yaml.safe_load(file.read_text("utf-8")) for file in files]
    named = [[dimension["name"] for dimension in rubric["dimensions"]] for rubric in rubrics]
    messages = str(request.body["messages"])  # the rubric stands in the first one
    asked_about = next(names for names in named if all(name in messages for name in names))
    return _opinion(dict.fromkeys(asked_about, 7.0), 7.0)


def support_judge(request: Asked) -> Any:
    """The page about rubrics: one answer solves it, one hands it over (which the judge denies), one is vague."""
    if "Monday" in request.prompt:
        return _opinion({"grounding": 9, "help": 9, "tone": 9}, 8)
    if "colleague" in request.prompt:
        denial = {"finding": "escalated", "agrees": False, "comment": "I see no hand-over."}
        scores = {"grounding": 2, "help": 4, "tone": 8}
        return _opinion(scores, 4, finding_statements=[denial], quotes=["will phone you tomorrow"])
    return _opinion({"grounding": 4, "help": 5, "tone": 8}, 4.5)


def _opinion(scores: Mapping[str, float], overall: float, **more: Any) -> dict[str, Any]:
    dimensions = [{"dimension": name, "score": score, "reasoning": "I looked."} for name, score in scores.items()]
    whole = {"overall_score": overall, "overall_assessment": "Fine on the whole."}
    return {"reasoning": "I looked.", "dimension_scores": dimensions, **whole, **more}


def grade(request: Asked) -> str:
    """For the demo's judge of grades."""
    return "It answers the question: 8"


# -- receivers


@contextmanager
def otlp_receiver() -> Iterator[str]:
    """The address of something that takes whatever it is sent."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
