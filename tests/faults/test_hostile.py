"""Input that is made to hurt: it is stored and shown as it is, or refused, and it ends in bounded time."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from contract.caller import Api, Refusal, fresh_project, span
from faults.victim import Victim

BOUNDED = 600.0
"""Seconds. What backtracks or unrolls would take years, or all memory; a busy machine takes seconds."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory, new_postgresql) -> Iterator[Victim]:
    home = tmp_path_factory.mktemp("hostile")
    url = new_postgresql() if request.param == "postgresql" else f"sqlite:///{home}/gnomon.db"
    server = Victim(url, home).start()
    yield server
    server.clear_away()


@pytest.fixture
def api(server: Victim) -> Iterator[Api]:
    with server.api() as api:
        yield replace(api, project=fresh_project()).with_key("admin")


@pytest.fixture
def in_time() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < BOUNDED


BOMBS = {
    "nested repetition": ("(a+)+$", "a" * 100_000 + "!"),
    "alternatives that overlap": ("(a|aa)+$", "a" * 100_000 + "!"),
    "many optional parts": ("a?" * 1000 + "a" * 1000, "a" * 1000),
    "wide classes twice": (r"(\w*)*\d(\w*)*$", "word" * 25_000),
    "an e-mail address of evil": (r"^([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+.)+([a-zA-Z0-9]{2,4})+$", "a@" + "a." * 50_000),
}


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_pattern_that_explodes_elsewhere_is_just_a_pattern_here(api, bomb):
    pattern, output = BOMBS[bomb]
    answer = api.score(api.answer(output).id, "regex", config={"pattern": pattern})
    assert answer.status_code in (201, 400)
    if answer.status_code == 400:
        assert Refusal.of(answer).said == (400, "INVALID_SCORER_CONFIG")


@pytest.mark.usefixtures("in_time")
def test_a_pattern_that_unrolls_into_gigabytes_is_refused(api):
    answer = api.score(api.answer("x").id, "regex", config={"pattern": "((((x{1000}){1000}){1000}){1000})"})
    assert Refusal.of(answer).said == (400, "INVALID_SCORER_CONFIG")


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("scorer", ["exact_match", "contains", "similarity", "f1"])
def test_long_texts_are_compared_or_the_scorer_says_why_not(api, scorer):
    run = api.answer("ab" * 500_000, expected_output="ba" * 500_000)
    answer = api.score(run.id, scorer)
    assert answer.status_code in (200, 201)


@pytest.mark.usefixtures("in_time")
def test_a_body_of_brackets_is_refused(api):
    for brackets in ("[" * 1_000_000, '{"a":' * 200_000, "[" * 500 + "]" * 500):
        answer = api.call("POST", "/datasets", content=brackets, headers={"Content-Type": "application/json"})
        assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


@pytest.mark.usefixtures("in_time")
def test_numbers_that_no_machine_holds_are_refused(api):
    for number in ("1" * 400_000, "-" + "9" * 5000, "1e999999"):
        body = f'{{"name": "d", "metadata": {number}}}'
        answer = api.call("POST", "/datasets", content=body, headers={"Content-Type": "application/json"})
        assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


NASTY = [
    "'; DROP TABLE scores; --",
    '" OR ""="',
    "%s %(id)s :id ? $1 {} \\",
    "\\N",
    "\\.",
    "tab\tnew\nline\rreturn\x0bvertical\x1bescape\x7fdelete",
    "\u202eright to left\u2066 isolate",
    "zalgo h\u0338\u0321e\u0337l\u0335p",
    "👩‍👩‍👧‍👦 𝕬𝖉𝖆 \U0010ffff",
    "<script>alert(1)</script><!--",
    "../../../../etc/passwd",
    "null", "NaN", "true", "0x1", "１２３",
    " " * 1000,
]  # fmt: skip


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_a_nasty_text_comes_back_as_it_went_in(api, text):
    """As input, output, key, label, name of a scorer: through a statement, a bulk insert and a filter."""
    dataset = api.dataset([{"input": text, "expected_output": {text: [text]}}])
    experiment = api.experiment(dataset.id)
    name = text if text.strip() and len(text) <= 256 else "plain"
    scores = [{"scorer_name": name, "value": text, "rationale": text, "metadata": {text: text}}]
    run = api.run(experiment, dataset.item_ids[0], output={text: text}, scores=scores)
    (shown,) = api.items(f"/experiments/{experiment}/runs")
    assert (shown["id"], shown["input"], shown["output"]) == (run, text, {text: text})
    assert shown["expected_output"] == {text: [text]}
    (score,) = api.scores(run, scorer_name=name)
    assert (score["value"], score["rationale"], score["metadata"]) == (text, text, {text: text})
    summary = api.read(f"/experiments/{experiment}/summary")["scores_by_scorer"]
    assert summary[name]["distribution"] == {text: 1}


def test_a_span_may_say_anything(api):
    spans = [
        span(f"s{n}", input=text, output={text: [text]}, model=text, parent_span_id="s0" if n else None)
        for n, text in enumerate(NASTY)
    ]
    stored = api.read(f"/traces/{api.trace(*spans)}")["spans"]
    assert {one["id"]: one["input"] for one in stored} == {f"s{number}": text for number, text in enumerate(NASTY)}
    assert [one["output"] for one in stored] == [{one["input"]: [one["input"]]} for one in stored]


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\udfff\\ud800"])
def test_what_no_database_keeps_is_refused_everywhere(api, escape):
    bodies = {
        "/datasets": f'{{"name": "a{escape}b"}}',
        "/traces/ingest": f'{{"spans": [{{**, "input": {{"k": ["a{escape}"]}}}}]}}'.replace("**", _a_span()),
        "/annotations": f'{{"trace_id": "t", "annotator": "a{escape}", "label": "x"}}',
    }
    for path, body in bodies.items():
        answer = api.call("POST", path, content=body, headers={"Content-Type": "application/json"})
        assert Refusal.of(answer).said == (400, "INVALID_REQUEST"), (path, answer.text)
    assert api.ids("/traces") == []


def _a_span() -> str:
    return json.dumps(span())[1:-1]


def test_ids_in_paths_are_only_ids(api):
    assert Refusal.of(api.get("/experiments/%00")).said == (400, "INVALID_REQUEST")
    for id in ("'; DROP TABLE runs; --", "..%2f..%2fetc", "%F0%9F%92%A9", "a" * 5000):
        assert Refusal.of(api.get(f"/experiments/{id}")).said == (404, "NOT_FOUND")
