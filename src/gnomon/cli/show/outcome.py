"""Outcome scores for people: a row an iteration, bars that add up, claims beside facts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import any_letter, axis, clean, draw, interval, line, number, table, whisker

if TYPE_CHECKING:
    from gnomon.model.outcome import Honesty, IntegrityObservation, IterationsAccepted, OutcomeScore, SignalContribution
    from gnomon.outcome import Diagnostic, OutcomeReport, ScoredIteration, ScorePlan
    from gnomon.outcome.starter import Starter
    from gnomon.service.scorelog import Recomputed, Scored, Shown

_BAR = 40
_TOLD = 12
_SHOWN = 30
_DETAIL = 90


def scored(found: "Scored", plan: "ScorePlan") -> None:
    report = found.report
    if not report.iterations:
        line(f"{clean(str(plan.log))} has no iterations yet")
        line("begin one with `gnomon outcome init`, or score plain history with `gnomon outcome from-git`")
        _diagnostics(report.diagnostics)
        return
    line(_headline(report))
    _iterations(report.iterations)
    if report.sessions:
        from gnomon.service.scorelog import as_json

        sessions(as_json(report)["sessions"], report)
    _mean(report.iterations)
    _diagnostics(report.diagnostics)
    if found.written:
        line(f"{found.written} scores are written beside the log, each with its evidence")


def _headline(report: "OutcomeReport") -> str:
    count = len(report.iterations)
    unscored = sum(not one.score.scored for one in report.iterations)
    little = sum(one.score.scored and one.score.provisional for one in report.iterations)
    words = f"{count} iteration{'s' if count != 1 else ''} by rubric {clean(report.rubric.version)}"
    words += f", {unscored} without a score" if unscored else ""
    return words + (f", {little} provisional" if little else "")


def _iterations(scored: "Sequence[ScoredIteration]") -> None:
    rows = table(
        "iteration",
        "task",
        "score",
        axis("0", "1"),
        "band",
        "evidence",
        "date",
        right=("iteration", "score", "evidence"),
    )
    for one in scored:
        score, record = one.score, one.record
        rows.add_row(
            str(score.iteration), clean(record.task_id)[:20], number(score.value if score.scored else None),
            _bar(0.0, score.value, 25) if score.scored else "", _band(score), f"{score.coverage:.0%}",
            clean(record.date),
        )  # fmt: skip
    draw(rows)


def _band(score: "OutcomeScore") -> str:
    return f"provisional ({clean(score.band)})" if score.scored and score.provisional else clean(score.band)


def _mean(scored: "Sequence[ScoredIteration]") -> None:
    from gnomon.service.scorelog import mean_of

    values = [one.score.value for one in scored if one.score.scored]
    found = mean_of(values)
    if found is not None:
        mean = sum(values) / len(values)
        line(
            f"mean {mean:.3f} (95 % interval {found.low:.3f} to {found.high:.3f}) over {len(values)} scored iterations"
        )


def _diagnostics(found: "Sequence[Diagnostic]") -> None:
    for one in found[:_TOLD]:
        line(f"note: {clean(one.where)}: {clean(one.message)}")
    if len(found) > _TOLD:
        line(f"note: and {len(found) - _TOLD} more; --json has all of them")


# ── one iteration ───────────────────────────────────────────────────────────────────────────────────────────────


def explained(found: "Shown") -> None:
    one, score = found.one, found.one.score
    value = number(score.value) if score.scored else "no score"
    stands = f"on {score.coverage:.0%} of the evidence (rubric {clean(score.rubric_version)})"
    line(f"iteration {score.iteration}: {value}, {_band(score)}, {stands}")
    _breakdown(score.breakdown, score)
    for row in score.breakdown:
        vote = "" if row.present else " (absent, no vote)"
        line(f"  {clean(row.label)}: {clean(row.detail)[:_DETAIL]}{vote}")
    _claims(one.signals.integrity)
    facts = [f"{name.replace('_', ' ')}: {_fact(value)}" for name, value in one.objectives.items()]
    line(f"way of working: {'; '.join(facts)}")
    for words in _stored(found):
        line(words)
    _diagnostics(
        [
            one
            for one in found.diagnostics
            if one.where in ("git", f"iter-{score.iteration}", f"iter-{score.iteration}.yaml")
        ]
    )


def _breakdown(breakdown: "Sequence[SignalContribution]", score: "OutcomeScore") -> None:
    rows = table("signal", "sub-score", "weight", "adds", axis_of_bar(), right=("sub-score", "weight", "adds"))
    total = 0.0
    for row in breakdown:
        if row.present:
            bar = _bar(total, row.contribution, _BAR)
            rows.add_row(
                clean(row.label), number(row.sub_score), f"{row.effective_weight:.3f}", number(row.contribution), bar
            )
            total += row.contribution
        else:
            rows.add_row(clean(row.label), "–", f"({row.nominal_weight:.2f})", "–", "")
    if score.scored:
        rows.add_row("sum", "", "", number(score.value), _bar(0.0, score.value, _BAR))
    draw(rows)


def axis_of_bar() -> str:
    return "0" + " " * (_BAR - 2) + "1"


def _bar(start: float, length: float, width: int) -> str:
    """A stretch of the line from 0 to 1. Both ends are rounded, so that stretches laid end to end fit."""
    full, empty = ("█", "·") if any_letter() else ("#", ".")
    first, last = round(min(start, 1) * width), round(min(start + length, 1) * width)
    return empty * first + full * (last - first) + empty * (width - last)


def _claims(pairs: "Sequence[IntegrityObservation]") -> None:
    for pair in pairs:
        claimed = f"{pair.claimed.sub_score:.2f}" if pair.claimed.present else "nothing"
        observed = f"{pair.observed.sub_score:.2f}" if pair.observed.present else "not known"
        gap = f", {pair.delta:+.2f}" if pair.comparable else ""
        line(f"  {clean(pair.signal)}: {pair.role} claimed {claimed}, observed {observed}{gap}")


def _fact(value: Any) -> str:
    return ("yes" if value.sub_score else "no") if value.present else "not known"


def _stored(found: "Shown") -> Iterator[str]:
    if found.stored is None:
        yield "no score is written for it yet; `gnomon outcome score` does"
    elif found.stale:
        was = f"{found.stored.value:.3f} by {clean(found.stored.rubric_version)}"
        yield f"the written score ({was}) is stale: {clean('; '.join(found.stale))}"
    else:
        yield "the written score still stands"


# ── sessions, honesty, another rubric ───────────────────────────────────────────────────────────────────────────


def sessions(found: Sequence[dict[str, Any]], report: "OutcomeReport") -> None:
    if not found:
        line("no entry names an agent session (agent.session_id)")
        return
    rows = table("session", "iterations", "mean", "95 % interval", axis("0", "1"), "band", right=("iterations", "mean"))
    for one in found:
        ends = tuple(one["confidence_interval_95"]) if one["confidence_interval_95"] else None
        rows.add_row(
            clean(one["session_id"])[:40], str(len(one["iterations"])), number(one["value"]), interval(ends),
            whisker(one["value"], ends, 0, 1), clean(one["band"]),
        )  # fmt: skip
    draw(rows)


def honesty(found: "Honesty") -> None:
    if not found.roles:
        line("there is no claim and no fact to compare")
        return
    columns = (
        "role",
        "signal",
        "compared",
        "observed − claimed",
        "95 % interval",
        axis("-1", "1"),
        "over-claimed",
        "95 % interval",
    )
    rows = table(*columns, right=("compared", "observed − claimed"))
    for one in found.roles:
        share = "–" if one.overclaim_share is None else f"{one.overclaimed} of {one.n}"
        rows.add_row(
            one.role, clean(one.signal), str(one.n), number(one.mean_delta, "+"), interval(one.confidence_interval_95),
            whisker(one.mean_delta, one.confidence_interval_95, -1, 1), share, interval(one.overclaim_share_ci_95),
        )  # fmt: skip
    draw(rows)
    for one in found.roles:
        if one.ci_reason:
            line(f"note: {one.role}, {clean(one.signal)}: {clean(one.ci_reason)}")


def recomputed(found: "Recomputed", written: int) -> None:
    rows = table(
        "iteration",
        clean(found.before_version),
        "band",
        clean(found.after_version),
        "band",
        "change",
        right=("iteration", "change"),
    )
    for old, new in found.rows:
        change = new.value - old.value if old.scored and new.scored else None
        rows.add_row(
            str(old.iteration), number(old.value if old.scored else None), _band(old),
            number(new.value if new.scored else None), _band(new), number(change, "+"),
        )  # fmt: skip
    draw(rows)
    if found.mean_delta is not None:
        ends = f" (95 % interval {found.interval[0]:+.3f} to {found.interval[1]:+.3f})" if found.interval else ""
        line(f"mean change {found.mean_delta:+.3f}{ends}; {found.changed_bands} of {len(found.rows)} change their band")
    line(
        f"{written} scores are written" if written else "nothing is written; --write replaces the scores beside the log"
    )


def pushed(source: str, found: "IterationsAccepted", diagnostics: "Sequence[Diagnostic]") -> None:
    line(f"{found.accepted} iterations of {clean(source)}: {found.created} new, {found.updated} brought up to date")
    _diagnostics(diagnostics)


def history(report: "OutcomeReport", last: int | None, out: Path | None, count: int) -> None:
    newest = report.iterations[-(last or _SHOWN) :]
    line(
        f"{_headline(report)}; the newest {len(newest)}:" if len(newest) < len(report.iterations) else _headline(report)
    )
    rows = table(
        "iteration", "date", "commit", "score", "band", "evidence", "what", right=("iteration", "score", "evidence")
    )
    for one in newest:
        score, record = one.score, one.record
        rows.add_row(
            str(score.iteration), record.date, record.commit[:10], number(score.value if score.scored else None),
            _band(score), f"{score.coverage:.0%}", clean(record.impl.summary)[:60],
        )  # fmt: skip
    draw(rows)
    _mean(report.iterations)
    _diagnostics(report.diagnostics)
    if out is not None:
        line(f"{len(report.iterations)} entries and {count} scores are in {clean(str(out))}")


def begun(starter: "Starter", *, written: bool) -> None:
    for words in starter.text.splitlines():
        line(clean(words) if not words.startswith(" ") else " " * (len(words) - len(words.lstrip())) + clean(words))
    made = f"made from {clean(' and '.join(starter.made_from))}"
    line(f"# {made}; written to {clean(str(starter.path))}" if written else f"# {made}; not written")
    line("# add what you know, then: gnomon outcome score")
