"""What holds for every rubric, every set of signals and every file, whatever is in it."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gnomon.errors import Refused
from gnomon.model.outcome import Profile
from gnomon.outcome import (
    IntegrityObservation,
    IterationObjectives,
    IterationRecord,
    Rubric,
    SignalSpec,
    absent_signal,
    load_iteration_log,
    load_rubric,
    parse_iteration_record,
    present_signal,
)
from gnomon.outcome.iterlog import BadEntry
from outcome.compat.building import signals

V3 = load_rubric("3.0.0")
IDS = [spec.id for spec in V3.signals]
EXACT = 1e-12

rubrics = st.sampled_from([load_rubric("2.1.0"), V3])
shares = st.floats(0, 1, allow_subnormal=False) | st.sampled_from([0.0, 0.5, 1.0])
present = st.dictionaries(st.sampled_from(IDS), shares)


def total(rubric: Rubric, given: dict[str, float]) -> float:
    return rubric.score(signals(**given)).value


# ── the score ───────────────────────────────────────────────────────────────────────────────────────────────────


@given(present, st.sampled_from(IDS), st.text(max_size=10), shares)
def test_an_absent_signal_has_no_vote(given: dict[str, float], id: str, reason: str, left_over: float):
    given.pop(id, None)
    absent = replace(signals(**given), **{id: absent_signal(reason).model_copy(update={"sub_score": left_over})})
    with_it, without = V3.score(absent), V3.score(signals(**given))
    assert (with_it.value, with_it.band, with_it.scored) == (without.value, without.band, without.scored)
    assert [row for row in with_it.breakdown if row.present] == [row for row in without.breakdown if row.present]


@given(rubrics, present, shares, shares, st.booleans())
def test_claims_beside_facts_and_the_way_of_working_never_move_the_score(
    rubric: Rubric, given: dict[str, float], claimed: float, observed: float, done: bool
):
    """What was claimed, and how the agent worked, stand beside the score; the same signals have the same value."""
    plain = signals(**given)
    pair = IntegrityObservation(
        signal="landed", role="impl", claimed=present_signal(claimed), observed=present_signal(observed)
    )
    fact = present_signal(float(done))
    beside = replace(plain, integrity=(pair,), objective=IterationObjectives(fact, fact, fact))
    assert rubric.score(beside) == rubric.score(plain)


@given(present, st.floats(0.01, 10))
def test_a_signal_that_joins_the_rubric_and_is_absent_changes_no_value(given: dict[str, float], weight: float):
    """The present ones keep their weights relative to each other."""
    shrunk = tuple(replace(spec, weight=spec.weight / (1 + weight)) for spec in V3.signals)
    wider = replace(V3, signals=(*shrunk, SignalSpec("newcomer", "Newcomer", weight / (1 + weight))))
    wider.validate()
    assert math.isclose(total(wider, given), total(V3, given), abs_tol=EXACT)


@given(rubrics, present)
def test_the_contributions_of_present_signals_add_up_to_the_value(rubric: Rubric, given: dict[str, float]):
    score = rubric.score(signals(**given))
    rows = [row for row in score.breakdown if row.present]
    assert math.isclose(math.fsum(row.contribution for row in rows), score.value, abs_tol=EXACT)
    assert all(row.contribution == row.effective_weight * row.sub_score for row in rows)
    assert not rows or math.isclose(math.fsum(row.effective_weight for row in rows), 1, abs_tol=EXACT)
    assert score.scored is bool(rows)


@given(rubrics, present)
def test_the_contributions_added_in_their_order_are_the_value_to_the_last_bit(rubric: Rubric, given: dict[str, float]):
    """The contributions of the present signals sum exactly to the value: the breakdown explains all of it."""
    score = rubric.score(signals(**given))
    total = 0.0
    for row in score.breakdown:
        total += row.contribution
    assert total == score.value


@given(rubrics, present)
def test_a_value_lies_between_its_smallest_and_its_largest_sub_score(rubric: Rubric, given: dict[str, float]):
    voting = [number for id, number in given.items() if rubric.signal(id)]
    assume(voting)
    assert min(voting) - EXACT <= total(rubric, given) <= max(voting) + EXACT


@given(present, st.sampled_from(IDS), shares)
def test_more_evidence_moves_the_value_towards_it_and_never_past(given: dict[str, float], id: str, number: float):
    given.pop(id, None)
    assume(given)
    before, after = total(V3, given), total(V3, given | {id: number})
    low, high = sorted([before, number])
    assert low - EXACT <= after <= high + EXACT
    if abs(number - before) > 1e-6:
        assert abs(after - number) < abs(before - number)


@given(present, st.sampled_from(IDS), shares, shares)
def test_a_better_sub_score_never_lowers_the_value(given: dict[str, float], id: str, one: float, other: float):
    low, high = sorted([one, other])
    assert total(V3, given | {id: low}) <= total(V3, given | {id: high})


@given(rubrics, st.lists(present, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_sets_does_not_matter(rubric: Rubric, given: list[dict[str, float]], dice: random.Random):
    sets = [signals(n, **one) for n, one in enumerate(given)]
    shuffled = dice.sample(sets, len(sets))
    assert {score.iteration: score for score in rubric.score_all(sets)} == {
        score.iteration: score for score in rubric.score_all(shuffled)
    }
    assert [score.iteration for score in rubric.score_all(shuffled)] == [one.iteration for one in shuffled]


@given(rubrics, st.floats(-1, 2), st.floats(-1, 2))
def test_a_higher_value_is_never_in_a_lower_band(rubric: Rubric, one: float, other: float):
    low, high = sorted([one, other])
    names = [band.name for band in rubric.bands]
    assert names.index(rubric.band(high)) <= names.index(rubric.band(low))


@given(st.floats(allow_nan=False))
def test_a_signal_that_is_present_lies_between_zero_and_one(number: float):
    assert 0 <= present_signal(number).sub_score <= 1


# ── the log ─────────────────────────────────────────────────────────────────────────────────────────────────────

FIELDS = [
    "schema_version",
    "iteration",
    "date",
    "commit",
    "files_changed",
    "first_commit",
    "retries",
    "tests_total_pass",
    "self_assessment",
    "impl",
    "verifiers",
    "review",
    "agent",
    "session_tokens",
    "cache_hit_rate",
    "status",
    "linked_traces",
    "focused_tests_pass",
]
SCALARS = [
    "1", "2", "0", "-1", "0x1F", "0x_", "0b", "1_0", "_", "1.5", "1e5", "1e400", ".5", ".inf", "NaN", "9" * 5000, "٣",
    "true", "True", "yes", "~", "null", "''", '"\\ud800"', '"\\x00"', "!!int x", "!!binary AA==", "*a", "&a b",
    "2026-05-17", "[]", "{}", "[1, {a: b}]", "{<<: *a}", "? x", "|\n  text", ">-\n  text", "- item", "%TAG", "\t",
    "\x07", "#",
]  # fmt: skip
lines = st.builds(
    "{}{}: {}".format, st.sampled_from(["", "", "  ", "- "]), st.sampled_from(FIELDS), st.sampled_from(SCALARS)
)
entries = st.tuples(st.sampled_from(["schema_version: 1", "schema_version: 2", ""]), st.lists(lines, max_size=6)).map(
    lambda made: "\n".join([made[0], *made[1]]).encode()
)
noise = st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
profiles = st.sampled_from(["compat", "gnomon"])


@example(b"schema_version: " + b"9" * 5000, "compat")
@example(b"schema_version: 0x_", "gnomon")
@example(b"[" * 100_000, "compat")
@example(b"a: " + b"{a: " * 5000, "gnomon")
@example(b"\xff\xfe\x00", "compat")
@example(b"a: &a [*a]", "compat")
@given(noise | entries, profiles)
def test_any_bytes_are_an_entry_or_a_refusal(data: bytes, profile: Profile):
    try:
        found: IterationRecord | str = parse_iteration_record(data, profile=profile)
    except BadEntry as refused:
        found = refused.message
    assert isinstance(found, IterationRecord) or found.splitlines() == [found]


@given(noise | entries.map(lambda data: b"iterations:\n- " + data.replace(b"\n", b"\n  ")), profiles)
def test_any_bytes_are_an_archive_or_a_refusal(tmp_path_factory: pytest.TempPathFactory, data: bytes, profile: Profile):
    folder = tmp_path_factory.getbasetemp() / "any-archive"
    folder.mkdir(exist_ok=True)
    (folder / "historical.yaml").write_bytes(data)
    try:
        load_iteration_log(folder, profile=profile)
    except Refused as refused:
        told = refused.message
        assert profile == "compat", told


@given(st.text(), profiles)
def test_any_text_is_an_entry_or_a_refusal(text: str, profile: Profile):
    try:
        parse_iteration_record(text + "\ud800", profile=profile)
    except BadEntry:
        return


@given(st.sampled_from(["tests_total_pass", "one_item_only", "no_destructive_commands"]), st.integers(), profiles)
def test_a_count_is_yes_unless_it_is_zero(field: str, count: int, profile: Profile):
    text = f"{field}: {count}"
    nested = f"self_assessment:\n  {text}" if field != "tests_total_pass" else text
    impl = parse_iteration_record(f"schema_version: 1\n{nested}\n", profile=profile).impl
    told = impl.tests_total_pass if field == "tests_total_pass" else getattr(impl.self_assessment, field)
    assert told is (count != 0)


@given(st.sampled_from([None, True, False]), profiles)
def test_a_flag_that_was_written_down_is_read_back(flag: bool | None, profile: Profile):
    text = {None: "null", True: "true", False: "false"}[flag]
    record = parse_iteration_record(f"schema_version: 2\nimpl: {{focused_tests_pass: {text}}}\n", profile=profile)
    assert record.impl.focused_tests_pass is flag


def test_the_profiles_read_a_capital_true_differently():
    text = "schema_version: 1\ntests_total_pass: True\n"
    told = [parse_iteration_record(text, profile=profile).impl.tests_total_pass for profile in ("compat", "gnomon")]
    assert told == [False, True]


@given(present)
def test_a_score_never_depends_on_the_iteration_s_number(given: dict[str, float]):
    one, other = V3.score(signals(1, **given)), V3.score(signals(2, **given))
    assert one.model_copy(update={"iteration": 2}) == other
