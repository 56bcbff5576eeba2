"""What a scoring by a judge would take: calls, tokens and money, with nothing stored and nobody asked.

And the job itself, where a worker dies in the middle of it.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm.prices import Tokens, price_of
from gnomon.model.access import Principal
from gnomon.model.budget import BudgetDraft, ScoringPreview
from gnomon.model.moment import from_ms
from gnomon.model.prices import ModelPriceDraft, PricesDraft
from gnomon.model.rule import ScoreSpansDraft
from gnomon.model.trace import SpanDraft
from gnomon.scorers import Sample
from gnomon.scorers.judge import LlmJudge
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs.jobs import MOST_TOGETHER, Worker
from gnomon.service.jobs.jobs import _LeaseLost as LeaseLost
from gnomon.service.judges import budgets, prices
from gnomon.service.scoring import preview, spanjobs
from gnomon.service.scoring.preview import MOST_RENDERED, EvenSample
from gnomon.service.traces import ingest
from gnomon.store import jobs, models, scores
from gnomon.store.engine import Store
from gnomon.store.pages import Slice
from gnomon.store.rows import ModelAnswerRow

TEMPLATE = "Question: {{input}} Answer: {{output}}"
NOW = 1_770_000_000_000


class StoppedClock(Clock):
    """A time that only moves when it is told to."""

    ms = NOW

    def now_ms(self) -> int:
        return self.ms


def call(db: Any, clock: Clock | None = None) -> Call:
    return Call(db, Principal("me", "admin"), clock or StoppedClock())


def judge(**config: Any) -> dict[str, Any]:
    config = {"model": "gpt-4o-mini", "prompt_template": TEMPLATE, "fence": False, **config}
    return {"scorer_name": "quality", "scorer": "llm_judge", "config": config}


def fill(store: Store, count: int, start: int = 0, **fields: Any) -> None:
    drafts = {
        n: SpanDraft.model_validate(
            {
                "id": f"s{start + n}",
                "trace_id": f"t{start + n}",
                "name": "step",
                "input": "q" * 40,
                "output": "a" * 40,
                "start_time": "2026-02-21T22:00:00Z",
                **fields,
            }
        )
        for n in range(count)
    }
    store.write(lambda db: ingest.ingest(call(db), "p", drafts))


def previewed(store: Store, *scorers: dict[str, Any], **fields: Any) -> ScoringPreview:
    draft = ScoreSpansDraft.model_validate({"project_id": "p", "scorers": list(scorers) or [judge()], **fields})
    return store.read(lambda db: preview.of_spans(call(db), draft))


def remember(store: Store, number: int, *, key: str | None = None, cost: float | None = 0.002, vote: int = 0) -> None:
    """An answer that was given before."""
    row = ModelAnswerRow(
        cache_key=key or f"k{number}-{vote}", project_id="p", model="gpt-4o-mini", answer="1", tokens_input=90,
        tokens_output=10, cost_usd=cost, created_at=from_ms(NOW),
    )  # fmt: skip
    store.write(lambda db: models.keep_answers(db, [row]))


def key_of_the_prompt(vote: int = 0, **config: Any) -> str:
    asked = LlmJudge.model_validate(judge(**config)["config"])
    prompt = asked.render(Sample("q" * 40, "a" * 40), "")
    return f"p:{asked.cache_key(prompt, vote)}"  # type: ignore[arg-type]


def test_tokens_are_a_fourth_of_the_characters_and_prices_those_of_the_list(store):
    fill(store, 3)
    told = previewed(store)
    (one,) = told.by_scorer
    characters = len(TEMPLATE) - len("{{input}}{{output}}") + 80
    assert (told.targets, one.to_score, one.calls, one.cached, one.model) == (3, 3, 3, 0, "gpt-4o-mini")
    assert one.tokens_input_estimate == 3 * -(-characters // 4)
    assert one.tokens_output_estimate == 3 * 150
    assert one.estimate_from == "price list"
    listed = price_of("gpt-4o-mini")
    assert listed is not None
    assert one.cost_usd_estimate == pytest.approx(listed.cost(Tokens(one.tokens_input_estimate, 450)))
    assert told.cost_usd_estimate == one.cost_usd_estimate
    assert any("150 output tokens" in note for note in told.notes)


def test_a_project_with_a_price_of_its_own_is_told_what_that_makes(store):
    fill(store, 3)
    own = ModelPriceDraft(model="gpt-4o-mini", input_usd_per_million=5e5, output_usd_per_million=1e6)
    store.write(lambda db: prices.put(call(db), "p", PricesDraft(prices=[own])))
    (one,) = previewed(store).by_scorer
    assert one.cost_usd_estimate == pytest.approx(0.5 * one.tokens_input_estimate + 450)


def test_the_projects_own_past_calls_go_before_the_price_list(store):
    fill(store, 2)
    for number in range(4):
        remember(store, number)
    (one,) = previewed(store).by_scorer
    assert (one.tokens_output_estimate, one.estimate_from) == (20, "past calls")
    assert one.cost_usd_estimate == pytest.approx((one.tokens_input_estimate + 20) * 0.002 / 100)


def test_calls_without_a_price_still_tell_how_long_answers_are(store):
    fill(store, 1)
    remember(store, 0, cost=None)
    (one,) = previewed(store).by_scorer
    assert (one.tokens_output_estimate, one.estimate_from) == (10, "price list")


def test_a_model_that_nobody_prices_has_no_cost_and_a_note_says_so(store):
    fill(store, 1)
    told = previewed(store, judge(model="our-own-model"), judge())
    assert [one.cost_usd_estimate is None for one in told.by_scorer] == [True, False]
    assert told.cost_usd_estimate is None
    assert any("our-own-model costs" in note for note in told.notes)


def test_every_vote_is_a_call_and_a_known_answer_is_none(store):
    fill(store, 2)
    remember(store, 0, key=key_of_the_prompt(vote=1, samples=3))
    (one,) = previewed(store, judge(samples=3)).by_scorer
    assert (one.to_score, one.cached, one.calls) == (2, 2, 4)
    (again,) = previewed(store, judge(samples=3), no_cache=True).by_scorer
    assert (again.cached, again.calls) == (0, 6)


def test_what_has_nothing_to_ask_is_not_counted_as_a_call(store):
    fill(store, 2)
    fill(store, 1, start=2, output=None)
    told = previewed(store)
    assert (told.by_scorer[0].to_score, told.by_scorer[0].calls) == (3, 2)
    assert "quality: 1 of 3 targets are not asked about: no output" in told.notes


def test_many_targets_are_estimated_from_an_even_sample(store):
    fill(store, 500)
    told = previewed(store)
    (one,) = told.by_scorer
    assert (told.targets, one.calls) == (500, 500)
    assert one.tokens_input_estimate == 500 * (previewed_tokens_of_one())
    assert any(note.startswith("quality: estimated from ") and note.endswith(" of 500 targets") for note in told.notes)


def previewed_tokens_of_one() -> int:
    return -(-(len(TEMPLATE) - len("{{input}}{{output}}") + 80) // 4)


def test_a_budget_that_would_not_do_is_said(store):
    fill(store, 10)
    for number in range(3):
        remember(store, number, cost=1.0)
    store.write(lambda db: budgets.put(call(db), "p", BudgetDraft(usd_per_day=2.0, tokens_per_day=100)))
    store.write(lambda db: models.spend(db, "p", models.day_of(StoppedClock().now()), "m", calls=1, tokens=30, usd=0.5))
    told = previewed(store)
    assert told.budget_left_usd == 1.5
    assert any("1.5 USD left" in note for note in told.notes)
    assert any("70 tokens left" in note for note in told.notes)


def test_spending_is_told_by_model_with_the_dearest_first(store):
    fill(store, 1)
    day = models.day_of(StoppedClock().now())
    for model, usd in (("cheap", 0.1), ("dear", 2.0)):
        store.write(lambda db, m=model, u=usd: models.spend(db, "p", day, m, calls=2, tokens=50, usd=u))
    store.write(lambda db: models.spend(db, "p", "2020-01-01", "dear", calls=9, tokens=9, usd=9.0))
    told = store.read(lambda db: budgets.get(call(db), "p"))
    assert (told.spent_usd, told.spent_tokens, told.day) == (pytest.approx(2.1), 100, day)
    assert [(one.model, one.calls, one.usd) for one in told.by_model] == [("dear", 2, 2.0), ("cheap", 2, 0.1)]


def test_a_preview_stores_nothing(store):
    fill(store, 3)
    previewed(store)
    assert store.read(lambda db: jobs.page(db, "p", None, Slice())) == []
    assert store.read(lambda db: models.answers(db, {key_of_the_prompt()})) == {}


@given(st.integers(0, 3000))
def test_a_sample_is_small_and_evenly_spread(count):
    sample = EvenSample()
    for number in range(count):
        sample.add(number)
    assert sample.seen == count
    assert (
        len(sample.kept) == count if count <= MOST_RENDERED else MOST_RENDERED / 2 <= len(sample.kept) <= MOST_RENDERED
    )
    gaps = {after - before for before, after in zip(sample.kept, sample.kept[1:], strict=False)}
    assert len(gaps) <= 1


# --- the job itself ---

SHOUTS = {"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}


def score_piece(worker, store, id):
    job = store.read(lambda db: jobs.get(db, id))
    return worker._score_piece(job, spanjobs.plans_of(job))


def test_a_job_whose_worker_died_goes_on_where_it_stopped_and_scores_each_span_once(store):
    fill(store, MOST_TOGETHER + 20)
    draft = ScoreSpansDraft.model_validate({"project_id": "p", "scorers": [SHOUTS], "only_missing": False})
    id = store.write(lambda db: spanjobs.accept(call(db), draft)).job_id
    clock = StoppedClock()
    dead, other = Worker(store, clock), Worker(store, clock)
    store.write(lambda db: jobs.claim(db, dead.owner, clock.now(), (spanjobs.KIND,)))
    assert score_piece(dead, store, id) is True  # and then nothing more is heard of it
    assert other.run_one() is False, "the lease still holds"
    clock.ms += 60_000
    assert other.run_one() is True
    job = store.read(lambda db: jobs.get(db, id))
    assert (job.status, job.counts, job.attempts) == ("done", {"scored": MOST_TOGETHER + 20}, 2)
    for n in (0, MOST_TOGETHER - 1, MOST_TOGETHER, MOST_TOGETHER + 19):
        assert len(scores_of(store, n)) == 1


def test_a_worker_that_lost_its_job_stores_nothing_more(store):
    fill(store, 3)
    draft = ScoreSpansDraft.model_validate({"project_id": "p", "scorers": [SHOUTS], "only_missing": False})
    id = store.write(lambda db: spanjobs.accept(call(db), draft)).job_id
    clock = StoppedClock()
    slow = Worker(store, clock)
    store.write(lambda db: jobs.claim(db, slow.owner, clock.now(), (spanjobs.KIND,)))
    clock.ms += 60_000
    assert Worker(store, clock).run_one() is True
    with pytest.raises(LeaseLost):
        score_piece(slow, store, id)
    assert len(scores_of(store, 0)) == 1


def test_a_trace_that_was_deleted_meanwhile_is_counted_as_gone(store):
    fill(store, 2)
    payload = {
        "rule_id": "r", "scorers": [SHOUTS], "sampling_rate": 1.0, "only_missing": True, "no_cache": False,
        "spans": [["t0", "s0"], ["t9", "s9"]],
    }  # fmt: skip
    new = spanjobs.new_job(call(None), "p", payload, 2)
    store.write(lambda db: jobs.add(db, [new]))
    assert Worker(store, StoppedClock()).run_one() is True
    job = store.read(lambda db: jobs.get(db, new.id))
    assert (job.status, job.total, job.counts) == ("done", 2, {"scored": 1, "gone": 1})


def scores_of(store: Store, number: int) -> Any:
    return store.read(
        lambda db: scores.page_of_target(
            db, f"s{number}", Slice(), target_type="span", project_id="p", trace_id=f"t{number}", scorer_name=None
        )
    )
