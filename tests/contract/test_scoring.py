"""Scoring: what attaches to a run or a span, what a built-in makes of it, and what is refused."""

import secrets

import pytest

from contract.caller import expect, span

SCORE_FIELDS = {
    "id", "project_id", "target_id", "target_type", "trace_id", "scorer_name", "value", "rationale",
    "source", "scorer", "config", "config_hash", "metadata", "created_at",
}  # fmt: skip
JUDGE = {"model": "gpt-4o", "prompt_template": "Question {{input}} answer {{output}}"}


def computed(api, output, expected_output, scorer_name, config):
    """The value that a built-in gives to a fresh run."""
    run = api.answer(output, expected_output=expected_output)
    return expect(201, api.score(run.id, scorer_name, config=config))["value"]


# --- the acceptance list, in its order -----


def test_paris_matches_paris_in_lower_case_when_case_does_not_matter(api):
    run = api.answer("Paris", expected_output="paris")
    answer = api.score(run.id, "exact_match", config={"case_sensitive": False, "strip_whitespace": True})
    assert expect(201, answer)["value"] == 1.0


def test_blanks_around_paris_do_not_matter_by_default(api):
    run = api.answer("  Paris  ", expected_output="Paris")
    assert expect(201, api.score(run.id, "exact_match"))["value"] == 1.0


def test_a_sentence_about_paris_contains_paris(api):
    run = api.answer("The capital of France is Paris, a beautiful city")
    answer = api.score(run.id, "contains", config={"expected_output": "Paris", "case_sensitive": True})
    assert expect(201, answer)["value"] == 1.0


def test_paris_in_lower_case_is_not_contained_when_case_matters(api):
    run = api.answer("The capital of France is paris")
    answer = api.score(run.id, "contains", config={"expected_output": "Paris", "case_sensitive": True})
    assert expect(201, answer)["value"] == 0.0


def test_a_pattern_that_occurs_in_the_output_scores_one(api):
    run = api.answer("Order ID: ABC-12345")
    assert expect(201, api.score(run.id, "regex", config={"pattern": r"[A-Z]+-\d+"}))["value"] == 1.0


def test_a_pattern_that_does_not_occur_scores_zero(api):
    run = api.answer("Order confirmed")
    assert expect(201, api.score(run.id, "regex", config={"pattern": r"[A-Z]+-\d+"}))["value"] == 0.0


def test_a_broken_pattern_is_a_broken_scorer_configuration(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "regex", config={"pattern": "[invalid"}))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")
    assert any("pattern" in error["field"] for error in refused.errors)


def test_a_value_of_one_and_a_half_is_refused(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "quality", value=1.5))
    assert refused.said == (400, "INVALID_SCORE_VALUE")


def test_a_value_below_zero_is_refused(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "quality", value=-0.1))
    assert refused.said == (400, "INVALID_SCORE_VALUE")


def test_a_submitted_score_is_listed_for_its_run(api):
    run = api.answer("x")
    expect(201, api.score(run.id, "exact_match", value=0.8))
    assert [(score["scorer_name"], score["value"]) for score in api.scores(run.id)] == [("exact_match", 0.8)]


def test_a_score_attaches_to_a_span_of_an_existing_trace(api):
    api.trace(span("span-A"))
    made = expect(201, api.score("span-A", "relevance", "span", value=0.5))
    assert (made["target_id"], made["target_type"]) == ("span-A", "span")
    assert api.scores("span-A", "span") == [made]


def test_without_an_expected_output_no_score_is_made_and_nothing_is_wrong(api):
    run = api.answer("Paris")
    answer = api.score(run.id, "exact_match")
    assert (answer.status_code, answer.json()) == (200, None)
    assert api.scores(run.id) == []


def test_scores_of_several_scorers_stand_side_by_side(api):
    run = api.answer("France")
    for scorer_name, value in [("accuracy", 0.25), ("tone", 0.5), ("verdict", "pass")]:
        expect(201, api.score(run.id, scorer_name, value=value))
    assert {score["scorer_name"]: score["value"] for score in api.scores(run.id)} == {
        "accuracy": 0.25,
        "tone": 0.5,
        "verdict": "pass",
    }
    by_scorer = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]
    assert set(by_scorer) == {"accuracy", "tone", "verdict"}
    assert [by_scorer[name]["mean"] for name in ("accuracy", "tone", "verdict")] == [0.25, 0.5, None]
    assert by_scorer["verdict"]["distribution"] == {"pass": 1}


