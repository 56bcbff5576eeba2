"""What an entry says of itself, and what the files that it names say instead."""

from pathlib import Path

import pytest

from gnomon.model.outcome import Profile
from gnomon.outcome import (
    BackfillSignals,
    GitSignals,
    IterationRecord,
    IterlogSignals,
    LinkedTrace,
    ReviewBlock,
    Score,
    SelfAssessment,
    TestAdded,
    VerifierRecord,
    absent_signal,
    build_persisted_score,
    default_rubric,
    write_iteration_score_with_record,
)
from gnomon.outcome.signals import no_objectives
from outcome.compat.building import (
    assemble_signal_set,
    derive_linked_traces_to_outcomes,
    extract_iterlog_signals,
    found,
    near,
    parse_iteration_record,
    record,
)

PAIR = (LinkedTrace("a.yaml", "iter-1"),)


def verifiers(*statuses: str) -> IterationRecord:
    return record(*(VerifierRecord(status=status) for status in statuses))


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        pytest.param("on-target", 1.0, id="row-96-on-target"),
        pytest.param("partial", 0.5, id="row-96-partial"),
        pytest.param("scope-breach", 0.0, id="row-96-breach"),
        pytest.param("On-Target", 1.0, id="row-97"),
        pytest.param("  partial  ", 0.5, id="row-98"),
        pytest.param("on-target - all files inside the declared folders", 1.0, id="row-99"),
        pytest.param("", None, id="row-100-empty"),
        pytest.param("did some stuff", None, id="row-100-prose"),
        pytest.param("on schedule", None, id="prose that begins alike"),
        pytest.param("partial - one file outside", None, id="partial with prose"),
        pytest.param("scope-breach: the CLI too", None, id="breach with prose"),
    ],
)
def test_a_scope_note_counts_when_it_says_one_of_three_words(note: str, expected: float | None):
    assert found(extract_iterlog_signals(record(scope_note=note)).scope_claimed) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(record(), None, id="row-101"),
        pytest.param(record(focused_tests_pass=True, tests_total_pass=True), 1.0, id="row-102"),
        pytest.param(
            record(
                VerifierRecord(tests_total_pass=True),
                VerifierRecord(tests_total_pass=False),
                focused_tests_pass=True,
                tests_total_pass=False,
            ),
            0.5,
            id="row-103",
        ),
        pytest.param(record(VerifierRecord(), VerifierRecord(), tests_total_pass=True), 1.0, id="row-104"),
    ],
)
def test_tests_are_the_share_of_reported_flags_that_say_passed(given: IterationRecord, expected: float | None):
    assert found(extract_iterlog_signals(given).tests_claimed) == near(expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(verifiers("pass", "partial", "fail"), 0.5, id="row-105"),
        pytest.param(verifiers("pass", "unknown"), 1.0, id="row-106"),
        pytest.param(verifiers("unknown", ""), None, id="row-107"),
        pytest.param(record(tests_total_pass=True), 1.0, id="row-108-true"),
        pytest.param(record(tests_total_pass=False), 0.0, id="row-108-false"),
        pytest.param(record(), None, id="row-108-unset"),
        pytest.param(verifiers(" Pass ", "FAIL"), 0.5, id="spelling"),
    ],
)
def test_the_verifier_signal_is_the_mean_of_those_that_decided(given: IterationRecord, expected: float | None):
    assert found(extract_iterlog_signals(given).verifier) == near(expected)


def test_the_verifier_signal_says_how_many_decided():
    assert "2/3" in extract_iterlog_signals(verifiers("pass", "unknown", "fail")).verifier.detail


# ── files that the entry names ──────────────────────────────────────────────────────────────────────────────────

VERIFICATION = ".agents/active/verification"
FILES = {
    "c3/test.result.yaml": "schema_version: 1\nstatus: fail\n",
    "c3/nostatus.result.yaml": "schema_version: 1\nsummary: no status here\n",
    "c3/unknown.result.yaml": "status: unknown\n",
    "c3/review-decision.yaml": (
        "overall_decision: accept\npost_invocation:\n  user_corrections: [first, second]\n  retries_in_loop: 1\n"
    ),
    "badart/test.result.yaml": "status:\nthis: is: not: valid: yaml:\n  - [unbalanced\n",
    "badart/review-decision.yaml": "schema_version: 1\npost_invocation: [not, a, mapping]\n",
}


@pytest.fixture(scope="module")
def built_repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("artefacts")
    for name, text in FILES.items():
        path = root / VERIFICATION / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture(params=["built", "published"])
def artefact_repo(request: pytest.FixtureRequest) -> Path:
    """A repository with results and decisions: one that the test wrote, and the published one."""
    if request.param == "built":
        return request.getfixturevalue("built_repo")
    return request.getfixturevalue("published") / "fixtures" / "iterlog_signals_repo"


