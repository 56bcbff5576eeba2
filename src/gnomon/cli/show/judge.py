"""A judge's opinions over a file, for people: each dimension's mean with its interval, and what to be wary of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.model.wording import FLAGS
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.model.aggregate import Aggregate
    from gnomon.service.opinion import Judged

_FLAGGED = {
    "contradiction": "the judge denies a finding, which stands",
    "quote_not_found": "the judge quotes what is not there",
    "finding_not_addressed": "the judge passes over a finding",
    "unknown_finding": "the judge speaks of a finding that was not given",
    "addresses_judge": "the output seems to speak to its judge; look at it",
    "passes_failed": "some of the passes could not be used",
}


def judged(found: "Judged", file: str, out: str | None) -> None:
    line(f"{clean(file)}: {found.rows:,} rows by {clean(found.model)}, rubric {clean(found.rubric)}")
    rows = table("dimension", "mean", "95 % interval", axis("0", "10"), "scored", right=("mean", "scored"))
    for name, one in found.dimensions.items():
        _add(rows, clean(name), one)
    _add(rows, "(by weight)", found.weighted)
    _add(rows, "(overall)", found.overall)
    draw(rows)
    if found.pass_rate is not None:
        line(_passed(found, found.pass_rate))
    for words in _remarks(found):
        line(words)
    line(_spent(found))
    if out is not None:
        line(f"opinions are in {clean(out)}")


def _add(rows: "Table", name: str, one: "Aggregate") -> None:
    """Scores are shown from 0 to 10, as the rubric speaks of them."""
    mean = None if one.mean is None else 10 * one.mean
    around = one.confidence_interval_95
    ends = None if around is None else (10 * around[0], 10 * around[1])
    scored = f"{one.n_scored:,} of {one.n_total:,}"
    rows.add_row(name, number(mean), interval(ends), whisker(mean, ends, 0, 10), scored)


def _passed(found: "Judged", rate: "Aggregate") -> str:
    if rate.mean is None:
        return f"pass rate: none ({_reasons(rate)})"
    paths = "".join(f", {count} by {clean(path)}" for path, count in found.passed_by.items())
    told = f"pass rate {number(rate.mean)} ({interval(rate.confidence_interval_95)})"
    return f"{told}: {sum(found.passed_by.values())} of {rate.n_scored}{paths}{_unsaid(rate)}"


def _unsaid(rate: "Aggregate") -> str:
    """Whether a row passed is known more often where it did, so the rate alone would flatter."""
    if rate.missing_bracket is None or rate.n_scored == rate.n_total:
        return ""
    low, high = rate.missing_bracket
    known = f"the rate would be {low:.3f} had none of them passed, {high:.3f} had all"
    return f"; of {rate.n_total - rate.n_scored} it cannot be said ({_reasons(rate)}): {known}"


def _remarks(found: "Judged") -> Iterator[str]:
    if gaps := found.overall.n_total - found.overall.n_scored:
        yield f"{gaps} without an opinion ({_reasons(found.overall)})"
    for reason, words in found.failures.items():
        yield f"{clean(reason)}, for instance: {clean(words)}"
    for flag, count in found.flags.items():
        denied = ", ".join(f"{clean(name)} {rows}" for name, rows in found.contradictions.items())
        more = f" ({denied})" if flag == "contradiction" else ""
        yield f"{_FLAGGED.get(flag, flag)}: {count} of {found.rows}{more}"
    for flag in found.overall.flags:
        yield FLAGS.get(flag, flag)


def _spent(found: "Judged") -> str:
    cost = "cost not known" if found.cost_usd is None else f"{found.cost_usd:.4f} USD"
    if found.tokens_input is None or found.tokens_output is None:
        return f"tokens not known, {cost}"
    return f"{found.tokens_input:,} tokens in, {found.tokens_output:,} out, {cost}"


def _reasons(one: "Aggregate") -> str:
    ranked = sorted(one.reasons.items(), key=lambda found: -found[1])
    return ", ".join(f"{count} {clean(reason)}" for reason, count in ranked)
