"""Many callers at once: what may happen once happens once, and every other caller is told so."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from contract.caller import Refusal, expect, span

CALLERS = 8


@pytest.fixture
def at_once():
    """Runs each call in a thread of its own and gives the answers in order."""
    with ThreadPoolExecutor(CALLERS) as threads:
        yield lambda calls: [pending.result() for pending in [threads.submit(call) for call in calls]]


def outcomes(answers):
    """How many were made, and how many refused with which code."""
    return Counter("made" if answer.is_success else Refusal.of(answer).said for answer in answers)


def test_the_same_run_from_many_callers_is_stored_once(api, at_once):
    dataset = api.questions(40)
    path = f"/experiments/{api.experiment(dataset.id)}/runs"

    def submit_all(caller):
        runs = [{"dataset_item_id": item_id, "output": f"caller {caller}"} for item_id in dataset.item_ids]
        return [api.post(path, {"runs": [run]}) for run in runs]

    answers = at_once([lambda caller=caller: submit_all(caller) for caller in range(CALLERS)])
    told = outcomes(answer for of_caller in answers for answer in of_caller)
    assert told == {"made": 40, (409, "DUPLICATE_RUN"): 40 * (CALLERS - 1)}
    made = [answer.json()["run_ids"][0] for of_caller in answers for answer in of_caller if answer.is_success]
    stored = api.items(path)
    assert sorted(run["id"] for run in stored) == sorted(made)
    assert sorted(run["dataset_item_id"] for run in stored) == sorted(dataset.item_ids)


def test_the_same_batch_from_many_callers_is_stored_once(api, at_once):
    dataset = api.questions(40)
    path = f"/experiments/{api.experiment(dataset.id)}/runs"
    # Half of the callers send the batch the other way round: locks taken in row order would then deadlock.
    orders = [dataset.item_ids, dataset.item_ids[::-1]]
    bodies = [
        {"runs": [{"dataset_item_id": item_id, "output": f"caller {n}"} for item_id in orders[n % 2]]}
        for n in range(CALLERS)
    ]
    answers = at_once([lambda body=body: api.post(path, body) for body in bodies])
    assert outcomes(answers) == {"made": 1, (409, "DUPLICATE_RUN"): CALLERS - 1}
    assert len({run["output"] for run in api.items(path)}) == 1
    assert len(api.items(path)) == 40


def test_of_many_who_want_to_hold_an_experiment_one_does(api, at_once):
    path = f"/experiments/{api.experiment(api.questions(1).id)}/hold"
    bodies = [{"holder": f"process {n}", "seconds": 300} for n in range(CALLERS)]
    answers = at_once([lambda body=body: api.post(path, body) for body in bodies])
    assert outcomes(answers) == {"made": 1, (409, "HELD"): CALLERS - 1}


def test_overlapping_batches_are_stored_whole_or_not_at_all(api, at_once):
    dataset = api.questions(CALLERS + 1)
    path = f"/experiments/{api.experiment(dataset.id)}/runs"
    pairs = [dataset.item_ids[n : n + 2] for n in range(CALLERS)]
    bodies = [{"runs": [{"dataset_item_id": item_id, "output": n} for item_id in pair]} for n, pair in enumerate(pairs)]
    answers = at_once([lambda body=body: api.post(path, body) for body in bodies])
    made = [n for n, answer in enumerate(answers) if answer.is_success]
    assert set(outcomes(answers)) <= {"made", (409, "DUPLICATE_RUN")}
    assert Counter(run["output"] for run in api.items(path)) == dict.fromkeys(made, 2)


def test_a_failed_run_that_many_replace_at_once_is_replaced_by_one(api, at_once):
    dataset = api.questions(20)
    experiment_id = api.experiment(dataset.id)
    path = f"/experiments/{experiment_id}/runs"
    broken = [{"dataset_item_id": item_id, "error": {"message": "broke"}} for item_id in dataset.item_ids]
    ids = api.make(path, {"runs": broken})["run_ids"]
    orders = [dataset.item_ids, dataset.item_ids[::-1]]
    bodies = [
        {"runs": [{"dataset_item_id": item, "output": n} for item in orders[n % 2]], "replace_failed": True}
        for n in range(CALLERS)
    ]
    answers = at_once([lambda body=body: api.post(path, body) for body in bodies])
    assert outcomes(answers) == {"made": 1, (409, "DUPLICATE_RUN"): CALLERS - 1}
    stored = api.items(path)
    assert sorted(run["id"] for run in stored) == sorted(ids)
    assert len({run["output"] for run in stored}) == 1
    assert {run["attempts"] for run in stored} == {2}
    told = api.read(f"/experiments/{experiment_id}/summary")
    assert (told["run_count"], told["failed_run_count"]) == (20, 0)


def test_a_run_that_fails_for_many_at_once_counts_every_attempt(api, at_once):
    dataset = api.questions(1)
    path = f"/experiments/{api.experiment(dataset.id)}/runs"
    broken = {"runs": [{"dataset_item_id": dataset.item_ids[0], "error": {"message": "broke"}}]}
    api.make(path, broken)
    answers = at_once([lambda: api.post(path, {**broken, "replace_failed": True})] * CALLERS)
    assert outcomes(answers) == {"made": CALLERS}
    assert [run["attempts"] for run in api.items(path)] == [CALLERS + 1]


def test_scores_that_are_computed_while_a_run_is_replaced_are_of_its_new_output_or_gone(api, at_once):
    dataset = api.questions(20)
    experiment_id = api.experiment(dataset.id)
    path = f"/experiments/{experiment_id}/runs"
    broken = [{"dataset_item_id": item_id, "error": {"message": "broke"}} for item_id in dataset.item_ids]
    ids = api.make(path, {"runs": broken})["run_ids"]
    good = [{"dataset_item_id": item, "output": f"a{n}"} for n, item in enumerate(dataset.item_ids)]
    computed = [{"target_id": id, "target_type": "run", "scorer_name": "exact_match"} for id in ids]
    calls = [lambda run=run: api.post(path, {"runs": [run], "replace_failed": True}) for run in good]
    calls += [lambda batch=batch: api.post("/scores/batch", {"scores": batch}) for batch in (computed, computed[::-1])]
    assert set(outcomes(at_once(calls[::2] + calls[1::2]))) == {"made"}
    for run in api.items(path):
        assert {score["value"] for score in run["scores"]} <= {1.0}
    assert api.items("/scoring-states", experiment_id=experiment_id) == []


def test_the_same_idempotency_key_from_many_callers_has_one_effect_and_one_answer(api, at_once):
    path = f"/datasets/{api.dataset().id}/items"
    answers = at_once([lambda: api.post(path, {"input": "q"}, idempotency_key="once")] * CALLERS)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert api.ids(path) == [answers[0].json()["id"]]


def test_two_roots_of_one_trace_at_once_leave_one(api, at_once):
    for trace_id in (f"t{n}" for n in range(10)):
        spans = [span(root, trace_id) for root in ("left", "right")]
        answers = at_once([lambda one=one: api.post("/traces/ingest", {"spans": [one]}) for one in spans])
        assert outcomes(answers) == {"made": 1, (400, "INVALID_SPAN"): 1}
        (kept,) = api.read(f"/traces/{trace_id}")["spans"]
        assert kept["id"] == ("left" if answers[0].is_success else "right")


def test_a_circle_that_closes_from_two_sides_at_once_stays_open(api, at_once):
    for trace_id in (f"t{n}" for n in range(10)):
        left, right = f"{trace_id}-left", f"{trace_id}-right"
        halves = [
            span(left, trace_id, parent_span_id=right),
            span(right, trace_id, parent_span_id=left),
        ]
        answers = at_once([lambda half=half: api.post("/traces/ingest", {"spans": [half]}) for half in halves])
        assert outcomes(answers) == {"made": 1, (400, "CIRCULAR_SPAN_REFERENCE"): 1}


def test_the_same_span_from_many_callers_is_stored_once(api, at_once):
    body = {"spans": [span(), span("b", parent_span_id="root")]}
    answers = at_once([lambda: api.post("/traces/ingest", body)] * CALLERS)
    assert outcomes(answers) == {"made": 1, (409, "DUPLICATE_SPAN"): CALLERS - 1}
    assert api.read("/traces/trace-1")["span_count"] == 2


def test_spans_of_one_trace_from_many_callers_are_all_counted(api, at_once):
    api.trace(span())
    bodies = [{"spans": [span(f"s{n}", parent_span_id="root", tokens_input=1)]} for n in range(40)]
    assert outcomes(at_once([lambda body=body: api.post("/traces/ingest", body) for body in bodies])) == {"made": 40}
    (row,) = api.items("/traces")
    assert (row["span_count"], row["tokens"]) == (41, 40)


def test_the_same_dataset_name_from_many_callers_is_taken_once(api, at_once):
    answers = at_once([lambda: api.post("/datasets", {"name": "capitals"})] * CALLERS)
    assert outcomes(answers) == {"made": 1, (409, "CONFLICT"): CALLERS - 1}


def test_every_item_added_at_once_makes_a_version_of_its_own(api, at_once):
    dataset = api.dataset()
    answers = at_once([lambda: api.post(f"/datasets/{dataset.id}/items", {"input": "q"})] * 40)
    assert outcomes(answers) == {"made": 40}
    told = api.read(f"/datasets/{dataset.id}")
    assert (told["version"], told["item_count"]) == (41, 40)
    sizes = [len(api.items(f"/datasets/{dataset.id}/items", version=version)) for version in range(1, 42)]
    assert sizes == list(range(41))


def test_the_last_runs_at_once_complete_the_experiment(api, at_once):
    dataset = api.questions(CALLERS)
    experiment_id = api.experiment(dataset.id, auto_complete=True)
    path = f"/experiments/{experiment_id}/runs"
    runs = [{"runs": [{"dataset_item_id": item_id, "output": "x"}]} for item_id in dataset.item_ids]
    assert outcomes(at_once([lambda run=run: api.post(path, run) for run in runs])) == {"made": CALLERS}
    assert api.read(f"/experiments/{experiment_id}")["status"] == "completed"


def test_an_experiment_is_completed_by_one_of_many(api, at_once):
    experiment_id = api.experiment(api.dataset().id)
    answers = at_once([lambda: api.post(f"/experiments/{experiment_id}/complete")] * CALLERS)
    assert outcomes(answers) == {"made": 1, (422, "EXPERIMENT_COMPLETED"): CALLERS - 1}


def test_the_first_writes_of_a_project_at_once_make_one_project(root, at_once):
    bodies = [{"project_id": root.project, "name": f"d{n}"} for n in range(CALLERS)]
    assert outcomes(at_once([lambda body=body: root.post("/datasets", body) for body in bodies])) == {"made": CALLERS}
    assert root.ids("/projects").count(root.project) == 1


def test_queueing_at_once_keeps_one_moment(api, at_once):
    trace_id = api.trace()
    answers = at_once([lambda: api.post(f"/traces/{trace_id}/queue")] * CALLERS)
    assert len({expect(200, answer)["queued_at"] for answer in answers}) == 1
    assert len(api.items("/queue")) == 1


def test_two_scoring_jobs_at_once_score_every_run_once(api, at_once):
    dataset = api.questions(20)
    experiment_id = api.experiment(dataset.id)
    runs = [{"dataset_item_id": item_id, "output": "x"} for item_id in dataset.item_ids]
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    wanted = {"scorers": [{"scorer_name": "exact_match"}]}
    answers = at_once([lambda: api.post(f"/experiments/{experiment_id}/score", wanted)] * 2)
    for answer in answers:
        assert api.finished(expect(202, answer)["job_id"])["status"] == "done"
    assert {len(run["scores"]) for run in api.items(f"/experiments/{experiment_id}/runs")} == {1}
