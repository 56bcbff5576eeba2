"""A scenario's day as people look at it: sensors as series, everything else as events, and where data are missing.

Whatever a beat holds is shown, also fields that nobody here has heard of: a number or a word makes a series, a
list of prices one series a symbol, any other list is told when something new stands in it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from gnomon.bench.noticing.answer_key import key_of
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import AnswerKey
from gnomon.model.day import DayEvent, DayGap, DaySeries, DayView

_ORDER = ("wearable", "home", "location", "financial", "weather", "calendar", "comms")
_KINDS = {
    "new_emails": "email", "new_slack_messages": "slack", "new_sms": "sms", "new_notifications": "notification",
    "new_missed_calls": "missed call", "new_voicemails": "voicemail", "last_3_transactions": "transaction",
    "pending_charges": "pending charge", "next_3_events": "appointment", "reminders": "reminder",
}  # fmt: skip
_COUNTED = {"new_missed_calls", "new_voicemails"}
_FRESH = {"new_emails", "new_slack_messages", "new_sms", "new_notifications"}
"""Lists that hold what is new in a beat; other lists are compared with the beat before."""
_PRICES = {"stock_watchlist", "crypto_prices"}
_MONEY = {"amount"}

Beats = Sequence[Mapping[str, Any]]
"""What each beat holds: module → field → value."""


def day_view(day: DayPackage) -> DayView:
    """The day, with the fields marked that the answer key names: the package's own, else that of its kind."""
    package, key = day.package, key_of(day)
    whole = [beat.model_dump() for beat in package.heartbeats]
    ids = [beat.pop("heartbeat_id") for beat in whole]
    times = [beat.pop("timestamp") for beat in whole]
    onset = key.onset_heartbeat_id
    series = sorted(_series(whole, key.affected_fields), key=_order)
    return DayView(
        scenario_id=package.scenario_id, kind=key.kind, control=package.is_control, noise_tier=package.noise_tier,
        person=package.person.name, beats=ids, times=times, onset=ids.index(onset) if onset in ids else None,
        affected=[row.field for row in series if row.affected], series=series, events=_events(whole, times),
        gaps=list(_gaps(whole)), notes=[*day.notes, *_about_key(day, key, series)],
    )  # fmt: skip


def _about_key(day: DayPackage, key: AnswerKey, series: Sequence[DaySeries]) -> Iterator[str]:
    if day.key is None:
        yield "the package has no answer key; fields are marked as is usual for its kind"
        return
    fields = {row.field for row in series}
    modules = {field.partition(".")[0] for field in fields}
    for field in key.affected_fields:
        if field not in fields and field.partition(".")[0] in modules:
            yield f"the answer key names {field}, which no beat has"


def _order(series: DaySeries) -> tuple[bool, int, bool]:
    module = series.field.partition(".")[0]
    return not series.affected, _ORDER.index(module) if module in _ORDER else len(_ORDER), not series.numeric


# --- series -----


def _series(beats: Beats, affected: Sequence[str]) -> Iterator[DaySeries]:
    columns: dict[str, list[float | str | None]] = {}
    for index, beat in enumerate(beats):
        for field, value in _readings(beat):
            columns.setdefault(field, [None] * len(beats))[index] = value
    for field, values in columns.items():
        known = [value for value in values if value is not None]
        numbers = [value for value in known if isinstance(value, float)]
        # A field that is a number in one beat and a word in another can only be told in words.
        numeric = len(numbers) == len(known)
        yield DaySeries(
            field=field, numeric=numeric, affected=field in affected,
            values=values if numeric else [None if value is None else _value_text(value) for value in values],
            low=min(numbers) if numeric else None, high=max(numbers) if numeric else None,
        )  # fmt: skip


def _readings(beat: Mapping[str, Any]) -> Iterator[tuple[str, float | str]]:
    for module, fields in beat.items():
        for name, value in fields.items() if isinstance(fields, dict) else ():
            if name in _KINDS or value is None:
                continue
            if name in _PRICES and isinstance(value, list):
                for element in value:
                    if (
                        isinstance(element, dict)
                        and "symbol" in element
                        and isinstance(element.get("price"), int | float)
                    ):
                        yield f"{module}.{name}.{element['symbol']}", float(element["price"])
            elif isinstance(value, bool | list | str):
                yield f"{module}.{name}", _value_text(value)
            elif isinstance(value, int | float):
                yield f"{module}.{name}", float(value)


def _value_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


# --- events -----


def _events(beats: Beats, times: Sequence[str]) -> list[DayEvent]:
    events: list[DayEvent] = []
    before: dict[str, list[Any]] = {}
    for index, beat in enumerate(beats):
        for fields in beat.values():
            for name, value in fields.items() if isinstance(fields, dict) else ():
                if name in _COUNTED and value:
                    events.append(DayEvent(beat=index, kind=_KINDS[name], words=f"{value} new"))
                elif name in _KINDS and isinstance(value, list):
                    known = [] if name in _FRESH else before.get(name, [])
                    events += [_event(name, entry, index, times) for entry in value if entry not in known]
                    before[name] = value
    return sorted(events, key=lambda entry: entry.beat)


def _event(name: str, entry: Any, seen: int, times: Sequence[str]) -> DayEvent:
    """What is planned stands at its own time where the day reaches it, else where it was first shown."""
    when = entry.get("time") if isinstance(entry, dict) else None
    if isinstance(when, str) and when[:11] == times[seen][:11] and when <= times[-1]:
        rest = {field: value for field, value in entry.items() if field != "time"}
        return DayEvent(beat=bisect_left(times, when), kind=_KINDS[name], words=_in_words(rest))
    return DayEvent(beat=seen, kind=_KINDS[name], words=_in_words(entry))


def _in_words(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    parts = []
    for name, value in entry.items():
        if name in _MONEY and isinstance(value, int | float):
            parts.append(f"{value:+z,.2f}")
        elif value not in (None, "", []):
            parts.append(", ".join(map(str, value)) if isinstance(value, list) else str(value))
    return " · ".join(parts)


# --- gaps -----


def _gaps(beats: Beats) -> Iterator[DayGap]:
    """Stretches without a module. One that no beat has is not missing: the scenario does without it."""
    for module in dict.fromkeys(name for beat in beats for name in beat):
        is_present = [isinstance(beat.get(module), dict) for beat in beats]
        if not any(is_present):
            continue
        for present, stretch in groupby(enumerate(is_present), key=lambda pair: pair[1]):
            indexes = [index for index, _ in stretch]
            if not present:
                yield DayGap(module=module, first=indexes[0], last=indexes[-1])
