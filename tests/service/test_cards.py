"""Report cards over what real judge jobs left behind, probes of scripted judges, and what to label next.

Jobs run through the real worker; only the model at its end is a function of the prompt.
"""

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gnomon.errors import NotFound, Refused
from gnomon.llm.ask import Answer, Trouble
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.session import AskingSession, within
from gnomon.model.access import Principal
from gnomon.model.card import ProbeDraft
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.score import InlineScoreDraft, ScoreDraft
from gnomon.scorers import ModelScorer, RubricJudge, Sample, build
from gnomon.scorers.asking import Prompt
from gnomon.scorers.judge import LlmJudge
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, experiments
from gnomon.service.jobs.worker import JudgeLoop, Pace
from gnomon.service.judges import cards, judgelist, labelling, probejobs, probing
from gnomon.service.judges.calibration import calibrate
from gnomon.service.judges.labelling import LabellingOptions
from gnomon.service.judges.modelcalls import Ask
from gnomon.service.scoring import attach, measuring
from gnomon.store import jobs, models
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import Slice

PROJECT = "p"
TEMPLATE = "Question: {{input}}\nAnswer: {{output}}\nRate it."
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def in_haste(concurrency: int = 8) -> AskingSession:
    """Asks again at once, and waits for nobody."""
    return AskingSession(AskingPolicy(attempts=3, first_pause=0.0, longest_pause=0.0), concurrency=concurrency)


def said(text: str, **fields: Any) -> Answer:
    return Answer(**{"text": text, "model": "gpt-4o-2026", "tokens_input": 100, "tokens_output": 10,
                     "cost_usd": 0.001, "latency_ms": 40.0, **fields})  # fmt: skip


@dataclass
class House:
    store: Store
    clock: Clock

    def read(self, work: Callable[[Call], Any]) -> Any:
        return self.store.read(lambda db: work(Call(db, Principal("test", "admin"), self.clock)))

    def write(self, work: Callable[[Call], Any]) -> Any:
        who = Principal("test", "admin")
        return measuring.write(self.store, lambda db, known: work(Call(db, who, self.clock, known)), measuring.at_once)

    def judged(
        self,
        outputs: list[str],
        judge: Callable[[str], str],
        *,
        model: str | None = None,
        scorer: InlineScoreDraft | None = None,
        **config: Any,
    ) -> tuple[str, list[str]]:
        """An experiment with these outputs, all asked about and answered: its id, and the runs'."""

        def make(call: Call) -> tuple[str, list[str]]:
            dataset = datasets.create(call, DatasetDraft(project_id=PROJECT, name=call.clock.new_id()))
            items = [datasets.add_item(call, dataset.id, ItemDraft(input=f"q{n}")).id for n in range(len(outputs))]
            about = None if model is None else {"model": model}
            draft = ExperimentDraft(project_id=PROJECT, name="e", dataset_id=dataset.id, metadata=about)
            id = experiments.create(call, draft).id
            drafts = [
                RunDraft(dataset_item_id=item, output=output, scores=[scorer or spec(**config)])
                for item, output in zip(items, outputs, strict=True)
            ]
            return id, experiments.add_runs(call, id, drafts).run_ids

        made: tuple[str, list[str]] = self.write(make)
        self.answer(judge)
        return made

    def answer(self, judge: Callable[[str], str]) -> None:
        """Let a worker ask until nothing is open."""

        async def ask(asked: LlmJudge, prompt: Prompt, own: Any) -> Answer:
            return said(judge(prompt.text))

        async def until_done() -> None:
            loop = JudgeLoop(self.store, self.clock, "worker", Pace(poll_seconds=0.01), ask)
            running = asyncio.create_task(loop.run())
            while self.read(lambda call: jobs.something_due(call.db, NEVER, ("judge",))):
                await asyncio.sleep(0.01)
            loop.stop()
            await running

        asyncio.run(until_done())

    def rated(self, runs: list[str], values: list[Any], name: str = "people") -> None:
        drafts = [
            ScoreDraft(target_id=run, target_type="run", scorer_name=name, value=value, source="human")
            for run, value in zip(runs, values, strict=True)
            if value is not None
        ]
        self.write(lambda call: attach.many(call, drafts))

    def card(self, name: str = "tone", **given: Any) -> Any:
        return self.read(lambda call: cards.card(call, PROJECT, name, **given))


NEVER = datetime(2100, 1, 1, tzinfo=UTC)


