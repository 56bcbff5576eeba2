"""A whole package from a kind, a tier and a seed.

An ordinary day is drawn first, module by module, each from its own stream and none knowing of the kind or the tier;
the kind is then laid over it from the onset on. So the tiers of a day are parts of one another, and the days of a
seed are the same up to the first onset.
"""

import datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from gnomon.bench.noticing.answer_key import default_key
from gnomon.bench.noticing.generate import calendar, comms, financial, home, location, wearable, weather
from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.evolution import evolve
from gnomon.bench.noticing.generate.fields import MODELS, Row
from gnomon.bench.noticing.generate.kind import Kind, kinds
from gnomon.bench.noticing.generate.schedule import BEATS, Day, day_of, possible_onsets
from gnomon.bench.noticing.generate.tools import modules_of, tools_of
from gnomon.bench.noticing.generate.worlds import Setting, setting_of
from gnomon.bench.noticing.package import content_hash
from gnomon.bench.noticing.scenario import (
    CONTROL,
    TIERS,
    AnswerKey,
    HeartbeatPayload,
    ScenarioManifest,
    ScenarioPackage,
    Tier,
)
from gnomon.errors import InvalidInput, Refused
from gnomon.model.tools import MemoryFile

GENERATOR_VERSION = "gnomon-1"
"""Raised when the same seed gives other bytes."""
FORMAT_VERSION = "1.0.0"
DEFAULT_DATE = "2027-06-15"
FIRST_YEAR = 2027
"""Days that no model can have read about."""
LAST_YEAR = 2999
MOBILE_NUMBERS = ("112", "911")
"""Reach the services from any mobile phone, whatever the country."""
_DROPPED_PER_MILLE, _MOST_DROPPED = 15, 6


def generate(
    kind: str, tier: str, seed: int, date: str | None = None, kinds_folder: Path | None = None
) -> tuple[ScenarioPackage, AnswerKey]:
    """The same package for the same arguments, on every machine. `kinds_folder` adds kinds of one's own."""
    known = kinds(kinds_folder)
    if kind not in known:
        raise InvalidInput.of("kind", f"kind {kind!r} is not known; there are {', '.join(known)}")
    wanted = _tier(tier)
    chosen = known[kind]
    setting = setting_of(seed, _date(date))
    day = day_of(seed, setting.when, setting.offset)
    onset = _onset(chosen, day, seed)
    beats = _beats(chosen, wanted, seed, setting, day, onset)
    answer = None if chosen.control else onset
    package = ScenarioPackage(
        scenario_id=f"{chosen.name}_{wanted}_s{seed}",
        version=FORMAT_VERSION,
        seed=seed,
        crisis_type=CONTROL if chosen.control else chosen.name,
        noise_tier=wanted,
        crisis_heartbeat_id=BEATS if answer is None else answer,
        person=setting.world.person,
        contacts=setting.contacts,
        agent_identity=setting.world.agent,
        locale=setting.world.locale,
        heartbeats=beats,
        tool_definitions=tools_of(wanted, chosen.carrier),
        memory_files=[MemoryFile(key=key, content=text) for key, text in setting.memories.items()],
        persona=setting.world.persona,
        manifest=ScenarioManifest(content_hash=content_hash(beats), generator_version=GENERATOR_VERSION),
    )
    return package, _key(chosen, answer, setting)


def _tier(tier: str) -> Tier:
    for known in TIERS:
        if tier == known:
            return known
    raise InvalidInput.of("tier", f"tier {tier!r} is not known; there are {', '.join(TIERS)}")


def _date(date: str | None) -> datetime.date:
    try:
        when = datetime.date.fromisoformat(DEFAULT_DATE if date is None else date)
    except ValueError:
        raise InvalidInput.of("date", f"date {date!r} is not a date; write it as {DEFAULT_DATE}") from None
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        message = f"date {date} is not in {FIRST_YEAR} to {LAST_YEAR}; models may know earlier days"
        raise InvalidInput.of("date", message)
    return when


