"""The iteration log: spellings of yes and no, two schemas, the archive, and what ends the reading."""

from pathlib import Path

import pytest

from gnomon.errors import Refused
from gnomon.outcome import AgentInfo, LinkedTrace, SelfAssessment, TestAdded, TokenUsage, VerifierRecord
from gnomon.outcome.iterlog import BadEntry
from outcome.compat.building import flat, load_iteration_log, parse_iteration_record, write_log

# ── yes, no, and nothing said ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("true", True, id="row-73"),
        pytest.param("false", False, id="row-74"),
        pytest.param("3", True, id="row-75"),
        pytest.param("0", False, id="row-76"),
        pytest.param("null", None, id="row-78"),
        pytest.param('"true"', True, id="row-79"),
        pytest.param('""', None, id="row-80"),
        pytest.param("", None, id="no value"),
        pytest.param("~", None, id="tilde"),
        pytest.param("True", False, id="True is not the exact text"),
        pytest.param("TRUE", False, id="TRUE is not the exact text"),
        pytest.param("False", False, id="False"),
        pytest.param("FALSE", False, id="FALSE"),
        pytest.param("6", True, id="a count"),
        pytest.param("-1", True, id="a negative count"),
        pytest.param("+2", True, id="a signed count"),
        pytest.param('"   "', None, id="blank in quotes"),
        pytest.param("'1'", True, id="quoted 1"),
        pytest.param("'t'", True, id="quoted t"),
        pytest.param("T", True, id="plain T"),
        pytest.param("'TRUE'", True, id="quoted TRUE"),
        pytest.param("'True'", True, id="quoted True"),
        pytest.param("'0'", False, id="quoted 0"),
        pytest.param("f", False, id="plain f"),
        pytest.param("'F'", False, id="quoted F"),
        pytest.param("'FALSE'", False, id="quoted FALSE"),
        pytest.param("'false'", False, id="quoted false"),
        pytest.param("'False'", False, id="quoted False"),
    ],
)
def test_a_flag_is_yes_no_or_not_said(text: str, expected: bool | None):
    assert flat(tests_total_pass=text).impl.tests_total_pass is expected


@pytest.mark.parametrize("fields", [pytest.param({"iteration": "1"}, id="row-77")])
def test_a_flag_whose_key_is_missing_was_not_said(fields: dict[str, str]):
    assert flat(**fields).impl.tests_total_pass is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"maybe"', id="row-81"),
        pytest.param("[a, b]", id="row-82"),
        *["yes", "no", "on", "off", "1.0", "0x1", "0o1", "1_000", "{a: b}", "2026-05-17", "2026-05-17T03:50:55Z"],
    ],
)
def test_a_flag_that_says_something_else_ends_the_parsing(text: str):
    with pytest.raises(BadEntry, match="parse v1 iteration entry: tests_total_pass"):
        flat(tests_total_pass=text)


@pytest.mark.parametrize(("text", "expected"), [("true", True), ("false", False), ("null", None), (None, None)])
@pytest.mark.parametrize(
    "flag", ["one_item_only", "aligned_with_canonical_tasks", "no_destructive_commands", "scoped_tests_to_write_scope"]
)
def test_four_flags_of_the_self_assessment_tell_no_from_not_said(flag: str, text: str | None, expected: bool | None):
    """The flags that were worth keeping are yes, no or not said: a missing one is no report of a no."""
    said = "{}" if text is None else f"{{{flag}: {text}}}"
    for entry in (
        f"schema_version: 1\nself_assessment: {said}\n",
        f"schema_version: 2\nimpl: {{self_assessment: {said}}}\n",
    ):
        assert getattr(parse_iteration_record(entry).impl.self_assessment, flag) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[(yes, True) for yes in ("true", "True", "TRUE", "y", "Y", "yes", "on")],
        *[(no, False) for no in ("false", "False", "FALSE", "n", "N", "no", "off", "null", "~")],
    ],
)
def test_a_plain_flag_knows_the_old_words_for_yes_and_no(text: str, expected: bool):
    assert flat(first_commit=text).first_commit is expected


@pytest.mark.parametrize("text", ["Yes", "YES", "No", "On", "OFF", "1", "0", "maybe", "[true]", '"true"'])
def test_a_plain_flag_knows_no_other_words(text: str):
    with pytest.raises(BadEntry, match="first_commit"):
        flat(first_commit=text)