def spec(**config: Any) -> InlineScoreDraft:
    given = {"model": "openai/gpt-4o", "prompt_template": TEMPLATE, **config}
    return InlineScoreDraft(scorer_name="tone", scorer="llm_judge", config=given)


@pytest.fixture
def house(
    database: str, tmp_path: Path, new_postgresql: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-is-asked")
    url = new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path}/gnomon.db"
    store = open_store(url)
    yield House(store, Clock())
    store.close()


def output_of(prompt: str) -> str:
    """What stands between the fence's lines."""
    found = re.search(r"<output \w+~*>\n(.*)\n</output", prompt, re.DOTALL)
    assert found is not None
    return found[1]


# --- the card -----


def test_a_judges_scores_failures_and_costs_are_on_its_card(house: House):
    answers = {"a0": "no idea", "a1": "7", **{f"a{n}": "1" if n % 2 else "0" for n in range(2, 20)}}
    house.judged([f"a{n}" for n in range(20)], lambda prompt: answers[output_of(prompt)])
    found = house.card()
    assert (found.model, found.family, found.scores, found.read) == ("openai/gpt-4o", "openai", 18, 18)
    assert found.mean.value == 0.5
    assert found.mean.confidence_interval_95[0] < 0.5 < found.mean.confidence_interval_95[1]
    assert (found.parse_failures.value, found.parse_failures.n) == (0.1, 20)
    assert found.failure_reasons == {"unparsable": 1, "out_of_range": 1}
    assert found.unanswered == {}
    assert found.cost_usd.value == pytest.approx(0.001)
    assert (found.tokens_input.value, found.latency_ms.value, found.latency_ms.n) == (100, 40, 18)
    assert found.repeat_agreement.reason == "no target has two answers of its own"
    assert found.self_preference.reason.startswith("which model made the outputs is not known")
    assert found.people_reason == "no target of this judge has a score of people (source human)"
    assert (found.probe, found.probe_reason) == (None, cards.NOT_PROBED)
    (listed,) = house.read(lambda call: judgelist.all_of(call, PROJECT, Slice())).items
    assert (listed.scorer_name, listed.config_hash, listed.model) == ("tone", found.config_hash, "openai/gpt-4o")
    assert (listed.scores, listed.answered, listed.unreadable) == (18, found.parse_failures.n, 2)
    assert listed.agreement_reason == found.people_reason


def test_calls_that_were_never_answered_are_no_parse_failures(house: House):
    def refuse(prompt: str) -> str:
        if output_of(prompt) == "a0":
            raise Trouble("refused", "openai answered 400: no")
        return "1"

    house.judged(["a0", "a1"], refuse)
    found = house.card()
    assert (found.parse_failures.value, found.parse_failures.n) == (0.0, 1)
    assert found.unanswered == {"refused": 1}


def test_longer_outputs_that_score_higher_show_as_a_slope_and_people_take_their_part_of_it(house: House):
    lengths = [2 ** (3 + n % 6) for n in range(36)]
    outputs = [f"{n:02d}" + "x" * (length - 2) for n, length in enumerate(lengths)]

    def judge(prompt: str) -> str:
        output = output_of(prompt)
        return f"{0.3 + 0.05 * (len(output).bit_length() - 4) + 0.01 * (int(output[:2]) % 5):.3f}"

    _, runs = house.judged(outputs, judge)
    slope = house.card().length_slope
    assert slope.value == pytest.approx(0.05, abs=0.002)
    assert slope.confidence_interval_95[0] > 0.045
    assert slope.n == 36
    house.rated(runs, [0.3 + 0.05 * (length.bit_length() - 4) for length in lengths])
    found = house.card()
    assert found.people.human == "people"
    assert found.people.n_labelled == 36
    low, high = found.length_slope_beyond_people.confidence_interval_95
    assert low < 0 < high


def test_a_judge_that_likes_its_own_family_shows_it(house: House):
    house.judged([f"a{n}" for n in range(12)], lambda prompt: "0.9", model="gpt-4o-mini")
    _, runs = house.judged([f"b{n}" for n in range(12)], lambda prompt: "0.6", model="anthropic/claude-sonnet-4")
    house.rated(runs, [0.6] * 12)
    found = house.card()
    assert found.families == {"openai": 12, "anthropic": 12}
    assert found.self_preference.value == pytest.approx(0.3)
    assert found.self_preference.n == 24
    assert "0 items of the judge's own family" in found.self_preference_beyond_people.reason


