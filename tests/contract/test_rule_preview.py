"""What a rule would have matched, before it is made, and how many jobs there are by status."""

from contract.caller import expect, span


def ingest(api, count, **fields):
    for n in range(count):
        name = "answer" if n % 2 else "retrieve"
        api.trace(
            span("root", f"t{n}", name="agent", input="q", output="a", **fields),
            span("part", f"t{n}", parent_span_id="root", name=name, model="gpt-4o", input="a question", output="x"),
        )


def rule(**fields):
    return {"name": "watch", "scorer": {"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}},
            **fields}  # fmt: skip


def preview(api, **fields):
    return expect(200, api.call("POST", "/rules", rule(**fields), params={"dry_run": "true"}))


def test_a_preview_counts_what_a_rule_would_have_matched_and_makes_nothing(api):
    ingest(api, 6)
    found = preview(api, filter={"name": "answer"})
    assert (found["days"], found["looked_at_spans"], found["complete"]) == (7, 12, True)
    assert (found["matched_spans"], found["targets"], found["sampled"]) == (3, 3, 3)
    assert found["sample_trace_ids"] == ["t5", "t3", "t1"]
    assert (found["scoring"]["to_score"], found["scoring"]["calls"], found["cost_usd_per_day_estimate"]) == (3, 0, 0.0)
    assert api.items("/rules") == []
    assert api.items("/jobs") == []
    nothing = preview(api, filter={"name": "nobody"})
    assert (nothing["matched_spans"], nothing["targets"], nothing["sample_trace_ids"]) == (0, 0, [])
    assert preview(api, sampling_rate=0.0)["sampled"] == 0


def test_whole_traces_and_conversations_are_counted_once(api):
    ingest(api, 4, metadata={"gen_ai.conversation.id": "c1"})
    traces = preview(api, target="trace")
    assert (traces["matched_spans"], traces["targets"]) == (8, 4)
    conversations = preview(api, target="conversation")
    assert (conversations["matched_spans"], conversations["targets"]) == (8, 1)


def test_a_preview_refuses_what_making_the_rule_would_refuse(api):
    refused = api.refusal("POST", "/rules?dry_run=true", rule(filter={"nme": "x"}))
    assert refused.said == (400, "INVALID_REQUEST")
    assert api.refusal("POST", "/rules?dry_run=maybe", rule()).said == (400, "INVALID_REQUEST")


# --- jobs ---


def test_jobs_are_counted_by_status_and_kind(api, stranger):
    empty = api.read("/jobs/summary")
    assert (empty["project_id"], empty["cost_usd"], empty["by_kind"]) == (api.project, 0.0, [])
    assert set(empty["counts"].values()) == {0}
    experiment = api.measured(api.questions(2), [0.5, 0.5])
    asked = {"scorers": [{"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}]}
    api.finished(expect(202, api.post(f"/experiments/{experiment}/score", asked))["job_id"])
    found = api.read("/jobs/summary")
    counts = {"queued": 0, "running": 0, "done": 1, "failed": 0, "cancelled": 0}
    assert (found["counts"], found["unpriced_count"]) == (counts, 0)
    assert found["by_kind"] == [{"kind": "score_experiment", "counts": counts, "cost_usd": 0.0, "unpriced_count": 0}]
    assert set(stranger.read("/jobs/summary")["counts"].values()) == {0}
