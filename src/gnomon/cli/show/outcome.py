"""Outcome scores for people: one row per iteration, bars that add up, claims beside facts."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.facts import fact_lines
from gnomon.cli.show.pen import draw, line
from gnomon.model.wording import FLAGS
from gnomon.report.text.drawing import any_letter, axis, clean, interval, number, reach, table, whisker
from gnomon.shorten import shorten

if TYPE_CHECKING:
    from gnomon.model.iterationgroups import GroupComparison, GroupScorerComparison
    from gnomon.model.outcome import Honesty, IntegrityObservation, OutcomeScore, SignalContribution
    from gnomon.model.workreport import ReportBy, WorkGroup
    from gnomon.outcome import Diagnostic, OutcomeReport, ScoredIteration, ScorePlan
    from gnomon.outcome.scorelog import Recomputed, ScoredLog, Sent, Shown
    from gnomon.outcome.starter import Starter

_BAR = 28  # with its table it fits 80 columns
_SMALL_BAR = 15
_MOST_LISTED = 12
_SHOWN = 30
_DETAIL = 120


def scored(log: "ScoredLog", plan: "ScorePlan") -> None:
    report = log.report
    if not report.iterations:
        line(f"{clean(str(plan.log))} has no iterations yet")
        line("begin one with `gnomon outcome init`, or score plain history with `gnomon outcome from-git`")
        _diagnostics(report.diagnostics)
        return
    newest = report.iterations[-_SHOWN:]
    cut = f"; the newest {len(newest)}, --json has all:" if len(newest) < len(report.iterations) else ""
    line(_headline(report) + cut)
    _iterations(newest)
    if report.sessions:
        from gnomon.outcome.scorelog import sessions_json

        shown = {iteration.iteration for iteration in newest}
        _sessions([row for row in sessions_json(report) if not shown.isdisjoint(row["iterations"])])
    mean_lines(report)
    _diagnostics(_concerning(report.diagnostics, plan.iteration))
    if log.written:
        sessions = f", {_count(len(report.sessions), 'session')}" if report.sessions else ""
        line(f"written beside the log: {_count(len(report.iterations), 'score')} with the evidence{sessions}")


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _headline(report: "OutcomeReport") -> str:
    count = len(report.iterations)
    unscored = sum(not iteration.score.scored for iteration in report.iterations)
    little = sum(iteration.score.scored and iteration.score.provisional for iteration in report.iterations)
    words = f"{_count(count, 'iteration')} by rubric {clean(report.rubric.version)}"
    words += f", {unscored} without a score" if unscored else ""
    return words + (f", {little} provisional" if little else "")


def _iterations(scored: "Sequence[ScoredIteration]") -> None:
    rows = table(
        "iteration",
        "task",
        "score",
        _axis(_SMALL_BAR),
        "band",
        "evidence",
        "date",
        right=("iteration", "score", "evidence"),
    )
    for iteration in scored:
        score, record = iteration.score, iteration.record
        rows.add_row(
            str(score.iteration), _cut(record.task_id, 20), number(score.value if score.scored else None),
            _bar(0.0, score.value, _SMALL_BAR) if score.scored else "", _band(score), f"{score.coverage:.0%}",
            _cut(record.date, 20),
        )  # fmt: skip
    draw(rows)


def _band(score: "OutcomeScore") -> str:
    return f"provisional ({clean(score.band)})" if score.scored and score.provisional else clean(score.band)


def mean_lines(report: "OutcomeReport") -> None:
    """The mean of what is decided, and apart from it how many scores are provisional, and why."""
    from gnomon.outcome.scorelog import headline

    summary = headline([iteration.score for iteration in report.iterations], report.rubric.version)
    if summary.interval is not None:
        ends = f"95 % interval {summary.interval.low:.3f} to {summary.interval.high:.3f}"
        line(f"mean {summary.mean:.3f} ({ends}) over {summary.n} scored iterations")
    if summary.n_provisional and summary.provisional_mean is not None:
        apart = "apart from it, " if summary.interval is not None else "no mean: "
        line(f"{apart}{summary.n_provisional} provisional, {summary.provisional_mean:.3f} on average; {_why(report)}")


def _why(report: "OutcomeReport") -> str:
    """Why scores are provisional, the commonest reason first."""
    scores = [iteration.score for iteration in report.iterations if iteration.score.scored]
    reasons = Counter(re.sub(r"^on \d+%", "on too little", why) for score in scores if (why := score.why_provisional))
    return "; ".join(f"{count} {words}" for words, count in reasons.most_common())


def _cut(text: str, longest: int) -> str:
    """Outside words on one line, and it shows where they were cut."""
    return shorten(clean(text), longest)


def _concerning(diagnostics: "Sequence[Diagnostic]", iteration: int | None) -> "Sequence[Diagnostic]":
    """The diagnostics of the iteration that is shown, without those of other iterations and of the log."""
    if iteration is None:
        return diagnostics
    others = re.compile(rf"log$|iter-(?!{iteration}\b)\d+")
    return [diagnostic for diagnostic in diagnostics if not others.match(diagnostic.where)]


def _diagnostics(diagnostics: "Sequence[Diagnostic]") -> None:
    for diagnostic in diagnostics[:_MOST_LISTED]:
        line(f"note: {clean(diagnostic.where)}: {clean(diagnostic.message)}")
    if len(diagnostics) > _MOST_LISTED:
        line(f"note: and {len(diagnostics) - _MOST_LISTED} more; --json has all of them")


# ── one iteration ───────────────────────────────────────────────────────────────────────────────────────────────


def explained(shown: "Shown") -> None:
    iteration, score = shown.scored, shown.scored.score
    value = number(score.value) if score.scored else "no score"
    stands = f"on {score.coverage:.0%} of the evidence (rubric {clean(score.rubric_version)})"
    line(f"iteration {score.iteration}: {value}, {_band(score)}, {stands}")
    if score.scored and score.why_provisional:
        line(f"provisional: {score.why_provisional}")
    _breakdown(score.breakdown, score)
    for row in score.breakdown:
        vote = "" if row.present else " (absent, no vote)"
        line(f"  {clean(row.label)}: {_cut(row.detail, _DETAIL)}{vote}")
    _claims(iteration.signals.integrity)
    facts = [f"{name.replace('_', ' ')}: {_fact(value)}" for name, value in iteration.objectives.items()]
    line(f"way of working: {'; '.join(facts)}")
    for words in fact_lines(iteration.facts):
        line(words)
    for words in _stored(shown):
        line(words)
    _diagnostics(_concerning(shown.diagnostics, score.iteration))


def _breakdown(breakdown: "Sequence[SignalContribution]", score: "OutcomeScore") -> None:
    rows = table("signal", "sub-score", "weight", "adds", _axis(_BAR), right=("sub-score", "weight", "adds"))
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


def _axis(width: int) -> str:
    return "0" + " " * (width - 2) + "1"


def _bar(start: float, length: float, width: int) -> str:
    """A stretch of the line from 0 to 1. Both ends are rounded, so that stretches laid end to end fit."""
    full, empty = ("█", "·") if any_letter() else ("#", ".")
    first, last = round(min(start, 1) * width), round(min(start + length, 1) * width)
    return empty * first + full * (last - first) + empty * (width - last)


def _claims(pairs: "Sequence[IntegrityObservation]") -> None:
    if pairs:
        line("claims beside facts, which never move the score:")
    for pair in pairs:
        claimed = f"{pair.claimed.sub_score:.2f}" if pair.claimed.present else "nothing"
        observed = f"{pair.observed.sub_score:.2f}" if pair.observed.present else "not known"
        gap = f", {pair.delta:+z.2f}" if pair.comparable else ""
        line(f"  {clean(pair.signal)}: {pair.role} claimed {claimed}, observed {observed}{gap}")


def _fact(value: Any) -> str:
    return ("yes" if value.sub_score else "no") if value.present else "not known"


def _stored(shown: "Shown") -> Iterator[str]:
    if shown.stored is None and shown.stale:
        yield f"the written score does not count: {clean('; '.join(shown.stale))}"
    elif shown.stored is None:
        yield "no score is written yet; `gnomon outcome score` writes it"
    elif shown.stale:
        value = f"{shown.stored.value:.3f}" if shown.stored.scored else "no score"
        was = f"{value} by {clean(shown.stored.rubric_version)}"
        yield f"the written score ({was}) is stale: {clean('; '.join(shown.stale))}"
    else:
        yield "the written score still stands"


# ── sessions, honesty, another rubric ───────────────────────────────────────────────────────────────────────────


def sessions(session_rows: Sequence[dict[str, Any]], diagnostics: "Sequence[Diagnostic]") -> None:
    if session_rows:
        _sessions(session_rows)
    else:
        line("no entry names an agent session (agent.session_id)")
    _diagnostics(diagnostics)


def _sessions(session_rows: Sequence[dict[str, Any]]) -> None:
    counts = ("iterations", "provisional", "mean")
    rows = table("session", *counts, "95 % interval", axis("0", "1"), "band", right=counts)
    for row in session_rows:
        ends = tuple(row["confidence_interval_95"]) if row["confidence_interval_95"] else None
        rows.add_row(
            _cut(row["session_id"], 40), str(len(row["iterations"])), str(row["n_provisional"]), number(row["value"]),
            interval(ends), whisker(row["value"], ends, 0, 1), clean(row["band"]),
        )  # fmt: skip
    draw(rows)


def compared(comparison: "GroupComparison") -> None:
    """Two groups of iterations: their means, the difference as a whisker, and the verdict of each scorer in words."""
    base, other = comparison.base, comparison.compare
    rubric = f", by rubric {clean(comparison.rubric_version)}" if comparison.rubric_version else ""
    line(f"{clean(base.name)} → {clean(other.name)}{rubric}")
    for group in (base, other):
        left_out = f", {group.n_provisional} more on little evidence left out" if group.n_provisional else ""
        clusters = _count(group.n_clusters, comparison.cluster_by)
        line(f"{clean(group.name)}: {_count(group.n_iterations, 'iteration')} in {clusters}{left_out}")
    if not comparison.scorer_comparisons:
        line("neither group has a number to compare: only what is no longer provisional counts")
        line("add evidence with --transcripts and --ci; `gnomon outcome report --by model` counts what was undone")
    else:
        draw(_group_table(comparison.scorer_comparisons))
        for names, words in _verdicts(comparison.scorer_comparisons):
            line(f"{clean(names)}: {clean(words)}")
    flags = [flag for result in comparison.scorer_comparisons for flag in result.flags]
    for words in dict.fromkeys(FLAGS.get(flag, flag) for flag in flags):
        line(words)
    for note in comparison.notes:
        line(clean(note))


def _verdicts(comparisons: "Sequence[GroupScorerComparison]") -> "Iterator[tuple[str, str]]":
    """Each scorer with its verdict; one line where none has an interval, for the same reason."""
    undecided = all(row.delta_ci_95 is None for row in comparisons)
    if undecided and len(comparisons) > 1 and len({row.words for row in comparisons}) == 1:
        yield "each scorer", comparisons[0].words
        return
    for row in comparisons:
        yield row.scorer_name, row.words


def _group_table(comparisons: "Sequence[GroupScorerComparison]") -> Any:
    end = reach([row.delta_ci_95 for row in comparisons])
    drawn = [axis(f"-{end:g}", f"+{end:g}")] if any(row.delta_ci_95 for row in comparisons) else []
    rows = table("scorer", "base", "other", "difference", *drawn, right=("base", "other", "difference"))
    for row in comparisons:
        figures = (number(row.base.mean), number(row.compare.mean), number(row.delta, "+"))
        whiskers = [whisker(row.delta, row.delta_ci_95, -end, end) for _ in drawn]
        rows.add_row(clean(row.scorer_name), *figures, *whiskers)
    return rows


def honesty(profile: "Honesty", diagnostics: "Sequence[Diagnostic]") -> None:
    if profile.roles:
        _roles(profile)
    else:
        line("there is no claim and no fact to compare")
    _diagnostics(diagnostics)


def _roles(profile: "Honesty") -> None:
    rows = table("role", "signal", "compared", "gap", "95 % interval", axis("-1", "1"), right=("compared", "gap"))
    for row in profile.roles:
        rows.add_row(
            row.role, clean(row.signal), str(row.n), number(row.mean_delta, "+"), interval(row.confidence_interval_95),
            whisker(row.mean_delta, row.confidence_interval_95, -1, 1),
        )  # fmt: skip
    draw(rows)
    line("gap: observed minus claimed; below 0, more was claimed than is true")
    for row in profile.roles:
        if row.n:
            share = f"{row.overclaimed} of {row.n} (95 % interval {interval(row.overclaim_share_ci_95)})"
            line(f"{row.role} claimed too much of {clean(row.signal)}: {share}")
    for row in profile.roles:
        if row.ci_reason:
            line(f"note: {row.role}, {clean(row.signal)}: {clean(row.ci_reason)}")


def recomputed(result: "Recomputed", written: bool) -> None:
    from gnomon.outcome.scorelog import change

    if result.rows:
        versions = (clean(result.before_version), clean(result.after_version))
        rows = table("iteration", versions[0], "band", versions[1], "band", "change", right=("iteration", "change"))
        for old, new in result.rows:
            rows.add_row(
                str(old.iteration), number(old.value if old.scored else None), _band(old),
                number(new.value if new.scored else None), _band(new), _signed(change(old, new)),
            )  # fmt: skip
        draw(rows)
    else:
        line("there are no iterations to score")
    if result.mean_delta is not None:
        ends = (
            f" (95 % interval {_signed(result.interval[0])} to {_signed(result.interval[1])})"
            if result.interval
            else ""
        )
        bands = f"{result.changed_bands} of {len(result.rows)} change their band"
        line(f"mean change {_signed(result.mean_delta)}{ends}; {bands}")
    _diagnostics(result.diagnostics)
    if result.rows:
        beside = f"the scores by {clean(result.after_version)} are written beside the log"
        line(beside if written else "nothing is written; --write replaces the scores beside the log")


def _signed(value: float | None) -> str:
    return number(None if value is None else round(value, 3) + 0.0, "+")


def pushed(source: str, sent: "Sent") -> None:
    accepted = sent.accepted
    words = f"{accepted.created} new, {accepted.updated} updated"
    line(f"{_count(accepted.accepted, 'iteration')} of {clean(source)}: {words}")
    _diagnostics(sent.diagnostics)


def drawn(count: int, source: str, page: Path) -> None:
    line(f"{_count(count, 'iteration')} of {clean(source)}, drawn in {clean(str(page))}")


# ── people and gates ────────────────────────────────────────────────────────────────────────────────────────────


def labelled(id: str, path: Path, value: float, *, changed: bool) -> None:
    line(f"{'changed' if changed else 'added'} label {clean(id)} in {clean(str(path))}: worth {value:.3f}")


def decided(status: str, path: Path | None) -> None:
    line(status if path is None else f"{status}: {clean(str(path))}")


# ── without a log ───────────────────────────────────────────────────────────────────────────────────────────────


def history(report: "OutcomeReport", last: int | None, out: Path | None) -> None:
    newest = report.iterations[-(last or _SHOWN) :]
    cut = f"; the newest {len(newest)}:" if len(newest) < len(report.iterations) else ""
    line(_headline(report) + cut)
    rows = table(
        "iteration", "date", "commit", "score", "band", "evidence", "what", right=("iteration", "score", "evidence")
    )
    for iteration in newest:
        score, record = iteration.score, iteration.record
        rows.add_row(
            str(score.iteration), record.date, record.commit[:10], number(score.value if score.scored else None),
            _band(score), f"{score.coverage:.0%}", _cut(record.impl.summary, 60),
        )  # fmt: skip
    if newest:
        draw(rows)
    mean_lines(report)
    _diagnostics(report.diagnostics)
    if out is not None:
        words = f"{_count(len(report.iterations), 'iteration')} with scores and evidence"
        line(f"written: {words} into {clean(str(out))}; `gnomon outcome score --log` scores them again")


def grouped(groups: "Sequence[WorkGroup]", by: "ReportBy | None") -> None:
    from gnomon.report.worksections import group_section

    if by:
        section = group_section(groups, by)
        line()
        for words in section.sentences:
            line(words)
        rows = table(*section.columns, right=[name for name in section.columns if name not in section.text])
        for row in section.rows:
            rows.add_row(*(_cut(cell, 60) for cell in row))
        draw(rows)


def begun(starter: "Starter", *, written: bool) -> None:
    for words in starter.text.splitlines():
        line(clean(words) if not words.startswith(" ") else " " * (len(words) - len(words.lstrip())) + clean(words))
    origin = f"made from {clean(' and '.join(starter.made_from))}"
    line(f"# {origin}; written to {clean(str(starter.path))}" if written else f"# {origin}; not written")
    line("# add what you know, then: gnomon outcome score")