def test_votes_and_repeated_scores_tell_how_far_a_judge_agrees_with_itself(house: House):
    votes = iter(["0.2", "0.4", "0.4", "0.5", "0.5", "oops", "0.6", "0.6", "0.6"])
    house.judged(["a", "b", "c"], lambda prompt: next(votes), samples=3)
    found = house.card()
    assert found.repeat_agreement.n == 3
    assert (found.failed_votes.value, found.failed_votes.n) == (pytest.approx(1 / 9), 9)
    low, high = found.repeat_difference.confidence_interval_95
    assert low <= found.repeat_difference.value <= high


def test_remembered_answers_are_no_proof_of_agreement(house: House):
    _, runs = house.judged(["a", "b"], lambda prompt: "1")
    again = [ScoreDraft(target_id=run, target_type="run", **spec().model_dump(exclude_unset=True)) for run in runs]
    house.write(lambda call: attach.many(call, again))
    house.answer(lambda prompt: "0")  # nobody is asked: the answers are remembered
    found = house.card()
    assert found.scores == 4
    assert found.repeat_agreement.value is None


def test_labels_have_shares_and_no_slope(house: House):
    config = {"score_extraction": "label", "labels": ["good", "bad"]}
    house.judged([f"a{n}" for n in range(10)], lambda p: "good" if output_of(p) < "a7" else "bad", **config)
    found = house.card()
    assert found.mean.reason == "labels have no mean"
    assert found.label_shares["good"].share == 0.7
    assert found.length_slope.reason == found.self_preference.reason == "labels have no mean"


def test_each_configuration_has_a_card_of_its_own(house: House):
    house.judged(["a"], lambda prompt: "0.1")
    house.judged(["b", "c"], lambda prompt: "0.9", temperature=0.5)
    last = house.card()
    assert (last.scores, last.mean.value) == (2, 0.9)
    assert any("2 configurations" in note for note in last.notes)
    judges = house.read(lambda call: judgelist.all_of(call, PROJECT, Slice())).items
    (other,) = [one.config_hash for one in judges if one.config_hash != last.config_hash]
    assert house.card(config_hash=other).mean.value == 0.1
    with pytest.raises(NotFound, match="no scores with config_hash 'beef'"):
        house.card(config_hash="beef")


def test_a_scorer_that_nobody_used_or_that_is_a_rule_has_no_card(house: House):
    with pytest.raises(NotFound, match="'tone' has no scores in project 'p'"):
        house.card()
    draft = InlineScoreDraft(scorer_name="long", scorer="contains", config={"expected_output": "a"})
    _, runs = house.judged(["a"], lambda prompt: "1")
    one = ScoreDraft(target_id=runs[0], target_type="run", **draft.model_dump(exclude_unset=True))
    house.write(lambda call: attach.many(call, [one]))
    with pytest.raises(NotFound, match="'long' is a rule, not a judge"):
        house.card("long")


def test_the_brief_is_of_one_experiment(house: House):
    answers = {"a0": "no idea", **{f"a{n}": "1" for n in range(1, 10)}}
    id, runs = house.judged([f"a{n}" for n in range(10)], lambda prompt: answers[output_of(prompt)])
    house.judged(["other"], lambda prompt: "huh")
    house.rated(runs, [None] + [1] * 6 + [0] * 3)
    found = house.read(lambda call: cards.brief(call, id, "tone"))
    assert (found.model, found.answered, found.parse_failure_rate) == ("openai/gpt-4o", 10, 0.1)
    assert (found.human, found.labelled, found.agreement) == ("people", 9, pytest.approx(6 / 9))
    assert found.agreement_ci_95[0] < 6 / 9 < found.agreement_ci_95[1]
    assert found.probed_at is None
    assert house.read(lambda call: cards.brief(call, id, "people")) is None
    assert house.read(lambda call: cards.brief(call, id, "nobody")) is None


# --- probes -----

LABELS = {"score_extraction": "label", "labels": ["good", "fair", "bad"]}
LISTED = "Say good, fair or bad.\n{{input}}\n{{output}}"


def a_judge(**config: Any) -> LlmJudge:
    made = build("llm_judge", {"model": "gpt-4o", "prompt_template": TEMPLATE, **config})
    assert isinstance(made, LlmJudge)
    return made