# ── other fields ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("field", "text"),
    [("commit", "0123456"), ("commit", "5e12345"), ("date", "2026-04-11"), ("wave", "yes"), ("task_id", "1_000")],
)
def test_a_text_is_kept_as_it_is_written(field: str, text: str):
    assert getattr(flat(**{field: text}), field) == text


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("-3", -3), ("4.9", 4), ("null", 0), ("", 0), ("1_000", 1000)]
)
def test_a_number_is_whole_and_nothing_is_zero(text: str, number: int):
    assert flat(files_changed=text).files_changed == number


@pytest.mark.parametrize(
    "text", ['"12"', "many", "[1]", "{a: 1}", "0x_", "1e400", "9" * 5000], ids=lambda text: text[:9]
)
def test_a_number_that_is_none_ends_the_parsing(text: str):
    with pytest.raises(BadEntry, match="files_changed"):
        flat(files_changed=text)


def test_a_list_where_a_text_belongs_ends_the_parsing():
    with pytest.raises(BadEntry, match="commit"):
        flat(commit="[abc1234]")


def test_a_key_that_appears_twice_ends_the_parsing():
    with pytest.raises(BadEntry, match="'commit' appears twice"):
        parse_iteration_record("schema_version: 1\ncommit: a\ncommit: b\n")


@pytest.mark.parametrize("order", ["<<: *shared\n  retries: 4\n", "retries: 4\n  <<: *shared\n"])
def test_a_key_of_its_own_wins_over_one_that_is_merged_in(order: str):
    text = f"schema_version: 2\nshared: &shared {{retries: 9, summary: merged}}\nimpl:\n  {order}"
    impl = parse_iteration_record(text).impl
    assert (impl.summary, impl.retries) == ("merged", 4)


def test_an_empty_document_has_no_version():
    with pytest.raises(BadEntry, match="schema_version 0"):
        parse_iteration_record("")


def test_an_empty_block_of_tokens_is_something_else_than_none():
    assert parse_iteration_record("schema_version: 2\nsession_tokens: {}\n").session_tokens == TokenUsage()
    assert parse_iteration_record("schema_version: 2\nsession_tokens:\n").session_tokens is None


# ── whole entries ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [pytest.param("v1_iter.yaml", id="row-83")])
def test_an_entry_of_schema_1_fills_the_implementer_s_block(published: Path, name: str):
    entry = parse_iteration_record((published / "fixtures" / name).read_bytes())
    assert (entry.schema_version, entry.iteration, entry.commit, entry.files_changed) == (1, 7, "abc1234", 8)
    assert (entry.impl.scope_note, entry.impl.retries, entry.impl.focused_tests_added) == ("on-target", 1, 12)
    assert (entry.impl.tests_total_pass, entry.impl.focused_tests_pass) == (True, None)
    said = entry.impl.self_assessment
    assert (said.linked_traces_to_outcomes, said.persisted_via_workflow_commands) == (True, "yes")
    assert entry.verifiers == ()


@pytest.mark.parametrize("name", [pytest.param("v2_iter.yaml", id="row-84")])
def test_an_entry_of_schema_2_has_a_block_for_each_role(published: Path, name: str):
    entry = parse_iteration_record((published / "fixtures" / name).read_bytes())
    assert (entry.schema_version, entry.iteration, entry.checkpoint_at) == (2, 52, "2026-04-18T15:26:48Z")
    assert (entry.agent.session_id, entry.agent.harness) == ("sess-abc", "claude-code")
    assert entry.session_tokens is not None
    assert entry.session_tokens.cache_hit_rate == 0.9
    assert (entry.impl.focused_tests_pass, entry.impl.tests_total_pass) == (True, None)
    (verifier,) = entry.verifiers
    assert (verifier.type, verifier.status, verifier.gate_passed, verifier.tests_total_pass) == (
        "test", "pass", True, True,
    )  # fmt: skip
    assert verifier.result_artifact == ".agents/active/verification/c3/test.result.yaml"
    assert verifier.self_assessment.linked_traces_to_outcomes
    assert entry.review.overall_decision == "accept"
    assert entry.review.decision_artifact


@pytest.mark.parametrize("name", [pytest.param("v2_structured.yaml", id="row-85")])
def test_a_verifier_may_list_its_tests_and_its_traces(published: Path, name: str):
    (verifier,) = parse_iteration_record((published / "fixtures" / name).read_bytes()).verifiers
    assert [test.kind for test in verifier.tests_added_by_kind] == ["positive", "negative", "edge"]
    assert verifier.tests_added_by_kind[0].name == "TestParseStructured"
    assert [trace.outcome_ref for trace in verifier.linked_traces] == ["iter-70"]