# --- the edge cases, row by row -----


@pytest.mark.parametrize("target_type", ["run", "span"])
def test_a_target_that_does_not_exist_is_not_found(api, target_type):
    api.answer("x")
    api.trace()
    body = {"target_id": "nowhere", "target_type": target_type, "scorer_name": "quality", "value": 1}
    assert api.refusal("POST", "/scores", body).said == (404, "NOT_FOUND")


@pytest.mark.parametrize("target_type", ["trace", "Run", "", None, 1, ["run"]])
def test_a_target_is_a_run_or_a_span(api, target_type):
    body = {**of_run(api.answer("x"), "quality", value=1), "target_type": target_type}
    refused = api.refusal("POST", "/scores", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["target_type"]


def test_a_scorer_may_score_a_run_twice_and_both_count(api):
    run = api.answer("x")
    for value in (0.25, 0.75):
        expect(201, api.score(run.id, "quality", value=value))
    assert [score["value"] for score in api.scores(run.id)] == [0.75, 0.25]
    summary = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]["quality"]
    assert (summary["scored_run_count"], summary["score_count"], summary["mean"]) == (1, 2, 0.5)


def test_a_judge_whose_provider_has_no_key_is_refused_by_its_model(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "llm_judge", config=JUDGE))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")
    assert [error["field"] for error in refused.errors] == ["config.model"]


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"prompt_template": JUDGE["prompt_template"]},
        {"model": "gpt-4o"},
        {**JUDGE, "prompt_template": "Only {{input}}"},
        {**JUDGE, "prompt_template": "Only {{output}}"},
        {**JUDGE, "prompt_template": "Blanks {{ input }} {{ output }}"},
        {**JUDGE, "score_extraction": "stars"},
        {**JUDGE, "score_range": {"min": 0}},
        {**JUDGE, "score_range": {"min": 1, "max": 1}},
        {**JUDGE, "surprise": 1},
    ],
    ids=lambda config: ",".join(config) or "empty",
)
def test_a_badly_configured_judge_is_refused_as_such(api, config):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "llm_judge", config=config))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")


def test_a_judge_that_the_caller_ran_is_stored_like_any_score(api):
    run = api.answer("x")
    made = expect(201, api.score(run.id, "llm_judge", value=0.7, rationale="7 of 10", config={"model": "mine"}))
    assert (made["value"], made["rationale"], made["config"]) == (0.7, "7 of 10", {"model": "mine"})
    assert api.scores(run.id) == [made]


def test_labels_have_no_threshold(api):
    run = api.answer("x")
    expect(201, api.score(run.id, "verdict", value="pass"))
    bar = {"scorer_name": "verdict", "metric": "mean", "threshold": 0.5}
    refused = api.refusal("POST", f"/experiments/{run.experiment_id}/threshold", bar)
    assert refused.said == (422, "UNSUPPORTED_THRESHOLD_TYPE")
    assert api.read(f"/experiments/{run.experiment_id}/summary")["threshold_result"] is None


def test_a_label_is_not_empty(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "verdict", value=""))
    assert refused.said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("output", "expected_output", "value"),
    [
        ({"city": "Paris", "country": "FR"}, {"country": "FR", "city": "Paris"}, 1.0),
        ({"city": "Paris"}, {"city": "Rome"}, 0.0),
        ({"city": "Paris"}, '{"city":"Paris"}', 1.0),
        ({"city": "Paris"}, '{"city": "Paris"}', 0.0),
        ({"city": "Paris"}, "Paris", 0.0),
        ('{"city":"Paris"}', {"city": "Paris"}, 1.0),
        ({"a": [1, {"c": 2, "b": 3}]}, {"a": [1, {"b": 3, "c": 2}]}, 1.0),
        ([1, 2], [2, 1], 0.0),
        (42, "42", 1.0),
        (42.0, 42, 1.0),
        (True, "true", 1.0),
        (False, 0, 0.0),
    ],
)
def test_values_that_are_no_text_are_compared_as_json(api, output, expected_output, value):
    """Where the output is a JSON object, both sides are serialised as JSON before they are compared; a string is its
    own text."""
    assert computed(api, output, expected_output, "exact_match", None) == value


# --- built-ins beyond the acceptance list -----


