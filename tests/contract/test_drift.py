"""Drift over HTTP: daily sums of span scores against a reference window, on both databases."""

from datetime import date, timedelta
from typing import Any

import pytest

from contract.caller import Api, expect, fresh_project, span

FIRST = date(2026, 1, 1)
FIELDS = {
    "scorer_name", "config_hash", "by_value", "status", "reason", "false_alarm_rate", "reference",
    "reference_interval", "since", "direction", "alarm_day", "began_day", "effect", "effect_interval", "recovered",
    "days",
}  # fmt: skip


def day(number: int) -> str:
    return (FIRST + timedelta(days=number)).isoformat()


def spans_of(number: int, passed: int, n: int, name: str = "helpful", trace: str = "t", **fields: Any) -> list[Any]:
    """The spans of a day, each a trace of its own, of which the first `passed` have a score of 1 and the rest 0."""
    return [
        span(
            f"{trace}-{number}-{place}", f"{trace}-{number}-{place}", start_time=f"{day(number)}T12:00:00Z",
            scores=[{"scorer_name": name, "value": float(place < passed)}], **fields,
        )
        for place in range(n)
    ]  # fmt: skip


def fill(api: Api, passed: list[int], n: int = 40, **more: Any) -> None:
    """A day per number, so many of `n` scores of 1."""
    every = [one for number, good in enumerate(passed) for one in spans_of(number, good, n, **more)]
    for at in range(0, len(every), 1000):
        api.make("/traces/ingest", {"project_id": api.project, "spans": every[at : at + 1000]})


