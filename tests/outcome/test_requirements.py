"""What the format of the log and of the scores promises, one promise a test; each is quoted in its docstring."""

import inspect
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnomon import outcome
from gnomon.errors import InvalidInput, Refused
from gnomon.model.outcome import Profile
from gnomon.outcome import (
    AgentInfo,
    IterationRecord,
    Judgement,
    LinkedTrace,
    ScorePlan,
    SignalSet,
    VerifierRecord,
    add_label,
    aggregate_sessions,
    build_persisted_score,
    build_signal_sets,
    default_rubric,
    derive_linked_traces_to_outcomes,
    extract_git_signals,
    extract_iterlog_signals,
    load_rubric,
    parse_iteration_record,
    parse_optional_bool,
    present_signal,
    score_iteration,
    score_log,
)
from outcome.conftest import Claude, MakeRepo, Repo, composed, moment, written

PROFILES: tuple[Profile, ...] = ("gnomon", "compat")
PAIR = LinkedTrace("traces/a.json", "iter-1")


# ── the archive ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def archived(repo: Repo) -> Repo:
    """A log whose archive holds iterations 1 and 9, and which has a file for iteration 2."""
    repo.entry(2, commit=repo.commit("Work 2", {"2.py": "2\n"}), impl={"retries": 0})
    entry = "schema_version: 1, tests_total_pass: true, retries: 0"
    (repo.log / "historical.yaml").write_text(
        f"iterations:\n  - {{iteration: 1, {entry}}}\n  - {{iteration: 9, {entry}}}\n"
    )
    return repo


@pytest.mark.parametrize(
    "content",
    ["schema_version: [1\n", "schema_version: 99\niteration: 1\n", "schema_version: 2\niteration: 0\n", None],
    ids=["not YAML", "another schema", "no number from 1 on", "a directory"],
)
def test_the_archive_never_stands_in_for_a_file_that_is_left_out(archived: Repo, content: str | None):
    """A historical entry is kept only when no dedicated file covers that iteration."""
    assert [one.iteration for one in archived.score().iterations] == [1, 2, 9]
    own = archived.log / "iter-1.yaml"
    own.mkdir() if content is None else own.write_text(content)
    report = archived.score()
    assert [one.iteration for one in report.iterations] == [2, 9]
    told = {one.where: one.message for one in report.diagnostics if one.code != "commit"}
    assert told["iter-1.yaml"].endswith("left out")
    assert told["historical.yaml"] == (
        "iteration 1 is not taken from the archive: it has a file of its own, iter-1.yaml, which is left out"
    )


# ── one profile for all stages, and each score says which ───────────────────────────────────────────────────────


@pytest.mark.parametrize(("profile", "version"), [("gnomon", "2.1.0+gnomon.3"), ("compat", "2.1.0")])
def test_a_score_carries_the_profile_of_its_signals(archived: Repo, profile: Profile, version: str):
    """Every persisted score records the version it was computed under; numbers of two profiles are never mistaken."""
    sets = build_signal_sets(archived.log, archived.root, profile=profile)
    assert {one.profile for one in sets} == {profile}
    records = [IterationRecord(iteration=one.iteration, agent=AgentInfo("s")) for one in sets]
    for rubric in (default_rubric(), default_rubric().under("gnomon"), default_rubric().under("compat")):
        scores = rubric.score_all(sets)
        alone = [score_iteration(archived.log, archived.root, n, profile=profile)[0] for n in (1, 2, 9)]
        assert scores == alone
        assert {score.rubric_version for score in scores} == {version}
        (session,) = aggregate_sessions(rubric, records, scores)
        assert session.rubric_version == version


def test_a_session_never_mixes_numbers_of_two_profiles():
    """Every persisted score records the version it was computed under; numbers of two profiles are never mistaken."""
    records = [IterationRecord(iteration=n, agent=AgentInfo("s")) for n in (1, 2)]
    sets = [SignalSet(1, landed=present_signal(1.0)), SignalSet(2, landed=present_signal(1.0), profile="compat")]
    rubric = default_rubric()
    with pytest.raises(InvalidInput, match=r"session 's' has scores by 2\.1\.0 and 2\.1\.0\+gnomon\.3"):
        aggregate_sessions(rubric, records, rubric.score_all(sets))