@pytest.mark.parametrize("name", [pytest.param("v2_sparse.yaml", id="row-86")])
def test_what_a_sparse_entry_does_not_say_stays_unset(published: Path, name: str):
    entry = parse_iteration_record((published / "fixtures" / name).read_bytes())
    assert (entry.iteration, entry.session_tokens, entry.agent, entry.verifiers) == (65, None, AgentInfo(), ())
    assert (entry.impl.focused_tests_pass, entry.impl.tests_total_pass) == (None, None)
    assert entry.review.overall_decision == ""


FLAT = """schema_version: 1
iteration: 7
commit: abc1234
files_changed: 8
scope_note: on-target
retries: 1
tests_added: 12
tests_total_pass: true
scenario_tags: [unread]
self_assessment: {linked_traces_to_outcomes: true, persisted_via_workflow_commands: yes}
"""
NESTED = """schema_version: 2
iteration: 52
checkpoint_at: "2026-04-18T15:26:48Z"
agent: {session_id: sess-abc, harness: claude-code, entrypoint: unread}
session_tokens: {cache_hit_rate: 0.9, reasoning_tokens: 5}
impl: {focused_tests_pass: true, tests_total_pass: 1}
verifiers:
  - type: test
    status: pass
    gate_passed: true
    tests_total_pass: true
    result_artifact: .agents/active/verification/c3/test.result.yaml
    tests_added_by_kind: [{name: TestFirst, kind: positive}, {name: TestSecond, kind: edge}]
    linked_traces: [{trace_ref: a.yaml, outcome_ref: iter-70}]
    self_assessment: {linked_traces_to_outcomes: true}
review: {overall_decision: accept, failed_gates: [lint], decision_artifact: review-decision.yaml}
"""
LINKED = SelfAssessment(linked_traces_to_outcomes=True)


@pytest.mark.parametrize("text", [pytest.param(FLAT, id="row-83-built")])
def test_a_flat_entry_is_read_into_the_same_blocks_as_a_nested_one(text: str):
    entry = parse_iteration_record(text)
    assert (entry.schema_version, entry.iteration, entry.commit, entry.files_changed) == (1, 7, "abc1234", 8)
    assert (entry.impl.scope_note, entry.impl.retries, entry.impl.focused_tests_added) == ("on-target", 1, 12)
    assert (entry.impl.tests_total_pass, entry.impl.focused_tests_pass) == (True, None)
    said = SelfAssessment(linked_traces_to_outcomes=True, persisted_via_workflow_commands="yes")
    assert entry.impl.self_assessment == said
    assert (entry.agent, entry.session_tokens, entry.verifiers) == (AgentInfo(), None, ())


@pytest.mark.parametrize("text", [pytest.param(NESTED, id="row-84-and-85-built")])
def test_a_nested_entry_keeps_what_is_read_and_ignores_the_rest(text: str):
    entry = parse_iteration_record(text)
    assert entry.session_tokens == TokenUsage(cache_hit_rate=0.9)
    assert entry.agent == AgentInfo("sess-abc", "claude-code")
    assert (entry.impl.focused_tests_pass, entry.impl.tests_total_pass) == (True, None)
    assert entry.verifiers == (
        VerifierRecord(
            type="test",
            status="pass",
            gate_passed=True,
            tests_total_pass=True,
            result_artifact=".agents/active/verification/c3/test.result.yaml",
            tests_added_by_kind=(TestAdded("TestFirst", "positive"), TestAdded("TestSecond", "edge")),
            linked_traces=(LinkedTrace("a.yaml", "iter-70"),),
            self_assessment=LINKED,
        ),
    )
    assert (entry.review.overall_decision, entry.review.failed_gates) == ("accept", ("lint",))


SPARSE = (
    "schema_version: 2\niteration: 65\nimpl: {summary: '', retries: 0}\nverifiers: []\nreview: {overall_decision: ''}\n"
)


@pytest.mark.parametrize("text", [pytest.param(SPARSE, id="row-86-built")])
def test_a_sparse_entry_has_no_tokens_no_agent_and_no_flags(text: str):
    entry = parse_iteration_record(text)
    assert (entry.iteration, entry.session_tokens, entry.agent, entry.verifiers) == (65, None, AgentInfo(), ())
    assert (entry.impl.focused_tests_pass, entry.impl.tests_total_pass) == (None, None)
    assert entry.review.overall_decision == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("schema_version: 99\n", "schema_version 99", id="row-87"),
        pytest.param("this: is: not: yaml: [\n", "probe iteration-log schema", id="row-88"),
        pytest.param("only words\n", "probe iteration-log schema", id="row-88-text"),
        pytest.param("- a list\n", "probe iteration-log schema", id="row-88-list"),
        pytest.param(
            'schema_version: 1\nfiles_changed: "not an integer"\n', "parse v1 iteration entry", id="row-89-built"
        ),
        pytest.param(
            'schema_version: 2\nfiles_changed: "not an integer"\n', "parse v2 iteration entry", id="row-90-built"
        ),
    ],
)
def test_an_entry_that_cannot_be_read_says_at_which_step(text: str, words: str):
    with pytest.raises(BadEntry, match=words):
        parse_iteration_record(text)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("bad_v1.yaml", "parse v1 iteration entry", id="row-89"),
        pytest.param("bad_v2.yaml", "parse v2 iteration entry", id="row-90"),
    ],
)
def test_a_published_entry_that_cannot_be_read_says_at_which_step(published: Path, name: str, words: str):
    with pytest.raises(BadEntry, match=words):
        parse_iteration_record((published / "fixtures" / name).read_bytes())