@pytest.mark.parametrize(
    ("scorer_name", "config", "output", "expected_output", "value"),
    [
        ("exact_match", {}, "Paris", "paris", 0.0),
        ("exact_match", {"strip_whitespace": False}, " Paris", "Paris", 0.0),
        ("exact_match", {"case_sensitive": False}, "STRASSE", "straße", 1.0),
        ("exact_match", {}, "é", "e\u0301", 0.0),
        ("exact_match", {}, "\u2003Paris\u2003", "Paris", 1.0),
        ("contains", {"case_sensitive": False}, "in PARIS", "Paris", 1.0),
        ("contains", {}, "anything", "", 1.0),
        ("contains", {}, {"city": "Paris"}, "Paris", 1.0),
        ("contains", {}, "Order 42", 42, 1.0),
        ("regex", {"pattern": "paris", "flags": "i"}, "PARIS", None, 1.0),
        ("regex", {"pattern": "paris", "flags": "iiim"}, "PARIS", None, 1.0),
        ("regex", {"pattern": "^b$", "flags": "m"}, "a\nb", None, 1.0),
        ("regex", {"pattern": "^b$"}, "a\nb", None, 0.0),
        ("regex", {"pattern": "a.b", "flags": "s"}, "a\nb", None, 1.0),
        ("regex", {"pattern": '"n":1'}, {"n": 1}, None, 1.0),
        ("regex", {"pattern": r"\d"}, "٣", None, 0.0),
    ],
)
def test_a_built_in_scores_by_its_configuration(api, scorer_name, config, output, expected_output, value):
    assert computed(api, output, expected_output, scorer_name, config) == value


def test_a_pattern_that_would_backtrack_for_ever_answers_at_once(api):
    """Where it backtracks, no caller would live to see the answer."""
    assert computed(api, "a" * 50_000 + "!", None, "regex", {"pattern": "(a+)+$"}) == 0.0


@pytest.mark.parametrize(
    ("scorer_name", "config", "field"),
    [
        ("regex", None, "pattern"),
        ("regex", {"pattern": 5}, "pattern"),
        ("regex", {"pattern": "(?=x)"}, "pattern"),
        ("regex", {"pattern": r"(x)\1"}, "pattern"),
        ("regex", {"pattern": "x", "flags": "I"}, "flags"),
        ("regex", {"pattern": "x", "flags": "x"}, "flags"),
        ("exact_match", {"case_sensitive": "no"}, "case_sensitive"),
        ("exact_match", {"strip_whitespace": 1}, "strip_whitespace"),
        ("exact_match", {"casesensitive": False}, "casesensitive"),
        ("contains", {"strip_whitespace": True}, "strip_whitespace"),
    ],
)
def test_a_bad_configuration_is_refused_by_the_name_of_its_key(api, scorer_name, config, field):
    run = api.answer("x", expected_output="x")
    refused = api.refusal("POST", "/scores", of_run(run, scorer_name, config=config))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")
    assert any(field in error["field"] for error in refused.errors)


def test_a_built_in_may_work_under_another_name(api):
    run = api.answer("Paris", expected_output="paris")
    answer = api.score(run.id, "city", scorer="exact_match", config={"case_sensitive": False})
    made = expect(201, answer)
    assert (made["scorer_name"], made["scorer"], made["value"]) == ("city", "exact_match", 1.0)


def test_the_configurations_expected_output_goes_before_the_items(api):
    run = api.answer("Rome", expected_output="Paris")
    assert expect(201, api.score(run.id, "exact_match", config={"expected_output": "Rome"}))["value"] == 1.0


def test_an_expected_output_of_null_in_the_configuration_is_as_absent(api):
    run = api.answer("Paris", expected_output="Paris")
    assert expect(201, api.score(run.id, "exact_match", config={"expected_output": None}))["value"] == 1.0


@pytest.mark.parametrize(
    ("scorer_name", "config", "nulls"),
    [
        ("exact_match", {}, ["case_sensitive", "strip_whitespace", "expected_output"]),
        ("contains", {}, ["case_sensitive", "expected_output"]),
        ("regex", {"pattern": "Paris"}, ["flags"]),
        ("choice", {"expected_output": "A"}, ["choices"]),
        ("json_match", {}, ["ignore", "tolerance", "partial"]),
    ],
)
def test_null_in_a_configuration_is_as_absent(api, scorer_name, config, nulls):
    """An optional field that is null counts as not given: the same score by the same rule, so with the same hash."""
    run = api.answer("Paris", expected_output="Paris")
    plain = expect(201, api.score(run.id, scorer_name, config=config))
    with_nulls = expect(201, api.score(run.id, scorer_name, config={**config, **dict.fromkeys(nulls)}))
    assert (with_nulls["value"], with_nulls["config_hash"]) == (plain["value"], plain["config_hash"])


