"""A judge with a rubric, asked through the real Instructor and LiteLLM at a model on loopback."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gnomon.errors import InvalidInput
from gnomon.llm.ask import close
from gnomon.llm.limits import LoopClock
from gnomon.llm.session import PATIENT, AskingSession
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import Finding, RubricOpinion, ScoringRubric, read_rubric
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.judges.opinion import OpinionInput, judge_by, judged, load_rubric, opinion, opinions, read_rows
from gnomon.stats.interval import wilson
from gnomon.testing import Asked, ClientError, LoopbackModel, NoChoices, NotJson, RateLimited, Script, ServerError

pytestmark = [
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
]

KNOWN = "openai/gpt-4o-mini"
RUBRIC = read_rubric(
    b"""
version: 1
name: answers
instructions: Judge the answer.
dimensions:
  - {name: truth, description: Is it true?, weight: 3}
  - {name: tone, description: Is it polite?}
paths_to_pass:
  true enough: {minimum: {truth: 7}}
  handed over: {findings: {escalated: true}}
""",
    "answers.yaml",
)
SAMPLE = Sample("Capital of France?", "Paris, of course.")
ESCALATED = Finding(name="escalated", value=True, statement="A person was called.")

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Provider = Callable[..., LoopbackModel]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs a coroutine to its end, always on the same loop."""
    with asyncio.Runner() as runner:
        yield runner.run
        runner.run(close())


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with ExitStack() as open_models:

        def start(script: Script, **options: Any) -> LoopbackModel:
            model = open_models.enter_context(LoopbackModel(script, **options))
            for name, value in model.environment().items():
                monkeypatch.setenv(name, value)
            return model

        yield start


def judge(**more: Any) -> RubricJudge:
    return judge_by(RUBRIC, KNOWN, **more)


class Waits:
    """A clock that is set forward instead of waited for: it notes by how much."""

    def __init__(self, **policy: Any) -> None:
        self.seconds: list[float] = []
        self._now = datetime(2026, 5, 1, tzinfo=UTC)
        self.session = AskingSession(replace(PATIENT, **policy), clock=self)

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._now += timedelta(seconds=seconds)


def says(truth: float = 8, tone: float = 6, overall: float = 7, **more: Any) -> dict[str, Any]:
    scores = [("truth", truth), ("tone", tone)]
    return {
        "reasoning": "I looked.",
        "dimension_scores": [{"dimension": name, "score": score, "reasoning": "So."} for name, score in scores],
        "overall_score": overall,
        "overall_assessment": "Fine.",
        **more,
    }


# One sample


def test_an_opinion_says_what_who_how_much_and_by_which_rubric(run: Run, provider: Provider):
    model = provider(says(quotes=["Paris, of course."]))
    found: RubricOpinion = run(opinion(judge(temperature=0.5), SAMPLE))
    assert found.output is not None
    assert [(one.dimension, one.score) for one in found.output.dimension_scores] == [("truth", 8), ("tone", 6)]
    assert (found.output.overall_score, found.weighted_score) == (7, 7.5)
    assert (found.passed, found.passed_by, found.flags, found.spread) == (True, "true enough", [], None)
    assert (found.model, found.rubric_hash) == (KNOWN, RUBRIC.content_hash)
    assert (found.tokens_input or 0) > 0
    assert (found.cost_usd or 0) > 0
    [asked] = model.requests
    assert asked.body["temperature"] == 0.5
    assert "Paris, of course." in asked.prompt
    assert asked.body["response_format"]["type"] == "json_schema"
    marker = re.findall(r"<output ([0-9a-f]{16})>", asked.prompt)
    assert marker
    assert marker[0] in (asked.system or "")


def test_two_askings_of_one_thing_have_two_markers_and_one_hash(run: Run, provider: Provider):
    model = provider(says())
    first, again = (run(opinion(judge(), SAMPLE)) for _ in range(2))
    assert first.prompt_hash == again.prompt_hash
    assert model.requests[0].prompt != model.requests[1].prompt


