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
from gnomon.interop.rows import lines, open_table, short
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
    Rubric,
    RubricAnswer,
    RubricOpinion,
    doubled_finding,
    no_opinion,
    read_rubric,
)
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.aggregate import aggregate

COLUMNS = ("id", "input", "output", "expected_output", "findings")

Ask = Callable[..., Awaitable[tuple[BaseModel, Answer]]]
"""As `llm.ask.ask_structured`."""


TIMEOUT = 120.0
"""Seconds that an answer may take."""
CONCURRENCY = 8
"""Calls at a time, where nobody says otherwise."""


def load_rubric(path: Path) -> Rubric:
    try:
        return read_rubric(path.read_bytes(), path.name)
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a rubric file that can be read") from None


# One sample


def judge_by(rubric: Rubric, model: str, *, passes: int = 1, temperature: float | None = None) -> RubricJudge:
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
    ask: Ask = ask_structured,
    session: AskingSession | None = None,
) -> RubricOpinion:
    """What the judge thinks of the sample; with several passes their mean and spread. Trouble is a failed opinion."""
    if doubled := doubled_finding(findings):
        raise InvalidInput.of("findings", doubled)
    prompt = judge.render(sample, secrets.token_hex(8), findings)
    told: dict[str, Any] = {"model": judge.model, "rubric_hash": judge.rubric.content_hash}
    if isinstance(prompt, Absent):
        return no_opinion(prompt).model_copy(update=told)
    session = session or AskingSession()
    how = {"system": prompt.system, "temperature": judge.temperature, "timeout": TIMEOUT}
    call = partial(ask, judge.model, prompt.text, judge.shape, **how)
    asked = await asyncio.gather(*(session.ask(judge.model, call) for _ in range(judge.samples)))
    checked = [_checked(judge, sample, findings, one) for one in asked]
    spent = Spent.of(answer for one in asked for answer in one.took)
    told |= {
        "prompt_hash": prompt.fingerprint,
        "tokens_input": spent.tokens_input,
        "tokens_output": spent.tokens_output,
        "cost_usd": spent.cost_usd,
    }
    return judge.opinion(checked, findings).model_copy(update=told)


def _checked(
    judge: RubricJudge, sample: Sample, findings: Sequence[Finding], asked: AskResult[BaseModel, Answer]
) -> Pass | Failed:
    if asked.trouble is not None:
        return Failed(asked.trouble.kind, asked.trouble.evidence or asked.trouble.message)
    assert isinstance(asked.said, RubricAnswer)  # the shape that was asked for
    return judge.check(sample, asked.said, asked.took[-1].text, findings)


# A file of samples


@dataclass(frozen=True, slots=True)
class Row:
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


def read_rows(path: Path) -> list[Row]:
    """All rows of a file, checked before the first one costs money."""
    try:
        records = list(_records(path))
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    there = dict.fromkeys(key for _, _, record in records for key in record)
    if there and "output" not in there:
        raise InvalidInput(f"{path.name} has no output, it has {', '.join(islice(there, 30))}; call it output")
    return [_row(where, number, record) for where, number, record in records]


