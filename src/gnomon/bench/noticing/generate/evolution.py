"""How readings go on from the onset: a kind's phases laid over an ordinary day.

The ordinary day is there first and whole, so it is the same for every kind up to the onset, and after it for
whatever a kind says nothing of.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import NUMBERS, Row
from gnomon.bench.noticing.generate.kind import WHOLE, Amount, Kind, Phase

Filled = Callable[[Any], Any]
"""Fills the slots of a text."""


def evolve(module: str, ordinary: list[Row], kind: Kind, beats: range, seed: int, filled: Filled) -> list[Row | None]:
    """The module's rows with the kind's changes in these beats; then it is over, or the day is."""
    rows: list[Row | None] = [dict(row) for row in ordinary]
    fields = kind.evolution.get(module, {})
    for field, phases in fields.items():
        if field == WHOLE:
            continue
        values = [row[field] for row in ordinary]
        draw = Stream(seed, "kind", kind.name, module, field)
        changed = changed_values(f"{module}.{field}", values, phases, beats, draw, filled)
        changed += _afterwards(f"{module}.{field}", values, changed[-1], beats.stop, kind.recovers)
        for beat, value in enumerate(changed, start=beats.start):
            row = rows[beat]
            if row is not None:
                row[field] = value
    for phase in fields.get(WHOLE, []):
        for beat in beats[phase.after :]:
            rows[beat] = None
    return rows


def changed_values(
    name: str, ordinary: Sequence[Any], phases: Sequence[Phase], beats: range, draw: Stream, filled: Filled
) -> list[Any]:
    """One field in these beats, of which the first is the onset: ordinary until the first phase."""
    number = NUMBERS.get(name)
    before = beats[: phases[0].after]
    changed = [ordinary[beat] for beat in before]
    current = ordinary[before.stop - 1]
    for phase, following in zip(phases, [*phases[1:], None], strict=True):
        active = beats[phase.after : following.after if following else None]
        for value in _phase_values(phase, current, ordinary, active, beats.start, draw, filled):
            current = value
            noisy = value + draw.real(-phase.noise, phase.noise) if phase.noise else value
            changed.append(number.tidy(noisy) if number else noisy)
    return changed


def _phase_values(
    phase: Phase, start: Any, ordinary: Sequence[Any], beats: range, onset: int, draw: Stream, filled: Filled
) -> Iterator[Any]:
    """Values that are not rounded, so that a slow change is not lost on the way."""
    match phase.operation:
        case "set":
            is_range = isinstance(phase.set, list) and isinstance(start, int | float)
            value = _drawn(tuple(phase.set), draw) if is_range else filled(phase.set)
            yield from (value for _ in beats)
        case "play" if phase.play is not None:
            values = filled(phase.play)
            yield from (values[min(index, len(values) - 1)] for index in range(len(beats)))
        case "freeze":
            yield from (start for _ in beats)
        case "decay" if phase.decay is not None:
            towards = _drawn(phase.decay.towards, draw)
            for _ in beats:
                start += (towards - start) * phase.decay.rate
                yield start
        case "drift" if phase.drift is not None:
            for _ in beats:
                start += draw.real(-phase.drift.step, phase.drift.step) + phase.drift.trend
                yield start
        case "ramp" if phase.ramp is not None:
            to = _drawn(phase.ramp.to, draw)
            for index in range(1, len(beats) + 1):
                yield start + (to - start) * min(index / phase.ramp.over, 1.0)
        case "shift" if phase.shift is not None:
            by = _drawn(phase.shift, draw)
            yield from (ordinary[beat] + by for beat in beats)
        case "append":
            yield from _appended(phase, start, ordinary, beats, onset, filled)


def _appended(
    phase: Phase, start: list[Any], ordinary: Sequence[list[Any]], beats: range, onset: int, filled: Filled
) -> Iterator[list[Any]]:
    """Without `keep`, a beat's own list and what came then; with it, a running list of the last so many."""
    for beat in beats:
        came = [filled(addition.item) for addition in phase.append or [] if addition.after == beat - onset]
        if phase.keep is None:
            yield [*ordinary[beat], *came]
        else:
            start = [*start, *_new(ordinary[beat - 1], ordinary[beat]), *came][-phase.keep :]
            yield start


def _new(before: list[Any], now: list[Any]) -> list[Any]:
    """What a list that goes on has got since."""
    for kept in range(len(now), 0, -1):
        if before[-kept:] == now[:kept]:
            return now[kept:]
    return now


def _drawn(amount: Amount, draw: Stream) -> float:
    return draw.real(*amount) if isinstance(amount, tuple) else amount


def _afterwards(name: str, ordinary: Sequence[Any], last: Any, end: int, recovers: int) -> list[Any]:
    """A look-alike is over: counters go on from where they are, other numbers go back, the rest is back."""
    number = NUMBERS.get(name)
    if number is None:
        return list(ordinary[end:])
    if number.counts_up:
        missed = ordinary[end - 1] - last
        return [number.tidy(value - missed) for value in ordinary[end:]]
    shares = [(recovers - index) / (recovers + 1) for index in range(recovers)]
    shares += [0.0] * (len(ordinary) - end - len(shares))
    return [number.tidy(value + (last - value) * share) for value, share in zip(ordinary[end:], shares, strict=False)]
