"""The dashboard, trends, the list of scorers and words for codes, on both databases."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contract.caller import Api, Refusal, expect, span

NOW = datetime.now(UTC)


def ago(**back: float) -> str:
    return (NOW - timedelta(**back)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def completed(api: Api, values: list[Any], scorer_name: str = "quality", **fields: Any) -> str:
    dataset = fields.pop("dataset", None) or api.questions(len(values))
    experiment = api.measured(dataset, values, scorer_name, **fields)
    expect(200, api.post(f"/experiments/{experiment}/complete"))
    return experiment


# --- dashboard ---


def test_an_empty_project_has_a_dashboard_without_figures(api):
    expect(200, api.call("PUT", f"/projects/{api.project}/budget", {}))
    shown = api.read(f"/projects/{api.project}/dashboard")
    assert (shown["project"]["id"], shown["window"]) == (api.project, "24h")
    traces = shown["traces"]
    assert (traces["count"], traces["error_rate"], traces["error_rate_ci_95"]) == (0, None, None)
    assert traces["cost"] == {
        "usd": None, "known_usd": 0.0, "unpriced_span_count": 0, "reason": "no trace has a model call with tokens"
    }  # fmt: skip
    assert shown["experiments"] == {"created_count": 0, "running_count": 0, "completed_count": 0}
    assert (shown["last_completed"], shown["datasets"]) == (None, [])
    assert shown["queue"] == {"pending_count": 0, "annotated_count": 0}
    assert shown["drift"] == {"status": "too_few", "watched_count": 0, "alarms": []}


def test_the_dashboard_has_the_traces_of_its_window(api):
    for n in range(4):
        api.trace(
            span(
                f"s{n}", f"t{n}", end_time="2026-02-21T22:00:01.000Z", tokens_input=1000, tokens_output=100,
                model="gpt-4o" if n else "a-model-of-nobody", **({"error": {"message": "broke"}} if n == 3 else {}),
            )
        )  # fmt: skip
    expect(200, api.post("/traces/t0/queue"))
    for window in ("24h", "7d", "30d"):
        traces = api.read(f"/projects/{api.project}/dashboard", window=window)["traces"]
        assert (traces["count"], traces["error_count"], traces["error_rate"]) == (4, 1, 0.25)
        assert traces["error_rate_ci_95"] == pytest.approx([0.0456, 0.6994], abs=1e-4)
        assert (traces["timed_count"], traces["mean_duration_ms"], traces["tokens"]) == (4, 1000, 4400)
        cost = traces["cost"]
        assert (cost["usd"], cost["unpriced_span_count"]) == (None, 1)
        assert cost["known_usd"] == pytest.approx(3 * 0.0035)
        assert cost["reason"].startswith("1 model calls have no known price")
    assert api.read(f"/projects/{api.project}/dashboard")["queue"] == {"pending_count": 1, "annotated_count": 0}
    refused = Refusal.of(api.get(f"/projects/{api.project}/dashboard", window="1y"))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["window"]


def test_the_dashboard_shows_the_last_completed_experiment_with_its_gate_and_datasets_by_change(api):
    first, second = api.questions(2), api.questions(3)
    completed(api, [1, 1], dataset=first)
    last = completed(api, [1, 0, None], dataset=second, name="newest")
    api.measured(first, [1, 1])
    expect(
        200, api.post(f"/experiments/{last}/threshold", {"scorer_name": "quality", "metric": "mean", "threshold": 0.9})
    )
    api.make(f"/datasets/{first.id}/items", {"input": "one more"})
    shown = api.read(f"/projects/{api.project}/dashboard")
    assert shown["experiments"] == {"created_count": 0, "running_count": 1, "completed_count": 2}
    assert shown["last_completed"]["experiment"] == api.read(f"/experiments/{last}")
    assert shown["last_completed"]["summary"] == api.read(f"/experiments/{last}/summary")
    assert shown["last_completed"]["summary"]["threshold_result"]["decision"] == "fail"
    assert [dataset["id"] for dataset in shown["datasets"]] == [first.id, second.id]


def test_the_dashboard_has_drift_alarms_as_the_drift_endpoint_has_them(api):
    from contract.test_drift import WEEK, fill

    fill(api, [*WEEK, *[36] * 5, *[20] * 6])
    shown = api.read(f"/projects/{api.project}/dashboard")["drift"]
    (series,) = api.read(f"/projects/{api.project}/drift")["series"]
    assert (shown["status"], shown["watched_count"]) == ("alarm", 1)
    assert shown["alarms"] == [{**series, "days": []}]


# --- trends of experiments ---


FIGURES = ("mean", "confidence_interval_95", "ci_method", "flags")


def assert_as_in_its_summary(api: Api, point: dict[str, Any]) -> None:
    summary = api.read(f"/experiments/{point['experiment_id']}/summary")["scores_by_scorer"]
    assert [scorer["scorer_name"] for scorer in point["scorers"]] == sorted(summary)
    for scorer in point["scorers"]:
        own = summary[scorer["scorer_name"]]
        assert {name: scorer[name] for name in FIGURES} == {name: own[name] for name in FIGURES}
        assert scorer["n"] == own["n_scored"]
        assert (scorer["reason"] is None) == (scorer["mean"] is not None)


def test_a_trend_has_the_figures_of_the_summaries_oldest_first(api):
    dataset = api.questions(4)
    ids = [
        completed(api, values, dataset=dataset) for values in ([1, 0, 1, 1], [0.5, 0.25, 1, None], ["a", "b", "a", "a"])
    ]
    several = api.measured(dataset, [1, 0, 0.5, 1], trials=2)
    runs = [{"dataset_item_id": item, "trial": 1, "output": "x", "scores": [{"scorer_name": "quality", "value": 1}]}
            for item in dataset.item_ids]  # fmt: skip
    api.make(f"/experiments/{several}/runs", {"runs": runs})
    for item in api.items(f"/experiments/{several}/runs")[:2]:  # several scores on one run
        expect(201, api.score(item["id"], "quality", value=0.5))
        expect(201, api.score(item["id"], "tone", value=0.5))
    expect(200, api.post(f"/experiments/{several}/complete"))
    api.measured(dataset, [1, 1, 1, 1])  # not completed
    points = api.items(f"/projects/{api.project}/trends")
    assert [point["experiment_id"] for point in points] == [*ids, several]
    assert [point["dataset_id"] for point in points] == [dataset.id] * 4
    for point in points:
        assert_as_in_its_summary(api, point)
    assert points[2]["scorers"][0]["reason"] == "it gave labels, which have no mean"
    newest = api.read(f"/projects/{api.project}/trends", sort="-completed_at", limit=2)["items"]
    assert [point["experiment_id"] for point in newest] == [several, ids[2]]
    only = api.items(f"/projects/{api.project}/trends", scorer_name="tone")
    assert [[scorer["scorer_name"] for scorer in point["scorers"]] for point in only] == [[], [], [], ["tone"]]
    assert [point["experiment_id"] for point in api.items(f"/projects/{api.project}/trends", limit=1)] == [
        *ids,
        several,
    ]


def test_an_experiment_that_could_stop_early_has_the_interval_of_its_summary_in_a_trend(api):
    dataset = api.questions(12)
    experiment = api.measured(dataset, [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, None, None])
    stopping = {"scorer_name": "quality", "kind": "gate", "text": "quality >= 0.5", "outcome": "passed", "items": 10,
                "max_items": 12}  # fmt: skip
    expect(200, api.post(f"/experiments/{experiment}/complete", {"stopping": stopping}))
    (point,) = api.items(f"/projects/{api.project}/trends")
    assert point["scorers"][0]["flags"] == ["stopped_early"]
    assert_as_in_its_summary(api, point)


def test_a_trend_is_of_one_dataset_and_of_a_time(api):
    first, second = api.questions(2), api.questions(2)
    early, late = completed(api, [1, 0], dataset=first), completed(api, [1, 1], dataset=second)
    path = f"/projects/{api.project}/trends"
    times = {point["experiment_id"]: point["completed_at"] for point in api.items(path)}
    assert [point["experiment_id"] for point in api.items(path, dataset_id=second.id)] == [late]
    assert [point["experiment_id"] for point in api.items(path, before=times[late])] == [early]
    assert [point["experiment_id"] for point in api.items(path, after=times[early])] == [late]
    assert Refusal.of(api.get(path, after="yesterday")).said == (400, "INVALID_REQUEST")
    assert Refusal.of(api.get(path, sort="name")).said == (400, "INVALID_REQUEST")


# --- trends of span scores ---


def scored(id: str, start: str, **values: float) -> dict[str, Any]:
    scores = [{"scorer_name": name, "value": value} for name, value in values.items()]
    return span(id, f"trace-{id}", start_time=start, scores=scores)


def test_scores_of_spans_by_day_and_by_hour(api):
    api.trace(
        scored("a", ago(days=3), helpful=1.0, tone=0.5), scored("b", ago(days=3), helpful=0.0),
        scored("c", ago(minutes=1), helpful=0.5), scored("old", ago(days=90), helpful=0.0),
    )  # fmt: skip
    path = f"/projects/{api.project}/trends/scores"
    by_day = api.read(path)
    assert (by_day["bucket"], by_day["notes"]) == ("day", [])
    helpful, tone = by_day["series"]
    assert (helpful["scorer_name"], tone["scorer_name"]) == ("helpful", "tone")
    assert [(point["n"], point["mean"]) for point in helpful["points"]] == [(2, 0.5), (1, 0.5)]
    assert [point["start"] for point in helpful["points"]] == [f"{ago(days=3)[:10]}T00:00:00.000Z",
                                                              f"{ago(minutes=1)[:10]}T00:00:00.000Z"]  # fmt: skip
    assert helpful["points"][0]["ci_method"] == "wilson"
    assert helpful["points"][0]["confidence_interval_95"] == pytest.approx([0.0945, 0.9055], abs=1e-4)
    assert helpful["points"][1]["flags"] == ["single_run"]
    assert helpful["points"][0]["config_hashes"] == [None]
    by_hour = api.read(path, bucket="hour", scorer_name="helpful", after=ago(days=4))
    (series,) = by_hour["series"]
    assert [(point["start"], point["n"], point["mean"]) for point in series["points"]] == [
        (f"{ago(days=3)[:13]}:00:00.000Z", 2, 0.5), (f"{ago(minutes=1)[:13]}:00:00.000Z", 1, 0.5)
    ]  # fmt: skip
    assert series["points"][0]["confidence_interval_95"] == helpful["points"][0]["confidence_interval_95"]
    recent = api.read(path, bucket="hour")
    assert [[point["n"] for point in series["points"]] for series in recent["series"]] == [[1]]
    assert api.read(path, scorer_name="nobody")["series"] == []


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ({"bucket": "week"}, "bucket", "'hour' or 'day'"),
        ({"after": ago(days=1), "before": ago(days=2)}, "after", "swap the two"),
        ({"bucket": "hour", "after": ago(days=90)}, "after", "use bucket day"),
    ],
)
def test_buckets_are_of_a_known_size_and_not_too_many(api, query, field, words):
    api.trace()
    refused = Refusal.of(api.get(f"/projects/{api.project}/trends/scores", **query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]
    assert words in refused.message


# --- scorers ---


def test_scorers_are_listed_with_what_they_score_and_how(api):
    dataset, other = api.questions(2), api.questions(1)
    experiment = api.measured(dataset, [1, 0], "exact")
    api.measured(dataset, ["good", "bad"], "tone")
    api.measured(other, [1], "exact")
    run = api.ids(f"/experiments/{experiment}/runs")[0]
    expect(201, api.score(run, "people", value=0.5, source="human"))
    expect(201, api.score(run, "mixed", value=0.5))
    expect(201, api.score(run, "mixed", value="fine"))
    api.trace(span(scores=[{"scorer_name": "exact", "value": 1}, {"scorer_name": "polite", "value": "yes"}]))
    found = {scorer["name"]: scorer for scorer in api.items("/scorers")}
    assert list(found) == ["exact", "mixed", "people", "polite", "tone"]
    assert {name: (scorer["target_types"], scorer["gives"], scorer["n"]) for name, scorer in found.items()} == {
        "exact": (["run", "span"], "numbers", 4), "mixed": (["run"], "mixed", 2), "people": (["run"], "numbers", 1),
        "polite": (["span"], "labels", 1), "tone": (["run"], "labels", 2),
    }  # fmt: skip
    assert [name for name, scorer in found.items() if scorer["is_human"]] == ["people"]
    assert not any(scorer["is_judge"] for scorer in found.values())
    assert found["tone"]["last_used"] == api.read(f"/experiments/{api.ids('/experiments')[1]}")["created_at"]
    assert [scorer["name"] for scorer in api.items("/scorers", limit=2)] == list(found)
    assert [(scorer["name"], scorer["n"]) for scorer in api.items("/scorers", dataset_id=other.id)] == [("exact", 1)]
    refused = Refusal.of(api.get("/scorers", dataset_id="nobody"))
    assert refused.said == (404, "NOT_FOUND")


def test_scorers_of_another_project_are_not_listed(api, stranger):
    api.measured(api.questions(1), [1])
    assert stranger.items("/scorers") == []
    assert Refusal.of(stranger.get("/scorers", project_id=api.project)).said == (404, "NOT_FOUND")


# --- words ---


def test_codes_have_words(reader):
    words = reader.read("/words")
    assert {"wilson", "beta_moments", "tango"} <= set(words["ci_methods"])
    assert words["flags"]["one_item"] == "one item only, so this says little about others"
    assert set(words["verdicts"]) == {"improved", "regressed", "equivalent", "inconclusive"}
    assert set(words["decisions"]) == {"pass", "fail", "undecided", "cannot"}
    assert {"prefix", "meaning", "remedy"} == set(words["absence_reasons"][0])