ARTEFACT_ROWS = [
    pytest.param("pass", f"{VERIFICATION}/c3/test.result.yaml", 0.0, id="row-109"),
    pytest.param("pass", f"{VERIFICATION}/c3/missing.result.yaml", 1.0, id="row-110"),
    pytest.param("pass", f"{VERIFICATION}/badart/test.result.yaml", 1.0, id="row-112"),
    pytest.param("partial", f"{VERIFICATION}/c3/nostatus.result.yaml", 0.5, id="row-113"),
    pytest.param("fail", "../../../etc/passwd", 0.0, id="row-114"),
    pytest.param("pass", "/etc/hosts", 1.0, id="row-115"),
]


@pytest.mark.parametrize(("status", "path", "expected"), ARTEFACT_ROWS)
def test_a_result_on_disk_overrides_the_inline_status_when_it_can_be_read(
    artefact_repo: Path, status: str, path: str, expected: float
):
    given = record(VerifierRecord(status=status, result_artifact=path))
    assert found(extract_iterlog_signals(given, artefact_repo).verifier) == expected


def test_a_result_that_does_not_know_takes_the_verifier_out_of_the_mean(built_repo: Path):
    given = record(VerifierRecord(status="pass", result_artifact=f"{VERIFICATION}/c3/unknown.result.yaml"))
    assert found(extract_iterlog_signals(given, built_repo).verifier) is None


def test_a_path_out_of_the_repository_is_refused_even_where_it_would_be_found(tmp_path: Path):
    (tmp_path / "outside.yaml").write_text("status: fail\n")
    (tmp_path / "repo").mkdir()
    for path in ("../outside.yaml", "a/../../outside.yaml", str(tmp_path / "outside.yaml")):
        given = record(VerifierRecord(status="pass", result_artifact=path))
        assert found(extract_iterlog_signals(given, tmp_path / "repo").verifier) == 1.0


@pytest.mark.parametrize(("status", "expected"), [pytest.param("partial", 0.5, id="row-111")])
def test_without_a_repository_the_inline_status_counts(status: str, expected: float):
    given = record(VerifierRecord(status=status, result_artifact=f"{VERIFICATION}/c3/test.result.yaml"))
    assert found(extract_iterlog_signals(given, "").verifier) == expected


# ── claims ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(record(), None, id="row-116"),
        pytest.param(record(said=SelfAssessment(linked_traces_to_outcomes=True)), 1.0, id="row-117"),
        pytest.param(
            record(VerifierRecord(self_assessment=SelfAssessment(linked_traces_to_outcomes=True))), 1.0, id="row-118"
        ),
        pytest.param(record(said=SelfAssessment(one_item_only=True)), 0.0, id="row-119"),
        pytest.param(record(said=SelfAssessment(one_item_only=False)), 0.0, id="an explicit no is a report"),
        pytest.param(record(VerifierRecord(linked_traces=PAIR)), 1.0, id="a pair is a link"),
        pytest.param(
            record(VerifierRecord(tests_added_by_kind=(TestAdded("t", "edge"),))),
            0.0,
            id="tests listed, nothing linked",
        ),
    ],
)
def test_the_verifier_claims_what_it_linked(given: IterationRecord, expected: float | None):
    assert found(extract_iterlog_signals(given).verifier_claimed) == expected


RETIRED = [
    "read_loop_state", "committed_after_tests", "ran_cli_command", "stayed_under_10_files", "tdd_refresh_performed",
]  # fmt: skip


@pytest.mark.parametrize("profile", ["compat", "gnomon"])
@pytest.mark.parametrize("flag", RETIRED)
def test_a_retired_flag_is_read_and_has_no_vote(flag: str, profile: Profile):
    """Flags that carried no information still parse, so that old entries load; no signal that votes reads them."""
    entry = "schema_version: 1\niteration: 1\ntests_total_pass: true\nself_assessment: {{{flag}: {said}}}\n"
    told = []
    for said in ("true", "false"):
        given = parse_iteration_record(entry.format(flag=flag, said=said), profile=profile)
        assert getattr(given.impl.self_assessment, flag) is (said == "true")
        told.append(default_rubric().score(joined(given, extract_iterlog_signals(given, profile=profile))))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("persisted", "decision", "expected"),
    [
        pytest.param("yes", "accept", 1.0, id="row-120-accept"),
        pytest.param("yes", "reject", 0.5, id="row-120-reject"),
        pytest.param("yes", "escalate", 0.75, id="row-120-escalate"),
        pytest.param("yes - verify record, checkpoint", "", 1.0, id="row-121"),
        pytest.param("no", "", 0.0, id="row-122-no"),
        pytest.param("", "accept", 1.0, id="row-122-accept"),
        pytest.param("", "reject", 0.0, id="row-122-reject"),
        pytest.param("", "escalate", 0.5, id="row-122-escalate"),
        pytest.param("", "", None, id="row-123-neither"),
        pytest.param("yes", "deferred", 1.0, id="row-123-deferred"),
        pytest.param("yesterday", "", 1.0, id="three letters anywhere"),
        pytest.param("sandboxed", "", 0.0, id="another word"),
    ],
)
def test_landing_is_claimed_by_the_implementer_and_by_the_review(persisted: str, decision: str, expected: float | None):
    said = SelfAssessment(persisted_via_workflow_commands=persisted)
    given = record(said=said, review=ReviewBlock(overall_decision=decision))
    assert found(extract_iterlog_signals(given).landed_claimed) == near(expected)