def test_null_in_a_required_key_of_a_configuration_is_refused_as_missing(api):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "regex", config={"pattern": None}))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")
    assert [(error["field"], error["message"]) for error in refused.errors] == [
        ("config.pattern", "config.pattern is required")
    ]


def test_an_expected_output_of_null_on_the_item_is_as_absent(api):
    run = api.answer("Paris", expected_output=None)
    answer = api.score(run.id, "contains")
    assert (answer.status_code, answer.json()) == (200, None)


def test_a_span_is_scored_against_the_configurations_expected_output(api):
    api.trace(span("s", output="Paris"))
    made = expect(201, api.score("s", "exact_match", "span", config={"expected_output": "Paris"}))
    assert (made["value"], made["trace_id"]) == (1.0, "trace-1")


def test_a_span_without_an_output_is_not_scored(api):
    api.trace(span("s"))
    answer = api.score("s", "regex", "span", config={"pattern": "x"})
    assert (answer.status_code, answer.json()) == (200, None)
    assert api.scores("s", "span") == []


def test_what_was_not_scored_says_why(api):
    run = api.answer("Paris")
    api.score(run.id, "exact_match")
    (state,) = api.items("/scoring-states", target_id=run.id)
    assert (state["target_id"], state["target_type"]) == (run.id, "run")
    assert (state["scorer_name"], state["state"]) == ("exact_match", "absent")
    assert "expected" in state["reason"]


def test_a_run_that_ended_in_an_error_is_failed_for_every_built_in(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    run_id = api.run(experiment_id, dataset.item_ids[0], error={"message": "time out"})
    answer = api.score(run_id, "exact_match")
    assert (answer.status_code, answer.json()) == (200, None)
    (state,) = api.items("/scoring-states", target_id=run_id)
    assert (state["state"], bool(state["reason"])) == ("failed", True)


# --- values, fields, sources -----


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 1e-300, 0.1 + 0.2, "pass", " ", "0.5", "日本"])
def test_a_value_is_kept_as_it_was_sent(api, value):
    run = api.answer("x")
    expect(201, api.score(run.id, "quality", value=value))
    assert [score["value"] for score in api.scores(run.id)] == [value]


@pytest.mark.parametrize("value", [True, False, [], [0.5], {}, {"value": 1}, -1, 2, 1.0000001, 1e308, -1e-9])
def test_a_value_is_a_number_in_0_to_1_or_a_label(api, value):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "quality", value=value))
    assert refused.said == (400, "INVALID_SCORE_VALUE")
    assert [error["field"] for error in refused.errors] == ["value"]


@pytest.mark.parametrize("more", [{}, {"value": None}, {"scorer": "nobody"}])
def test_without_a_value_the_scorer_must_be_a_built_in(api, more):
    refused = api.refusal("POST", "/scores", of_run(api.answer("x"), "my_own", **more))
    assert refused.said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("missing", ["target_id", "target_type", "scorer_name"])
def test_a_score_names_its_target_and_its_scorer(api, missing):
    body = of_run(api.answer("x"), "quality", value=1)
    del body[missing]
    refused = api.refusal("POST", "/scores", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [missing]


def test_a_score_carries_all_its_fields(api):
    run = api.answer("x")
    sent = {"value": 0.5, "rationale": "half right", "metadata": {"cost": 0.01}}
    made = expect(201, api.score(run.id, "quality", **sent))
    assert set(made) >= SCORE_FIELDS
    assert {name: made[name] for name in sent} == sent
    assert (made["project_id"], made["target_id"], made["target_type"]) == (api.project, run.id, "run")
    assert made["trace_id"] is None


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        ({"value": 1}, "api"),
        ({"value": 1, "source": "human"}, "human"),
        ({"value": 1, "source": "builtin"}, "api"),
        ({"value": 1, "source": "judge"}, "api"),
        ({}, "builtin"),
        ({"source": "human"}, "builtin"),
    ],
)
def test_the_platform_says_where_a_score_comes_from(api, fields, source):
    run = api.answer("x", expected_output="x")
    assert expect(201, api.score(run.id, "exact_match", **fields))["source"] == source


