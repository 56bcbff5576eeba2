"""A scenario's day, as a noun, as a page and in the terminal: the same numbers, the onset marked, gaps told."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from bench.small import small_package
from gnomon.bench.noticing.days import day_view
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import AnswerKey, HeartbeatPayload
from gnomon.cli.show.day import day as show
from gnomon.model.day import DayView
from gnomon.report.day import page
from report.pages import HOSTILE, check_harmless, check_self_contained


def view(beats: list[dict[str, Any]] | None = None, onset: int | None = 4, **changes: Any) -> DayView:
    """The small package's day with these beats, and a key that names two fields."""
    package = small_package().model_copy(update=changes)
    if beats is not None:
        given = [
            HeartbeatPayload(heartbeat_id=at, timestamp=f"2027-06-15T{10 + at:02}:00:00Z", **beat)
            for at, beat in enumerate(beats)
        ]
        package = package.model_copy(update={"heartbeats": given})
    if onset is None:
        package = package.model_copy(update={"crisis_type": "none", "crisis_heartbeat_id": len(package.heartbeats)})
    fields = ["wearable.spo2", "wearable.ecg_summary"]
    return day_view(DayPackage(None, package, AnswerKey(kind="test", onset_heartbeat_id=onset, affected_fields=fields)))


def money(**changes: Any) -> dict[str, Any]:
    plain = {
        "last_3_transactions": [], "account_balance": 10.0, "pending_charges": [], "stock_watchlist": [],
        "crypto_prices": [], "spending_vs_budget": "fine",
    }  # fmt: skip
    return {"financial": {**plain, **changes}}


def mail(*subjects: str) -> dict[str, Any]:
    plain: dict[str, Any] = {key: [] for key in ("new_slack_messages", "new_sms", "new_notifications")}
    new = [{"sender": "Mara", "subject": subject} for subject in subjects]
    return {"comms": {**plain, "new_emails": new, "new_missed_calls": 0, "new_voicemails": 0}}


# --- the noun -----


def test_affected_fields_come_first_and_every_field_has_its_range():
    found = view()
    assert [one.field for one in found.series[:2]] == ["wearable.spo2", "wearable.ecg_summary"]
    assert [one.affected for one in found.series].count(True) == 2
    rate = next(one for one in found.series if one.field == "wearable.heart_rate")
    assert (rate.low, rate.high, rate.values[:5]) == (0, 153, [109, 153, 131, 139, 0])
    assert (found.onset, found.beats[found.onset], found.clock(found.onset)) == (4, 4, "18:05")


def test_a_package_without_a_key_is_marked_by_its_kind_and_says_so():
    found = day_view(DayPackage(None, small_package(), None))
    assert "wearable.heart_rate" in found.affected
    assert found.onset == 4
    assert any("no answer key" in note for note in found.notes)


def test_a_module_that_some_beats_lack_is_a_gap_and_one_that_all_lack_is_not():
    found = view([money(), {}, {}, money(), {}])
    assert [(gap.module, gap.first, gap.last) for gap in found.gaps] == [("financial", 1, 2), ("financial", 4, 4)]
    balance = next(one for one in found.series if one.field == "financial.account_balance")
    assert balance.values == [10, None, None, 10, None]


def test_a_transaction_is_told_once_however_long_it_stays_in_the_list():
    coffee, rent = ({"counterparty": name, "amount": -amount, "category": "x"} for name, amount in (("A", 4), ("B", 9)))
    found = view([money(), money(last_3_transactions=[coffee]), {}, money(last_3_transactions=[rent, coffee])])
    assert [(one.beat, one.kind, one.words) for one in found.events] == [
        (1, "transaction", "A · -4.00 · x"), (3, "transaction", "B · -9.00 · x"),
    ]  # fmt: skip


def test_the_same_message_twice_is_two_events():
    assert len(view([mail("hello"), mail("hello", "again")]).events) == 3


def test_an_appointment_stands_at_its_own_time_where_the_day_reaches_it():
    events = [
        {"title": title, "time": f"2027-06-{time}:00Z", "location": "home", "attendees": []}
        for title, time in (("soon", "15T11:30"), ("tomorrow", "16T11:30"))
    ]
    calendar = {"calendar": {"next_3_events": events, "reminders": [], "today_summary": ""}}
    found = view([calendar, calendar, calendar])
    assert [(one.beat, one.words) for one in found.events] == [
        (0, "tomorrow · 2027-06-16T11:30:00Z · home"), (2, "soon · home"),
    ]  # fmt: skip