@pytest.mark.parametrize(
    ("given", "retries"),
    [
        pytest.param(record(VerifierRecord(retries=1), VerifierRecord(retries=3), retries=2), 6, id="row-124"),
        pytest.param(record(), 0, id="row-124-empty"),
    ],
)
def test_retries_of_all_roles_add_up(given: IterationRecord, retries: int):
    assert extract_iterlog_signals(given).retries == retries


@pytest.mark.parametrize(
    ("path", "corrections"),
    [
        pytest.param(f"{VERIFICATION}/c3/review-decision.yaml", 3, id="row-125"),
        pytest.param(f"{VERIFICATION}/c3/missing.yaml", 0, id="row-126-missing"),
        pytest.param("", 0, id="row-126-no-path"),
        pytest.param(f"{VERIFICATION}/badart/review-decision.yaml", 0, id="row-126-a-list"),
    ],
)
def test_corrections_are_counted_in_the_decision_that_the_review_names(
    artefact_repo: Path, path: str, corrections: int
):
    given = record(review=ReviewBlock(decision_artifact=path))
    assert extract_iterlog_signals(given, artefact_repo).user_corrections == corrections


@pytest.mark.parametrize("corrections", [pytest.param(0, id="row-126-no-repository")])
def test_without_a_repository_nobody_corrected(corrections: int):
    given = record(review=ReviewBlock(decision_artifact=f"{VERIFICATION}/c3/review-decision.yaml"))
    assert extract_iterlog_signals(given, "").user_corrections == corrections


# ── a whole entry ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=["built", "published"])
def nested_entry(request: pytest.FixtureRequest) -> IterationRecord:
    """An entry of schema 2 whose verifier and review name files."""
    if request.param == "published":
        data = (request.getfixturevalue("published") / "fixtures" / "v2_iter.yaml").read_bytes()
        return parse_iteration_record(data)
    return record(
        VerifierRecord(
            status="pass",
            tests_total_pass=True,
            result_artifact=f"{VERIFICATION}/c3/test.result.yaml",
            self_assessment=SelfAssessment(linked_traces_to_outcomes=True),
        ),
        scope_note="on-target",
        retries=1,
        focused_tests_pass=True,
        said=SelfAssessment(one_item_only=True),
        review=ReviewBlock(overall_decision="accept", decision_artifact=f"{VERIFICATION}/c3/review-decision.yaml"),
    )


@pytest.mark.parametrize("best", [pytest.param(1.0, id="row-127")])
def test_an_entry_without_its_repository_is_taken_at_its_word(nested_entry: IterationRecord, best: float):
    signals = extract_iterlog_signals(nested_entry)
    said = (
        signals.scope_claimed, signals.verifier, signals.tests_claimed, signals.verifier_claimed,
        signals.landed_claimed,
    )  # fmt: skip
    assert [found(value) for value in said] == [best] * 5
    assert signals.retries == 1


@pytest.mark.parametrize("pressure", [pytest.param(0.2, id="row-128")])
def test_the_files_of_an_entry_speak_louder_than_the_entry(
    nested_entry: IterationRecord, artefact_repo: Path, pressure: float
):
    signals = extract_iterlog_signals(nested_entry, artefact_repo)
    assert (found(signals.verifier), signals.user_corrections) == (0.0, 3)
    assert found(joined(nested_entry, signals).correction_pressure) == near(pressure)


def joined(given: IterationRecord, signals: IterlogSignals):
    none = absent_signal("not looked for")
    git, backfill = GitSignals(none, none), BackfillSignals(1, none)
    return assemble_signal_set(given, signals, git, backfill, no_objectives("none"), none)


@pytest.mark.parametrize(
    ("given", "linked"),
    [
        pytest.param(record(), False, id="row-129-no-verifiers"),
        pytest.param(record(VerifierRecord()), False, id="row-129-no-pairs"),
        pytest.param(record(VerifierRecord(), VerifierRecord(linked_traces=PAIR)), True, id="row-129-one-of-two"),
        pytest.param(record(VerifierRecord(linked_traces=PAIR * 3)), True, id="row-129-several"),
        pytest.param(record(said=SelfAssessment(linked_traces_to_outcomes=True)), False, id="the agent's own yes"),
    ],
)
def test_traces_count_as_linked_when_a_verifier_names_a_pair(given: IterationRecord, linked: bool):
    assert derive_linked_traces_to_outcomes(given) is linked
    assert build_persisted_score(a_score(given), given).linked_traces_to_outcomes is linked


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param(record(), False, id="row-130"),
        pytest.param(record(VerifierRecord(linked_traces=PAIR)), True, id="row-130-linked"),
    ],
)
def test_the_marker_is_in_the_file_only_when_traces_are_linked(tmp_path: Path, given: IterationRecord, written: bool):
    path = write_iteration_score_with_record(tmp_path, a_score(given), given)
    assert ("linked_traces_to_outcomes" in path.read_text()) is written


def a_score(given: IterationRecord) -> Score:
    return default_rubric().score(joined(given, extract_iterlog_signals(given)))
