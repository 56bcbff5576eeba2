"""Jobs over HTTP: watched, cancelled, retried."""

from contract.caller import expect


def scored(api) -> str:
    """A job over an experiment with two runs, when it is done."""
    experiment = api.measured(api.questions(2), [0.5, 0.5])
    asked = {"scorers": [{"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}]}
    job_id = expect(202, api.post(f"/experiments/{experiment}/score", asked))["job_id"]
    return api.finished(job_id)["id"]


def test_a_finished_job_can_neither_be_cancelled_nor_retried(api):
    job = scored(api)
    assert expect(422, api.post(f"/jobs/{job}/cancel", {}))["error"]["code"] == "JOB_NOT_CANCELLABLE"
    assert expect(422, api.post(f"/jobs/{job}/retry", {}))["error"]["code"] == "JOB_NOT_RETRYABLE"
    assert api.read(f"/jobs/{job}")["status"] == "done"


def test_jobs_are_listed_by_status(api):
    job = scored(api)
    assert api.ids("/jobs", status="done") == [job]
    assert api.items("/jobs") == [api.read(f"/jobs/{job}")]
    assert api.ids("/jobs", status="failed") == []
    assert expect(400, api.get("/jobs?status=sleeping"))["error"]["code"] == "INVALID_REQUEST"


def test_a_done_job_tells_what_became_of_its_pieces(api):
    job = scored(api)
    told = api.read(f"/jobs/{job}")
    assert (told["total"], told["counts"], told["reason"]) == (2, {"scored": 2, "skipped": 0}, None)


def test_a_misspelt_scorer_is_named_at_once_and_makes_no_job(api):
    """Where only built-in scorers can run, the caller is told which was meant, not to send a value."""
    experiment = api.measured(api.questions(1), [0.5])
    fine = {"scorer_name": "contains"}
    for typo, field in (
        ({"scorer_name": "exact_mach"}, "scorers[1].scorer_name"),
        ({"scorer_name": "mine", "scorer": "exact_mach"}, "scorers[1].scorer"),
    ):
        for path in (f"/experiments/{experiment}/score", f"/experiments/{experiment}/score?dry_run=true"):
            error = expect(400, api.post(path, {"scorers": [fine, typo]}))["error"]
            assert error["message"] == "'exact_mach' is not a built-in scorer; did you mean 'exact_match'?"
            assert (error["code"], error["details"]["errors"][0]["field"]) == ("INVALID_REQUEST", field)
    rule = {"name": "r", "scorer": {"scorer_name": "exact_mach"}, "match": {}}
    error = expect(400, api.post("/rules", rule))["error"]
    assert "did you mean 'exact_match'?" in error["message"]
    assert api.ids("/jobs") == []
