"""What is planned: three events ahead, reminders, and the day in a line."""

from datetime import datetime, timedelta
from typing import Any

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row
from gnomon.bench.noticing.generate.phrases import phrases
from gnomon.bench.noticing.generate.schedule import Day
from gnomon.bench.noticing.generate.worlds import Setting


def rows(seed: int, day: Day, setting: Setting) -> list[Row]:
    draw = Stream(seed, "calendar")
    events = _events(draw, day, setting)
    reminders = [
        (day.at(round(60 * reminder["at"])), reminder["text"])
        for reminder in setting.filled(draw.some(phrases("reminders"), 4))
    ]
    summary = _summary([event for time, event in events if time < day.at(24 * 60)])
    return [
        {
            "next_3_events": [event for time, event in events if time > now][:3],
            "reminders": [{"text": text, "time": time.isoformat()} for time, text in reminders if time > now],
            "today_summary": summary,
        }
        for now in day.times
    ]


def _events(draw: Stream, day: Day, setting: Setting) -> list[tuple[datetime, Row]]:
    meeting = {"title": "Review meeting", "location": "Large meeting room", "attendees": ["{manager}", "{colleague_1}"]}
    planned: list[tuple[datetime, Any]] = [(day.at(390 + 5 * start), meeting) for start in day.starts_of("meeting")]
    for plan in draw.some(phrases("plans"), 6):
        start = day.at(round(60 * plan["at"]))
        # Two at once would make the assistant busy with our own mistake.
        if all(abs(start - other) >= timedelta(minutes=plan["length"] + 15) for other, _ in planned):
            planned.append((start, plan))
    planned += [(day.at(round(60 * (24 + plan["at"]))), plan) for plan in phrases("tomorrow")]
    return [(time, _event(time, setting.filled(plan))) for time, plan in sorted(planned, key=lambda pair: pair[0])]


def _event(time: datetime, plan: dict[str, Any]) -> Row:
    return {
        "title": plan["title"],
        "time": time.isoformat(),
        "location": plan["location"],
        "attendees": plan["attendees"],
    }


def _summary(events: list[Row]) -> str:
    last = events[-1]
    return f"{len(events)} things planned today; the last is {last['title']} at {last['time'][11:16]}."
