"""What the gates in an agent's hooks decided: the signal, and the writer of its sidecar."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, Refused
from gnomon.outcome import HookRecord, extract_hook_outcomes_signal, write_hook_record
from gnomon.outcome.hooks import collapse, hook_path, hook_signal, joined, newest_iteration, read_hook_records, severity
from outcome.compat.building import found

CLOSE = "iteration-close.R1.1"
WORKER = "loop-worker.R3.4"


def gate(result: str, rule: str = CLOSE, correlation: str = "", kind: str = "remediate_at_stop") -> HookRecord:
    return HookRecord(result=result, rule_id=rule, correlation_id=correlation, intervention_class=kind)


# ── the signal ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("records", "expected", "words"),
    [
        pytest.param([gate("remediate"), gate("allow", WORKER)], 0.0, f"remediate: {CLOSE}", id="row-185"),
        pytest.param([gate("advise", WORKER), gate("allow")], 0.6, f"advise: {WORKER}", id="row-186"),
        pytest.param([gate("allow")], 1.0, "allow", id="row-187"),
        pytest.param(
            [gate("advise", kind="continuity_advice"), gate("remediate", kind="observe_tool_result")],
            None,
            "deferred",
            id="row-188",
        ),
        pytest.param([gate("shrug")], None, "no known result", id="only unknown results"),
        pytest.param([gate("shrug"), gate("allow", WORKER)], 1.0, WORKER, id="an unknown result beside a known one"),
    ],
)
def test_the_worst_decision_of_a_gate_that_counts_is_the_signal(
    records: list[HookRecord], expected: float | None, words: str
):
    signal = hook_signal(records)
    assert found(signal) == expected
    assert words in signal.detail


@pytest.mark.parametrize(
    ("records", "results"),
    [
        pytest.param(
            [gate("advise", correlation="c1", kind="prevent_before_action"), gate("remediate", correlation="c1")],
            ["remediate"],
            id="row-189",
        ),
        pytest.param(
            [gate("advise", correlation="c1"), gate("allow", correlation="c2")], ["advise", "allow"], id="row-190"
        ),
        pytest.param([gate("advise"), gate("allow")], ["advise", "allow"], id="row-191"),
    ],
)
def test_decisions_of_one_event_become_one_at_its_worst(records: list[HookRecord], results: list[str]):
    assert [record.result for record in collapse(records)] == results


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "iter-5", id="row-192-missing"),
        pytest.param("records: [unbalanced", "", id="row-192-malformed"),
        pytest.param("<directory>", "cannot read", id="row-192-a-directory"),
        pytest.param("just words", "", id="a text"),
        pytest.param("records: {a: b}", "", id="no list"),
        pytest.param("records: [[a]]", "", id="a list in the list"),
        pytest.param("", "", id="an empty file"),
    ],
)
def test_a_sidecar_that_cannot_be_read_makes_the_signal_absent(tmp_path: Path, content: str | None, words: str):
    path = hook_path(tmp_path, 5)
    if content == "<directory>":
        path.mkdir()
    elif content is not None:
        path.write_text(content)
    signal = extract_hook_outcomes_signal(tmp_path, 5)
    assert found(signal) is None
    assert words in signal.detail


@pytest.mark.parametrize("content", ["records: []\n", "records: [{result: allow, rule_id: a.R1}]\n", "{ broken"])
def test_reading_a_sidecar_leaves_it_as_it_is(tmp_path: Path, content: str):
    """The extractor only reads: whatever the file holds, its bytes and its time stay."""
    path = hook_path(tmp_path, 5)
    path.write_text(content)
    before = path.stat().st_mtime_ns
    extract_hook_outcomes_signal(tmp_path, 5)
    assert (path.read_text(), path.stat().st_mtime_ns) == (content, before)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("directory", [pytest.param("", id="row-192-no-directory"), pytest.param("  ", id="blank")])
def test_without_a_directory_the_signal_is_absent(directory: str):
    assert found(extract_hook_outcomes_signal(directory, 5)) is None


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param("allow", 0, id="row-193-allow"),
        pytest.param("advise", 1, id="advise"),
        pytest.param("remediate", 2, id="remediate"),
        pytest.param("unknown", -1, id="row-193-unknown"),
    ],
)
def test_results_are_ordered_by_how_much_they_ask_for(result: str, expected: int):
    assert severity(result) == expected


@pytest.mark.parametrize(
    ("rules", "expected"), [pytest.param("babca", "a, b, c", id="row-194"), pytest.param("", "", id="row-194-nothing")]
)
def test_rules_are_named_once_and_in_order(rules: str, expected: str):
    assert joined(list(rules)) == expected


@pytest.mark.parametrize(
    ("name", "events", "expected", "rules"),
    [
        pytest.param("orchestrator-handoff-remediate", 1, 0.0, ["orchestrator-handoff-gate.R3.7"], id="row-195"),
        pytest.param(
            "delegation-closeout-remediate",
            2,
            0.0,
            ["delegation-closeout-gate.R4.1", "delegation-closeout-gate.R4.2"],
            id="row-196",
        ),
        pytest.param(
            "companion-gates-mixed-advise",
            2,
            0.6,
            ["delegation-closeout-gate.R4.4", "orchestrator-handoff-gate.R3.4"],
            id="row-197",
        ),
    ],
)
def test_published_sidecars_say_what_their_gates_decided(
    published: Path, name: str, events: int, expected: float, rules: list[str]
):
    records = read_hook_records(published / "hook-outcomes" / f"{name}.yaml")
    assert len(records) == 2
    assert len(collapse(records)) == events
    signal = hook_signal(records)
    assert found(signal) == expected
    assert ", ".join(rules) in signal.detail


HANDOFF = "orchestrator-handoff-gate.R3.7"
ONE, TWO = "delegation-closeout-gate.R4.1", "delegation-closeout-gate.R4.2"


@pytest.mark.parametrize(
    ("records", "events", "expected", "words"),
    [
        pytest.param(
            [gate("advise", HANDOFF, "c1", "prevent_before_action"), gate("remediate", HANDOFF, "c1")],
            1,
            0.0,
            f"remediate: {HANDOFF}",
            id="row-195-built",
        ),
        pytest.param(
            [gate("remediate", TWO, "c7"), gate("remediate", ONE, "c7")],
            2,
            0.0,
            f"remediate: {ONE}, {TWO}",
            id="row-196-built",
        ),
        pytest.param(
            [gate("advise", HANDOFF, "c2"), gate("advise", ONE, "c8")],
            2,
            0.6,
            f"advise: {ONE}, {HANDOFF}",
            id="row-197-built",
        ),
    ],
)
def test_gates_of_several_skills_are_told_together(records: list[HookRecord], events: int, expected: float, words: str):
    assert len(collapse(records)) == events
    signal = hook_signal(records)
    assert found(signal) == expected
    assert words in signal.detail


@given(st.binary(max_size=200) | st.text(alphabet="records:-[]{}&*!|>'\"\n #ab01", max_size=200).map(str.encode))
def test_no_bytes_of_a_sidecar_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes):
    folder = tmp_path_factory.getbasetemp() / "any-hooks"
    folder.mkdir(exist_ok=True)
    hook_path(folder, 1).write_bytes(data)
    assert found(extract_hook_outcomes_signal(folder, 1)) is None


# ── the writer ──────────────────────────────────────────────────────────────────────────────────────────────────

GOOD = HookRecord(
    sentinel_id="iteration-close-20260707T011428Z",
    skill="iteration-close",
    lifecycle_point="stop",
    intervention_class="remediate_at_stop",
    result="allow",
    rule_id=CLOSE,
    platform="claude",
    ts="2026-07-07T01:14:38.227209Z",
)


def written(folder: Path) -> list[HookRecord]:
    return read_hook_records(hook_path(folder, 3))


def test_a_record_is_written_once_however_often_it_is_sent(tmp_path: Path):
    assert [write_hook_record(tmp_path, 3, GOOD) for _ in range(3)] == ["written", "duplicate", "duplicate"]
    assert written(tmp_path) == [replace(GOOD, correlation_id=GOOD.sentinel_id)]


def test_the_first_time_of_a_repeated_record_stays(tmp_path: Path):
    write_hook_record(tmp_path, 3, GOOD)
    write_hook_record(tmp_path, 3, replace(GOOD, ts="2026-07-08T00:00:00Z"))
    assert [record.ts for record in written(tmp_path)] == [GOOD.ts]


@pytest.mark.parametrize("kind", ["continuity_advice", "observe_tool_result"])
def test_a_gate_that_only_advises_or_observes_is_kept_for_the_record_and_does_not_count(tmp_path: Path, kind: str):
    """Two of the four classes of intervention do not count yet: they stay in the file and never reach the score."""
    write_hook_record(tmp_path, 3, GOOD)
    noted = replace(GOOD, intervention_class=kind, result="remediate", rule_id=WORKER)
    assert write_hook_record(tmp_path, 3, noted) == "written"
    assert [record.intervention_class for record in written(tmp_path)] == ["remediate_at_stop", kind]
    assert found(extract_hook_outcomes_signal(tmp_path, 3)) == 1.0


@pytest.mark.parametrize(
    ("results", "answers", "signal"),
    [
        (["allow", "remediate"], ["written", "written"], 0.0),
        (["remediate", "allow"], ["written", "duplicate"], 0.0),
        (["allow", "advise", "advise", "allow"], ["written", "written", "duplicate", "duplicate"], 0.6),
    ],
)
def test_a_worse_decision_of_the_same_gate_is_kept_and_a_milder_one_is_not(
    tmp_path: Path, results: list[str], answers: list[str], signal: float
):
    assert [write_hook_record(tmp_path, 3, replace(GOOD, result=result)) for result in results] == answers
    assert found(extract_hook_outcomes_signal(tmp_path, 3)) == signal


@pytest.mark.parametrize(
    "change",
    [
        {"sentinel_id": "iteration-close-2"},
        {"rule_id": "iteration-close.R1.2"},
        {"lifecycle_point": "pre_tool_use"},
        {"intervention_class": "prevent_before_action"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_gate_or_another_moment_is_another_record(tmp_path: Path, change: dict[str, str]):
    write_hook_record(tmp_path, 3, GOOD)
    assert write_hook_record(tmp_path, 3, replace(GOOD, **change)) == "written"
    assert len(written(tmp_path)) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sentinel_id", ""),
        ("sentinel_id", "  "),
        ("sentinel_id", "close-\udcff"),
        ("skill", "cooking"),
        ("skill", ""),
        ("lifecycle_point", "Stop"),
        ("intervention_class", "remediate"),
        ("result", "deny"),
        ("rule_id", "R1.1-x"),
        ("rule_id", "iteration-close"),
        ("rule_id", "Iteration-close.R1"),
        ("rule_id", "iteration-close.R-1"),
        ("rule_id", "iteration-close.R1\n"),
        ("platform", "vim"),
        ("ts", ""),
        ("ts", "2026-07-07"),
        ("ts", "2026-07-07T01:14:38"),
        ("ts", "2026-13-07T01:14:38Z"),
        ("archived_sentinel_path", "/etc/passwd"),
        ("archived_sentinel_path", "a/../../b"),
        ("archived_sentinel_path", "a\\b"),
    ],
)
def test_a_bad_field_is_refused_by_its_name_and_nothing_is_written(tmp_path: Path, field: str, value: str):
    with pytest.raises(InvalidInput, match=field) as refused:
        write_hook_record(tmp_path, 3, replace(GOOD, **{field: value}))
    assert [problem.field for problem in refused.value.problems] == [field]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ts", ["2026-07-07T01:14:38Z", "2026-07-07T01:14:38.123456789Z", "2026-07-07T01:14:38+02:00"])
def test_a_time_may_have_a_fraction_and_a_zone(tmp_path: Path, ts: str):
    assert write_hook_record(tmp_path, 3, replace(GOOD, ts=ts)) == "written"


@pytest.mark.parametrize("content", ["records: []\n", "schema_version: 2\nrecords: []\n", "{ broken"])
def test_a_sidecar_of_another_kind_is_not_touched(tmp_path: Path, content: str):
    path = hook_path(tmp_path, 3)
    path.write_text(content)
    with pytest.raises(Refused, match=path.name):
        write_hook_record(tmp_path, 3, GOOD)
    assert path.read_text() == content


def test_records_of_another_writer_stay_when_one_is_added(published: Path, tmp_path: Path):
    source = published / "hook-outcomes" / "companion-gates-mixed-advise.yaml"
    hook_path(tmp_path, 3).write_bytes(source.read_bytes())
    assert write_hook_record(tmp_path, 3, GOOD) == "written"
    assert written(tmp_path)[:2] == read_hook_records(source)


def test_a_sidecar_is_laid_out_as_the_original_lays_it_out(tmp_path: Path):
    write_hook_record(tmp_path, 3, GOOD)
    first, *lines = hook_path(tmp_path, 3).read_text().splitlines()
    assert first.startswith("# yaml-language-server: $schema=")
    assert lines[:4] == [
        "schema_version: 1",
        "records:",
        "    - schema_version: 1",
        "      sentinel_id: iteration-close-20260707T011428Z",
    ]


texts = st.text(max_size=30).filter(lambda text: text.strip() != "")


@settings(max_examples=40)
@given(st.lists(st.tuples(texts, st.sampled_from(["allow", "advise", "remediate"])), min_size=1, max_size=6))
def test_what_was_written_is_read_back_and_the_worst_of_each_gate_is_there(
    tmp_path_factory: pytest.TempPathFactory, sent: list[tuple[str, str]]
):
    folder = tmp_path_factory.getbasetemp() / "hook-writer"
    folder.mkdir(exist_ok=True)
    hook_path(folder, 3).unlink(missing_ok=True)
    for sentinel, result in sent:
        write_hook_record(folder, 3, replace(GOOD, sentinel_id=sentinel, result=result))
    worst = {sentinel: max((r for s, r in sent if s == sentinel), key=severity) for sentinel, _ in sent}
    kept = written(folder)
    assert {record.sentinel_id: record.result for record in kept} == worst
    assert [write_hook_record(folder, 3, record) for record in kept] == ["duplicate"] * len(kept)


def test_the_newest_iteration_is_the_highest_number_with_an_entry_of_its_own(tmp_path: Path):
    assert newest_iteration(tmp_path) is None
    for name in ("iter-2.yaml", "iter-10.yaml", "iter-11.score.yaml", "iter-12.hook-outcomes.yaml", "iter-x.yaml"):
        (tmp_path / name).write_text("")
    assert newest_iteration(tmp_path) == 10