def test_a_configuration_beside_a_value_is_stored_and_not_judged(api):
    run = api.answer("x")
    made = expect(201, api.score(run.id, "regex", value=0.5, config={"pattern": "[invalid", "mine": True}))
    assert made["config"] == {"pattern": "[invalid", "mine": True}


def test_the_same_configuration_has_the_same_hash_whatever_the_expected_output(api):
    run = api.answer("x", expected_output="x")
    plain = expect(201, api.score(run.id, "exact_match"))
    spelled = expect(201, api.score(run.id, "exact_match", config={"case_sensitive": True, "expected_output": "y"}))
    other = expect(201, api.score(run.id, "exact_match", config={"case_sensitive": False}))
    assert plain["config_hash"] == spelled["config_hash"] != other["config_hash"]
    assert len(plain["config_hash"]) == 16


@pytest.mark.parametrize(
    ("scorer_name", "value"),
    [("human", "pass"), ("human_review", 0.5), ("sme_eval", "relevant"), ("custom_toxicity_check", 0.1), ("own v2", 1)],
)
def test_people_and_functions_of_ones_own_score_runs_and_spans_under_any_name(api, scorer_name, value):
    """Whoever computed it, a score is posted to the same endpoint, under any name and without a configuration."""
    run = api.answer("x")
    api.trace(span("reviewed"))
    for target_id, target_type in ((run.id, "run"), ("reviewed", "span")):
        made = expect(201, api.score(target_id, scorer_name, target_type, value=value, rationale="read it"))
        assert (made["scorer_name"], made["value"], made["rationale"]) == (scorer_name, value, "read it")
        assert (made["config"], made["target_type"]) == (None, target_type)
        assert api.scores(target_id, target_type) == [made]


def test_a_human_score_is_listed_beside_a_built_ins(api):
    run = api.answer("Paris", expected_output="Paris")
    expect(201, api.score(run.id, "exact_match"))
    expect(201, api.score(run.id, "sme_eval", value="relevant", source="human"))
    assert [score["source"] for score in api.scores(run.id)] == ["human", "builtin"]


# --- three ways to attach -----


def test_a_score_is_the_same_thing_however_it_was_attached(api):
    sent = {"scorer_name": "quality", "value": 0.5, "rationale": "so so"}
    dataset = api.questions(1)
    inline = api.run(api.experiment(dataset.id), dataset.item_ids[0], scores=[sent])
    posted = api.run(api.experiment(dataset.id), dataset.item_ids[0])
    expect(201, api.score(posted, **sent))
    api.trace(span("s", scores=[sent]))
    (a,), (b,), (c,) = api.scores(inline), api.scores(posted), api.scores("s", "span")
    assert set(a) == set(b) == set(c)
    own = {"id", "created_at", "target_id", "target_type", "trace_id"}
    alike = [{name: made[name] for name in set(made) - own} for made in (a, b, c)]
    assert alike[0] == alike[1] == alike[2]


def test_built_ins_work_inline_in_runs_and_spans(api):
    dataset = api.dataset([{"input": "q", "expected_output": "Paris"}])
    run_id = api.run(api.experiment(dataset.id), dataset.item_ids[0], "Paris", scores=[{"scorer_name": "exact_match"}])
    api.trace(span("s", output="ABC-1", scores=[{"scorer_name": "regex", "config": {"pattern": r"\d"}}]))
    assert [(score["value"], score["source"]) for score in api.scores(run_id)] == [(1.0, "builtin")]
    assert [(score["value"], score["source"]) for score in api.scores("s", "span")] == [(1.0, "builtin")]


BAD_INLINE = [
    ({"scorer_name": "quality", "value": 1.5}, (400, "INVALID_SCORE_VALUE")),
    ({"scorer_name": "quality", "value": True}, (400, "INVALID_SCORE_VALUE")),
    ({"scorer_name": "quality", "value": ""}, (400, "INVALID_REQUEST")),
    ({"scorer_name": "my_own"}, (400, "INVALID_REQUEST")),
    ({"scorer_name": "regex", "config": {"pattern": "[invalid"}}, (400, "INVALID_SCORER_CONFIG")),
    ({"scorer_name": "llm_judge", "config": {}}, (400, "INVALID_SCORER_CONFIG")),
    ({"scorer_name": "llm_judge", "config": JUDGE}, (400, "INVALID_SCORER_CONFIG")),
]