def test_a_finding_that_the_judge_denies_stands(run: Run, provider: Provider):
    denial = {"finding": "escalated", "agrees": False, "comment": "Nobody was called."}
    model = provider(says(1, 1, 1, finding_statements=[denial]))
    found: RubricOpinion = run(opinion(judge(), SAMPLE, (ESCALATED,)))
    assert "A person was called." in model.requests[0].prompt
    assert [(one.finding, one.value, one.comments) for one in found.contradictions] == [
        ("escalated", True, ["Nobody was called."])
    ]
    assert (found.flags, found.passed, found.passed_by) == (["contradiction"], True, "handed over")


def test_a_quote_that_nobody_said_is_flagged(run: Run, provider: Provider):
    provider(says(quotes=["Lyon, of course."]))
    found = run(opinion(judge(), SAMPLE, (ESCALATED,)))
    assert found.quotes_not_found == ["Lyon, of course."]
    assert set(found.flags) == {"quote_not_found", "finding_not_addressed"}


def test_passes_are_averaged_with_their_spread(run: Run, provider: Provider):
    model = provider([says(6), says(7), says(9.5)])
    found: RubricOpinion = run(opinion(judge(passes=3), SAMPLE))
    assert found.output is not None
    assert found.output.dimension_scores[0].score == 7.5
    assert found.spread is not None
    assert (found.spread["truth"].min, found.spread["truth"].max, found.passes) == (6, 9.5, 3)
    assert model.calls == 3


def test_an_answer_with_other_dimensions_is_a_failure_that_keeps_it(run: Run, provider: Provider):
    wrong = says()
    wrong["dimension_scores"][1]["dimension"] = "charm"
    provider(wrong)
    found: RubricOpinion = run(opinion(judge(), SAMPLE))
    assert (found.state, found.reason, found.output) == ("failed", "dimensions", None)
    told, _, raw = (found.evidence or "").partition("\n")
    assert told == "missing: tone; unknown: charm"
    assert json.loads(raw) == wrong
    assert (found.tokens_input or 0) > 0


def test_one_bad_pass_of_three_is_counted_and_left_out(run: Run, provider: Provider):
    provider([says(6), {**says(), "dimension_scores": []}, says(8)])
    found: RubricOpinion = run(opinion(judge(passes=3), SAMPLE))
    assert found.output is not None
    assert found.output.dimension_scores[0].score == 7
    assert (found.failures, found.flags) == ({"dimensions": 1}, ["passes_failed"])


def test_a_score_outside_the_scale_is_sent_back_once_and_then_fails(run: Run, provider: Provider):
    model = provider(says(truth=11))
    waits = Waits()
    found: RubricOpinion = run(opinion(judge(), SAMPLE, session=waits.session))
    assert (found.state, found.reason) == ("failed", "unreadable")
    assert json.loads(found.evidence or "")["dimension_scores"][0]["score"] == 11
    assert waits.seconds == []
    assert model.calls == 2
    assert (found.tokens_input or 0) > 0


def test_without_an_output_nothing_is_asked(run: Run, provider: Provider):
    model = provider(says())
    found: RubricOpinion = run(opinion(judge(), Sample("x")))
    assert (found.state, found.reason, found.tokens_input, model.calls) == ("absent", "no output", 0, 0)


@pytest.mark.parametrize("passes", [0, 26])
def test_passes_out_of_reason_are_refused(passes: int):
    with pytest.raises(InvalidInput, match=f"passes is {passes}"):
        judge(passes=passes)


def test_two_findings_of_one_name_are_refused(run: Run):
    with pytest.raises(InvalidInput, match="'escalated'"):
        run(opinion(judge(), SAMPLE, (ESCALATED, ESCALATED)))


# Trouble


def test_trouble_that_passes_is_waited_for_as_long_as_the_provider_says(run: Run, provider: Provider):
    model = provider([RateLimited(retry_after=7), ServerError(503), NotJson(), NoChoices(), says()])
    waits = Waits(first_pause=1, longest_pause=4)
    found = run(opinion(judge(), SAMPLE, session=waits.session))
    assert (found.state, model.calls) == ("scored", 5)
    asked_for, *others = waits.seconds
    assert asked_for == 7
    assert all(1 <= seconds <= 4 for seconds in others)


