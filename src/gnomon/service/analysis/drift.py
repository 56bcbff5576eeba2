"""Has the mean of an online scorer moved? Daily sums against a reference window.

The chance of a false alarm, 5 %, is for everything that one question looks at. Scorers share it equally. With `by`,
all spans together get half of a scorer's share and the values of the key the other half, in the order in which they
first appeared: values of the same day get equal shares, and something is always left for values still to come, so
that a new value never takes an old alarm back.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

import msgspec

from gnomon.errors import InvalidInput, NotFound, Refused
from gnomon.model.drift import Drift, DriftDay, DriftOptions, DriftSeries, DriftStatus, DriftWindow
from gnomon.model.jsonvalue import dump
from gnomon.model.nearest import did_you_mean
from gnomon.service.access import projects
from gnomon.service.analysis.aggregate import shown_ends
from gnomon.service.call import Call
from gnomon.service.judges.calibration import listed
from gnomon.shorten import counted
from gnomon.stats.describe import round_shown
from gnomon.stats.drift import ALPHA, REFERENCE_DAYS, DaySums, Watched, watch
from gnomon.store import score_days as store
from gnomon.store import scorerlist
from gnomon.store.rows import ScoreDayRow

MOST_VALUES = 100
_EPOCH = date(1970, 1, 1).toordinal()
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Days = dict[int, DaySums]
"""Sums by day, as a count of days since 1970."""


def drift(call: Call, project_id: str, options: DriftOptions) -> Drift:
    window, until = _window(options.reference), _until(options.until)
    if options.by == "":
        raise InvalidInput.of("by", "by is empty; name `model` or a metadata key of the spans")
    projects.get(call, project_id)
    rows = [row for row in store.of_project(call.db, project_id, options.scorer_name) if row.day <= until]
    by_scorer = {name: list(days) for name, days in groupby(rows, key=lambda row: row.scorer_name)}
    if options.scorer_name is not None and not by_scorer:
        raise NotFound(_no_scorer(call, project_id, options.scorer_name))
    notes: list[str] = []
    series: list[DriftSeries] = []
    for name, days in sorted(by_scorer.items()):
        stream = _stream(call, project_id, name, days, options, until)
        series += _of_scorer(stream, window, ALPHA / len(by_scorer))
        notes += stream.notes
    return Drift(
        project_id=project_id,
        by=options.by,
        status=_overall(series),
        false_alarm_rate=ALPHA,
        series=series,
        notes=notes,
    )


# --- which scores -----


@dataclass(frozen=True, slots=True)
class _Stream:
    """The days of one scorer in one configuration, together and by value of a key."""

    scorer_name: str
    config_hash: str
    total: Days
    by_value: dict[str, Days] | None
    notes: list[str] = field(default_factory=list)


def _stream(
    call: Call, project_id: str, name: str, rows: Sequence[ScoreDayRow], options: DriftOptions, until: int
) -> _Stream:  # fmt: skip
    chosen, notes = _configuration(name, rows, options.config_hash)
    chosen_rows = [row for row in rows if row.config_hash == chosen]
    total = _added((row.day, _sums(row)) for row in chosen_rows)
    if options.by is None:
        return _Stream(name, chosen, total, None, notes)
    if options.by == "model":
        by_value: dict[str, Days] = {}
        for row in chosen_rows:
            if row.model:
                by_value.setdefault(row.model, {})[row.day] = _sums(row)
    else:
        by_value = _by_metadata(call, project_id, name, chosen, options.by, until)
    if len(by_value) > MOST_VALUES:
        message = f"{options.by!r} has {len(by_value):,} values, too many to test ({MOST_VALUES}); choose a coarser key"
        raise Refused(message)
    grouped = sum(day.n for days in by_value.values() for day in days.values())
    left_out = sum(day.n for day in total.values()) - grouped
    if left_out > 0:
        or_removed = "" if options.by == "model" else ", or are no longer stored one by one"
        notes.append(
            f"{name}: {left_out:,} scores are on spans without {options.by!r}{or_removed}; they count only in the total"
        )
    return _Stream(name, chosen, total, by_value, notes)


def _configuration(name: str, rows: Sequence[ScoreDayRow], config_hash: str | None) -> tuple[str, list[str]]:
    """The configuration that was asked for, else the newest: the last used, and of those the last begun."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in rows:
        first[row.config_hash] = min(row.day, first.get(row.config_hash, row.day))
        last[row.config_hash] = max(row.day, last.get(row.config_hash, row.day))
    if config_hash is not None:
        if config_hash not in first:
            known = [hashed or '"" (none)' for hashed in sorted(first)]
            raise NotFound(f"{name!r} has no scores on spans with config_hash {config_hash!r}; it has {listed(known)}")
        return config_hash, []
    newest = max(first, key=lambda hashed: (last[hashed], first[hashed], hashed))
    if len(first) == 1:
        return newest, []
    others = sum(row.n for row in rows if row.config_hash != newest)
    return newest, [
        f"{name}: its configuration changed; this is the newest, {newest or 'none'}, in use since "
        f"{_date(first[newest])}. {counted(others, 'score')} of "
        f"{counted(len(first) - 1, 'other configuration')} are left out; config_hash names one"
    ]