@pytest.mark.parametrize(("score", "said"), BAD_INLINE)
def test_a_bad_score_in_a_run_refuses_the_batch(api, score, said):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    good, bad = dataset.item_ids
    runs = [
        {"dataset_item_id": good, "output": "x", "scores": [{"scorer_name": "quality", "value": 1}]},
        {"dataset_item_id": bad, "output": "x", "scores": [score]},
    ]
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
    assert refused.said == said
    if said[0] == 400:
        assert {error["index"] for error in refused.errors} == {1}


@pytest.mark.parametrize(("score", "said"), BAD_INLINE)
def test_a_bad_score_in_a_span_refuses_the_batch(api, score, said):
    api.trace(span("root"))
    spans = [span("a", parent_span_id="root"), span("b", parent_span_id="root", scores=[score])]
    refused = api.refusal("POST", "/traces/ingest", {"spans": spans})
    assert refused.said == said
    if said[0] == 400:
        assert {error["index"] for error in refused.errors} == {1}


# --- configuration outside of `config` -----

CONFIGURATION = {
    "expected_output": "Paris", "case_sensitive": False, "strip_whitespace": False, "pattern": "x", "flags": "i",
    "values": ["x"], "lowercase": False, "strip_punctuation": False, "choices": ["A", "B"], "ignore": ["a"],
    "tolerance": 0.1, "partial": True, "schema": {}, "abs_tol": 0.1, "rel_tol": 0.1, "extract": True,
    "expected": [{"name": "find"}], "mode": "exact", "args": "ignore", "model": "gpt-4o",
    "prompt_template": "{{input}}", "system_prompt": "x", "score_extraction": "label",
    "score_range": {"min": 0, "max": 10}, "labels": ["good"], "reading": "last_number", "temperature": 0.5,
    "samples": 3, "fence": False,
}  # fmt: skip


@pytest.mark.parametrize("key", sorted(CONFIGURATION))
def test_a_key_of_a_scorers_configuration_beside_it_is_refused_with_a_hint(api, key):
    """A known configuration key of a scorer outside `config` is 400 with a hint; dropped silently it would give another
    score than the caller asked for, or none."""
    run = api.answer("Paris", expected_output="paris")
    refused = api.refusal("POST", "/scores", of_run(run, "exact_match", **{key: CONFIGURATION[key]}))
    assert refused.said == (400, "INVALID_REQUEST")
    (error,) = refused.errors
    assert error["field"] == key
    assert f"move {key} there" in error["message"]
    assert "`config`" in error["message"]


def test_several_misplaced_keys_are_all_named(api):
    run = api.answer("Paris", expected_output="paris")
    body = of_run(run, "exact_match", case_sensitive=False, strip_whitespace=True)
    refused = api.refusal("POST", "/scores", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert "case_sensitive, strip_whitespace" in refused.message


def test_the_acceptance_lists_call_works_with_its_configuration_where_it_belongs(api):
    """An exact_match score submitted with case_sensitive=false, strip_whitespace=true on "Paris" and "paris" is 1."""
    run = api.answer("Paris", expected_output="paris")
    flat = {"case_sensitive": False, "strip_whitespace": True}
    assert api.refusal("POST", "/scores", of_run(run, "exact_match", **flat)).said == (400, "INVALID_REQUEST")
    assert expect(201, api.score(run.id, "exact_match", config=flat))["value"] == 1.0


def test_a_misplaced_key_is_refused_beside_a_value_too(api):
    """What was sent to explain a value would be lost; in `config` it is kept with the score."""
    run = api.answer("x")
    refused = api.refusal("POST", "/scores", of_run(run, "llm_judge", value=0.7, model="gpt-4o"))
    assert refused.said == (400, "INVALID_REQUEST")
    assert expect(201, api.score(run.id, "llm_judge", value=0.7, config={"model": "gpt-4o"}))["config"]


FLAT = {"scorer_name": "regex", "pattern": "x"}


def test_a_misplaced_key_refuses_its_batch_of_scores(api):
    run = api.answer("x")
    scores = [of_run(run, "quality", value=1), {**of_run(run, "regex"), "pattern": "x"}]
    refused = api.refusal("POST", "/scores/batch", {"scores": scores})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "pattern")]


def test_a_misplaced_key_inline_refuses_the_batch_of_runs(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    good = {"scorer_name": "exact_match"}
    runs = [{"dataset_item_id": item, "output": "x", "scores": [good]} for item in dataset.item_ids]
    runs[1]["scores"] = [good, FLAT]
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "scores[1].pattern")]