def test_trouble_that_does_not_pass_is_given_up(run: Run, provider: Provider):
    model = provider(ServerError(500, "on fire"))
    waits = Waits(attempts=3)
    found = run(opinion(judge(), SAMPLE, session=waits.session))
    assert (found.state, found.reason, found.output) == ("failed", "overloaded", None)
    assert "on fire" in found.evidence
    assert (model.calls, len(waits.seconds)) == (3, 2)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [(ClientError(401, "no such key"), "refused"), (RateLimited(retry_after=9_999), "rate_limited")],
)
def test_what_waiting_cannot_mend_is_not_asked_again(run: Run, provider: Provider, reply: Any, reason: str):
    model = provider(reply)
    waits = Waits()
    found = run(opinion(judge(), SAMPLE, session=waits.session))
    assert (found.reason, model.calls, waits.seconds) == (reason, 1, [])


# Files


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_of_jsonl_keep_their_values(tmp_path: Path):
    first = {"id": 7, "input": {"n": 1.5}, "output": "a", "findings": [ESCALATED.model_dump()]}
    path = written(tmp_path, "rows.jsonl", f'{json.dumps(first)}\n\n{{"output": null, "expected_output": "x"}}\n')
    assert read_rows(path) == [
        OpinionInput(1, "7", Sample({"n": 1.5}, "a"), (ESCALATED,)),
        OpinionInput(3, None, Sample(None, None, "x"), ()),
    ]


def test_rows_of_csv_have_findings_as_json_and_empty_cells_as_nothing(tmp_path: Path):
    findings = json.dumps([ESCALATED.model_dump()]).replace('"', '""')
    path = written(tmp_path, "rows.csv", f'input,output,expected_output,findings\nq,a,,"{findings}"\n,,x,\n')
    assert read_rows(path) == [
        OpinionInput(2, None, Sample("q", "a"), (ESCALATED,)),
        OpinionInput(3, None, Sample(None, "", "x"), ()),
    ]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("rows.jsonl", '{"output": 1}\n{', ["rows.jsonl, line 2", "JSON"]),
        ("rows.jsonl", "[1]", ["line 1", "[1]", "object"]),
        ("rows.jsonl", '{"said": "x"}', ["no output", "said"]),
        ("rows.csv", "said,why\na,b\n", ["no output", "said"]),
        ("rows.jsonl", '{"output": 1, "findings": [{"name": "x"}]}', ["line 1", "findings.0.value"]),
        ("rows.jsonl", '{"output": 1, "findings": {"x": true}}', ["line 1", "findings"]),
        ("rows.csv", "output,findings\na,yes\n", ["line 2", "findings is 'yes'"]),
        ("rows.jsonl", '{"output": 1, "findings": [%s, %s]}' % ((ESCALATED.model_dump_json(),) * 2), ["'escalated'"]),
        ("rows.json", "[]", ["rows.json", ".jsonl"]),
        ("rows.txt", "x", ["rows.txt", ".csv"]),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_judged_is_told_before_anything_is_asked(tmp_path: Path, name, text, words):
    with pytest.raises(InvalidInput) as refused:
        read_rows(written(tmp_path, name, text))
    for one in words:
        assert one in refused.value.message


def test_a_parquet_file_is_judged_where_its_values_are_json(run: Run, provider: Provider, tmp_path: Path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"id": [datetime(2026, 5, 1)] * 2, "input": [float("nan"), 1.5], "output": ["Paris", "Rome"]}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    model = provider(says())
    found = judged(judge(), run(collected(read_rows(tmp_path / "rows.parquet"))))
    assert found.overall.reasons == {"input: nan is not a JSON value": 1}
    assert model.calls == found.overall.n_scored == 1


def test_files_that_are_not_there_are_one_sentence(tmp_path: Path):
    for read in (read_rows, load_rubric):
        with pytest.raises(InvalidInput, match="No such file"):
            read(tmp_path / "gone.jsonl")