def _by_metadata(
    call: Call, project_id: str, name: str, config_hash: str, key: str, until: int
) -> dict[str, Days]:  # fmt: skip
    """Streams from the scores that are still stored: daily sums are kept per model only."""
    groups: dict[str, Days] = {}
    for row in store.scores_with_metadata(call.db, project_id, name, config_hash):
        value = None if row.metadata is None else msgspec.json.decode(row.metadata).get(key)
        day = row.start_ms // store.DAY_MS
        if value is not None and day <= until:
            days = groups.setdefault(value if isinstance(value, str) else dump(value), {})
            days[day] = _plus(days.get(day), DaySums(1, row.value, row.value * row.value))
    return groups


def _added(pairs: Iterable[tuple[int, DaySums]]) -> Days:
    days: Days = {}
    for day, sums in pairs:
        days[day] = _plus(days.get(day), sums)
    return days


def _plus(day_sums: DaySums | None, other: DaySums) -> DaySums:
    if day_sums is None:
        return other
    return DaySums(day_sums.n + other.n, day_sums.total + other.total, day_sums.squares + other.squares)


def _sums(row: ScoreDayRow) -> DaySums:
    # Deleted scores leave the rounding of a sum behind, which may lie just outside what is possible.
    total = min(max(row.total, 0.0), float(row.n))
    return DaySums(row.n, total, min(max(row.squares, 0.0), total))


# --- what they say -----


def _of_scorer(stream: _Stream, window: tuple[int, int] | None, share: float) -> list[DriftSeries]:
    if stream.by_value is None:
        return [_series(stream, None, stream.total, window, share)]
    shares = _shares({value: min(days) for value, days in stream.by_value.items()}, share / 2)
    parts = [_series(stream, value, days, window, shares[value]) for value, days in sorted(stream.by_value.items())]
    return [_series(stream, None, stream.total, window, share / 2), *parts]


def _shares(first_days: Mapping[str, int], share: float) -> dict[str, float]:
    """Place i in the order of appearance is worth 1 / (i(i + 1)) of the share; a day's values split what theirs are."""
    shares: dict[str, float] = {}
    placed = 0
    ordered = sorted(first_days, key=lambda value: first_days[value])
    for _, group in groupby(ordered, key=lambda value: first_days[value]):
        names = list(group)
        worth = 1 / (placed + 1) - 1 / (placed + 1 + len(names))
        shares.update(dict.fromkeys(names, share * worth / len(names)))
        placed += len(names)
    return shares


def _series(
    stream: _Stream, value: str | None, days: Days, window: tuple[int, int] | None, share: float
) -> DriftSeries:  # fmt: skip
    ordered = sorted(days)
    first, last = window or _first_days(ordered)
    reference = [day for day in ordered if first <= day <= last]
    later = [day for day in ordered if day > last]
    reason = _not_yet(reference, later, window, last)
    watched = None if not reference else watch([days[day] for day in reference], [days[day] for day in later], share)
    if watched is not None and watched.status == "too_few" and reason is None:
        reason = (
            f"the {sum(days[day].n for day in later):,} scores since {_date(later[0])} could not have raised an alarm "
            "yet, whatever they were"
        )
    return DriftSeries(
        scorer_name=stream.scorer_name, config_hash=stream.config_hash or None, by_value=value,
        status="too_few" if reason is not None or watched is None else watched.status, reason=reason,
        false_alarm_rate=round_shown(share), reference=_span_of(reference, days),
        days=[DriftDay(day=_date(day), n=days[day].n, mean=round_shown(days[day].total / days[day].n))
              for day in ordered],
        **_test_words(watched, reason, later, days),
    )  # fmt: skip


