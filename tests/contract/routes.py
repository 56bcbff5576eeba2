"""Every call of the contract: which ones write, and a body that is good enough to get past the door."""

from typing import Any, NamedTuple


class Route(NamedTuple):
    """`{trace}`, `{dataset}` … in a path or a body stand for ids. `role` is the least that may call it."""

    method: str
    path: str
    role: str = "read"
    body: dict[str, Any] | None = None
    headers: dict[str, str] = {}  # noqa: RUF012

    def about(self, ids: dict[str, str]) -> dict[str, Any]:
        """The call on these objects, as the arguments of a caller's `call`."""
        body = _filled(self.body, ids)
        return {"method": self.method, "path": self.path.format(**ids), "body": body, "headers": self.headers}


def _filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(inner, ids) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, ids) for inner in value]
    return value.format(**ids) if isinstance(value, str) else value


NDJSON = {"Content-Type": "application/x-ndjson"}
_RUNS = {"runs": [{"dataset_item_id": "{item}", "output": "x", "trial": 1}]}
_BAR = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5}
_PLAY = {
    "dataset_id": "{dataset}",
    "candidates": [{"messages": [{"role": "user", "content": "x"}], "model": "openai/m"}],
}
_OF_RUN = {"target_id": "{run}", "target_type": "run", "scorer_name": "quality", "value": 1}
_OF_SPAN = {"target_id": "{span}", "target_type": "span", "scorer_name": "quality", "value": 1}

# Calls whose path names an object: another project's is as if it were not there.
ON_OBJECTS = [
    Route("GET", "/traces/{trace}"),
    Route("DELETE", "/traces/{trace}", "write"),
    Route("POST", "/traces/{trace}/queue", "write"),
    Route("DELETE", "/traces/{trace}/queue", "write"),
    Route("GET", "/datasets/{dataset}"),
    Route("DELETE", "/datasets/{dataset}", "write"),
    Route("GET", "/datasets/{dataset}/items"),
    Route("POST", "/datasets/{dataset}/items", "write", {"input": "q"}),
    Route("PUT", "/datasets/{dataset}/items", "write", {"items": [{"input": "q"}]}),
    Route("POST", "/datasets/{dataset}/items/import", "write", headers=NDJSON),
    Route("DELETE", "/datasets/{dataset}/items/{item}", "write"),
    Route("GET", "/datasets/{dataset}/items/{item}"),
    Route("PUT", "/datasets/{dataset}/items/{item}", "write", {"input": "q"}),
    Route("GET", "/datasets/{dataset}/items/{item}/runs"),
    Route("GET", "/datasets/{dataset}/items/export"),
    Route("GET", "/datasets/{dataset}/versions"),
    Route("GET", "/datasets/{dataset}/quality?scorer_name=quality"),
    Route("GET", "/experiments/{experiment}"),
    Route("GET", "/experiments/{experiment}/runs"),
    Route("POST", "/experiments/{experiment}/runs", "write", _RUNS),
    Route("POST", "/experiments/{experiment}/complete", "write"),
    Route("PUT", "/experiments/{experiment}/metrics", "write", {"metrics": {}}),
    Route("POST", "/experiments/{experiment}/hold", "write", {"holder": "a process", "seconds": 0}),
    Route("GET", "/experiments/{experiment}/summary"),
    Route("GET", "/experiments/{experiment}/histogram?scorer_name=quality"),
    Route("GET", "/experiments/{experiment}/compare/{experiment}"),
    Route("GET", "/experiments/{experiment}/compare/{experiment}/items?scorer_name=quality"),
    Route("GET", "/experiments/{experiment}/compare/{experiment}/points?scorer_name=quality"),
    Route("GET", "/runs/{run}"),
    Route("GET", "/runs/{run}/transcript"),
    Route("GET", "/experiments/{experiment}/variance?scorer_name=quality"),
    Route("POST", "/experiments/{experiment}/threshold", "write", _BAR),
    Route("GET", "/experiments/{experiment}/threshold?scorer_name=quality&metric=mean&threshold=0.5"),
    Route("GET", "/experiments/{experiment}/thresholds"),
    Route("POST", "/experiments/{experiment}/score", "write", {"scorers": [{"scorer_name": "exact_match"}]}),
    Route("GET", "/leaderboard?dataset_id={dataset}&scorer_name=quality"),
    Route("GET", "/leaderboard/page?dataset_id={dataset}&scorer_name=quality"),
    Route("GET", "/annotations/{annotation}"),
    Route("PUT", "/annotations/{annotation}", "write", {"label": "good"}),
    Route("DELETE", "/annotations/{annotation}", "write"),
    Route("POST", "/runs/{run}/queue", "write"),
    Route("DELETE", "/runs/{run}/queue", "write"),
    Route("GET", "/projects/{project}/review-settings"),
    Route("PUT", "/projects/{project}/review-settings", "write", {"reviews_wanted": 2}),
    Route("POST", "/annotations/{annotation}/to-dataset-item", "write", {"dataset_id": "{dataset}"}),
    Route("GET", "/jobs/{job}"),
    Route("POST", "/jobs/{job}/retry", "write"),
    Route("POST", "/jobs/{job}/cancel", "write"),
    Route("GET", "/projects/{project}/summary"),
    Route("GET", "/projects/{project}/drift"),
    Route("GET", "/projects/{project}/dashboard"),
    Route("GET", "/projects/{project}/trends"),
    Route("GET", "/projects/{project}/trends/scores"),
    Route("GET", "/projects/{project}/budget"),
    Route("PUT", "/projects/{project}/budget", "write", {"usd_per_day": 1}),
    Route("GET", "/projects/{project}/prices"),
    Route("PUT", "/projects/{project}/prices", "write", {"prices": []}),
    Route("POST", "/experiments/{experiment}/score?dry_run=1", "write", {"scorers": [{"scorer_name": "exact_match"}]}),
    Route("DELETE", "/keys/{key}", "admin"),
    Route("DELETE", "/shares/{share}", "write"),
]

