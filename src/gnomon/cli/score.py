"""`gnomon score`: the built-in scorers over a file; without a server or a database where no model is asked."""

import re
from pathlib import Path
from typing import Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, interval, skip_bad_lines
from gnomon.cli.score_judges import asks_model, judge_file, rubric_spec, with_judge_flags
from gnomon.cli.score_report import by_name, file_report, summarized
from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.aggregate import IntervalMethod
from gnomon.model.score import ScorerSpec
from gnomon.scorers import Scorer, build
from gnomon.service.scoring.bulk import Columns, FileScores, score_file

_NEXT_KEY = re.compile(r",(?=[A-Za-z_]\w*=)")
"""A comma parts two settings only where another key follows, so that values may hold commas."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--scorer", "named", multiple=True, metavar="NAME[:KEY=VALUE,…]", help="A built-in scorer; repeatable.")
@click.option("--scorer-json", "written", multiple=True, metavar="JSON", help='{"scorer_name", "scorer", "config"}.')
@click.option(
    "--rubric", "rubric_file", type=click.Path(path_type=Path), help="Rubric file to judge by (YAML or JSON)."
)
@click.option("--model", help="Model that a judge asks, as LiteLLM names it: openai/gpt-4o, anthropic/…, ollama/….")
@click.option("--prompt", help="Prompt of llm_judge, with {{input}} and {{output}}.")
@click.option("--concurrency", type=click.IntRange(1, 1000), help="With a judge: model calls at a time (default: 16).")
@click.option("--out", type=click.Path(path_type=Path), help="Write the scores to this file (.jsonl or .parquet).")
@click.option("--input-column", default="input", show_default=True, help="Column with the inputs, which judges see.")
@click.option("--output-column", default="output", show_default=True, help="Column with the outputs.")
@click.option(
    "--expected-column", default="expected_output", show_default=True, help="Column with the expected outputs."
)
@click.option("--id-column", default="id", show_default=True, help="Column that identifies a row in --out.")
@skip_bad_lines
@interval
@as_json
@click.pass_context
def score(
    ctx: click.Context, /, file: Path, named: tuple[str, ...], written: tuple[str, ...], rubric_file: Path | None,
    model: str | None, prompt: str | None, concurrency: int | None, out: Path | None, input_column: str,
    output_column: str, expected_column: str, id_column: str, skip_bad_lines: bool, interval: IntervalMethod | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Score a FILE of outputs (.jsonl, .csv or .parquet): each scorer's mean with its 95 % interval.

    \b
    gnomon score answers.jsonl --scorer exact_match:case_sensitive=false --scorer 'regex:pattern=^\\d+$'
    gnomon score answers.jsonl --scorer llm_judge --model openai/gpt-4o --prompt 'Is {{output}} right for {{input}}?'
    gnomon score answers.jsonl --rubric rubric.yaml --model openai/gpt-4o

    Judges work as in `gnomon eval`: within the project's budget, and no question is asked twice. Their scores are
    stored in the experiment scored-FILE. Exit code 3 when every score of a judge failed.
    """
    specs = _specs(named, written, rubric_file, model, prompt)
    if any(map(asks_model, specs)):
        names = {"input": input_column, "output": output_column, "expected_output": expected_column, "id": id_column}
        if skip_bad_lines:
            raise InvalidInput("--skip-bad-lines is for scorers that ask no model; fix the file, or leave it out")
        ctx.exit(judge_file(file, specs, out, names, concurrency, interval, as_json))
    for flag, value in (("model", model), ("concurrency", concurrency)):
        if value is not None:
            raise InvalidInput(f"--{flag} is for llm_judge and --rubric, and neither is given; leave it out")
    scorers = [(spec.scorer_name, _built(spec)) for spec in specs]
    columns = Columns(output_column, expected_column, id_column)
    with show.progress("scoring", in_bytes=True, quiet=as_json) as progress:
        scores = score_file(
            file, scorers, out, lambda done, total, _rows: progress(done, total), columns=columns,
            skip_bad_lines=skip_bad_lines,
        )  # fmt: skip
    _tell(scores, interval, as_json)


def _tell(scores: FileScores, interval: IntervalMethod | None, as_json: bool) -> None:
    report = file_report(scores)
    summaries = [summarized(tally, interval) for tally in scores.tallies]
    if as_json:
        show.json({**report, "scores_by_scorer": by_name(summaries)})
    else:
        show.file_scores(report, summaries)


def _built(spec: ScorerSpec) -> Scorer:
    name = spec.scorer or spec.scorer_name
    try:
        return build(name, spec.config)
    except InvalidInput as bad:
        missing = [problem for problem in bad.problems if problem.message.endswith("is required")]
        if not missing:
            raise
        example = f"--scorer '{name}:{missing[0].field.rpartition('.')[2]}=…'"
        raise InvalidInput(f"{bad.message}; write it like {example}", problems=bad.problems) from None


def read_spec(text: str) -> ScorerSpec:
    """A scorer as one types it: `name` or `name:key=value,key=value`. Values are JSON where they can be; unchecked."""
    name, _, settings = text.partition(":")
    config = {}
    for part in _NEXT_KEY.split(settings) if settings else []:
        key, equals, value = part.partition("=")
        if not equals:
            raise InvalidInput(f"--scorer {text!r}: {part!r} is not KEY=VALUE, as in contains:case_sensitive=false")
        config[key] = _value(value)
    return ScorerSpec(scorer_name=name, config=config or None)


def _specs(
    named: tuple[str, ...], written: tuple[str, ...], rubric_file: Path | None, model: str | None, prompt: str | None
) -> list[ScorerSpec]:
    specs = [*(with_judge_flags(read_spec(text), model, prompt) for text in named), *map(_read_json, written)]
    if prompt is not None and not any(spec.scorer_name == "llm_judge" for spec in specs):
        raise InvalidInput("--prompt is for --scorer llm_judge; add it, or leave the prompt out")
    if rubric_file is not None:
        specs.append(rubric_spec(rubric_file, model))
    if not specs:
        raise InvalidInput("name at least one scorer, like --scorer exact_match, or judge by a --rubric")
    names = [spec.scorer_name for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"two scorers are named {name!r}; give one another scorer_name with --scorer-json")
    return specs


def _read_json(text: str) -> ScorerSpec:
    from pydantic import ValidationError

    from gnomon.model.reading import UnknownField

    try:
        return ScorerSpec.model_validate(jsonvalue.read(text.encode()))
    except ValidationError as bad:
        first = bad.errors()[0]
        unknown = UnknownField(first["loc"], ScorerSpec.model_fields) if first["type"] == "extra_forbidden" else None
        message = first["msg"] if unknown is None else unknown.words
        raise InvalidInput(f"--scorer-json: {'.'.join(map(str, first['loc'])) or 'it'}: {message}") from None
    except InvalidInput as bad:
        raise InvalidInput(f"--scorer-json: {bad.message.replace('the body', 'this', 1)}") from None


def _value(text: str) -> Any:
    try:
        return jsonvalue.read(text.encode())
    except InvalidInput:
        return text
