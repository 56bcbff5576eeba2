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
from gnomon.model.drift import Drift, DriftDay, DriftSeries, DriftStatus, DriftWindow, DriftWish
from gnomon.model.jsonvalue import dump
from gnomon.service import projects
from gnomon.service.aggregate import shown_ends
from gnomon.service.calibration import listed
from gnomon.service.call import Call
from gnomon.stats.describe import round_shown
from gnomon.stats.drift import ALPHA, REFERENCE_DAYS, DaySums, Watched, watch
from gnomon.store import score_days as store
from gnomon.store.rows import ScoreDayRow

MOST_VALUES = 100
_EPOCH = date(1970, 1, 1).toordinal()
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Days = dict[int, DaySums]
"""Sums by day, as a count of days since 1970."""


def drift(call: Call, project_id: str, wish: DriftWish) -> Drift:
    window, until = _window(wish.reference), _until(wish.until)
    if wish.by == "":
        raise InvalidInput.of("by", "by is empty; name `model` or a metadata key of the spans")
    projects.get(call, project_id)
    rows = [row for row in store.of_project(call.db, project_id, wish.scorer_name) if row.day <= until]
    by_scorer = {name: list(own) for name, own in groupby(rows, key=lambda row: row.scorer_name)}
    if wish.scorer_name is not None and not by_scorer:
        raise NotFound(_no_scorer(call, project_id, wish.scorer_name))
    notes: list[str] = []
    series: list[DriftSeries] = []
    for name, own in sorted(by_scorer.items()):
        stream = _stream(call, project_id, name, own, wish, until)
        series += _of_scorer(stream, window, ALPHA / len(by_scorer))
        notes += stream.notes
    return Drift(
        project_id=project_id, by=wish.by, status=_overall(series), false_alarm_rate=ALPHA, series=series, notes=notes
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
    call: Call, project_id: str, name: str, rows: Sequence[ScoreDayRow], wish: DriftWish, until: int
) -> _Stream:  # fmt: skip
    chosen, notes = _configuration(name, rows, wish.config_hash)
    own = [row for row in rows if row.config_hash == chosen]
    total = _added((row.day, _sums(row)) for row in own)
    if wish.by is None:
        return _Stream(name, chosen, total, None, notes)
    if wish.by == "model":
        by_value: dict[str, Days] = {}
        for row in own:
            if row.model:
                by_value.setdefault(row.model, {})[row.day] = _sums(row)
    else:
        by_value = _by_metadata(call, project_id, name, chosen, wish.by, until)
    if len(by_value) > MOST_VALUES:
        message = f"{wish.by!r} has {len(by_value):,} values, too many to test ({MOST_VALUES}); choose a coarser key"
        raise Refused(message)
    grouped = sum(day.n for days in by_value.values() for day in days.values())
    left_out = sum(day.n for day in total.values()) - grouped
    if left_out > 0:
        gone = "" if wish.by == "model" else ", or are no longer stored one by one"
        notes.append(
            f"{name}: {left_out:,} scores are on spans without {wish.by!r}{gone}; they count only in the total"
        )
    return _Stream(name, chosen, total, by_value, notes)


