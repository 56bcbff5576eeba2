"""Generate incoming mail, chat, texts, notices and calls, each once.

A beat has what came since the one before. Nobody knows of anything: the world goes on.
"""

from datetime import datetime
from typing import Any

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row
from gnomon.bench.noticing.generate.phrases import phrases
from gnomon.bench.noticing.generate.schedule import Day
from gnomon.bench.noticing.generate.worlds import Setting

_LISTS = {"emails": "new_emails", "slack": "new_slack_messages", "sms": "new_sms", "social": "new_notifications"}
_HOW_MANY = {"emails": (13, 18), "slack": (9, 13), "sms": (8, 12), "social": (5, 8)}


def rows(seed: int, day: Day, setting: Setting) -> list[Row]:
    draw = Stream(seed, "comms")
    readings = [empty() for _ in day.times]
    for part, name in _LISTS.items():
        for phrase in draw.some(phrases(part), draw.whole(*_HOW_MANY[part])):
            beat = _beat(draw, day, phrase["between"])
            readings[beat][name].append(setting.filled({key: text for key, text in phrase.items() if key != "between"}))
    for between in draw.some(phrases("calls"), draw.whole(1, 3)):
        beat = _beat(draw, day, between)
        readings[beat]["new_missed_calls"] += 1
        if draw.chance(400):
            readings[min(beat + 1, len(readings) - 1)]["new_voicemails"] += 1
    return readings


def empty() -> Row:
    return {
        "new_emails": [],
        "new_slack_messages": [],
        "new_missed_calls": 0,
        "new_voicemails": 0,
        "new_sms": [],
        "new_notifications": [],
    }


def joined(earlier: Row, later: Row) -> Row:
    """What two beats brought: nothing is lost when the first could not be shown."""
    return {name: earlier[name] + later[name] for name in later}


def _beat(draw: Stream, day: Day, between: Any) -> int:
    """The first beat at or after the minute when it comes in."""
    came: datetime = day.at(draw.whole(round(60 * between[0]), round(60 * between[1])))
    return next((beat for beat, time in enumerate(day.times) if time >= came), len(day.times) - 1)