def drift(api: Api, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.read(f"/projects/{api.project}/drift", **query)
    for one in found["series"]:
        assert set(one) == FIELDS
        assert (one["reason"] is not None) == (one["status"] == "too_few")
        assert (one["alarm_day"] is not None) == (one["status"] == "alarm")
    return found


WEEK = [36, 35, 37, 36, 38, 34, 36]


def test_a_fall_raises_an_alarm_that_says_when_it_began_and_how_large_it_is(api):
    fill(api, [*WEEK, *[36] * 5, *[20] * 6])
    found = drift(api, scorer_name="helpful")
    (one,) = found["series"]
    assert (found["status"], one["status"], one["direction"]) == ("alarm", "alarm", "down")
    assert one["reference"] == {"first_day": day(0), "last_day": day(6), "days": 7, "n": 280, "mean": 0.9}
    assert (one["began_day"], one["since"]["first_day"], one["since"]["n"]) == (day(12), day(12), 240)
    assert day(12) <= one["alarm_day"] <= day(14)
    assert one["effect"] == -0.4
    assert one["effect_interval"][0] < -0.4 < one["effect_interval"][1] < 0
    assert (found["false_alarm_rate"], one["false_alarm_rate"], one["recovered"]) == (0.05, 0.05, False)
    assert one["days"][0] == {"day": day(0), "n": 40, "mean": 0.9}


def test_a_steady_stream_is_quiet_and_a_look_at_the_past_sees_only_the_past(api):
    fill(api, [*WEEK, *[36] * 5, *[20] * 6])
    assert drift(api, until=day(11))["status"] == "quiet"
    early = drift(api, until=day(3))
    assert early["status"] == "too_few"
    assert "there are 4 so far" in early["series"][0]["reason"]
    assert "ends on 2026-01-07" in drift(api, until=day(6))["series"][0]["reason"]


def test_the_reference_may_be_any_days(api):
    fill(api, [*[20] * 7, *[36] * 12])
    assert drift(api)["series"][0]["direction"] == "up"
    later = drift(api, reference=f"{day(7)}..{day(13)}")
    assert later["status"] == "quiet"
    assert later["series"][0]["reference"]["mean"] == 0.9
    none = drift(api, reference="2020-01-01..2020-01-07")
    assert (none["status"], none["series"][0]["reference"]) == ("too_few", None)


def test_models_and_metadata_tell_where_it_moved(api):
    fill(api, [*WEEK, *[36] * 8], trace="a", model="one", metadata={"prompt": "v1", "try": 1})
    fill(api, [*WEEK, *[10] * 8], trace="b", model="two", metadata={"prompt": "v2", "try": 1})
    fill(api, WEEK, n=38, trace="c")
    for key, quiet, moved in (("model", "one", "two"), ("prompt", "v1", "v2")):
        found = drift(api, by=key)
        by_value = {one["by_value"]: one for one in found["series"]}
        assert list(by_value) == [None, quiet, moved]
        assert (by_value[quiet]["status"], by_value[moved]["status"]) == ("quiet", "alarm")
        assert sum(one["false_alarm_rate"] for one in found["series"]) <= 0.05
        (note,) = found["notes"]
        assert f"266 scores are on spans without '{key}'" in note
    assert [one["by_value"] for one in drift(api, by="try")["series"]] == [None, "1"]


def test_a_key_with_too_many_values_is_refused(api):
    every = [one for n in range(101) for one in spans_of(0, 1, 1, trace=f"u{n}", metadata={"user": f"u{n}"})]
    api.make("/traces/ingest", {"project_id": api.project, "spans": every})
    refused = api.refusal("GET", f"/projects/{api.project}/drift?by=user")
    assert refused.said == (422, "UNPROCESSABLE")
    assert "101 values" in refused.message


def test_several_scorers_share_the_chance_of_a_false_alarm(api):
    for name in ("helpful", "polite"):
        fill(api, [*WEEK, 36], name=name, trace=name)
    found = drift(api)
    assert [(one["scorer_name"], one["false_alarm_rate"]) for one in found["series"]] == [
        ("helpful", 0.025), ("polite", 0.025)
    ]  # fmt: skip


def test_the_newest_configuration_is_looked_at_and_said(api):
    old = {"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}
    new = {**old, "config": {"pattern": "[A-Z]{2}"}}
    for number, scorer in enumerate([old] * 3 + [new] * 2):
        api.trace(span(f"s{number}", f"t{number}", output="ABC", start_time=f"{day(number)}T00:00:00Z",
                       scores=[scorer]))  # fmt: skip
    found = drift(api)
    (one,) = found["series"]
    assert [found_day["day"] for found_day in one["days"]] == [day(3), day(4)]
    assert "configuration changed" in found["notes"][0]
    assert f"in use since {day(3)}. 3 scores of 1 other configuration are left out" in found["notes"][0]
    (kept,) = drift(api, config_hash=one["config_hash"])["series"]
    assert kept == one
    assert api.refusal("GET", f"/projects/{api.project}/drift?scorer_name=shouts&config_hash=none").said[0] == 404


def test_scores_from_every_way_in_are_counted_once_and_on_the_day_of_their_span(api):
    at = {"start_time": f"{day(0)}T23:59:59.999Z", "output": "Hello"}
    regex = {"scorer_name": "one", "scorer": "regex", "config": {"pattern": "H"}}
    jobs = api.make("/traces/ingest", {"project_id": api.project, "spans": [
        span("s", "t", **at, scores=[{"scorer_name": "one", "value": 0.5}, regex, {"scorer_name": "one", "value": "x"}])
    ]})["job_ids"]  # fmt: skip
    assert jobs == []
    expect(201, api.score("s", "one", "span", value=0.25, trace_id="t"))
    of_span = {"target_id": "s", "target_type": "span", "scorer_name": "one"}
    api.make("/scores/batch", {"scores": [{**of_span, "value": 0.75}, {**of_span, "value": "label"}]})
    api.make("/rules", {"project_id": api.project, "name": "r", "scorer": {**regex, "scorer_name": "two"}})
    body = {"project_id": api.project, "spans": [span("s2", "t2", **at)]}
    for job in api.make("/traces/ingest", body)["job_ids"]:
        api.finished(job)
    body = {"project_id": api.project, "scorers": [{**regex, "scorer_name": "three"}]}
    api.finished(expect(202, api.post("/traces/score", body))["job_id"])

    def days(name: str, **query: str) -> Any:
        return drift(api, scorer_name=name, **query)["series"][0]["days"]

    assert days("one", config_hash="") == [{"day": day(0), "n": 3, "mean": 0.5}], (
        "labels and other configurations are apart"
    )
    assert days("two") == [{"day": day(0), "n": 1, "mean": 1}]
    assert days("three") == [{"day": day(0), "n": 2, "mean": 1}]


def test_scores_of_runs_are_no_part_of_it(api):
    run = api.answer("Paris").id
    expect(201, api.score(run, "helpful", value=1))
    assert drift(api)["series"] == []


def test_a_deleted_trace_no_longer_counts(api):
    fill(api, [3, 3], n=4)
    expect(200, api.delete(f"/traces/t-0-0?project_id={api.project}"))
    assert drift(api)["series"][0]["days"] == [
        {"day": day(0), "n": 3, "mean": pytest.approx(2 / 3)}, {"day": day(1), "n": 4, "mean": 0.75}
    ]  # fmt: skip
    for place in range(1, 4):
        expect(200, api.delete(f"/traces/t-0-{place}?project_id={api.project}"))
    assert [one["day"] for one in drift(api)["series"][0]["days"]] == [day(1)]


def test_a_batch_that_is_refused_leaves_no_sums(api):
    fill(api, [3], n=4)
    again = {"project_id": api.project, "spans": [*spans_of(1, 1, 1), *spans_of(0, 1, 1)]}
    assert api.refusal("POST", "/traces/ingest", again).said == (409, "DUPLICATE_SPAN")
    assert [one["n"] for one in drift(api)["series"][0]["days"]] == [4]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("reference=2026-01-01", "reference"),
        ("reference=2026-01-01..soon", "reference"),
        ("reference=2026-01-07..2026-01-01", "reference"),
        ("reference=2026-02-30..2026-03-01", "reference"),
        ("until=20260101", "until"),
        ("by=", "by"),
    ],
)
def test_what_is_malformed_is_refused_with_its_field(api, query, field):
    fill(api, [1], n=1)
    refused = api.refusal("GET", f"/projects/{api.project}/drift?{query}")
    assert refused.said == (400, "INVALID_REQUEST")
    assert [problem["field"] for problem in refused.errors] == [field]


def test_a_project_or_scorer_that_is_not_there_is_not_found(api):
    assert api.refusal("GET", f"/projects/{fresh_project()}/drift").said == (404, "NOT_FOUND")
    fill(api, [1], n=1)
    refused = api.refusal("GET", f"/projects/{api.project}/drift?scorer_name=polite")
    assert refused.said == (404, "NOT_FOUND")
    assert "the scorers there are helpful" in refused.message


def test_a_project_without_scores_is_too_few(api):
    api.trace()
    found = drift(api)
    assert (found["status"], found["series"], found["notes"]) == ("too_few", [], [])
