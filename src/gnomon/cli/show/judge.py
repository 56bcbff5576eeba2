"""A judge's opinions over a file, for people: each dimension's mean with its interval, and what to be wary of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.model.wording import FLAGS
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker
from gnomon.shorten import counted

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.model.aggregate import Aggregate
    from gnomon.service.judges.opinion import JudgedFile

_FLAGGED = {
    "contradiction": "the judge denies a finding, which stands",
    "quote_not_found": "the judge quotes what is not there",
    "finding_not_addressed": "the judge passes over a finding",
    "unknown_finding": "the judge speaks of a finding that was not given",
    "addresses_judge": "the output seems to speak to its judge; look at it",
    "passes_failed": "some of the passes could not be used",
}


def judged(file_opinions: "JudgedFile", file: str, out: str | None) -> None:
    line(
        f"{clean(file)}: {counted(file_opinions.rows, 'row')} by {clean(file_opinions.model)}, "
        f"rubric {clean(file_opinions.rubric)}"
    )
    rows = table("dimension", "mean", "95 % interval", axis("0", "10"), "scored", right=("mean", "scored"))
    for name, aggregate in file_opinions.dimensions.items():
        _add(rows, clean(name), aggregate)
    _add(rows, "(by weight)", file_opinions.weighted)
    _add(rows, "(overall)", file_opinions.overall)
    draw(rows)
    if file_opinions.pass_rate is not None:
        line(_passed(file_opinions, file_opinions.pass_rate))
    for words in _remarks(file_opinions):
        line(words)
    line(_spent(file_opinions))
    if out is not None:
        line(f"opinions are in {clean(out)}")


def _add(rows: "Table", name: str, aggregate: "Aggregate") -> None:
    """Scores are shown from 0 to 10, as the rubric speaks of them."""
    mean = None if aggregate.mean is None else 10 * aggregate.mean
    around = aggregate.confidence_interval_95
    ends = None if around is None else (10 * around[0], 10 * around[1])
    scored = f"{aggregate.n_scored:,} of {aggregate.n_total:,}"
    rows.add_row(name, number(mean), interval(ends), whisker(mean, ends, 0, 10), scored)


def _passed(file_opinions: "JudgedFile", rate: "Aggregate") -> str:
    if rate.mean is None:
        return f"pass rate: none ({_reasons(rate)})"
    paths = "".join(f", {count} by {clean(path)}" for path, count in file_opinions.passed_by.items())
    message = f"pass rate {number(rate.mean)} ({interval(rate.confidence_interval_95)})"
    return f"{message}: {sum(file_opinions.passed_by.values())} of {rate.n_scored}{paths}{_unsaid(rate)}"


def _unsaid(rate: "Aggregate") -> str:
    """Whether a row passed is known more often where it did, so the rate alone would flatter."""
    if rate.missing_bracket is None or rate.n_scored == rate.n_total:
        return ""
    low, high = rate.missing_bracket
    known = f"the rate would be {low:.3f} had none of them passed, {high:.3f} had all"
    return f"; of {rate.n_total - rate.n_scored} it cannot be said ({_reasons(rate)}): {known}"


def _remarks(file_opinions: "JudgedFile") -> Iterator[str]:
    if gaps := file_opinions.overall.n_total - file_opinions.overall.n_scored:
        yield f"{gaps} without an opinion ({_reasons(file_opinions.overall)})"
    for reason, words in file_opinions.failures.items():
        yield f"{clean(reason)}, for instance: {clean(words)}"
    for flag, count in file_opinions.flags.items():
        denied = ", ".join(f"{clean(name)} {rows}" for name, rows in file_opinions.contradictions.items())
        more = f" ({denied})" if flag == "contradiction" else ""
        yield f"{_FLAGGED.get(flag, flag)}: {count} of {file_opinions.rows}{more}"
    for flag in file_opinions.overall.flags:
        yield FLAGS.get(flag, flag)


def _spent(file_opinions: "JudgedFile") -> str:
    cost = "cost not known" if file_opinions.cost_usd is None else f"{file_opinions.cost_usd:.4f} USD"
    if file_opinions.tokens_input is None or file_opinions.tokens_output is None:
        return f"tokens not known, {cost}"
    return f"{file_opinions.tokens_input:,} tokens in, {file_opinions.tokens_output:,} out, {cost}"


def _reasons(aggregate: "Aggregate") -> str:
    ranked = sorted(aggregate.reasons.items(), key=lambda reason_count: -reason_count[1])
    return ", ".join(f"{count} {clean(reason)}" for reason, count in ranked)
