"""A caller of the HTTP contract, and the small things that tests make with it.

It knows paths and fields as the contract names them, and nothing of how the server works.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2

from contract import stored

JOB_SECONDS = 600
"""Until a test gives up on a job. Nothing here measures time: a busy machine fails no test."""
LARGEST_PAGE = 200
LOOPBACK: dict[str, Any] = {"trust_env": False, "verify": False}
"""How to speak with a server on this machine: past all proxies, and without the certificates that it does not use,
since reading them is nearly all that a new client costs."""


def fresh_project() -> str:
    return "project-" + secrets.token_hex(8)


OTLP_REFUSALS = {400: "INVALID_REQUEST", 401: "UNAUTHORIZED", 403: "FORBIDDEN"}


@dataclass(frozen=True)
class Refusal:
    """A refused call. `said` is what programs look at, `errors` names fields and indexes."""

    said: tuple[int, str]
    message: str
    errors: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, answer: httpx2.Response) -> "Refusal":
        """Read the one envelope that every failure has; anything else in the body is a fault."""
        assert answer.headers["content-type"].startswith("application/json"), answer.text
        body = answer.json()
        if set(body) == {"code", "message"}:  # google.rpc.Status, of the two calls that speak OTLP
            return cls((answer.status_code, OTLP_REFUSALS[answer.status_code]), body["message"])
        assert set(body) == {"error"}, body
        error = body["error"]
        assert set(error) == {"code", "message", "details"}, body
        assert isinstance(error["message"], str)
        assert error["message"], "a refusal says why in words"
        assert "Traceback" not in answer.text
        errors = [] if error["details"] is None else error["details"]["errors"]
        for problem in errors:
            assert set(problem) - {"index"} == {"field", "code", "message"}, problem
        return cls((answer.status_code, error["code"]), error["message"], errors)


@dataclass(frozen=True)
class Made:
    """A dataset with its items, or a run with all that it stands on."""

    id: str
    item_ids: list[str] = field(default_factory=list)
    dataset_id: str = ""
    experiment_id: str = ""


@dataclass(frozen=True)
class Api:
    """One caller: a server, a key, and the project that a test works in."""

    http: httpx2.Client
    key: str
    project: str
    bound: bool = False

    # --- calls -----

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        """One request under /v1. `more` is httpx2's own: params, content, headers."""
        headers = {"Authorization": f"Bearer {self.key}", **more.pop("headers", {})}
        if body is not None:
            more["json"] = body
        return self.http.request(method, f"/v1{path}", headers=headers, **more)

    def get(self, path: str, **query: Any) -> httpx2.Response:
        return self.call("GET", path, params=query or None)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx2.Response:
        """Keywords are headers with `_` for `-`: `idempotency_key="k"`."""
        return self.call("POST", path, body, headers={name.replace("_", "-"): text for name, text in headers.items()})

    def delete(self, path: str) -> httpx2.Response:
        return self.call("DELETE", path)

    def read(self, path: str, **query: Any) -> Any:
        return expect(200, self.get(path, **query))

    def make(self, path: str, body: Any) -> Any:
        return expect(201, self.post(path, body))

    def items(self, path: str, **query: Any) -> list[dict[str, Any]]:
        """All items of a list, page by page."""
        results: list[dict[str, Any]] = []
        page = self.read(path, **{"limit": LARGEST_PAGE, **query})
        results += page["items"]
        while page["next_cursor"] is not None:
            page = self.read(path, **{"limit": LARGEST_PAGE, **query, "cursor": page["next_cursor"]})
            results += page["items"]
        return results

    def ids(self, path: str, **query: Any) -> list[str]:
        return [item["id"] for item in self.items(path, **query)]

    def with_key(self, role: str) -> "Api":
        """The same project, through a new key that is bound to it."""
        key = self.make("/keys", {"role": role, "project_id": self.project})["key"]
        return replace(self, key=key, bound=True)

    # --- refusals -----

    def refusal(self, method: str, path: str, body: Any = None, *, by: "Api | None" = None, **more: Any) -> Refusal:
        """Make a call that must be refused, and prove that the project is afterwards what it was before."""
        before = self.stored()
        answer = (by or self).call(method, path, body, **more)
        refused = Refusal.of(answer)
        assert self.stored() == before, "a refused call stored something"
        return refused

    def stored(self) -> object:
        """All that the server keeps of this project, to be compared with the same at another time."""
        rows = stored.rows_of(str(self.http.base_url), self.project)
        return self.everything() if rows is None else rows

    def everything(self) -> dict[str, Any]:
        """All that the API shows of this project."""
        fields = {"project_id": self.project}
        traces = [self.read(f"/traces/{row['id']}", **fields) for row in self.items("/traces", **fields)]
        experiments = self.items("/experiments", **fields)
        return {
            "traces": traces,
            "span_scores": [self.span_scores(span) for trace in traces for span in trace["spans"]],
            "annotations": [self.items("/annotations", trace_id=trace["id"], **fields) for trace in traces],
            "queue": self.items("/queue", **fields),
            "datasets": [
                (dataset, self.items(f"/datasets/{dataset['id']}/items"))
                for dataset in self.items("/datasets", **fields)
            ],
            "experiments": experiments,
            "runs": [self.items(f"/experiments/{experiment['id']}/runs") for experiment in experiments],
            "states": [self.items("/scoring-states", experiment_id=experiment["id"]) for experiment in experiments],
            "jobs": self.ids("/jobs", **fields),
            "iterations": self.items("/iterations", **fields),
        }

    # --- makers -----

    def dataset(self, items: Sequence[dict[str, Any]] = (), name: str | None = None) -> Made:
        body = {"project_id": self.project, "name": name or secrets.token_hex(8)}
        dataset_id = self.make("/datasets", body)["id"]
        item_ids = [self.make(f"/datasets/{dataset_id}/items", item)["id"] for item in items]
        return Made(dataset_id, item_ids, dataset_id=dataset_id)

    def questions(self, count: int) -> Made:
        """A dataset of `count` plain items: q0 with the answer a0, q1 with a1, …"""
        return self.dataset([{"input": f"q{n}", "expected_output": f"a{n}"} for n in range(count)])

    def experiment(self, dataset_id: str, **fields: Any) -> str:
        body = {"project_id": self.project, "name": "trial", "dataset_id": dataset_id, **fields}
        return str(self.make("/experiments", body)["id"])

    def run(self, experiment_id: str, item_id: str, output: Any = "an answer", **fields: Any) -> str:
        run = {"dataset_item_id": item_id, **({} if "error" in fields else {"output": output}), **fields}
        return str(self.make(f"/experiments/{experiment_id}/runs", {"runs": [run]})["run_ids"][0])

    def answer(self, output: Any, **item: Any) -> Made:
        """One run with that output, on a dataset of one item: `answer("Paris", expected_output="paris")`."""
        dataset = self.dataset([{"input": "a question", **item}])
        experiment_id = self.experiment(dataset.id)
        run_id = self.run(experiment_id, dataset.item_ids[0], output)
        return Made(run_id, dataset.item_ids, dataset.id, experiment_id)

    def measured(self, dataset: Made, values: Sequence[Any], scorer_name: str = "quality", **fields: Any) -> str:
        """An experiment with one run per value, in the order of the items; None leaves an item out."""
        experiment_id = self.experiment(dataset.id, **fields)
        runs = [
            {
                "dataset_item_id": item_id,
                "output": "x",
                "scores": [{"scorer_name": scorer_name, "value": value}],
            }
            for item_id, value in zip(dataset.item_ids, values, strict=True)
            if value is not None
        ]
        self.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
        return experiment_id

    def score(self, target_id: str, scorer_name: str, target_type: str = "run", **fields: Any) -> httpx2.Response:
        body = {"target_id": target_id, "target_type": target_type, "scorer_name": scorer_name, **fields}
        return self.post("/scores", body)

    def scores(self, target_id: str, target_type: str = "run", **query: Any) -> list[dict[str, Any]]:
        return self.items("/scores", target_id=target_id, target_type=target_type, **query)

    def span_scores(self, span: dict[str, Any]) -> list[dict[str, Any]]:
        return self.scores(span["id"], "span", trace_id=span["trace_id"])

    def trace(self, *spans: dict[str, Any]) -> str:
        """Ingest these spans, or one plain root span, and give the first one's trace id."""
        ingested = self.make("/traces/ingest", {"project_id": self.project, "spans": spans or [span()]})
        return str(ingested["trace_ids"][0])

    def annotation(self, trace_id: str, **fields: Any) -> dict[str, Any]:
        said = {"annotator": "a new user", "label": "good", **fields}
        made: dict[str, Any] = self.make("/annotations", {"trace_id": trace_id, **said})
        return made

    def finished(self, job_id: str) -> dict[str, Any]:
        """The job, once it is no longer queued or running."""
        deadline, pause = time.monotonic() + JOB_SECONDS, 0.02
        while time.monotonic() < deadline:
            job: dict[str, Any] = self.read(f"/jobs/{job_id}")
            if job["status"] not in ("queued", "running"):
                return job
            time.sleep(pause)
            pause = min(0.2, pause * 1.2)  # what takes long is not asked for all the time
        raise AssertionError(f"job {job_id} was still {job['status']} after {JOB_SECONDS} s")


def expect(status: int, answer: httpx2.Response) -> Any:
    assert answer.status_code == status, (
        f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}"
    )
    return answer.json()


def span(id: str = "root", trace_id: str = "trace-1", **fields: Any) -> dict[str, Any]:
    """A span that ingest takes: a root named "step" unless said otherwise."""
    return {
        "id": id,
        "trace_id": trace_id,
        "name": "step",
        "start_time": "2026-02-21T22:00:00.000Z",
        **fields,
    }