STAGES = [
    "load_iteration_log", "parse_iteration_record", "parse_optional_bool", "iteration_windows",
    "extract_iterlog_signals", "extract_git_signals", "backfill_iterations", "extract_iteration_objectives",
    "assemble_signal_set", "derive_linked_traces_to_outcomes", "build_signal_sets", "score_iteration", "SignalSet",
    "ScorePlan",
]  # fmt: skip


def test_every_stage_takes_a_profile_and_has_the_same_default():
    """Every stage can be called by itself, and reads as the others do unless it is told otherwise."""
    public = {name: getattr(outcome, name) for name in outcome.__all__}
    asking = {name for name in public if inspect.isfunction(public[name]) and "profile" in _parameters(public[name])}
    assert asking <= set(STAGES)
    assert {name: _parameters(public[name])["profile"].default for name in STAGES} == dict.fromkeys(STAGES, "gnomon")


def _parameters(stage: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(stage).parameters


def stages_of(profile: Profile | None) -> dict[str, Any]:
    return {} if profile is None else {"profile": profile}


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_stages_composed_by_hand_give_what_the_pipeline_gives_on_a_real_log(
    test_data: Path, make_repo: MakeRepo, profile: Profile | None
):
    """AssembleSignalSet builds one set from the extractors' parts, BuildSignalSets builds them for a whole log."""
    log, repo = test_data / "outcome" / "log", make_repo(branch="master")
    by_hand = composed(log, repo.root, (), **stages_of(profile))
    piped = build_signal_sets(log, repo.root, **stages_of(profile))
    assert by_hand == piped
    assert [score.value for score in default_rubric().score_all(by_hand)] == [
        score_iteration(log, repo.root, one.iteration, **stages_of(profile))[0].value for one in piped
    ]
    assert round(default_rubric().score(by_hand[1]).value, 3) == (0.893 if profile == "compat" else 0.849)


@pytest.fixture
def lively(make_repo: MakeRepo, tmp_path: Path) -> tuple[Repo, Path]:
    """Two iterations of several commits, one with a checkpoint, sessions of two projects, a gate and a label."""
    repo = make_repo(branch="master")
    repo.planned("src/")
    repo.write({".agents/unit.result.yaml": "status: partial\n"})
    ours, theirs = Claude("a", cwd=str(repo.root)), Claude("b", cwd="/elsewhere")
    for n in (1, 2):
        repo.commit(f"t: begin {n}", {f"src/{n}.py": "1\n"})
        repo.commit("Other work", {f"other{n}.py": "1\n"})
        last, at = repo.commit(f"t: end {n}", {f"docs/{n}.md": "1\n"}), repo.minutes
        for session in (ours, theirs):
            session.answer(at - 0.4, f"{session.session}{n}", read=60 * n, made=20, fresh=40)
            session.bash(at - 0.3, f"{session.session}t{n}", "pytest -q", failed=n == 2)
        ours.bash(at + 0.5, f"late{n}", "npm test")
        repo.entry(
            n, commit=last, task_id="t", wave="p", checkpoint_at=moment(at + 0.7) if n == 2 else "",
            impl={"retries": n, "focused_tests_pass": True, "scope_note": "on-target"},
            verifiers=[{"type": "unit", "status": "pass", "result_artifact": ".agents/unit.result.yaml"}],
        )  # fmt: skip
    gates = "records:\n  - {intervention_class: remediate_at_stop, result: advise, rule_id: a.R1}\n"
    (repo.log / "iter-2.hook-outcomes.yaml").write_text(gates)
    add_label(repo.log, 2, Judgement("ada", "reviewer", "2026-05-17T12:00:00Z", 2, "on-target", "minor"))
    return repo, written(tmp_path / "sessions", ours, theirs)


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_stages_composed_by_hand_give_what_the_pipeline_gives_with_all_kinds_of_evidence(
    lively: tuple[Repo, Path], profile: Profile | None
):
    """AssembleSignalSet builds one set from the extractors' parts, BuildSignalSets builds them for a whole log."""
    repo, sessions = lively
    folder = sessions / "project" if profile == "compat" else sessions
    by_hand = composed(repo.log, repo.root, [folder], **stages_of(profile))
    piped = build_signal_sets(repo.log, repo.root, folder, **stages_of(profile))
    assert by_hand == piped
    for one in by_hand:
        present = [spec.id for spec in load_rubric("3.0.0").signals if one.value(spec.id).present]
        assert set(present) >= {"landed", "verifier", "tests", "correction_pressure", "scope", "token_efficiency"}
        assert one.objective.committed_after_tests.sub_score == 1.0
    assert by_hand[1].human_label.present
    assert by_hand[1].hook_outcomes.present


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("version", ["2.1.0", "3.0.0"])
def test_any_rubric_applied_to_the_signals_of_a_log_gives_the_pipeline_s_scores(
    lively: tuple[Repo, Path], profile: Profile, version: str
):
    """A typical caller pairs ScoreAll with BuildSignalSets to produce the full series of scores of a log."""
    repo, _ = lively
    scores = load_rubric(version).score_all(build_signal_sets(repo.log, repo.root, profile=profile))
    report = score_log(ScorePlan(repo.log, repo.root, profile=profile, rubric=version))
    assert scores == [one.score for one in report.iterations]


def test_a_folder_without_a_repository_is_no_evidence_by_hand_as_in_the_pipeline(tmp_path: Path):
    """It returns an error only for unexpected failures; what cannot be seen is absent."""
    log = tmp_path / "log"
    log.mkdir()
    (log / "iter-1.yaml").write_text("schema_version: 2\niteration: 1\ncommit: abc1234\nimpl: {retries: 1}\n")
    assert composed(log, tmp_path, ()) == build_signal_sets(log, tmp_path)
    for stage in (composed, lambda *given, **profile: build_signal_sets(*given[:2], **profile)):
        with pytest.raises(Refused, match="is not a git repository"):
            stage(log, tmp_path, (), profile="compat")


def test_a_record_of_another_log_is_refused(repo: Repo):
    """Bad input is refused by its name."""
    with pytest.raises(InvalidInput, match="iteration 2 is not one of the 1 records"):
        extract_git_signals(IterationRecord(iteration=2), repo.root, records=[IterationRecord(iteration=1)])


# ── flags ───────────────────────────────────────────────────────────────────────────────────────────────────────

ODD = ["yes", "maybe", "1.0", "0x1", "[true]", "{a: b}", "2026-05-17"]
TRI_STATE = {
    "tests_total_pass": lambda record: record.impl.tests_total_pass,
    "one_item_only": lambda record: record.impl.self_assessment.one_item_only,
}


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("field", TRI_STATE)
def test_a_flag_that_says_neither_yes_nor_no_is_unset_and_noted(repo: Repo, field: str, text: str):
    """A tri-state boolean is parsed leniently from the iteration log."""
    flag = f"self_assessment: {{{field}: {text}}}" if field == "one_item_only" else f"{field}: {text}"
    entry = f"schema_version: 1\niteration: 1\nretries: 0\n{flag}\n"
    assert TRI_STATE[field](parse_iteration_record(entry)) is None
    with pytest.raises(Refused, match=field):
        parse_iteration_record(entry, profile="compat")
    repo.log.mkdir(parents=True)
    (repo.log / "iter-1.yaml").write_text(entry)
    report = repo.score()
    assert [one.iteration for one in report.iterations] == [1]
    (told,) = [one for one in report.diagnostics if one.code == "field"]
    assert told.where == "iter-1"
    assert told.message.startswith(f"{field} at line 4 is ")
    assert told.message.endswith("not true, false or nothing; read as not reported")


@pytest.mark.parametrize("text", ["maybe", "1.0", '"true"', "[true]"])
@pytest.mark.parametrize("field", ["ran_cli_command", "linked_traces_to_outcomes", "tdd_refresh_performed"])
def test_a_plain_flag_of_the_self_report_never_costs_the_iteration_either(field: str, text: str):
    """A flag is parsed leniently from the iteration log."""
    entry = (
        f"schema_version: 2\niteration: 1\nimpl:\n  self_assessment:\n    {field}: {text}\n    one_item_only: true\n"
    )
    record = parse_iteration_record(entry)
    assert getattr(record.impl.self_assessment, field) is False
    assert record.impl.self_assessment.one_item_only is True
    assert len(record.notes) == 1
    assert record.notes[0].startswith(f"{field} at line 5 is ")
    with pytest.raises(Refused, match=field):
        parse_iteration_record(entry, profile="compat")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("3", True), ("0", False),
        ("-1", True), ("'true'", True), ("'  '", None), ("t", True), ("F", False), (b"true", True),
        (True, True), (False, False), (None, None), (4, True), (0, False),
    ],
)  # fmt: skip
def test_a_tri_state_is_read_from_its_yaml_text_or_from_its_value(given: Any, expected: bool | None):
    """Null and empty stay unset, a boolean maps directly, a count other than 0 is true, a text at face value."""
    assert [parse_optional_bool(given, profile=profile) for profile in PROFILES] == [expected, expected]


