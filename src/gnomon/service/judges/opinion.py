"""A judge with a rubric asked about samples: one of them, or a file of them, and what the opinions say together.

What is asked and how answers are read is in scorers/rubric.py; how often, how fast and how many at a time is the
asking session's (llm/session.py). Nothing is stored: opinions go back to the caller.
"""

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from gnomon.errors import InvalidInput
from gnomon.interop.rows import BadLines, lines, open_table, refuse_unreadable, short
from gnomon.llm.ask import Answer, ask_structured
from gnomon.llm.session import AskingSession, AskResult
from gnomon.llm.spent import Spent, total
from gnomon.model import jsonvalue
from gnomon.model.aggregate import Aggregate
from gnomon.model.fields import Noun
from gnomon.scorers.asking import MOST_SAMPLES
from gnomon.scorers.protocol import Absent, Failed, Sample, UnmeasurableError, text
from gnomon.scorers.rubric import (
    Finding,
    Pass,
    RubricAnswer,
    RubricOpinion,
    ScoringRubric,
    doubled_finding,
    no_opinion,
    read_rubric,
)
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.analysis.aggregate import aggregate
from gnomon.shorten import shorten

COLUMNS = ("id", "input", "output", "expected_output", "findings")

AskModel = Callable[..., Awaitable[tuple[BaseModel, Answer]]]
"""As `llm.ask.ask_structured`."""


TIMEOUT = 120.0
"""Seconds that an answer may take."""
CONCURRENCY = 8
"""Default number of concurrent calls."""


def load_rubric(path: Path) -> ScoringRubric:
    try:
        return read_rubric(path.read_bytes(), path.name)
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a rubric file that can be read") from None


# One sample


def judge_by(rubric: ScoringRubric, model: str, *, passes: int = 1, temperature: float | None = None) -> RubricJudge:
    """The scorer that asks this model by this rubric."""
    if not 1 <= passes <= MOST_SAMPLES:
        raise InvalidInput.of("passes", f"passes is {passes}; ask from 1 to {MOST_SAMPLES} times")
    try:
        return RubricJudge(model=model, rubric=rubric, samples=passes, temperature=temperature)
    except ValidationError as bad:
        first = bad.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise InvalidInput.of(key, f"{key} is {short(first['input'])}; {first['msg']}") from None


async def opinion(
    judge: RubricJudge,
    sample: Sample,
    findings: Sequence[Finding] = (),
    *,
    ask: AskModel = ask_structured,
    session: AskingSession | None = None,
) -> RubricOpinion:
    """What the judge thinks of the sample; with several passes their mean and spread. Trouble is a failed opinion."""
    if doubled := doubled_finding(findings):
        raise InvalidInput.of("findings", doubled)
    prompt = judge.render(sample, secrets.token_hex(8), findings)
    fields: dict[str, Any] = {"model": judge.model, "rubric_hash": judge.rubric.content_hash}
    if isinstance(prompt, Absent):
        return no_opinion(prompt).model_copy(update=fields)
    session = session or AskingSession()
    how = {"system": prompt.system, "temperature": judge.temperature, "timeout": TIMEOUT}
    call = partial(ask, judge.model, prompt.text, judge.shape, **how)
    results = await asyncio.gather(*(session.ask(judge.model, call) for _ in range(judge.samples)))
    checked = [_checked(judge, sample, findings, result) for result in results]
    spent = Spent.of(answer for result in results for answer in result.took)
    fields |= {
        "prompt_hash": prompt.fingerprint,
        "tokens_input": spent.tokens_input,
        "tokens_output": spent.tokens_output,
        "cost_usd": spent.cost_usd,
    }
    return judge.opinion(checked, findings).model_copy(update=fields)


def _checked(
    judge: RubricJudge, sample: Sample, findings: Sequence[Finding], result: AskResult[BaseModel, Answer]
) -> Pass | Failed:
    if result.trouble is not None:
        return Failed(result.trouble.kind, result.trouble.evidence or result.trouble.message)
    assert isinstance(result.answer, RubricAnswer)  # the shape that was asked for
    return judge.check(sample, result.answer, result.took[-1].text, findings)


