"""`gnomon judge`: models asked for their opinion, by a rubric."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.card import card, label
from gnomon.cli.flags import CANNOT_RUN, OK, as_json, skip_bad_lines
from gnomon.cli.groups import CommandGroup
from gnomon.errors import InvalidInput, NotAvailable

if TYPE_CHECKING:
    from gnomon.scorers.rubric import RubricOpinion
    from gnomon.service.judges.opinion import OpinionInput

    Write = Callable[[OpinionInput, RubricOpinion], None]


@click.group(cls=CommandGroup)
def judge() -> None:
    """Judge outputs with a model and a rubric; measure how far its opinions can be trusted."""


judge.add_command(card)
judge.add_command(label)


@judge.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--rubric", "rubric_file", type=click.Path(path_type=Path), required=True, help="Rubric file, YAML or JSON."
)
@click.option("--model", required=True, help="Model to ask, as LiteLLM names it: gpt-4o, anthropic/…, ollama/….")
@click.option("--passes", type=click.IntRange(1, 25), default=1, show_default=True, help="Opinions per row.")
@click.option("--temperature", type=click.FloatRange(0, 2), help="Sampling temperature (default: the provider's).")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=8, show_default=True, help="Number of concurrent calls."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the opinions to this file, one per line (.jsonl).")
@skip_bad_lines
@as_json
@click.pass_context
def run(
    ctx: click.Context, file: Path, rubric_file: Path, model: str, passes: int, temperature: float | None,
    concurrency: int, out: Path | None, skip_bad_lines: bool, as_json: bool,
) -> None:  # fmt: skip
    """Judge the rows of a FILE (.jsonl, .csv or .parquet).

    It has a column output and, optionally, input, expected_output, findings and id.

    \b
    gnomon judge run answers.jsonl --rubric rubric.yaml --model gpt-4o --passes 3 --out opinions.jsonl
    Exit code 3 when no row could be judged.
    """
    from gnomon.cli.show.judge import judged as show_judged
    from gnomon.interop.rows import BadLines
    from gnomon.llm.ask import close, silence, why_not
    from gnomon.llm.providers import not_installed
    from gnomon.llm.session import AskingSession
    from gnomon.service.judges.opinion import judge_by, judged, load_rubric, opinions, read_rows

    if missing := not_installed(model, os.environ):
        raise NotAvailable(missing)
    if refused := why_not(model, os.environ):
        raise InvalidInput.of("model", refused)
    silence()
    judge = judge_by(load_rubric(rubric_file), model, passes=passes, temperature=temperature)
    rows = read_rows(file, BadLines(file, skip_bad_lines))
    pairs: list[tuple[OpinionInput, RubricOpinion]] = []

    async def ask_all(write: "Write", progress: Callable[[int], None]) -> None:
        stream = opinions(rows, judge, session=AskingSession(concurrency=concurrency))
        try:
            async for row, opinion in stream:
                pairs.append((row, opinion))
                write(row, opinion)
                progress(len(pairs))
        finally:
            await close()

    with _written(out, file, rubric_file) as write, show.progress("judging", len(rows), quiet=as_json) as progress:
        asyncio.run(ask_all(write, progress))
    summary = judged(judge, pairs)
    if as_json:
        show.json({"file": str(file), "out": None if out is None else str(out), **summary.model_dump(mode="json")})
    else:
        show_judged(summary, file.name, None if out is None else str(out))
    ctx.exit(CANNOT_RUN if summary.overall.n_failed and not summary.overall.n_scored else OK)


@contextmanager
def _written(out: Path | None, *read: Path) -> "Iterator[Write]":
    """A way to write opinions, each as soon as it is there: what was paid for is kept when a run breaks off."""
    if out is None:
        yield lambda row, opinion: None
        return
    if out.suffix.lower() not in (".jsonl", ".ndjson"):
        raise InvalidInput.of("out", f"--out {out.name} is not .jsonl; opinions are JSON, one object per line")
    if any(out.resolve() == path.resolve() for path in read):
        raise InvalidInput.of("out", f"--out {out.name} is a file that is read; write to another")
    from gnomon.model.jsonvalue import dump

    try:
        file = out.open("w", encoding="utf-8", newline="\n")
    except OSError as bad:
        raise InvalidInput.of("out", f"--out {out}: {bad.strerror or bad}") from None

    def write(row: "OpinionInput", opinion: "RubricOpinion") -> None:
        line: dict[str, Any] = {"row": row.number, "id": row.id, **opinion.model_dump(mode="json")}
        file.write(dump(line) + "\n")
        file.flush()

    with file:
        yield write