def _records(path: Path) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(place for messages, number, cells by name). JSON is read here, since tables keep its fractions as text."""
    kind = path.suffix.lower()
    if kind in (".jsonl", ".ndjson"):
        with path.open("rb") as file:
            for number, line in lines(path, file):
                if line.strip():
                    where = f"{path.name}, line {number}"
                    yield where, number, _object(where, line)
    elif kind == ".json":
        raise InvalidInput(f"{path.name} is a single JSON text; write one object a line into a .jsonl file")
    else:
        table = open_table(path)
        named = [column for column in COLUMNS if column in table.columns] or table.columns[:1]
        for number, cells in table.rows(named):
            record = dict(zip(named, cells, strict=True))
            if kind != ".parquet":  # in CSV an empty cell is the only way to leave something out
                record = {name: cell for name, cell in record.items() if cell or name == "output"}
            yield f"{path.name}, {table.unit} {number}", number, record


def _object(where: str, line: bytes) -> dict[str, Any]:
    try:
        record = jsonvalue.read(line)
    except InvalidInput as bad:
        raise InvalidInput(f"{where}: {bad.message}") from None
    if not isinstance(record, dict):
        raise InvalidInput(f"{where} is {short(record)}, not an object; write one with keys")
    return record


def _row(where: str, number: int, record: dict[str, Any]) -> Row:
    given = record.get("findings") or ()
    try:
        findings = _FINDINGS.validate_json(given) if isinstance(given, str) else _FINDINGS.validate_python(given)
    except ValidationError as bad:
        first = bad.errors()[0]
        key = ".".join(["findings", *map(str, first["loc"])])
        raise InvalidInput(f"{where}: {key} is {short(first['input'])}; {first['msg']}") from None
    if doubled := doubled_finding(findings):
        raise InvalidInput(f"{where}: {doubled}")
    sample = Sample(record.get("input"), record.get("output"), record.get("expected_output"))
    id = record.get("id")
    return Row(number, None if id is None else str(id), sample, findings)


async def opinions(
    rows: Iterable[Row],
    judge: RubricJudge,
    *,
    ask: Ask = ask_structured,
    session: AskingSession | None = None,
) -> AsyncIterator[tuple[Row, RubricOpinion]]:
    """Every row with its opinion, in the order of the rows."""
    session = session or AskingSession(concurrency=CONCURRENCY)
    ahead = 4 * (session.concurrency or CONCURRENCY)

    async def one(row: Row) -> tuple[Row, RubricOpinion]:
        return row, await opinion(judge, row.sample, row.findings, ask=ask, session=session)

    coming = iter(rows)
    # Some rows ahead: one that waits for its turn again must not keep the others from being asked.
    waiting = deque(asyncio.ensure_future(one(row)) for row in islice(coming, ahead))
    try:
        while waiting:
            done = await waiting.popleft()
            waiting.extend(asyncio.ensure_future(one(row)) for row in islice(coming, 1))
            yield done
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


# What the opinions say together


class Judged(Noun):
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


def judged(judge: RubricJudge, found: Sequence[tuple[Row, RubricOpinion]]) -> Judged:
    rubric, made = judge.rubric, [one for _, one in found]
    outputs = [one.output for one in made]

    def over(values: Sequence[float | None], scale: float = 10) -> Aggregate:
        return _together([None if value is None else value / scale for value in values], found)

    return Judged(
        rubric=rubric.name,
        rubric_hash=rubric.content_hash,
        model=judge.model,
        rows=len(found),
        dimensions={
            dimension.name: over([None if one is None else one.dimension_scores[place].score for one in outputs])
            for place, dimension in enumerate(rubric.dimensions)
        },
        overall=over([None if one is None else one.overall_score for one in outputs]),
        weighted=over([one.weighted_score for one in made]),
        pass_rate=over([one.passed for one in made], 1) if rubric.paths_to_pass else None,
        passed_by=dict(Counter(one.passed_by for one in made if one.passed_by is not None)),
        contradictions=dict(Counter(denied.finding for one in made for denied in one.contradictions)),
        flags=dict(Counter(flag for one in made for flag in one.flags)),
        failures={one.reason: _begin(one.evidence) for one in reversed(made) if one.state == "failed" and one.reason},
        tokens_input=total(one.tokens_input for one in made),
        tokens_output=total(one.tokens_output for one in made),
        cost_usd=total(one.cost_usd for one in made),
    )


def _begin(evidence: str | None) -> str:
    words = " ".join((evidence or "").split())
    return words if len(words) <= 200 else words[:199] + "…"


def _together(values: Sequence[float | None], found: Sequence[tuple[Row, RubricOpinion]]) -> Aggregate:
    """The values' aggregate, and why some are missing: no opinion, or none on whether it is enough to pass."""
    gaps = [one for value, (_, one) in zip(values, found, strict=True) if value is None]
    failed = sum(one.state == "failed" for one in gaps)
    reasons = Counter(one.reason or one.undecided or "" for one in gaps)
    whole = aggregate(values, [row.item for row, _ in found])
    return whole.model_copy(update={"n_absent": len(gaps) - failed, "n_failed": failed, "reasons": dict(reasons)})