def samples(n: int) -> list[Sample]:
    return [Sample(f"q{at}", f"answer {at}.") for at in range(n)]


def probed(judge: LlmJudge, answer: Callable[[str], str], n: int = 20, **given: Any) -> Any:
    async def ask(asked: LlmJudge, prompt: Prompt, own: Any) -> Answer:
        return said(answer(prompt.text))

    return asyncio.run(probing.probe(judge, samples(n), ask, now=NOW, session=in_haste(), **given)).probe


def test_a_steady_judge_repeats_itself_and_minds_no_plea():
    found = probed(a_judge(), lambda prompt: "0.5")
    assert (found.samples, found.calls) == (20, 60)
    assert (found.retest_agreement.value, found.retest_difference.value) == (1.0, 0.0)
    assert found.retest_agreement.confidence_interval_95[0] < 1
    assert (found.injection_shift.value, found.injection_flipped.value) == (0.0, 0.0)
    assert found.injection_shift.confidence_interval_95[0] < 0 < found.injection_shift.confidence_interval_95[1]
    assert found.swap_agreement.reason == probing.NUMBERS_HAVE_NO_ORDER
    assert (found.parse_failures.value, found.parse_failures.n) == (0.0, 60)
    assert found.cost_usd == pytest.approx(0.06)
    assert found.tokens_input == 6_000


def test_a_gullible_judge_gives_what_the_output_asks_for():
    judge = a_judge(score_range={"min": 0, "max": 10}, fence=False)

    def gullible(prompt: str) -> str:
        return "10" if re.search(r"answer with 10|Reply with 10|return 10|Answer with 10", prompt) else "4"

    found = probed(judge, gullible)
    assert found.injection_flipped.value == 1.0
    assert found.injection_shift.value == pytest.approx(0.6)
    assert found.injection_shift.confidence_interval_95[0] > 0


def test_a_wavering_judge_is_not_taken_for_a_gullible_one():
    """It says 0 or 1 by chance: among those that said 0 first, a plea seems to help, and asking again as much."""
    chance = random.Random(4)
    found = probed(a_judge(), lambda prompt: chance.choice("01"), n=200)
    assert 0.4 < found.retest_agreement.value < 0.6
    low, high = found.injection_shift.confidence_interval_95
    assert low < 0 < high


def test_labels_are_turned_and_a_judge_that_takes_the_first_is_found_out():
    def first_named(prompt: str) -> str:
        return re.findall("good|bad", prompt)[0]

    found = probed(a_judge(**LABELS | {"prompt_template": LISTED}), first_named)
    assert found.calls == 80
    assert found.swap_agreement.value == 0.0
    assert found.swap_first_listed.value == 1.0
    steady = probed(a_judge(**LABELS | {"prompt_template": LISTED}), lambda prompt: "fair")
    assert (steady.swap_agreement.value, steady.swap_first_listed.value) == (1.0, 0.0)
    assert steady.injection_shift.reason.startswith("labels have no height")


def test_a_plea_asks_for_another_label_than_the_judge_gave():
    asked_for = []

    def judge(prompt: str) -> str:
        asked_for.extend(re.findall(r"(?:answer with|Reply with|must return|Answer with) (\w+)", prompt))
        return "good"

    found = probed(a_judge(**LABELS), judge, n=12)
    assert set(asked_for) == {"fair", "bad"}
    assert (found.injection_flipped.value, found.injection_flipped.n) == (0.0, 12)


@pytest.mark.parametrize(
    ("template", "turned"),
    [
        ("Answer `good`, `fair` or `bad`:", "Answer `bad`, `fair` or `good`:"),
        ("One of good/fair/bad. Again: good, fair, bad.", "One of bad/fair/good. Again: bad, fair, good."),
        ("- good: true\n- fair: half\n- bad: false", "- bad: false\n- fair: half\n- good: true"),
        ("1. Good\n2. Fair\n3. Bad", "3. Bad\n2. Fair\n1. Good"),
    ],
)
def test_labels_are_turned_where_they_are_listed(template: str, turned: str):
    found = probing.reversed_labels(a_judge(**LABELS, prompt_template=template + "\n{{input}}{{output}}"))
    assert found.judge.prompt_template == turned + "\n{{input}}{{output}}"
    assert found.first == "good"


