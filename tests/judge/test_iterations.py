"""A judge scores an iteration of a coding agent: a job like any other, about what was claimed and what was found."""

from typing import Any

from contract.caller import Api, Refusal, expect
from contract.test_outcomes import claim, iteration, push
from judge.conftest import Model, judge, opinion, rubric


def pushed(api: Api, *iterations: dict[str, Any]) -> list[str]:
    """The ids of these iterations, by number."""
    push(api, *iterations)
    return [row["id"] for row in reversed(api.items("/iterations"))]


def judged(api: Api, id: str, scorer: dict[str, Any]) -> dict[str, Any]:
    """The job that scores this iteration, once it has ended."""
    accepted = expect(202, api.post("/scores", {"target_id": id, "target_type": "iteration", **scorer}))
    return api.finished(accepted["job_id"])


def by_people_and_judges(api: Api, id: str) -> dict[str, Any]:
    """Scorer name → value, without the scores that the iteration has by itself."""
    scores = api.scores(id, "iteration")
    return {score["scorer_name"]: score["value"] for score in scores if score["scorer"] != "outcome"}


def test_a_judge_is_asked_about_claims_and_findings_and_its_answer_is_a_score_of_the_iteration(api: Api, model: Model):
    model.script = lambda asked: "7, because the claim about the tests does not hold."
    (id,) = pushed(api, iteration(3, 0.75, task_id="refunds", agent="codex", integrity=[claim(1, 0.5)]))
    job = judged(api, id, judge(score_range={"min": 0, "max": 10}))
    assert (job["status"], job["attempts"], job["reason"]) == ("done", 1, None)
    assert (job["target_type"], job["target_id"]) == ("iteration", id)
    (score,) = [score for score in api.scores(id, "iteration") if score["source"] == "judge"]
    assert (score["id"], score["value"], score["scorer_name"]) == (job["score_id"], 0.7, "llm_judge")
    assert (score["target_type"], score["target_id"], score["trace_id"]) == ("iteration", id, None)
    assert score["rationale"] == "7, because the claim about the tests does not hold."
    (prompt,) = model.prompts()
    question, found = prompt.split("\nAnswer: ")
    assert all(text in question for text in ("refunds", "codex", '"claims"', '"tests"'))
    assert all(text in found for text in ('"landed"', "0.75", '"scope"', '"absent"'))


def test_a_judges_score_stays_when_the_iteration_is_pushed_again_and_the_next_job_sees_the_new_one(
    api: Api, model: Model
):
    model.script = lambda asked: "1" if '"value": 0.75' in asked.prompt.replace('":', '": ').replace("  ", " ") else "0"
    (id,) = pushed(api, iteration(1, 0.75))
    first = judged(api, id, judge())
    push(api, iteration(1, 0.25))
    second = judged(api, id, judge())
    assert (first["status"], second["status"], model.calls) == ("done", "done", 2)
    values = [score["value"] for score in api.scores(id, "iteration") if score["source"] == "judge"]
    assert sorted(values) == [0, 1]


def test_an_iteration_without_evidence_can_be_judged_too(api: Api, model: Model):
    (id,) = pushed(api, iteration(1, None))
    assert judged(api, id, judge())["status"] == "done"
    assert by_people_and_judges(api, id) == {"llm_judge": 1}


def test_an_answer_that_cannot_be_read_is_a_failed_state_of_the_iteration(api: Api, model: Model):
    model.script = lambda asked: "I would rather not say."
    (id,) = pushed(api, iteration(1, 0.5))
    job = judged(api, id, judge())
    assert (job["status"], job["reason"].partition(":")[0]) == ("failed", "unparsable")
    (state,) = [row for row in api.items("/scoring-states", target_id=id) if row["scorer_name"] == "llm_judge"]
    assert (state["target_type"], state["state"], state["job_id"]) == ("iteration", "failed", job["id"])
    assert by_people_and_judges(api, id) == {}


def test_a_rubric_writes_the_overall_score_and_one_per_dimension(api: Api, model: Model):
    model.script = lambda asked: opinion(truth=8, tone=6, overall=7)
    (id,) = pushed(api, iteration(1, 0.5))
    job = judged(api, id, rubric("review"))
    assert job["status"] == "done", job
    assert by_people_and_judges(api, id) == {"review": 0.7, "review.truth": 0.8, "review.tone": 0.6}


def test_judged_iterations_have_a_card_by_session_and_calibrate_against_people(api: Api, model: Model):
    """The report card and the agreement with people work on iterations as on runs; a session is what varies."""
    model.script = lambda asked: "1" if "good work" in asked.prompt else "0"
    fields = [{"task_id": "good work" if n % 2 else "a mess", "session_id": f"s{n // 2}", "model": "openai/gpt-4o"}
              for n in range(4)]  # fmt: skip
    ids = pushed(api, *(iteration(n, 0.5, **more) for n, more in enumerate(fields)))
    drafts = [{"target_id": id, "target_type": "iteration", **judge()} for id in ids]
    jobs = api.make("/scores/batch", {"scores": drafts})["job_ids"]
    assert [api.finished(job)["status"] for job in jobs] == ["done"] * 4
    people = [{"target_id": id, "target_type": "iteration", "scorer_name": "human_label", "value": n % 2,
               "source": "human"} for n, id in enumerate(ids)]  # fmt: skip
    api.make("/scores/batch", {"scores": people})
    card = api.read("/judges/llm_judge/card", human="human_label")
    assert (card["mean"]["value"], card["mean"]["n"], card["families"]) == (0.5, 4, {"openai": 4})
    assert (card["people"]["n_labelled"], card["people"]["accuracy"]["value"]) == (4, 1.0)
    agreement = api.read("/calibration", judge="llm_judge", human="human_label")
    assert agreement["accuracy"]["value"] == 1.0
    assert "repeated_items" in agreement["flags"], "iterations of one session are not independent"


def test_a_judge_of_an_iteration_that_is_not_there_is_refused_and_nothing_is_asked(api: Api, model: Model):
    refusal = Refusal.of(api.post("/scores", {"target_id": "nobody", "target_type": "iteration", **judge()}))
    assert refusal.said == (404, "NOT_FOUND")
    assert model.calls == 0
