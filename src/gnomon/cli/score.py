"""`gnomon score`: the built-in scorers over a file, without a server or a database."""

import re
from pathlib import Path
from typing import Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, interval
from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.aggregate import IntervalMethod
from gnomon.model.experiment import ScorerSummary
from gnomon.model.score import ScorerSpec
from gnomon.scorers import Scorer, build
from gnomon.service.aggregate import label_shares, numbers
from gnomon.service.bulk import Columns, Tally, score_file

_NEXT_KEY = re.compile(r",(?=[A-Za-z_]\w*=)")
"""A comma parts two settings only where another key follows, so that values may hold commas."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--scorer", "named", multiple=True, metavar="NAME[:KEY=VALUE,…]", help="A built-in scorer; repeatable.")
@click.option("--scorer-json", "written", multiple=True, metavar="JSON", help='{"scorer_name", "scorer", "config"}.')
@click.option("--out", type=click.Path(path_type=Path), help="Write every score here (.jsonl or .parquet).")
@click.option("--output-column", default="output", show_default=True, help="Where the outputs are.")
@click.option("--expected-column", default="expected_output", show_default=True, help="What they are compared with.")
@click.option("--id-column", default="id", show_default=True, help="What names a row in --out.")
@click.option("--skip-bad-lines", is_flag=True, help="Go on without lines that cannot be read.")
@interval
@as_json
def score(
    file: Path, named: tuple[str, ...], written: tuple[str, ...], out: Path | None, output_column: str,
    expected_column: str, id_column: str, skip_bad_lines: bool, interval: IntervalMethod | None, as_json: bool,
) -> None:  # fmt: skip
    """Score a FILE of outputs (.jsonl, .csv or .parquet): each scorer's mean with its 95 % interval.

    \b
    gnomon score answers.jsonl --scorer exact_match:case_sensitive=false --scorer 'regex:pattern=^\\d+$'
    """
    scorers = _scorers(named, written)
    columns = Columns(output_column, expected_column, id_column)
    with show.progress("scoring", quiet=as_json) as progress:
        found = score_file(
            file, scorers, out, lambda done, total, _rows: progress(done, total), columns=columns,
            skip_bad_lines=skip_bad_lines,
        )  # fmt: skip
    told = {
        "file": str(found.path),
        "rows": found.rows,
        "out": None if found.out is None else str(found.out),
        "skipped": found.skipped,
        "skips": list(found.skips),
    }
    summaries = [summarized(tally, interval) for tally in found.tallies]
    if as_json:
        show.json({**told, "scores_by_scorer": {one.scorer_name: one.model_dump(mode="json") for one in summaries}})
    else:
        show.file_scores(told, summaries)


def read_scorer(text: str) -> tuple[str, Scorer]:
    """A scorer as one types it: `name` or `name:key=value,key=value`. Values are JSON where they can be."""
    name, _, settings = text.partition(":")
    config = {}
    for part in _NEXT_KEY.split(settings) if settings else []:
        key, equals, value = part.partition("=")
        if not equals:
            raise InvalidInput(f"--scorer {text!r}: {part!r} is not KEY=VALUE, as in contains:case_sensitive=false")
        config[key] = _value(value)
    return name, build(name, config)


def summarized(tally: Tally, interval: IntervalMethod | None = None) -> ScorerSummary:
    """What a summary of an experiment would say of these scores, each row an item of its own."""
    sums = tally.sums()
    return ScorerSummary(
        scorer_name=tally.scorer_name,
        scored_run_count=tally.n_scored,
        score_count=tally.n_scored,
        mixed=bool(tally.labels) and sums is not None,
        n_total=tally.n_total,
        n_scored=tally.n_scored,
        n_absent=tally.n_absent,
        n_failed=tally.n_failed,
        n_pending=0,
        reasons=dict(tally.reasons),
        **numbers(sums, tally.items, tally.n_total - tally.n_scored if sums else 0, "drop", interval),
        distribution=dict(tally.labels) or None,
        label_shares=label_shares(tally.labels, None),
    )


def _scorers(named: tuple[str, ...], written: tuple[str, ...]) -> list[tuple[str, Scorer]]:
    found = [*map(read_scorer, named), *map(_read_json, written)]
    if not found:
        raise InvalidInput("name at least one scorer, like --scorer exact_match")
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"two scorers are named {name!r}; give one another scorer_name with --scorer-json")
    return found


def _read_json(text: str) -> tuple[str, Scorer]:
    from pydantic import ValidationError

    from gnomon.model.reading import UnknownField

    try:
        spec = ScorerSpec.model_validate(jsonvalue.read(text.encode()))
    except ValidationError as bad:
        first = bad.errors()[0]
        unknown = UnknownField(first["loc"], ScorerSpec.model_fields) if first["type"] == "extra_forbidden" else None
        said = first["msg"] if unknown is None else unknown.words
        raise InvalidInput(f"--scorer-json: {'.'.join(map(str, first['loc'])) or 'it'}: {said}") from None
    except InvalidInput as bad:
        raise InvalidInput(f"--scorer-json: {bad.message}") from None
    return spec.scorer_name, build(spec.scorer or spec.scorer_name, spec.config)


def _value(text: str) -> Any:
    try:
        return jsonvalue.read(text.encode())
    except InvalidInput:
        return text