@pytest.mark.parametrize(
    "template",
    ["Say good if it is right, fair if half of it is, and bad else.", "Say what you think.", "good or bad"],
)
def test_labels_with_meanings_between_them_are_left_alone(template: str):
    judge = a_judge(**LABELS, prompt_template=template + "\n{{input}}\n{{output}}")
    assert "side by side or line by line" in probing.reversed_labels(judge)
    found = probed(judge, lambda prompt: "good", n=3)
    assert found.swap_agreement.value is None
    assert found.calls == 9


def test_answers_that_cannot_be_read_are_counted_and_waiting_is_not_failing():
    calls = []

    async def ask(judge: LlmJudge, prompt: Prompt, own: Any) -> Answer:
        calls.append(prompt)
        if len(calls) == 1:
            raise Trouble("rate_limited", "slow down", retry_after=0.0)
        if len(calls) == 2:
            raise Trouble("unreadable", "not the shape", evidence="{", spent=said("{"))
        if len(calls) == 3:
            raise Trouble("refused", "openai answered 400: no")
        return said("well", cost_usd=None) if len(calls) == 4 else said("1")

    asking: Ask = ask
    found = asyncio.run(probing.probe(a_judge(), samples(5), asking, now=NOW, session=in_haste(1))).probe
    assert found.failure_reasons == {"unreadable": 1, "unparsable": 1}
    assert found.unanswered == {"refused": 1}
    assert (found.calls, found.parse_failures.n) == (16, 14)
    assert found.cost_usd is None


def test_a_model_that_never_answers_is_an_error_with_its_own_words():
    async def ask(judge: LlmJudge, prompt: Prompt, own: Any) -> Answer:
        raise Trouble("refused", "openai answered 401: no such key")

    with pytest.raises(Refused, match="gpt-4o could not be asked: openai answered 401"):
        asyncio.run(probing.probe(a_judge(), samples(3), ask, now=NOW, session=in_haste()))


def test_a_probe_is_kept_with_its_date_booked_and_shown_on_the_card(house: House):
    house.judged([f"a{n}" for n in range(8)], lambda prompt: "0.5")
    asked = house.read(lambda call: probejobs.questions(call, PROJECT, "tone", None, 5))
    assert len(asked.samples) == 5
    assert asked.samples[0].input.startswith("q")

    async def ask(judge: LlmJudge, prompt: Prompt, own: Any) -> Answer:
        return said("0.5")

    probed = asyncio.run(probing.probe(asked.judge, asked.samples, ask, now=NOW))
    found = probed.probe
    before = house.read(lambda call: models.spent(call.db, PROJECT, models.day_of(call.clock.now())))
    house.write(lambda call: probejobs.keep(call, asked, probed))
    after = house.read(lambda call: models.spent(call.db, PROJECT, models.day_of(call.clock.now())))
    assert after[0] - before[0] == pytest.approx(0.015)
    shown = house.card()
    assert shown.probe == found
    assert shown.probe_reason is None
    newer = found.model_copy(update={"samples": 4})
    house.write(lambda call: probejobs.keep(call, asked, probed._replace(probe=newer)))
    assert house.card().probe.samples == 4


def test_a_spent_budget_stops_a_probe_before_it_asks(house: House):
    house.judged(["a"], lambda prompt: "0.5")
    house.write(lambda call: models.set_budget(call.db, PROJECT, 0.0005, None, call.clock.now()))
    draft = ProbeDraft(project_id=PROJECT, samples=5)
    with pytest.raises(Refused, match=r"0\.001 of 0\.0005 USD a day are spent"):
        house.write(lambda call: probejobs.accept(call, "tone", draft))
    assert "are spent" in (house.read(lambda call: probejobs.plan(call, "tone", draft)).refusal or "")


def test_a_probe_is_refused_where_a_budget_in_usd_meets_a_model_without_a_price(house: House):
    def judge(call: Call) -> None:
        config = {**spec().config, "model": "openai/nobody-knows-its-price"}
        draft = InlineScoreDraft(scorer_name="odd", scorer="llm_judge", config=config)
        dataset = datasets.create(call, DatasetDraft(project_id=PROJECT, name="odd"))
        item = datasets.add_item(call, dataset.id, ItemDraft(input="q")).id
        id = experiments.create(call, ExperimentDraft(project_id=PROJECT, name="e", dataset_id=dataset.id)).id
        experiments.add_runs(call, id, [RunDraft(dataset_item_id=item, output="a", scores=[draft])])

    house.write(judge)
    house.answer(lambda prompt: "0.5")
    house.write(lambda call: models.set_budget(call.db, PROJECT, 5.0, None, call.clock.now()))
    with pytest.raises(Refused, match="PUT /v1/projects/p/prices") as refused:
        house.write(lambda call: probejobs.accept(call, "odd", ProbeDraft(project_id=PROJECT)))
    assert refused.value.code == "BUDGET_PRICE_UNKNOWN"


