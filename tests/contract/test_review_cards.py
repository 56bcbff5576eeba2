"""The queue as reviewers use it: cards of traces and runs, claims, the next one, labels as scores, and agreement."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from contract.caller import Refusal, expect, span
from contract.routes import NOBODY, ROUTES

CALLERS = 6


def queued(api, *trace_ids, **root):
    for trace_id in trace_ids:
        api.trace(span(trace_id=trace_id, **root))
        expect(200, api.post(f"/traces/{trace_id}/queue"))


def annotated(api, annotator, label="correct", **about):
    return api.make("/annotations", {"annotator": annotator, "label": label, **about})


def human(api, target_id, target_type="run"):
    """Author → value or label of the human scores."""
    return {score["author"]: score["value"] for score in api.scores(target_id, target_type) if score["author"]}


# --- in and out ---


def test_a_run_waits_like_a_trace_with_the_reason_why(api):
    made = api.answer("Rome", input="capital of France?", expected_output="Paris")
    api.trace(span(input={"question": "why?"}, output="because"))
    expect(200, api.post("/traces/trace-1/queue", {"reason": "the judge doubts it"}))
    first = expect(200, api.post(f"/runs/{made.id}/queue", {"reason": "worse than before"}))
    assert expect(200, api.post(f"/runs/{made.id}/queue", {"reason": "another"})) == first
    trace, run = api.items("/queue")
    assert (trace["target_type"], trace["reason"], trace["question"]["text"]) == (
        "trace",
        "the judge doubts it",
        "why?",
    )
    shown = {"target_type": "run", "target_id": made.id, "run_id": made.id, "reason": "worse than before",
             "experiment_id": made.experiment_id, "experiment_name": "trial", "root_span": None}  # fmt: skip
    assert {name: run[name] for name in shown} == shown
    assert run["answer"] == {"text": "Rome", "size": 4, "truncated": False, "format": "text"}
    card = api.read(f"/queue/run/{made.id}")
    assert (card["expected"]["text"], card["annotations"], card["scores"]) == ("Paris", [], [])
    assert expect(200, api.delete(f"/runs/{made.id}/queue"))["queued"] is False
    assert [item["target_type"] for item in api.items("/queue", target_type="run")] == []


def test_many_are_queued_all_or_none(api):
    made = api.answer("Rome")
    api.trace(span(), span("step", parent_span_id="root"))
    targets = [
        {"target_type": "run", "target_id": made.id},
        {"target_type": "span", "target_id": "step", "trace_id": "trace-1"},
    ]
    wrong = [*targets, {"target_type": "trace", "target_id": "nobody"}]
    refused = api.refusal("POST", "/queue", {"targets": wrong, "reason": "label these"})
    assert (refused.said, refused.errors[0]["index"]) == ((404, "NOT_FOUND"), 2)
    assert expect(200, api.post("/queue", {"targets": targets, "reason": "label these"})) == {"queued": 2, "already": 0}
    assert expect(200, api.post("/queue", {"targets": targets})) == {"queued": 0, "already": 2}
    assert {item["reason"] for item in api.items("/queue")} == {"label these"}


def test_long_contents_are_cut_in_a_row_and_chats_show_their_last_question(api):
    chat = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"},
            {"role": "user", "content": [{"type": "text", "text": "what is it?"}]}]  # fmt: skip
    queued(api, "trace-1", input=chat, output="é" * 3_000)
    (item,) = api.items("/queue")
    assert (item["question"]["text"], item["question"]["format"]) == ("what is it?", "chat")
    assert (item["answer"]["size"], item["answer"]["truncated"]) == (6_000, True)
    assert len(item["answer"]["text"].encode()) == 2_000
    assert item["root_span"]["truncated"] == ["output"]
    assert api.read("/queue/trace/trace-1")["answer"]["truncated"] is False


def test_a_card_has_the_whole_chat_that_was_asked(api):
    chat = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "parts": [{"type": "text", "content": "hello"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "find_order"}}]},
        {"role": "tool", "content": "order 7"},
        {"role": "user", "content": "what is it?"},
    ]
    said = [("system", "Be kind."), ("user", "hello"), ("assistant", "[calls find_order]"), ("tool", "order 7"),
            ("user", "what is it?")]  # fmt: skip
    queued(api, "trace-1", input={"messages": chat}, output="A lamp.")
    made = api.answer("A lamp.", input=chat[:2], expected_output="A lamp.")
    expect(200, api.post(f"/runs/{made.id}/queue"))
    (trace, run) = (api.read(f"/queue/{card}") for card in ("trace/trace-1", f"run/{made.id}"))
    assert [(each["role"], each["text"]) for each in trace["chat"]["messages"]] == said
    assert [(each["role"], each["text"]) for each in run["chat"]["messages"]] == said[:2]
    assert (run["question"]["text"], run["chat"]["left_out"]) == ("hello", 0)
    assert "chat" not in api.items("/queue")[0]


def test_of_a_long_chat_a_card_has_the_newest_messages(api):
    chat = [{"role": "user", "content": letter * 90_000} for letter in "abc"]
    queued(api, "trace-1", input=chat)
    queued(api, "trace-2", input=chat[:1])
    shown = api.read("/queue/trace/trace-1")["chat"]
    assert ([each["text"][0] for each in shown["messages"]], shown["left_out"]) == (["b", "c"], 1)
    assert api.read("/queue/trace/trace-2")["chat"] is None


# --- who holds a card ---


def test_a_card_is_held_by_one_reviewer(api):
    queued(api, "one", "two")
    held = expect(200, api.post("/queue/trace/one/claim", {"annotator": "ana"}))
    assert held["claimed_by"] == "ana"
    refused = api.refusal("POST", "/queue/trace/one/claim", {"annotator": "bo"})
    assert refused.said == (409, "CLAIMED")
    assert "ana holds" in refused.message
    assert api.refusal("DELETE", "/queue/trace/one/claim?annotator=bo").said == (409, "CLAIMED")
    assert api.read("/queue/next", annotator="bo")["card"]["target_id"] == "two"
    assert api.read("/queue/next", annotator="ana")["card"]["target_id"] == "one"
    expect(200, api.delete("/queue/trace/one/claim?annotator=ana"))
    expect(200, api.post("/queue/trace/one/claim", {"annotator": "bo"}))
    annotated(api, "bo", trace_id="one")
    assert api.read("/queue/trace/one")["claimed_by"] is None
    assert api.refusal("POST", "/queue/trace/nobody/claim", {"annotator": "bo"}).said == (404, "NOT_FOUND")
    assert api.refusal("POST", "/queue/trace/one/claim", {}).said == (400, "INVALID_REQUEST")


def test_reviewers_at_once_hold_different_cards(api):
    """Each takes the next card until none is left; none is given to two, also where one has just been given back."""
    names = [f"t{n}" for n in range(2 * CALLERS)]
    queued(api, *names)

    def reviews(reviewer):
        held = []
        while (card := expect(200, api.post("/queue/next", {"annotator": reviewer}))["card"]) is not None:
            assert card["claimed_by"] == reviewer
            held.append(card["target_id"])
            annotated(api, reviewer, trace_id=card["target_id"])
        return held

    with ThreadPoolExecutor(CALLERS) as threads:
        held = [id for ids in threads.map(reviews, [f"reviewer {n}" for n in range(CALLERS)]) for id in ids]
    assert sorted(held) == sorted(names)
    assert api.read("/queue/counts") == {"pending": 0, "annotated": len(names), "mine": 0, "left_for_me": 0}


def test_the_next_card_is_held_as_it_is_chosen(api):
    queued(api, "one", "two", "three")

    def claimed(**draft):
        card = expect(200, api.post("/queue/next", draft))["card"]
        return card and (card["target_id"], card["claimed_by"])

    assert claimed(annotator="ana") == ("one", "ana")
    assert claimed(annotator="bo") == ("two", "bo")
    assert claimed(annotator="ana", after="trace/one") == ("three", "ana")
    assert claimed(annotator="ana", after="trace/three", direction="previous") == ("one", "ana")
    assert claimed(annotator="cy") is None
    assert api.refusal("POST", "/queue/trace/two/claim", {"annotator": "ana"}).said == (409, "CLAIMED")
    assert api.refusal("POST", "/queue/next", {}).errors[0]["field"] == "annotator"
    assert api.refusal("POST", "/queue/next", {"annotator": "ana", "direction": "up"}).said == (400, "INVALID_REQUEST")


def test_the_next_card_goes_both_ways_and_leaves_what_is_done(api):
    queued(api, "one", "two", "three")

    def next_to(after, direction="next"):
        card = api.read("/queue/next", after=f"trace/{after}", direction=direction, annotator="ana")["card"]
        return card and card["target_id"]

    assert [next_to("one"), next_to("three"), next_to("three", "previous"), next_to("one", "previous")] == [
        "two", None, "two", None,
    ]  # fmt: skip
    annotated(api, "ana", trace_id="two")
    assert next_to("one") == "three"
    counts = api.read("/queue/counts", annotator="ana")
    assert counts == {"pending": 2, "annotated": 1, "mine": 1, "left_for_me": 2}
    assert [item["trace_id"] for item in api.items("/queue", mine=True, annotator="ana")] == ["two"]
    assert [item["trace_id"] for item in api.items("/queue", mine=False, annotator="ana")] == ["one", "three"]
    assert Refusal.of(api.get("/queue/next", after="two")).said == (400, "INVALID_REQUEST")


def test_a_card_waits_until_enough_people_have_annotated_it(api):
    expect(200, api.call("PUT", f"/projects/{api.project}/review-settings", {"reviews_wanted": 2}))
    queued(api, "one")
    for annotator, status in (("ana", "pending"), ("ana", "pending"), ("bo", "annotated")):
        annotated(api, annotator, trace_id="one")
        (item,) = api.items("/queue")
        assert (item["status"], item["reviews_wanted"]) == (status, 2)
    assert (item["annotation_count"], item["reviewer_count"]) == (3, 2)
    assert api.read(f"/projects/{api.project}/summary")["queue"] == {"pending_count": 0, "annotated_count": 1}


# --- labels are human scores ---


def test_a_label_is_a_score_of_its_author_and_a_later_one_stands_instead(api):
    run = api.answer("Rome").id
    first = annotated(api, "ana", "correct", run_id=run)
    assert [(score["scorer_name"], score["value"]) for score in first["scores"]] == [("human_label", 1)]
    annotated(api, "bo", "incomplete", run_id=run)
    last = annotated(api, "ana", "harmful", run_id=run)
    assert human(api, run) == {"ana": 0, "bo": 0}
    assert [score["source"] for score in api.scores(run)] == ["human", "human"]
    assert expect(200, api.delete(f"/annotations/{last['id']}"))["deleted"]
    assert human(api, run) == {"ana": 1, "bo": 0}
    expect(200, api.delete(f"/annotations/{first['id']}"))
    assert human(api, run) == {"bo": 0}


def test_scores_come_with_an_annotation_and_change_with_it(api):
    api.trace(span(), span("step", parent_span_id="root"))
    scores = [{"scorer_name": "tone", "value": 0.5, "rationale": "curt"}, {"scorer_name": "kind", "label": "rude"}]
    made = annotated(api, "ana", "other", trace_id="trace-1", scores=scores)
    stored = {score["scorer_name"]: score for score in api.scores("root", "span")}
    assert {name: (score["value"], score["author"]) for name, score in stored.items()} == {
        "tone": (0.5, "ana"), "kind": ("rude", "ana"),
    }  # fmt: skip
    assert set(made["score_ids"]) == {score["id"] for score in stored.values()}
    api.read(f"/projects/{api.project}/drift", scorer_name="tone")
    corrected = expect(200, api.call("PUT", f"/annotations/{made['id']}", {"label": "correct"}))
    assert (corrected["label"], corrected["trace_id"], bool(corrected["updated_at"])) == ("correct", "trace-1", True)
    assert human(api, "root", "span") == {"ana": 1}
    assert [score["scorer_name"] for score in api.scores("root", "span")] == ["human_label"]
    gone = Refusal.of(api.get(f"/projects/{api.project}/drift", scorer_name="tone"))
    assert gone.said == (404, "NOT_FOUND"), "it left the daily sums"
    about_span = annotated(api, "ana", "harmful", trace_id="trace-1", span_id="step")
    assert (human(api, "step", "span"), human(api, "root", "span")) == ({"ana": 0}, {"ana": 1})
    assert about_span["no_score"] is None


def test_without_a_root_the_annotation_is_stored_and_says_why_it_gave_no_score(api):
    api.trace(span(parent_span_id="elsewhere"))
    made = annotated(api, "ana", "correct", trace_id="trace-1")
    assert made["score_ids"] == []
    assert "no root span" in made["no_score"]
    assert len(api.items("/annotations", trace_id="trace-1")) == 1


def test_a_score_of_the_labels_is_left_out_where_nobody_wants_it(api):
    run = api.answer("Rome").id
    assert annotated(api, "ana", "correct", run_id=run, score=False)["scores"] == []
    assert annotated(api, "ana", "good", run_id=run)["scores"] == []
    own = [{"scorer_name": "human_label", "value": 0.25}]
    assert annotated(api, "ana", "correct", run_id=run, scores=own)["scores"][0]["value"] == 0.25
    assert human(api, run) == {"ana": 0.25}


def test_a_project_has_its_own_labels(api):
    path = f"/projects/{api.project}/review-settings"
    assert [label["label"] for label in api.read(path)["labels"]][:2] == ["correct", "hallucination"]
    labels = [{"label": "right", "value": 1}, {"label": "half", "value": 0.5}, {"label": "unclear"}]
    body = {"labels": labels, "scorer_name": "people", "free_labels": False, "reviews_wanted": 3}
    made = expect(200, api.call("PUT", path, body))
    assert (made["blind"], made["reviews_wanted"], made["scorer_name"]) == (True, 3, "people")
    run = api.answer("Rome").id
    refused = api.refusal("POST", "/annotations", {"annotator": "ana", "label": "correct", "run_id": run})
    assert refused.said == (422, "LABEL_NOT_IN_SET")
    assert "right, half, unclear" in refused.message
    assert annotated(api, "ana", "half", run_id=run)["scores"][0]["scorer_name"] == "people"
    assert annotated(api, "bo", "unclear", run_id=run)["scores"] == []
    for wrong in ({"labels": []}, {"reviews_wanted": 21}, {"labels": [{"label": "a"}, {"label": "a"}]}):
        assert api.refusal("PUT", path, wrong).said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    "body",
    [
        {"trace_id": "trace-1", "run_id": "r", "label": "good"},
        {"run_id": "r", "span_id": "root", "label": "good"},
        {"label": "good"},
        {"trace_id": "trace-1", "scores": [{"scorer_name": "s", "value": 1.5}]},
        {"trace_id": "trace-1", "scores": [{"scorer_name": "s"}]},
        {"trace_id": "trace-1", "scores": [{"scorer_name": "s", "value": 1, "label": "x"}]},
        {"trace_id": "trace-1", "scores": [{"scorer_name": "s", "value": 1}, {"scorer_name": "s", "value": 0}]},
        {"trace_id": "trace-1", "scores": [{"scorer_name": f"s{n}", "value": 1} for n in range(21)]},
    ],
    ids=str,
)
def test_a_malformed_annotation_of_the_queue_is_refused(api, body):
    api.trace()
    assert api.refusal("POST", "/annotations", {"annotator": "ana", **body}).said == (400, "INVALID_REQUEST")


def test_annotations_are_found_by_run_annotator_and_label(api):
    run = api.answer("Rome").id
    api.trace()
    of_run = annotated(api, "ana", run_id=run)
    of_trace = annotated(api, "bo", "harmful", trace_id="trace-1")
    assert api.items("/annotations", run_id=run) == [of_run]
    assert api.items("/annotations", experiment_id=api.read(f"/runs/{run}")["experiment_id"]) == [of_run]
    assert Refusal.of(api.get("/annotations", experiment_id="nobody")).said == (404, "NOT_FOUND")
    assert api.items("/annotations", annotator="bo") == [of_trace]
    assert api.items("/annotations", label="harmful", after=of_run["created_at"][:10] + "T00:00:00Z") == [of_trace]
    assert Refusal.of(api.get("/annotations", project_id=api.project)).said == (400, "INVALID_REQUEST")


def test_a_correction_of_a_run_becomes_a_dataset_item(api):
    run = api.answer("Rome", input="capital of France?").id
    made = annotated(api, "ana", "hallucination", run_id=run, correction="Paris")
    item = api.make(f"/annotations/{made['id']}/to-dataset-item", {"dataset_id": api.dataset().id})
    assert (item["input"], item["expected_output"]) == ("capital of France?", "Paris")
    assert item["metadata"]["source_run_id"] == run


def test_a_judge_is_measured_against_labels_as_they_come(api):
    experiment = api.measured(api.questions(8), [1, 0] * 4)
    runs = api.items(f"/experiments/{experiment}/runs")
    for number, run in enumerate(runs):
        annotated(api, "ana", "correct" if run["scores"][0]["value"] else "harmful", run_id=run["id"])
        if number in (3, 7):
            told = api.read("/calibration", judge="quality", human="human_label", project_id=api.project)
            assert (told["n_labelled"], told["accuracy"]["value"]) == (number + 1, 1)


# --- do they agree? ---


def test_agreement_of_reviewers_with_its_interval(api):
    nobody = api.read("/review/agreement")
    assert (nobody["labels"]["alpha"], nobody["labels"]["reason"]) == (None, "no card has two reviewers")
    dataset = api.questions(12)
    experiment = api.measured(dataset, [1] * 12)
    for number, run in enumerate(sorted(api.ids(f"/experiments/{experiment}/runs"))):
        annotated(api, "ana", "correct" if number % 2 else "harmful", run_id=run)
        annotated(api, "bo", "correct" if number % 2 and number != 3 else "harmful", run_id=run)
    told = api.read("/review/agreement")
    for figure in (told["labels"], told["numbers"]):
        low, high = figure["ci_95"]
        assert low < figure["alpha"] < high
        assert figure["n"] == 12
    # 11 of 12 alike; the labels are 13 and 11 of 24: 1 − 23 · (1/12) / (2 · 13 · 11 / 24).
    assert told["labels"]["alpha"] == pytest.approx(1 - 23 / 12 / (2 * 13 * 11 / 24))
    (pair,) = told["pairs"]
    assert (pair["reviewers"], pair["n"], pair["agreement"]) == (["ana", "bo"], 12, pytest.approx(11 / 12))
    assert (pair["alpha"], pair["ci_95"]) == (told["labels"]["alpha"], told["labels"]["ci_95"])
    assert [reviewer["annotator"] for reviewer in told["reviewers"]] == ["ana", "bo"]
    assert [len(disputed["ratings"]) for disputed in told["disagreements"]] == [2]


# --- what is deleted takes its cards along ---


def test_deleting_takes_cards_and_annotations_of_runs_along(api):
    made = api.answer("Rome")
    expect(200, api.post(f"/runs/{made.id}/queue"))
    annotation = annotated(api, "ana", run_id=made.id)
    queued(api, "one")
    expect(200, api.delete(f"/experiments/{made.experiment_id}"))
    expect(200, api.delete("/traces/one"))
    assert api.items("/queue") == []
    assert Refusal.of(api.get(f"/annotations/{annotation['id']}")).said == (404, "NOT_FOUND")


# --- a reviewer's key ---


def reviewer(api, name="ana"):
    key = api.make("/keys", {"role": "reviewer", "name": name, "project_id": api.project})["key"]
    return replace(api, key=key, bound=True)


def test_a_reviewer_annotates_what_is_queued_in_its_own_name(api):
    queued(api, "one")
    api.trace(span(trace_id="elsewhere"))
    ana, bo = reviewer(api), reviewer(api, "bo")
    made = ana.make("/annotations", {"trace_id": "one", "label": "correct"})
    assert (made["annotator"], ana.items("/queue", mine=True)[0]["trace_id"]) == ("ana", "one")
    assert Refusal.of(ana.post("/annotations", {"trace_id": "one", "annotator": "bo", "label": "x"})).said[0] == 403
    for unqueued in ("elsewhere", "nowhere"):
        refused = Refusal.of(ana.post("/annotations", {"trace_id": unqueued, "label": "x"}))
        assert (refused.said[0], refused.message) == (404, f"trace {unqueued!r} is not in the review queue")
    for method in ("PUT", "DELETE", "GET"):
        body = {"label": "x"} if method == "PUT" else None
        assert Refusal.of(bo.call(method, f"/annotations/{made['id']}", body)).said == (403, "FORBIDDEN")
    for one in ("one", "elsewhere", "nowhere"):  # nor is it told which traces there are
        assert bo.items("/annotations", trace_id=one) == []
    expect(200, ana.delete(f"/annotations/{made['id']}"))


def test_a_reviewer_sees_what_others_said_after_its_own_annotation_only(api):
    expect(200, api.call("PUT", f"/projects/{api.project}/review-settings", {"reviews_wanted": 2}))
    queued(api, "one")
    expect(201, api.score("root", "judge", "span", trace_id="one", value=0.9))
    ana, bo = reviewer(api), reviewer(api, "bo")
    ana.make("/annotations", {"trace_id": "one", "label": "correct"})
    before = bo.read("/queue/trace/one")
    assert (before["annotations"], before["scores"], before["others_hidden"]) == ([], [], True)
    bo.make("/annotations", {"trace_id": "one", "label": "harmful"})
    after = bo.read("/queue/trace/one")
    assert sorted(said["annotator"] for said in after["annotations"]) == ["ana", "bo"]
    assert sorted(score["scorer_name"] for score in after["scores"]) == ["human_label", "human_label", "judge"]
    assert after["others_hidden"] is False
    expect(200, api.call("PUT", f"/projects/{api.project}/review-settings", {"blind": False}))
    third = reviewer(api, "cy").read("/queue/trace/one")
    assert (len(third["annotations"]), {score["scorer_name"] for score in third["scores"]}) == (2, {"human_label"})


def test_whoever_reviews_with_another_key_is_told_no_score_before_their_own_label(api):
    expect(200, api.call("PUT", f"/projects/{api.project}/review-settings", {"reviews_wanted": 2}))
    queued(api, "one")
    expect(201, api.score("root", "judge", "span", trace_id="one", value=0.9))
    annotated(api, "ana", trace_id="one")
    for nobody_yet in ("bo", ""):
        before = api.read("/queue/trace/one", annotator=nobody_yet)
        assert (before["annotations"], before["scores"], before["others_hidden"]) == ([], [], True)
    annotated(api, "bo", trace_id="one")
    after = api.read("/queue/trace/one", annotator="bo")
    assert {score["scorer_name"] for score in after["scores"]} == {"human_label", "judge"}
    assert len(api.read("/queue/trace/one")["scores"]) == 3  # who does not review sees all
    assert Refusal.of(reviewer(api).get("/queue/trace/one", annotator="bo")).said == (403, "FORBIDDEN")


def test_a_reviewer_gives_no_score_under_a_scorers_name(api):
    made = api.answer("Rome")
    expect(201, api.score(made.id, "contains", "run", value=1.0))
    expect(200, api.post(f"/runs/{made.id}/queue"))
    queued(api, "one")
    expect(201, api.score("root", "tone", "span", trace_id="one", value=0.5))
    ana = reviewer(api)
    for name, about in (
        ("contains", {"run_id": made.id}),
        ("tone", {"trace_id": "one"}),
        ("tone", {"run_id": made.id}),
    ):
        refused = Refusal.of(ana.post("/annotations", {**about, "scores": [{"scorer_name": name, "value": 0}]}))
        assert (refused.said, refused.errors[0]["field"]) == ((422, "SCORE_NAME_TAKEN"), "scores")
    kept = ana.make("/annotations", {"trace_id": "one", "scores": [{"scorer_name": "kindness", "value": 1}]})
    again = ana.make("/annotations", {"trace_id": "one", "scores": [{"scorer_name": "kindness", "value": 0}]})
    change = {"scores": [{"scorer_name": "tone", "value": 0}]}
    assert Refusal.of(ana.call("PUT", f"/annotations/{kept['id']}", change)).said == (422, "SCORE_NAME_TAKEN")
    assert again["scores"][0]["value"] == 0
    annotated(api, "bo", trace_id="one", scores=[{"scorer_name": "tone", "value": 1}])  # a key that may write anyway


REVIEWERS_CALLS = {
    ("GET", "/annotations"), ("GET", "/annotations/{annotation}"), ("PUT", "/annotations/{annotation}"),
    ("POST", "/annotations"), ("DELETE", "/annotations/{annotation}"), ("GET", "/queue"), ("GET", "/queue/counts"),
    ("GET", "/queue/next"), ("POST", "/queue/next"), ("GET", "/projects/{project}/review-settings"),
}  # fmt: skip


def test_a_reviewer_may_call_the_queue_and_nothing_else(api):
    ana = reviewer(api, "a new user")
    refused = {
        (route.method, route.path.partition("?")[0])
        for route in ROUTES
        if ana.call(**route.about(NOBODY)).status_code == 403
    }
    every = {(route.method, route.path.partition("?")[0]) for route in ROUTES}
    assert every - refused == REVIEWERS_CALLS
    assert ana.read("/session")["role"] == "reviewer"
    said = Refusal.of(ana.get("/traces"))
    assert said.message.startswith("this key's role is `reviewer`; it sees the review queue")


def test_a_reviewers_key_needs_a_name_a_project_and_a_time_to_come(root):
    body = {"role": "reviewer", "name": "ana", "project_id": root.project}
    for missing in ("name", "project_id"):
        refused = root.refusal("POST", "/keys", {**body, missing: None})
        assert (refused.said, refused.errors[0]["field"]) == ((400, "INVALID_REQUEST"), missing)
    refused = root.refusal("POST", "/keys", {**body, "expires_at": "2020-01-01T00:00:00Z"})
    assert refused.errors[0]["field"] == "expires_at"


def test_a_review_link_logs_in_once_and_shows_the_queue(root, api):
    queued(api, "one")
    link = api.make("/review-links", {"name": "ana", "days": 3})
    assert link["url_path"].startswith("/login#code=")
    code = link["url_path"].partition("=")[2]
    begun = api.http.post("/v1/session", json={"code": code}, headers={"X-Gnomon": "1"})
    assert begun.status_code == 201, begun.text
    session = begun.json()
    assert (session["role"], session["key_name"], session["project_id"]) == ("reviewer", "ana", api.project)
    assert session["expires_at"] == link["expires_at"]
    api.http.cookies.clear()
    again = api.http.post("/v1/session", json={"code": code}, headers={"X-Gnomon": "1"})
    assert Refusal.of(again).said == (401, "UNAUTHORIZED")
    assert link["key_id"] in api.ids("/keys")
    assert Refusal.of(api.with_key("write").post("/review-links", {"name": "ana"})).said == (403, "FORBIDDEN")