def test_a_misplaced_key_inline_refuses_the_batch_of_spans(api):
    api.trace(span("root"))
    spans = [span("a", parent_span_id="root"), span("b", parent_span_id="root", output="x", scores=[FLAT])]
    refused = api.refusal("POST", "/traces/ingest", {"spans": spans})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "scores[0].pattern")]


@pytest.mark.parametrize("dry_run", ["", "?dry_run=1"])
def test_a_misplaced_key_refuses_to_score_an_experiment_or_past_spans(api, dry_run):
    experiment_id = api.answer("x").experiment_id
    for path in (f"/experiments/{experiment_id}/score", "/traces/score"):
        refused = api.refusal("POST", path + dry_run, {"scorers": [{"scorer_name": "exact_match"}, FLAT]})
        assert refused.said == (400, "INVALID_REQUEST")
        assert [error["field"] for error in refused.errors] == ["scorers[1].pattern"]


def test_a_misplaced_key_refuses_a_rule(api):
    refused = api.refusal("POST", "/rules", {"name": "shouts", "scorer": FLAT})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["scorer.pattern"]
    assert api.items("/rules") == []


def test_null_beside_the_configuration_is_as_absent(api):
    run = api.answer("Paris", expected_output="Paris")
    assert expect(201, api.score(run.id, "exact_match", **dict.fromkeys(CONFIGURATION)))["value"] == 1.0


def test_all_other_unknown_fields_are_ignored(api):
    run = api.answer("Paris", expected_output="Paris")
    made = expect(201, api.score(run.id, "exact_match", surprise=1, threshold=0.5, Pattern="x", name="mine"))
    assert made["value"] == 1.0


def test_a_field_of_the_object_itself_is_never_taken_for_configuration(api):
    """A span has a model and a run's score a trace: what a request object may have is not refused for its name."""
    api.trace(span("s", "t", model="gpt-4o", metadata={"pattern": "x"}, output="x", scores=[{"scorer_name": "regex",
              "config": {"pattern": "x"}}]))  # fmt: skip
    made = expect(
        201, api.score("s", "quality", "span", trace_id="t", value=1, metadata={"model": "m"}, source="human")
    )
    assert (made["trace_id"], made["metadata"]) == ("t", {"model": "m"})
    rule = {"name": "r", "filter": {"model": "gpt-4o"}, "scorer": {"scorer_name": "regex", "config": {"pattern": "x"}}}
    api.make("/rules", rule)


# --- batches, lists, ambiguous spans -----


def test_a_batch_answers_one_id_each_and_null_where_nothing_was_scored(api):
    with_answer, without = api.answer("Paris", expected_output="Paris"), api.answer("Paris")
    scores = [
        of_run(with_answer, "exact_match"),
        of_run(without, "exact_match"),
        of_run(without, "tone", value="calm"),
    ]
    made = expect(201, api.post("/scores/batch", {"scores": scores}))
    assert made["score_ids"][1] is None
    assert api.scores(with_answer.id)[0]["id"] == made["score_ids"][0]
    assert [score["id"] for score in api.scores(without.id)] == [made["score_ids"][2]]
    assert made["job_ids"] == []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"value": 7}, (400, "INVALID_SCORE_VALUE")),
        ({"scorer_name": "my_own"}, (400, "INVALID_REQUEST")),
        ({"scorer_name": "regex", "config": {"pattern": "("}}, (400, "INVALID_SCORER_CONFIG")),
        ({"target_type": "dataset", "value": 1}, (400, "INVALID_REQUEST")),
        ({"target_id": "nowhere", "value": 1}, (404, "NOT_FOUND")),
    ],
)
def test_one_bad_score_refuses_its_whole_batch(api, bad, said):
    run = api.answer("x")
    scores = [of_run(run, "quality", value=1), of_run(run, "quality") | bad]
    refused = api.refusal("POST", "/scores/batch", {"scores": scores})
    assert refused.said == said
    assert {error["index"] for error in refused.errors} == {1}


def test_a_batch_has_1_to_1000_scores(api):
    run = api.answer("x")
    one = of_run(run, "quality", value=1)
    for body in ({"scores": []}, {"scores": [one] * 1001}, {}, {"scores": one}):
        assert api.refusal("POST", "/scores/batch", body).said == (400, "INVALID_REQUEST")
    assert expect(201, api.post("/scores/batch", {"scores": [one] * 1000}))["accepted"] == 1000
    assert len(api.scores(run.id)) == 1000


