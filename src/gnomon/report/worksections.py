"""The team's report in words and rows, once for the terminal, for Markdown and for HTML."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gnomon.model.aggregate import Interval
from gnomon.model.workreport import CostPerChange, ReportBy, UndoneWork, WorkChange, WorkGroup, WorkReport
from gnomon.report.text.drawing import number
from gnomon.shorten import counted

_NOTES = 12
_NARROW = 0.05
"""An interval of less than five percentage points is shown with a decimal."""


@dataclass(frozen=True, slots=True)
class WorkSection:
    """A heading with sentences and a table; `text` names the columns that hold words."""

    title: str
    sentences: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    text: Sequence[str] = ()


def title(report: WorkReport) -> str:
    return f"Work on {report.source}"


def opening(report: WorkReport) -> list[str]:
    """What happened, in a few sentences."""
    return [line for line in (_span(report), _tally(report), _scores(report), _history(report)) if line]


def sections(report: WorkReport) -> list[WorkSection]:
    parts = [_look_at(report), _landed(report), _undone(report), _cost(report.cost), _claims(report)]
    parts += [group_section(report.groups, report.by)] if report.by else []
    return [*parts, *([WorkSection("Notes", _notes(report.notes))] if report.notes else [])]


def _notes(notes: Sequence[str]) -> list[str]:
    more = len(notes) - _NOTES
    return [*notes[:_NOTES], *([f"And {more:,} more; --json has all of them."] if more > 0 else [])]


# --- what happened -----


def _span(report: WorkReport) -> str:
    time = f"from {_day(report.since)} to" if report.since else "until"
    trunk = f" on {report.trunk}" if report.trunk else ""
    return f"{counted(report.n_changes, 'change')}{trunk} {time} {_day(report.as_of)}."


def _tally(report: WorkReport) -> str:
    if not report.n_changes:
        return "Nothing landed in this time, and nothing was worked on."
    undone = f", {report.n_undone:,} undone since{_share(report.n_undone, report.n_landed, report.undone_ci_95)}"
    parts = [f"{report.n_landed:,} landed{undone if report.n_landed else ''}"]
    parts += [f"{report.n_waiting:,} not landed yet"] if report.n_waiting else []
    parts += [f"{report.n_not_landed:,} did not land"] if report.n_not_landed else []
    reverts = sum(change.state == "revert" for change in report.changes)
    parts += [f"{reverts:,} took work back"] if reverts else []
    unknown = sum(change.state == "not known" for change in report.changes)
    parts += [f"of {unknown:,} it is not known"] if unknown else []
    return "; ".join(parts) + "."


def _share(part: int, whole: int, ends: Interval | None) -> str:
    if not whole or ends is None:
        return ""
    percent, sure = _percents(part / whole, ends)
    return f" ({percent}, 95 % interval {sure})"


def _percents(share: float, ends: Interval) -> tuple[str, str]:
    """A share and its interval, with a decimal where the interval is so narrow that it says something."""
    digits = 1 if ends[1] - ends[0] < _NARROW else 0
    return f"{share:.{digits}%}", f"{100 * ends[0]:.{digits}f} to {ends[1]:.{digits}%}"


def _scores(report: WorkReport) -> str:
    ends = report.mean_ci_95
    sure = f" (95 % interval {ends[0]:.3f} to {ends[1]:.3f})" if ends else ""
    words = f"Mean score {number(report.mean)}{sure} over {report.n_firm:,}." if report.mean is not None else ""
    if report.n_provisional:
        apart = f"{report.n_provisional:,} provisional {'score is' if report.n_provisional == 1 else 'scores are'}"
        words += f" {apart} in no mean: {_reasons(report.why_provisional)}."
    return words.strip()


def _reasons(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{count:,} {why}" for why, count in reasons.items())


def _history(report: WorkReport) -> str:
    plain = "This is plain history: each commit on the trunk's own line is a change, and a merge stands for its branch."
    return plain if report.plain_history else ""


def stood(days: int) -> str:
    return counted(days, "day") if days else "under a day"


def _day(moment: datetime | None) -> str:
    return "–" if moment is None else moment.date().isoformat()


def dollars(value: float | None) -> str:
    """
    >>> dollars(1.5), dollars(0.0042), dollars(None)
    ('$1.50', '$0.0042', '–')
    """
    if value is None:
        return "–"
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


# --- the parts -----


def _look_at(report: WorkReport) -> WorkSection:
    rows = [[str(row.iteration), row.commit[:10], row.title, "; ".join(row.reasons)] for row in report.look_at]
    sentences = [] if rows else ["Nothing stands out."]
    return WorkSection("Worth a look", sentences, ("change", "commit", "what", "why"), rows, ("commit", "what", "why"))


def _landed(report: WorkReport) -> WorkSection:
    changes = [change for change in report.changes if change.state in ("landed", "partly undone", "superseded")]
    costs = any(change.cost_usd is not None for change in changes)
    agents = any(change.agent for change in changes)
    shown = {"agent": agents, "cost": costs}
    every = ("change", "landed", "commit", "what", "agent", "score", "cost")
    names = [name for name in every if shown.get(name, True)]
    rows = [_landed_row(change, agents=agents, costs=costs) for change in changes]
    sentences = [] if rows else ["Nothing landed that stands."]
    return WorkSection("What landed and stands", sentences, names, rows, ("landed", "commit", "what", "agent", "score"))


def _landed_row(change: WorkChange, *, agents: bool, costs: bool) -> list[str]:
    title = f"{change.title} ({change.pull_request})" if _names_no(change) else change.title
    agent = [" ".join(part for part in (change.agent, change.model) if part) or "–"] if agents else []
    cost = [dollars(change.cost_usd)] if costs else []
    return [str(change.iteration), _day(change.at), change.commit[:10], title, *agent, _score(change), *cost]


def _names_no(change: WorkChange) -> bool:
    return bool(change.pull_request) and change.pull_request not in change.title


def _score(change: WorkChange) -> str:
    if change.value is None:
        return "–"
    return f"{change.value:.3f} {'provisional' if change.provisional else change.band}"


def _undone(report: WorkReport) -> WorkSection:
    rows = [
        [str(row.iteration or "–"), row.commit[:10], row.title, _day(row.at), f"{row.by[:10]} {row.by_subject}",
         row.why or "no reason given", stood(row.after_days)]
        for row in report.undone
    ]  # fmt: skip
    sentences = [_partly(report.undone)] if any(row.state != "undone" for row in report.undone) else []
    names = ("change", "commit", "what", "undone", "by", "why", "stood")
    text = ("commit", "what", "undone", "by", "why")
    return WorkSection("What was undone, and why", sentences if rows else ["Nothing was undone."], names, rows, text)


def _partly(rows: Sequence[UndoneWork]) -> str:
    parts = {
        "partly undone": "in part only, and the rest stands",
        "superseded": "after so long that it counts as superseded",
    }
    counts = [(sum(row.state == state for row in rows), words) for state, words in parts.items()]
    return "; ".join(f"{count:,} {words}" for count, words in counts if count) + "."


def _cost(cost: CostPerChange) -> WorkSection:
    sentences = []
    if cost.n_known:
        spent = f"{dollars(cost.total_usd)} over {counted(cost.n_known, 'change')} whose cost is known"
        sentences.append(f"{spent}, {cost.n_standing:,} of which landed and {_stand(cost.n_standing)}.")
    if cost.per_change_usd is not None:
        ends = cost.confidence_interval_95
        sure = f"95 % interval {dollars(ends[0])} to {dollars(ends[1])}" if ends else f"no interval: {cost.reason}"
        sentences.append(f"{dollars(cost.per_change_usd)} per landed change ({sure}).")
    elif cost.reason:
        sentences.append(f"No cost per landed change: {cost.reason}.")
    if cost.n_unknown:
        several = len(cost.why_unknown) > 1
        why = "; ".join(f"{words} ({count:,})" if several else words for words, count in cost.why_unknown.items())
        sentences.append(f"Not known for {counted(cost.n_unknown, 'change')}: {why}.")
    return WorkSection("Cost per landed change", sentences)


def _stand(count: int) -> str:
    return "stands" if count == 1 else "stand"


def _claims(report: WorkReport) -> WorkSection:
    rows = [
        [str(row.iteration), row.title, row.role, row.signal, f"{row.claimed:.2f}", f"{row.observed:.2f}", row.fact]
        for row in report.claims
    ]
    names = ("change", "what", "role", "claim", "claimed", "observed", "fact")
    share = _share(len(rows), report.n_claims, report.broken_claims_ci_95)
    checked = f"{len(rows):,} of {counted(report.n_claims, 'claim')} that could be checked did not hold{share}."
    sentence = checked if report.n_claims else "No claim could be checked."
    return WorkSection("Claims that did not hold", [sentence], names, rows, ("what", "role", "claim", "fact"))


def group_section(groups: Sequence[WorkGroup], by: ReportBy) -> WorkSection:
    names = (by, "changes", "landed", "undone", "95 % interval", "mean score", "of", "cost")
    rows = [_group(group) for group in groups]
    several = "; a change counts in each of its own" if by in ("author", "path") else ""
    words = f"Undone: the share of what landed{several}. A cost is shown where that of all changes is known."
    return WorkSection(f"By {by}", [words], names, rows, (by,))


def _group(group: WorkGroup) -> list[str]:
    share, sure = "–", "–"
    if group.undone_share is not None and group.undone_ci_95 is not None:
        share, sure = _percents(group.undone_share, group.undone_ci_95)
    counts = [f"{group.n:,}", f"{group.n_landed:,}", share, sure]
    return [group.name, *counts, number(group.mean), f"{group.n_firm:,}", dollars(group.cost_usd)]


def cut(section: WorkSection, most: int) -> tuple[Sequence[Sequence[str]], Iterator[str]]:
    """The first rows, and a sentence about those that are left out."""
    left_out = len(section.rows) - most
    words = f"And {left_out:,} more; --json has all of them." if left_out > 0 else ""
    return section.rows[:most], iter([words] if words else [])