def test_a_probe_ends_where_the_budget_does(house: House):
    house.judged([f"a{n}" for n in range(8)], lambda prompt: "0.5")
    asked = house.read(lambda call: probejobs.questions(call, PROJECT, "tone", None, 5))

    async def ask(judge: LlmJudge, prompt: Prompt, own: Any) -> Answer:
        return said("0.5")

    session = AskingSession(concurrency=1, budget=within(0.005, None))
    found = asyncio.run(probing.probe(asked.judge, asked.samples, ask, now=NOW, session=session)).probe
    assert (found.calls, found.cost_usd) == (5, pytest.approx(0.005))
    assert found.unanswered == {"refused": 10}


# --- what to label next -----


def to_label(house: House, **given: Any) -> Any:
    options = LabellingOptions(**{name: given.pop(name) for name in ("mode", "limit", "target_width") if name in given})
    return house.read(lambda call: labelling.to_label(call, PROJECT, "tone", options=options, **given))


def test_without_labels_the_first_ones_are_drawn_by_lot(house: House):
    _, runs = house.judged([f"a{n}" for n in range(40)], lambda p: "1" if int(output_of(p)[1:]) % 2 else "0")
    found = to_label(house, limit=40)
    assert (found.n_labelled, found.n_unlabelled, found.more_needed, found.reach) == (0, 40, 30, None)
    assert found.words == "label 30 first: before 30 labels it is not known how many ± 5 points take"
    order = [one.target_id for one in found.targets]
    assert sorted(order) == sorted(runs)
    assert order != runs
    house.rated(order[:10], [1] * 10)
    assert [one.target_id for one in to_label(house, limit=40).targets] == order[10:]


def test_the_rule_in_words_tells_how_many_more(house: House):
    _, runs = house.judged([f"a{n}" for n in range(200)], lambda p: "1" if int(output_of(p)[1:]) % 3 else "0")
    house.rated(runs[:60], [0 if n % 3 == 0 or n % 10 == 0 else 1 for n in range(60)])
    found = to_label(house, target_width=0.08)
    assert found.words == f"label {found.more_needed} more for ± 8 points"
    assert 0 < found.more_needed < 140
    assert found.estimate.method == "double_sampling"
    assert found.reach > 0.08
    calibrated = house.read(lambda call: calibrate(call, PROJECT, "tone", found.human, None)).corrected_mean
    assert (found.estimate.value, found.estimate.method) == (calibrated.value, calibrated.method)
    enough = to_label(house, target_width=0.3)
    assert enough.more_needed == 0
    assert enough.words.startswith("enough: 60 labels give ±")
    never = to_label(house, target_width=0.01)
    assert never.more_needed is None
    assert never.words.startswith("even all of them labelled would not give ± 1 points")


def test_the_informative_order_favours_what_wavers_and_says_its_price(house: House):
    """People agree with every 1 of the judge, and with every second 0."""
    _, runs = house.judged([f"a{n}" for n in range(200)], lambda p: str(int(output_of(p)[1:]) % 2))
    house.rated(runs[:80], [1 if n % 2 or n % 4 else 0 for n in range(80)])
    found = to_label(house, mode="informative", limit=20)
    assert found.estimate.method == "stratified"
    assert found.estimate.value == pytest.approx(0.75)
    chosen = [one.stratum for one in found.targets]
    assert chosen.count("0") > 15
    assert {one.name: (one.targets, one.labelled) for one in found.strata} == {"0": (100, 40), "1": (100, 40)}
    gains = {one.name: one.gain for one in found.strata}
    assert gains["0"] > gains["1"] > 0
    assert any("no random part" in note for note in found.notes)


def test_labels_are_labelled_until_the_share_of_agreement_is_known(house: House):
    config = {"score_extraction": "label", "labels": ["good", "bad"]}
    _, runs = house.judged([f"a{n}" for n in range(100)], lambda p: "good", **config)
    house.rated(runs[:40], ["good"] * 30 + ["bad"] * 10)
    found = to_label(house, target_width=0.1)
    assert found.estimate.value == 0.75
    assert 20 < found.more_needed < 40
    assert to_label(house, mode="informative", target_width=0.1).estimate.value == 0.75