def _test_words(watched: Watched | None, reason: str | None, later: Sequence[int], days: Days) -> dict[str, object]:
    """What the test says, in the words of the noun."""
    if watched is None:
        names = ["reference_interval", "since", "direction", "alarm_day", "began_day", "effect", "effect_interval"]
        return {**dict.fromkeys(names), "recovered": False}
    began = watched.began_at
    ends = watched.effect_ends
    return {
        "reference_interval": shown_ends(watched.reference_ends),
        "since": _span_of(later[began or 0 :], days),
        "direction": watched.direction,
        "alarm_day": None if watched.alarm_at is None else _date(later[watched.alarm_at]),
        "began_day": None if began is None else _date(later[began]),
        "effect": round_shown(watched.effect),
        "effect_interval": shown_ends(ends),
        "recovered": watched.status == "alarm" and ends is not None and ends[0] <= 0 <= ends[1],
    }


def _not_yet(
    reference: Sequence[int], later: Sequence[int], window: tuple[int, int] | None, last: int
) -> str | None:  # fmt: skip
    if window is not None and not reference:
        return f"no scores in the reference, {_date(window[0])} to {_date(window[1])}"
    if window is None and len(reference) < REFERENCE_DAYS:
        return f"the reference is the first {REFERENCE_DAYS} days with scores; there are {len(reference)} so far"
    return None if later else f"no scores after the reference, which ends on {_date(last)}"


def _first_days(ordered: Sequence[int]) -> tuple[int, int]:
    reference_days = ordered[:REFERENCE_DAYS]
    return reference_days[0], reference_days[-1]


def _span_of(chosen: Sequence[int], days: Days) -> DriftWindow | None:
    if not chosen:
        return None
    n = sum(days[day].n for day in chosen)
    return DriftWindow(
        first_day=_date(chosen[0]), last_day=_date(chosen[-1]), days=len(chosen), n=n,
        mean=round_shown(sum(days[day].total for day in chosen) / n),
    )  # fmt: skip


def _overall(series: Sequence[DriftSeries]) -> DriftStatus:
    statuses = {drift_series.status for drift_series in series}
    return "alarm" if "alarm" in statuses else "quiet" if "quiet" in statuses else "too_few"


# --- what was asked -----


def _window(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, dots, last = text.partition("..")
    if not dots:
        raise InvalidInput.of("reference", f"reference is {text!r}; write it like 2026-01-01..2026-01-14")
    ends = _day("reference", first), _day("reference", last)
    if ends[0] > ends[1]:
        raise InvalidInput.of("reference", f"reference is {text!r}, which ends before it begins; swap the two dates")
    return ends


def _until(text: str | None) -> int:
    return date.max.toordinal() if text is None else _day("until", text)


def _day(name: str, text: str) -> int:
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text).toordinal() - _EPOCH
    except ValueError:
        raise InvalidInput.of(name, f"{name}: {text!r} is not a date; write it like 2026-01-14") from None


def _date(day: int) -> date:
    return date.fromordinal(day + _EPOCH)


def _no_scorer(call: Call, project_id: str, name: str) -> str:
    known = sorted({row.scorer_name for row in store.of_project(call.db, project_id, None)})
    near = did_you_mean(name, known, f"the scorers there are {listed(known)}")
    message = f"project {project_id!r} has no numbers of {name!r} on spans; {near}"
    elsewhere = {row.target_type for row in scorerlist.of_others(call.db, project_id) if row.scorer_name == name}
    if "iteration" in elsewhere:
        # Iterations of one session stand together and are scored again later, which a daily sum cannot follow.
        return f"{message}. Its scores are on iterations: compare two periods with GET /v1/iterations/compare?by=period"
    return message