async def collected(
    rows: list[OpinionInput], passes: int = 1, **options: Any
) -> list[tuple[OpinionInput, RubricOpinion]]:
    return [found async for found in opinions(rows, judge(passes=passes), **options)]


def numbered(count: int) -> list[OpinionInput]:
    return [OpinionInput(number, None, Sample(f"q{number}", f"answer {number}."), ()) for number in range(1, count + 1)]


def test_rows_come_back_in_their_order_and_calls_are_bounded(run: Run, provider: Provider):
    several = asyncio.Event()

    async def script(asked: Asked) -> Any:
        number = int(re.findall(r"answer (\d+)\.", asked.prompt)[0])
        if asked.number > 1:
            several.set()
        await several.wait()
        await asyncio.sleep(0.05 if number % 3 else 0.15)
        return says(truth=number / 4)

    model = provider(script)
    found = run(collected(numbered(24), session=AskingSession(concurrency=4), passes=2))
    assert [row.number for row, _ in found] == list(range(1, 25))
    assert [one.output.dimension_scores[0].score for _, one in found] == [number / 4 for number in range(1, 25)]
    assert model.calls == 48
    assert 2 <= model.peak_concurrency <= 4


def test_a_row_that_waits_does_not_hold_up_the_others(run: Run, provider: Provider):
    def script(asked: Asked) -> Any:
        return ServerError(503) if "answer 1." in asked.prompt and asked.number <= 2 else says()

    class UntilAllWereAsked(LoopClock):
        async def sleep(self, seconds: float) -> None:
            while seconds > 0.2 and model.calls < 8:  # less is the even pace of a slow model
                await asyncio.sleep(0.01)

    model = provider(script)
    session = AskingSession(concurrency=2, clock=UntilAllWereAsked())
    found = run(asyncio.wait_for(collected(numbered(8), session=session), 600))
    assert [one.state for _, one in found] == ["scored"] * 8
    assert model.calls == 9


def test_the_opinions_together_have_intervals_pass_rate_and_reasons(run: Run, provider: Provider):
    def script(asked: Asked) -> Any:
        number = int(re.findall(r"answer (\d+)\.", asked.prompt)[0])
        return ClientError(400, "too long") if number == 9 else says(truth=10 if number % 2 else 0)

    provider(script)
    rows = [*numbered(9), OpinionInput(10, None, Sample("q10", None), ())]
    found = judged(judge(), run(collected(rows)))
    truth = found.dimensions["truth"]
    assert (truth.mean, truth.n_scored, truth.n_failed, truth.n_absent) == (0.5, 8, 1, 1)
    assert truth.reasons == {"refused": 1, "no output": 1}
    assert truth.confidence_interval_95 is not None
    assert found.overall.mean == 0.7
    rate = found.pass_rate
    assert rate is not None
    # Rows with a truth of 0 would pass with the finding, which was not given: nobody can say.
    assert (rate.mean, rate.n_scored, rate.n_absent, rate.n_failed) == (1.0, 4, 5, 1)
    assert rate.reasons["path handed over needs the finding escalated, which was not given"] == 4
    ends = wilson(4, 4)
    assert rate.confidence_interval_95 == pytest.approx((ends.low, 1.0))
    assert found.passed_by == {"true enough": 4}
    assert "too long" in found.failures["refused"]
    assert (found.cost_usd or 0) > 0


def test_rows_with_the_same_input_are_trials_of_one_item(run: Run, provider: Provider):
    provider([says(truth=score) for score in (2, 4, 6, 8)])
    rows = [OpinionInput(number, None, Sample("q1" if number < 3 else "q2", "x"), ()) for number in range(1, 5)]
    truth = judged(judge(), run(collected(rows, session=AskingSession(concurrency=1)))).dimensions["truth"]
    assert (truth.mean, truth.clusters, truth.n_scored) == (0.5, 2, 4)


def test_a_rubric_without_paths_has_no_pass_rate():
    bare = ScoringRubric.model_validate({**RUBRIC.model_dump(), "paths_to_pass": {}})
    assert judged(judge_by(bare, KNOWN), []).pass_rate is None