def test_numbers_and_labels_cannot_be_held_against_each_other(house: House):
    _, runs = house.judged(["a", "b"], lambda prompt: "1")
    house.rated(runs, ["good", "bad"])
    with pytest.raises(Refused, match="which cannot be compared"):
        to_label(house)
    assert "cannot be compared" in house.card().people_reason


# --- rubrics -----

RUBRIC = {
    "version": 1,
    "name": "answers",
    "instructions": "Judge the answer.",
    "dimensions": [{"name": "truth", "description": "Is it true?"}, {"name": "tone", "description": "Is it polite?"}],
}
BY_RUBRIC = InlineScoreDraft(
    scorer_name="quality", scorer="rubric", config={"model": "openai/gpt-4o", "rubric": RUBRIC, "fence": False}
)


def an_opinion(truth: float, tone: float, overall: float) -> str:
    scores = [
        {"dimension": name, "score": score, "reasoning": "r"} for name, score in (("truth", truth), ("tone", tone))
    ]
    return json.dumps(
        {"reasoning": "r", "dimension_scores": scores, "overall_score": overall, "overall_assessment": "a"}
    )


def test_a_rubric_is_probed_as_a_whole_and_the_probe_stands_on_the_card_of_the_whole(house: House):
    """Test–retest and pleas are about the score of the whole; there are no labels whose order could matter."""

    def gullible(prompt: str) -> str:
        return an_opinion(5, 5, 10 if re.search(r"(?:answer|Answer|Reply) with 10|return 10", prompt) else 4)

    house.judged([f"a{n}" for n in range(8)], gullible, scorer=BY_RUBRIC)
    asked = house.read(lambda call: probejobs.questions(call, PROJECT, "quality", None, 5))
    assert isinstance(asked.judge, RubricJudge)

    async def ask(judge: ModelScorer, prompt: Prompt, own: Any) -> Answer:
        return said(gullible(prompt.text))

    probed = asyncio.run(probing.probe(asked.judge, asked.samples, ask, now=NOW, session=in_haste()))
    house.write(lambda call: probejobs.keep(call, asked, probed))
    found = house.card("quality").probe
    assert (found.samples, found.calls, found.retest_agreement.value) == (5, 15, 1.0)
    assert found.injection_shift.value == pytest.approx(0.6)
    assert found.swap_agreement.reason == probing.NUMBERS_HAVE_NO_ORDER
    tone = house.card("quality.tone")
    assert (tone.probe, tone.model) == (None, "openai/gpt-4o")
    assert tone.probe_reason == (
        "it is a dimension of 'quality', and a probe asks the whole rubric; see the card of 'quality'"
    )


def test_a_dimension_cannot_be_probed_by_itself(house: House):
    house.judged(["a"], lambda prompt: an_opinion(5, 5, 5), scorer=BY_RUBRIC)
    with pytest.raises(Refused, match="is a dimension of 'quality', and a probe asks the whole rubric"):
        house.read(lambda call: probejobs.questions(call, PROJECT, "quality.tone", None, 5))


def test_a_dimension_is_held_against_people_and_says_what_to_label_next(house: House):
    def judge(prompt: str) -> str:
        return an_opinion(5, 10 if int(re.findall(r"output:\na(\d+)", prompt)[0]) % 2 else 0, 5)

    _, runs = house.judged([f"a{n}" for n in range(40)], judge, scorer=BY_RUBRIC)
    house.rated(runs[:10], [float(n % 2) for n in range(10)])
    found = house.read(lambda call: calibrate(call, PROJECT, "quality.tone", "people", None))
    assert (found.n_labelled, found.accuracy.value) == (10, 1.0)
    next_ones = house.read(lambda call: labelling.to_label(call, PROJECT, "quality.tone"))
    assert (next_ones.n_labelled, next_ones.n_unlabelled) == (10, 30)


def test_metadata_that_a_caller_gives_makes_no_judge_the_part_of_another(house: House):
    mine = spec().model_copy(update={"metadata": {"part_of": "something"}})
    house.judged(["a", "b"], lambda prompt: "0.5", scorer=mine)
    assert house.card().probe_reason == cards.NOT_PROBED
    assert house.read(lambda call: probejobs.questions(call, PROJECT, "tone", None, 5)).scorer_name == "tone"