@pytest.mark.parametrize("given", [*ODD, 1.0, float("nan"), "[", "a: b: c"])
def test_what_is_no_tri_state_is_unset_or_as_in_the_original_refused(given: Any):
    """A tri-state boolean is parsed leniently; unset means that the agent did not report."""
    assert parse_optional_bool(given) is None
    with pytest.raises(Refused):
        parse_optional_bool(given, profile="compat")


def test_flags_of_rubrics_and_labels_stay_strict(tmp_path: Path):
    """Only what agents report of themselves is read leniently: a rubric is written with care, or refused."""
    text = "version: x\ncombination: weighted_mean_renormalized\nsignals: [{id: a, weight: 1, two_way: maybe}]\n"
    (tmp_path / "own.yaml").write_text(text + "bands: [{name: all, min: 0}]\n")
    with pytest.raises(InvalidInput, match="two_way"):
        load_rubric(tmp_path / "own.yaml")


# ── linked traces ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("traces", "pair"),
    [
        ((), False),
        ((LinkedTrace(),), False),
        ((LinkedTrace("traces/a.json", ""), LinkedTrace("", "iter-1"), LinkedTrace(" ", "iter-1")), False),
        ((LinkedTrace(), PAIR), True),
    ],
)
def test_traces_are_linked_only_by_a_whole_pair(traces: tuple[LinkedTrace, ...], pair: bool):
    """True exactly when the iteration recorded at least one pair of a trace and what came of it."""
    record = IterationRecord(iteration=1, verifiers=(VerifierRecord(linked_traces=traces),))
    assert derive_linked_traces_to_outcomes(record) is pair
    assert derive_linked_traces_to_outcomes(record, profile="compat") is bool(traces)
    for profile, linked in (("gnomon", pair), ("compat", bool(traces))):
        score = default_rubric().score(SignalSet(1, profile=profile))
        assert build_persisted_score(score, record).linked_traces_to_outcomes is linked
        claim = extract_iterlog_signals(record, profile=profile).verifier_claimed
        assert (claim.present, claim.sub_score) == (bool(traces), float(linked))


def test_half_a_pair_is_noted(repo: Repo):
    """True exactly when the iteration recorded at least one pair; what is none is told."""
    traces = [{}, {"trace_ref": "a"}, {"trace_ref": "a", "outcome_ref": "iter-1"}]
    repo.entry(1, verifiers=[{"type": "unit", "linked_traces": traces}])
    (told,) = [one.message for one in repo.score().diagnostics if one.code == "field"]
    assert told == "2 of 3 linked_traces lack trace_ref or outcome_ref; not counted"


# ── rubrics ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_combination_that_nobody_can_apply_is_refused(repo: Repo):
    """Validate checks a pinned version and combination method."""
    odd = replace(default_rubric(), combination="x")
    for refuse in (odd.validate, lambda: repo.score(rubric=odd)):
        with pytest.raises(InvalidInput, match="combination 'x' is not known; write weighted_mean_renormalized"):
            refuse()
    with pytest.raises(InvalidInput, match="combination method is empty"):
        replace(odd, combination="").validate()