def test_scores_are_listed_by_scorer(api):
    run = api.answer("x")
    for scorer_name in ("tone", "grammar", "tone"):
        expect(201, api.score(run.id, scorer_name, value=1))
    assert [score["scorer_name"] for score in api.scores(run.id, scorer_name="tone")] == ["tone", "tone"]


@pytest.mark.parametrize("query", [{}, {"target_type": "run"}, {"target_id": "x", "target_type": "x"}])
def test_a_list_of_scores_needs_a_target(api, query):
    assert api.refusal("GET", "/scores", params=query).said == (400, "INVALID_REQUEST")


def test_a_targets_id_alone_lists_its_scores(api):
    """A score on span-A is returned when scores are listed for target_id="span-A", without saying that it is a span."""
    api.trace(span("span-A"))
    made = expect(201, api.score("span-A", "relevance", "span", value=0.5))
    assert api.items("/scores", target_id="span-A") == [made]
    run = api.answer("x")
    of_the_run = expect(201, api.score(run.id, "quality", value=1))
    assert api.items("/scores", target_id=run.id) == [of_the_run]
    assert api.items("/scores", target_id="nowhere") == []


def test_an_id_alone_lists_whatever_has_it(api):
    """Without target_type the scores of everything with that id are listed, newest first and page by page."""
    run = api.answer("x")
    api.trace(span(run.id))
    first, second = api.score(run.id, "quality", value=0.1), api.score(run.id, "quality", "span", value=0.2)
    third = api.score(run.id, "tone", value="calm")
    newest_first = [expect(201, made) for made in (third, second, first)]
    assert api.items("/scores", target_id=run.id, limit=1) == newest_first
    assert api.items("/scores", target_id=run.id, scorer_name="quality") == newest_first[1:]
    assert api.items("/scores", target_id=run.id, target_type="span") == [newest_first[1]]
    assert api.items("/scores", target_id=run.id, trace_id="trace-1") == [newest_first[1]]


def test_an_id_alone_shows_no_other_projects_scores(api, stranger):
    run = api.answer("x")
    expect(201, api.score(run.id, "quality", value=1))
    assert stranger.items("/scores", target_id=run.id) == []


def test_a_cursor_without_a_target_type_is_not_one_with_it(api):
    run = api.answer("x")
    for value in (0, 1):
        expect(201, api.score(run.id, "quality", value=value))
    cursor = api.read("/scores", target_id=run.id, limit=1)["next_cursor"]
    query = {"target_id": run.id, "target_type": "run", "limit": 1, "cursor": cursor}
    assert api.refusal("GET", "/scores", params=query).said == (400, "INVALID_REQUEST")


def test_a_span_id_in_two_traces_needs_its_trace(api):
    api.trace(span("s", "one"))
    api.trace(span("s", "two"))
    body = {"target_id": "s", "target_type": "span", "scorer_name": "quality", "value": 1}
    assert api.refusal("POST", "/scores", body).said == (409, "AMBIGUOUS_TARGET")
    assert expect(201, api.post("/scores", {**body, "trace_id": "two"}))["trace_id"] == "two"
    assert [score["trace_id"] for score in api.scores("s", "span", trace_id="two")] == ["two"]
    assert api.scores("s", "span", trace_id="one") == []


def test_a_span_that_two_projects_hold_needs_its_project(api, stranger, root):
    trace = secrets.token_hex(16)
    for holder in (api, stranger):
        holder.trace(span("s", trace))
    body = {"target_id": "s", "target_type": "span", "scorer_name": "quality", "value": 1, "trace_id": trace}
    refusal = api.refusal("POST", "/scores", body, by=root)
    assert refusal.said == (409, "AMBIGUOUS_TARGET")
    assert "project_id" in refusal.message
    made = expect(201, root.post("/scores", {**body, "project_id": api.project}))
    assert made["project_id"] == api.project
    assert api.refusal("POST", "/scores", {**body, "project_id": stranger.project}).said == (404, "NOT_FOUND")
    assert stranger.scores("s", "span", trace_id=trace) == []


def test_a_span_is_not_found_in_a_trace_that_does_not_hold_it(api):
    api.trace(span("s", "one"))
    body = {"target_id": "s", "target_type": "span", "scorer_name": "quality", "value": 1, "trace_id": "two"}
    assert api.refusal("POST", "/scores", body).said == (404, "NOT_FOUND")


def of_run(run, scorer_name, **fields):
    return {"target_id": run.id, "target_type": "run", "scorer_name": scorer_name, **fields}