def test_prices_are_series_and_fields_that_nobody_knows_are_shown_too():
    prices = money(stock_watchlist=[{"symbol": "ABC", "price": 5}], mood="glad", humming=True)
    found = view([prices, {**money(), "radio": {"dial": 98.5}}])
    values = {one.field: one.values for one in found.series}
    assert values["financial.stock_watchlist.ABC"] == [5, None]
    assert (values["financial.mood"], values["financial.humming"]) == (["glad", None], ["True", None])
    assert values["radio.dial"] == [None, 98.5]


def test_a_key_that_names_a_field_of_nobody_is_told():
    key = AnswerKey(kind="test", onset_heartbeat_id=4, affected_fields=["wearable.aura", "location.speed"])
    found = day_view(DayPackage(None, small_package(), key))
    assert [note for note in found.notes if "names" in note] == [
        "the answer key names wearable.aura, which no beat has"
    ]


# --- the page -----


def test_the_page_fetches_nothing_runs_nothing_and_its_plots_are_well_formed():
    text = page(view([mail("hello"), {**money(), **mail()}, {}, money(account_balance=3.0)], onset=2))
    check_self_contained(text)
    assert not re.search(r"https?:", text)
    plots = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert [ET.fromstring(plot).attrib["aria-label"] for plot in plots] == [
        "financial.account_balance: 10 before the onset, 3 from it on", "1 event over the day",
    ]  # fmt: skip
    assert "The same all day: spending_vs_budget fine." in text


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_comes_from_the_package_stays_text(hostile: str):
    text = page(view([{**mail(hostile), **money(spending_vs_budget=hostile)}, money()], scenario_id=hostile, onset=1))
    check_harmless(text, hostile)


def test_a_line_is_broken_where_a_beat_has_no_value():
    text = page(view([money(), money(account_balance=5.0), {}, money(account_balance=7.0)], onset=3))
    (path,) = re.findall(r'class="field-line" d="([^"]*)"', text)
    assert (path.count("M"), path.count("L")) == (2, 1)
    assert text.count('class="gap"') == 1


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (view(onset=None), "Nothing on this day calls for action"),
        (view(onset=99), "begins after the last beat"),
        (view([]), "in 0 beats"),
        (view([{}]), "in 1 beats"),
    ],
    ids=["control day", "onset never reached", "no beats", "empty beat"],
)
def test_odd_days_are_pages_too(found: DayView, words: str, capsys: pytest.CaptureFixture[str]):
    text = page(found)
    assert words in text
    assert not re.search(r"\bnan\b|\binf\b|None", text)
    show(found)
    assert found.scenario_id in capsys.readouterr().out


# --- the terminal -----


def test_the_terminal_has_a_line_a_field_cut_at_the_onset(capsys: pytest.CaptureFixture[str]):
    show(view())
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "the anomaly begins at 18:05, beat 4; fields marked * are changed by it"
    ruler, spo2, ecg, rate = lines[3:7]
    assert spo2.split() == ["*wearable.spo2", "0", "████│▁▁▁▁▁▁", "98"]
    assert ruler.index("▼") == spo2.index("│")
    assert ecg.split(maxsplit=1)[1] == "normal sinus rhythm (4) │ inconclusive (6)"
    assert rate.split() == ["wearable.heart_rate", "0", "▆█▇█│▁▁▁▁▁▁", "153"]


def test_one_strange_beat_is_seen_however_many_share_a_column(capsys: pytest.CaptureFixture[str]):
    balances = [50.0 + at % 3 for at in range(400)]
    balances[200] = 0.0
    beats = [
        HeartbeatPayload(heartbeat_id=at, timestamp="", **money(account_balance=balance))
        for at, balance in enumerate(balances)
    ]
    show(view(heartbeats=beats, onset=None))
    row = next(one for one in capsys.readouterr().out.splitlines() if "account_balance" in one)
    assert row.count("▁") == 1
    assert len(row) <= 120


def test_words_of_the_package_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]):
    show(view([mail("\x1b[2Jgone"), money(mood="\x1b[31mred")], scenario_id="\x1b[2J"))
    assert "\x1b" not in capsys.readouterr().out