def _configuration(name: str, rows: Sequence[ScoreDayRow], wanted: str | None) -> tuple[str, list[str]]:
    """The configuration that was asked for, else the newest: the last used, and of those the last begun."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in rows:
        first[row.config_hash] = min(row.day, first.get(row.config_hash, row.day))
        last[row.config_hash] = max(row.day, last.get(row.config_hash, row.day))
    if wanted is not None:
        if wanted not in first:
            known = [hashed or '"" (none)' for hashed in sorted(first)]
            raise NotFound(f"{name!r} has no scores on spans with config_hash {wanted!r}; it has {listed(known)}")
        return wanted, []
    newest = max(first, key=lambda hashed: (last[hashed], first[hashed], hashed))
    if len(first) == 1:
        return newest, []
    others = sum(row.n for row in rows if row.config_hash != newest)
    return newest, [
        f"{name}: its configuration changed; this is the newest, {newest or 'none'}, in use since "
        f"{_date(first[newest])}. {others:,} scores of {len(first) - 1} other(s) are left out; config_hash names one"
    ]


def _by_metadata(
    call: Call, project_id: str, name: str, config_hash: str, key: str, until: int
) -> dict[str, Days]:  # fmt: skip
    """From the scores that are still stored: daily sums are kept per model only."""
    found: dict[str, Days] = {}
    for row in store.scores_with_metadata(call.db, project_id, name, config_hash):
        value = None if row.metadata is None else msgspec.json.decode(row.metadata).get(key)
        day = row.start_ms // store.DAY_MS
        if value is not None and day <= until:
            days = found.setdefault(value if isinstance(value, str) else dump(value), {})
            days[day] = _plus(days.get(day), DaySums(1, row.value, row.value * row.value))
    return found


def _added(pairs: Iterable[tuple[int, DaySums]]) -> Days:
    days: Days = {}
    for day, sums in pairs:
        days[day] = _plus(days.get(day), sums)
    return days


def _plus(one: DaySums | None, other: DaySums) -> DaySums:
    if one is None:
        return other
    return DaySums(one.n + other.n, one.total + other.total, one.squares + other.squares)


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
    found: dict[str, float] = {}
    placed = 0
    ordered = sorted(first_days, key=lambda value: first_days[value])
    for _, group in groupby(ordered, key=lambda value: first_days[value]):
        names = list(group)
        worth = 1 / (placed + 1) - 1 / (placed + 1 + len(names))
        found.update(dict.fromkeys(names, share * worth / len(names)))
        placed += len(names)
    return found


def _series(
    stream: _Stream, value: str | None, days: Days, window: tuple[int, int] | None, share: float
) -> DriftSeries:  # fmt: skip
    ordered = sorted(days)
    first, last = window or _first_days(ordered)
    reference = [day for day in ordered if first <= day <= last]
    later = [day for day in ordered if day > last]
    reason = _not_yet(reference, later, window, last)
    found = None if not reference else watch([days[day] for day in reference], [days[day] for day in later], share)
    if found is not None and found.status == "too_few" and reason is None:
        reason = (
            f"the {sum(days[day].n for day in later):,} scores since {_date(later[0])} could not have raised an alarm "
            "yet, whatever they were"
        )
    return DriftSeries(
        scorer_name=stream.scorer_name, config_hash=stream.config_hash or None, by_value=value,
        status="too_few" if reason is not None or found is None else found.status, reason=reason,
        false_alarm_rate=round_shown(share), reference=_span_of(reference, days),
        days=[DriftDay(day=_date(day), n=days[day].n, mean=round_shown(days[day].total / days[day].n))
              for day in ordered],
        **_said(found, reason, later, days),
    )  # fmt: skip


def _said(found: Watched | None, reason: str | None, later: Sequence[int], days: Days) -> dict[str, object]:
    """What the test says, in the words of the noun."""
    if found is None:
        names = ["reference_interval", "since", "direction", "alarm_day", "began_day", "effect", "effect_interval"]
        return {**dict.fromkeys(names), "recovered": False}
    began = found.began_at
    ends = found.effect_ends
    return {
        "reference_interval": shown_ends(found.reference_ends),
        "since": _span_of(later[began or 0 :], days),
        "direction": found.direction,
        "alarm_day": None if found.alarm_at is None else _date(later[found.alarm_at]),
        "began_day": None if began is None else _date(later[began]),
        "effect": round_shown(found.effect),
        "effect_interval": shown_ends(ends),
        "recovered": found.status == "alarm" and ends is not None and ends[0] <= 0 <= ends[1],
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
    own = ordered[:REFERENCE_DAYS]
    return own[0], own[-1]


def _span_of(chosen: Sequence[int], days: Days) -> DriftWindow | None:
    if not chosen:
        return None
    n = sum(days[day].n for day in chosen)
    return DriftWindow(
        first_day=_date(chosen[0]), last_day=_date(chosen[-1]), days=len(chosen), n=n,
        mean=round_shown(sum(days[day].total for day in chosen) / n),
    )  # fmt: skip


def _overall(series: Sequence[DriftSeries]) -> DriftStatus:
    found = {one.status for one in series}
    return "alarm" if "alarm" in found else "quiet" if "quiet" in found else "too_few"


# --- what was asked -----


def _window(asked: str | None) -> tuple[int, int] | None:
    if asked is None:
        return None
    first, dots, last = asked.partition("..")
    if not dots:
        raise InvalidInput.of("reference", f"reference is {asked!r}; write it like 2026-01-01..2026-01-14")
    ends = _day("reference", first), _day("reference", last)
    if ends[0] > ends[1]:
        raise InvalidInput.of("reference", f"reference is {asked!r}, which ends before it begins; swap the two days")
    return ends


def _until(asked: str | None) -> int:
    return date.max.toordinal() if asked is None else _day("until", asked)


def _day(name: str, text: str) -> int:
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text).toordinal() - _EPOCH
    except ValueError:
        raise InvalidInput.of(name, f"{name}: {text!r} is no day; write it like 2026-01-14") from None


def _date(day: int) -> date:
    return date.fromordinal(day + _EPOCH)


def _no_scorer(call: Call, project_id: str, name: str) -> str:
    known = sorted({row.scorer_name for row in store.of_project(call.db, project_id, None)})
    return f"project {project_id!r} has no numbers of {name!r} on spans; the scorers there are {listed(known)}"