# Calls whose body names an object.
ABOUT_OBJECTS = [
    Route("POST", "/experiments", "write", {"name": "e", "dataset_id": "{dataset}"}),
    Route("POST", "/scores", "write", _OF_RUN),
    Route("POST", "/scores", "write", _OF_SPAN),
    Route("POST", "/scores/batch", "write", {"scores": [_OF_RUN]}),
    Route("POST", "/playground/preview", "write", _PLAY),
    Route("POST", "/annotations", "write", {"trace_id": "{trace}", "annotator": "a new user", "label": "good"}),
]

# Calls on collections.
COLLECTIONS = [
    Route("GET", "/traces"),
    Route("GET", "/datasets"),
    Route("GET", "/experiments"),
    Route("GET", "/queue"),
    Route("GET", "/queue/counts"),
    Route("GET", "/queue/next"),
    Route("POST", "/queue/next", "write", {"annotator": "a new user"}),
    Route("POST", "/queue", "write", {"targets": [{"target_type": "trace", "target_id": "x"}]}),
    Route("GET", "/review/agreement"),
    Route("POST", "/review-links", "admin", {"name": "a new user"}),
    Route("GET", "/shares"),
    Route("POST", "/shares", "write", {"path": "/projects/p/traces/x"}),
    Route("GET", "/jobs"),
    Route("GET", "/jobs/summary"),
    Route("GET", "/scorers"),
    Route("GET", "/words"),
    Route("GET", "/playground/models"),
    Route("GET", "/rules"),
    Route("GET", "/judges"),
    Route("GET", "/projects"),
    Route("GET", "/scores?target_id=x&target_type=run"),
    Route("GET", "/annotations?trace_id=x"),
    Route("GET", "/calibration?judge=a&human=b"),
    Route("GET", "/scoring-states?target_id=x"),
    Route("GET", "/iterations"),
    Route("GET", "/iterations/facets"),
    Route("GET", "/iterations/trend"),
    Route("GET", "/iterations/summary"),
    Route("GET", "/iterations/threshold?scorer_name=outcome&metric=mean&threshold=0.5"),
    Route("GET", "/iterations/compare?by=rubric&a=x&b=y"),
    Route("GET", "/sessions"),
    Route("GET", "/integrity"),
    Route("GET", "/outcomes/page"),
    Route("GET", "/keys", "admin"),
    Route("POST", "/iterations", "write", {"source": "repo", "iterations": []}),
    Route("POST", "/traces/ingest", "write", {"spans": []}),
    Route("POST", "/traces", "write"),
    Route("POST", "/traces/score", "write", {"scorers": [{"scorer_name": "exact_match"}]}),
    Route("POST", "/rules", "write", {"name": "r", "scorer": {"scorer_name": "exact_match"}}),
    Route("POST", "/rules?dry_run=1", "write", {"name": "r", "scorer": {"scorer_name": "exact_match"}}),
    Route("POST", "/datasets", "write", {"name": "d"}),
    Route("POST", "/projects", "write", {"id": "p"}),
    Route("POST", "/keys", "admin", {"role": "read"}),
    Route("POST", "/playground", "write", {"dataset_id": "x", "candidates": []}),
]

# test_rules_online.py says itself that another project's rule is as if it were not there.
ON_RULES = [
    Route("GET", "/rules/{rule}"),
    Route("PATCH", "/rules/{rule}", "write", {"enabled": False}),
    Route("DELETE", "/rules/{rule}", "write"),
]

# And test_outcomes.py the same of another project's iteration.
ON_ITERATIONS = [Route("GET", "/iterations/{iteration}"), Route("GET", "/iterations/{iteration}/context")]

ROUTES = ON_OBJECTS + ABOUT_OBJECTS + COLLECTIONS + ON_RULES + ON_ITERATIONS
_KINDS = "trace span dataset item experiment run annotation job project key rule iteration share"
NOBODY = dict.fromkeys(_KINDS.split(), "nobody")


def name(route: Route) -> str:
    return f"{route.method} {route.path}"