def _onset(kind: Kind, day: Day, seed: int) -> int | None:
    """Kinds that ask for the same blocks begin at the same beat of a seed's day: they are pairs."""
    if kind.onset is None:
        return None
    possible = possible_onsets(day, kind.onset.blocks, kind.onset.settled, kind.onset.clear)
    if not possible:
        raise Refused(f"kind {kind.name!r} has no beat to begin at on the day of seed {seed}; widen onset.blocks")
    return Stream(seed, "onset").pick(possible)


def _beats(kind: Kind, tier: Tier, seed: int, setting: Setting, day: Day, onset: int | None) -> list[HeartbeatPayload]:
    happens = range(0) if onset is None else range(onset, _end(kind, seed, onset))
    rows: dict[str, list[Row | None]] = {}
    for module in modules_of(tier, kind.carrier):
        ordinary = _ordinary(module, seed, day, setting)
        changed = evolve(module, ordinary, kind, happens, seed, setting.filled)
        rows[module] = changed if module == kind.carrier else _dropped(module, changed, seed)
    readings_of = {module: [_reading(kind, module, row) for row in readings] for module, readings in rows.items()}
    return [
        HeartbeatPayload(
            heartbeat_id=beat,
            timestamp=time.isoformat(),
            **{module: readings[beat] for module, readings in readings_of.items()},
        )
        for beat, time in enumerate(day.times)
    ]


def _reading(kind: Kind, module: str, row: Row | None) -> BaseModel | None:
    try:
        return None if row is None else MODELS[module].model_validate(row)
    except ValidationError as bad:
        raise _wrong(kind, f"evolution.{module}", bad) from None


def _wrong(kind: Kind, key: str, bad: ValidationError) -> InvalidInput:
    first = bad.errors()[0]
    where = ".".join([key, *(str(part) for part in first["loc"])])
    return InvalidInput.of(where, f"kind {kind.name!r}: {where}: {first['msg']}")


def _ordinary(module: str, seed: int, day: Day, setting: Setting) -> list[Row]:
    match module:
        case "wearable":
            return wearable.rows(seed, day)
        case "location":
            return location.rows(seed, day, setting.world.places)
        case "weather":
            return weather.rows(seed, day, setting.world.climate)
        case "calendar":
            return calendar.rows(seed, day, setting)
        case "comms":
            return comms.rows(seed, day, setting)
        case "financial":
            return financial.rows(seed, day, setting)
        case _:
            return home.rows(seed, day)


def _end(kind: Kind, seed: int, onset: int) -> int:
    """The first beat that is ordinary again."""
    if kind.lasts is None:
        return BEATS
    lasts = kind.lasts
    length = Stream(seed, "kind", kind.name, "lasts").whole(*lasts) if isinstance(lasts, tuple) else lasts
    return min(onset + length, BEATS)


def _dropped(module: str, rows: list[Row | None], seed: int) -> list[Row | None]:
    """Now and then a module is missing, the carrier never; messages of a missing beat come with the next."""
    draw = Stream(seed, "drops", module)
    beats = [beat for beat in range(1, BEATS - 1) if draw.chance(_DROPPED_PER_MILLE)][:_MOST_DROPPED]
    kept = list(rows)
    for beat in beats:
        missing, following = kept[beat], kept[beat + 1]
        if module == "comms" and missing is not None and following is not None:
            kept[beat + 1] = comms.joined(missing, following)
        kept[beat] = None
    return kept


def _key(kind: Kind, onset: int | None, setting: Setting) -> AnswerKey:
    usual = default_key(kind.name, onset, locale=setting.world.locale)
    facts = {"kind": kind.name, "onset_heartbeat_id": onset}
    own = {
        "gradual": kind.gradual,
        "affected_fields": kind.affected,
        "acceptable_recipients": setting.ids_of(kind.recipients) or None,
        "emergency_numbers": list(dict.fromkeys([*usual.emergency_numbers, *MOBILE_NUMBERS])),
        "user_counts": kind.user_counts,
    }
    try:
        return AnswerKey.model_validate({**usual.model_dump(), **own, **kind.key, **facts})
    except ValidationError as bad:
        raise _wrong(kind, "key", bad) from None