# A file of samples


@dataclass(frozen=True, slots=True)
class OpinionInput:
    """One row of a file: what is judged, and what rules found of it."""

    number: int
    id: str | None
    sample: Sample
    findings: tuple[Finding, ...]

    @property
    def item(self) -> Any:
        """Rows with the same input are trials of one item, and not independent."""
        try:
            return self.number if self.sample.input is None else text(self.sample.input)
        except UnmeasurableError:  # NaN, say: nothing is asked about such a row
            return self.number


_FINDINGS = TypeAdapter(tuple[Finding, ...])


def read_rows(path: Path, bad_lines: BadLines | None = None) -> list[OpinionInput]:
    """All rows of a file, checked before the first one costs money."""
    try:
        refuse_unreadable(path)
        records = list(_records(path, bad_lines or BadLines(path)))
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    columns = dict.fromkeys(key for _, _, record in records for key in record)
    if columns and "output" not in columns:
        raise InvalidInput(f"{path.name} has no output, it has {', '.join(islice(columns, 30))}; call it output")
    if not records:
        raise InvalidInput(f"{path.name} has no row that could be judged; name a file with rows in it")
    return [_row(where, number, record) for where, number, record in records]


def _records(path: Path, bad_lines: BadLines) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(place for messages, number, cells by name). JSON is read here, since tables keep its fractions as text."""
    kind = path.suffix.lower()
    if kind in (".jsonl", ".ndjson"):
        with path.open("rb") as file:
            for number, line in lines(path, file):
                record = _object(number, line, bad_lines) if line.strip() else None
                if record is not None:
                    yield f"{path.name}, line {number}", number, record
    elif kind == ".json":
        raise InvalidInput(f"{path.name} is a single JSON text; write one object per line into a .jsonl file")
    else:
        table = open_table(path, bad_lines)
        named = [column for column in COLUMNS if column in table.columns] or table.columns[:1]
        for number, cells in table.rows(named):
            record = dict(zip(named, cells, strict=True))
            if kind != ".parquet":  # in CSV an empty cell is the only way to leave something out
                record = {name: cell for name, cell in record.items() if cell or name == "output"}
            yield f"{path.name}, {table.unit} {number}", number, record


def _object(number: int, line: bytes, bad_lines: BadLines) -> dict[str, Any] | None:
    try:
        record = jsonvalue.read(line)
    except InvalidInput as bad:
        bad_lines.add(number, f"is not JSON ({bad.message.partition(': ')[2] or bad.message})")
        return None
    if isinstance(record, dict):
        return record
    bad_lines.add(number, f"is {short(record)}, not an object")
    return None


def _row(where: str, number: int, record: dict[str, Any]) -> OpinionInput:
    findings_value = record.get("findings") or ()
    try:
        findings = (
            _FINDINGS.validate_json(findings_value)
            if isinstance(findings_value, str)
            else _FINDINGS.validate_python(findings_value)
        )
    except ValidationError as bad:
        first = bad.errors()[0]
        key = ".".join(["findings", *map(str, first["loc"])])
        raise InvalidInput(f"{where}: {key} is {short(first['input'])}; {first['msg']}") from None
    if doubled := doubled_finding(findings):
        raise InvalidInput(f"{where}: {doubled}")
    sample = Sample(record.get("input"), record.get("output"), record.get("expected_output"))
    id = record.get("id")
    return OpinionInput(number, None if id is None else str(id), sample, findings)


async def opinions(
    rows: Iterable[OpinionInput],
    judge: RubricJudge,
    *,
    ask: AskModel = ask_structured,
    session: AskingSession | None = None,
) -> AsyncIterator[tuple[OpinionInput, RubricOpinion]]:
    """Every row with its opinion, in the order of the rows."""
    session = session or AskingSession(concurrency=CONCURRENCY)
    ahead = 4 * (session.concurrency or CONCURRENCY)

    async def opinion_on(row: OpinionInput) -> tuple[OpinionInput, RubricOpinion]:
        return row, await opinion(judge, row.sample, row.findings, ask=ask, session=session)

    coming = iter(rows)
    # Some rows ahead: one that waits for its turn again must not keep the others from being asked.
    waiting = deque(asyncio.ensure_future(opinion_on(row)) for row in islice(coming, ahead))
    try:
        while waiting:
            done = await waiting.popleft()
            waiting.extend(asyncio.ensure_future(opinion_on(row)) for row in islice(coming, 1))
            yield done
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


# What the opinions say together


class JudgedFile(Noun):
    """A file that was judged. Aggregates are of scores divided by 10, so that they lie from 0 to 1 as all do."""

    rubric: str
    rubric_hash: str
    model: str
    rows: int
    dimensions: dict[str, Aggregate]
    overall: Aggregate
    weighted: Aggregate = Field(description="Of the dimensions' mean by weight")
    pass_rate: Aggregate | None = Field(description="Null when the rubric has no paths to pass")
    passed_by: dict[str, int] = Field(description="Path → rows that passed by it")
    contradictions: dict[str, int] = Field(description="Finding → rows where the judge denied it; it stands")
    flags: dict[str, int] = Field(description="Flag → rows that carry it")
    failures: dict[str, str] = Field(description="Why rows failed → the first one's evidence, its beginning")
    tokens_input: int | None
    tokens_output: int | None
    cost_usd: float | None


def judged(judge: RubricJudge, pairs: Sequence[tuple[OpinionInput, RubricOpinion]]) -> JudgedFile:
    rubric, opinions = judge.rubric, [rubric_opinion for _, rubric_opinion in pairs]
    outputs = [rubric_opinion.output for rubric_opinion in opinions]

    def over(values: Sequence[float | None], scale: float = 10) -> Aggregate:
        return _together([None if value is None else value / scale for value in values], pairs)

    return JudgedFile(
        rubric=rubric.name,
        rubric_hash=rubric.content_hash,
        model=judge.model,
        rows=len(pairs),
        dimensions={
            dimension.name: over(
                [None if output is None else output.dimension_scores[index].score for output in outputs]
            )
            for index, dimension in enumerate(rubric.dimensions)
        },
        overall=over([None if output is None else output.overall_score for output in outputs]),
        weighted=over([rubric_opinion.weighted_score for rubric_opinion in opinions]),
        pass_rate=over([rubric_opinion.passed for rubric_opinion in opinions], 1) if rubric.paths_to_pass else None,
        passed_by=dict(
            Counter(rubric_opinion.passed_by for rubric_opinion in opinions if rubric_opinion.passed_by is not None)
        ),
        contradictions=dict(
            Counter(denied.finding for rubric_opinion in opinions for denied in rubric_opinion.contradictions)
        ),
        flags=dict(Counter(flag for rubric_opinion in opinions for flag in rubric_opinion.flags)),
        failures={
            rubric_opinion.reason: _begin(rubric_opinion.evidence)
            for rubric_opinion in reversed(opinions)
            if rubric_opinion.state == "failed" and rubric_opinion.reason
        },
        tokens_input=total(rubric_opinion.tokens_input for rubric_opinion in opinions),
        tokens_output=total(rubric_opinion.tokens_output for rubric_opinion in opinions),
        cost_usd=total(rubric_opinion.cost_usd for rubric_opinion in opinions),
    )


def _begin(evidence: str | None) -> str:
    return shorten(" ".join((evidence or "").split()), 200)


def _together(values: Sequence[float | None], pairs: Sequence[tuple[OpinionInput, RubricOpinion]]) -> Aggregate:
    """The values' aggregate, and why some are missing: no opinion, or none on whether it is enough to pass."""
    gaps = [rubric_opinion for value, (_, rubric_opinion) in zip(values, pairs, strict=True) if value is None]
    failed = sum(gap.state == "failed" for gap in gaps)
    reasons = Counter(gap.reason or gap.undecided or "" for gap in gaps)
    whole = aggregate(values, [row.item for row, _ in pairs])
    return whole.model_copy(update={"n_absent": len(gaps) - failed, "n_failed": failed, "reasons": dict(reasons)})