# ── whole logs ──────────────────────────────────────────────────────────────────────────────────────────────────

ENTRY_1 = "schema_version: 1\niteration: 1\ncommit: dedicated1\n"
ENTRY_2 = "schema_version: 2\niteration: 2\ncommit: dedicated2\n"
ARCHIVE = """iterations:
  - {schema_version: 1, iteration: 1, commit: archived-loses}
  - {schema_version: 7, iteration: 99, commit: archived99}
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = write_log(tmp_path / "log", ENTRY_1, ENTRY_2)
    (folder / "historical.yaml").write_text(ARCHIVE)
    return folder


@pytest.mark.parametrize("expected", [pytest.param([1, 2, 99], id="row-91-built")])
def test_an_entry_of_its_own_wins_over_the_archive(log: Path, expected: list[int]):
    records = load_iteration_log(log)
    assert [record.iteration for record in records] == expected
    assert [record.commit for record in records] == ["dedicated1", "dedicated2", "archived99"]


@pytest.mark.parametrize("expected", [pytest.param([1, 2, 99], id="row-91")])
def test_the_published_log_has_its_own_entries_and_one_from_the_archive(published: Path, expected: list[int]):
    records = load_iteration_log(published / "fixtures" / "iterlog")
    assert [record.iteration for record in records] == expected
    assert (records[0].commit, records[2].commit) == ("dedicated1", "archived99")


def test_archived_entries_are_flat_whatever_version_they_name(log: Path):
    assert load_iteration_log(log)[2].schema_version == 1


def test_of_two_files_with_the_same_number_the_later_name_wins(tmp_path: Path):
    (tmp_path / "iter-10.yaml").write_text("schema_version: 1\niteration: 5\ncommit: first\n")
    (tmp_path / "iter-2.yaml").write_text("schema_version: 1\niteration: 5\ncommit: second\n")
    assert [record.commit for record in load_iteration_log(tmp_path)] == ["second"]


@pytest.mark.parametrize("exists", [pytest.param(True, id="row-92"), pytest.param(False, id="row-92-missing")])
def test_a_directory_without_entries_is_an_empty_log(tmp_path: Path, exists: bool):
    assert load_iteration_log(tmp_path if exists else tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param("iter-1.score.yaml", id="row-93"),
        "iter-1.hook-outcomes.yaml",
        "iter-1.labels.yaml",
        "iter-1.signals.yaml",
        "iter-x.yaml",
        "iter-1.yaml.bak",
    ],
)
def test_what_stands_beside_an_entry_is_no_entry(tmp_path: Path, beside: str):
    write_log(tmp_path, ENTRY_1)
    (tmp_path / beside).write_text("{ not even YAML")
    assert [record.iteration for record in load_iteration_log(tmp_path)] == [1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("iter-9.yaml", "{ not YAML", id="row-94-entry"),
        pytest.param("historical.yaml", "{ not YAML", id="row-94-archive"),
        pytest.param("iter-9.yaml", None, id="row-94-entry-is-a-directory"),
        pytest.param("historical.yaml", None, id="row-94-archive-is-a-directory"),
    ],
)
def test_one_bad_file_ends_the_loading_and_is_named(tmp_path: Path, name: str, text: str | None):
    write_log(tmp_path, ENTRY_1)
    if text is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text(text)
    with pytest.raises(Refused, match=f"load iteration log: {name}"):
        load_iteration_log(tmp_path)


@pytest.mark.parametrize(("flat_ones", "nested_ones"), [pytest.param(39, 1, id="row-95")])
def test_a_real_log_of_both_schemas_loads(published: Path, flat_ones: int, nested_ones: int):
    versions = [record.schema_version for record in load_iteration_log(published / "log")]
    assert (versions.count(1), versions.count(2)) == (flat_ones, nested_ones)
