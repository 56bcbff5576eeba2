"""The whole walk by the `compat` profile: logs, git and sidecars in, values out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gnomon.errors import GnomonError, NotFound, Refused
from gnomon.outcome import (
    GitSignals,
    HookRecord,
    Judgement,
    OutcomeReport,
    Score,
    ScorePlan,
    absent_signal,
    add_label,
    build_signal_sets,
    load_rubric,
    score_iteration,
    score_log,
    write_hook_record,
)
from gnomon.outcome.compat.transcripts import CompatScan
from outcome.compat.building import (
    NO_SUCH_COMMIT,
    Repo,
    assemble_signal_set,
    extract_iterlog_signals,
    found,
    near,
    parse_iteration_record,
    turn,
    use,
    window,
    write_log,
    write_session,
)

ENTRY_1 = "schema_version: 1\niteration: 1\ncommit: dedicated1\nscope_note: on-target\ntests_total_pass: true\n"
ENTRY_2 = "schema_version: 2\niteration: 2\ncommit: dedicated2\nimpl:\n  scope_note: partial\n"
ENTRY_7 = ENTRY_1.replace("iteration: 1", "iteration: 7") + "retries: 1\n"
TESTED = """impl:
  scope_note: on-target
  focused_tests_pass: true
  {retries}
verifiers:
  - {{type: test, status: pass, tests_total_pass: true}}
"""
ENTRY_52 = (
    f"schema_version: 2\niteration: 52\ncommit: {NO_SUCH_COMMIT}\nsession_tokens: {{cache_hit_rate: 0.9}}\n"
    + TESTED.format(retries="retries: 1")
)
ENTRY_66 = f"schema_version: 2\niteration: 66\ncommit: {NO_SUCH_COMMIT}\n" + TESTED.format(retries="retries: 0")
ENTRY_65 = f"schema_version: 2\niteration: 65\ncommit: {NO_SUCH_COMMIT}\nimpl: {{retries: 0}}\nverifiers: []\n"
ENTRY_70 = "schema_version: 2\niteration: 70\ncommit: {commit}\nsession_tokens: {{cache_hit_rate: 0.98491428}}\n"


def gate(result: str, rule: str) -> HookRecord:
    return HookRecord(
        sentinel_id="iteration-close-1",
        skill="iteration-close",
        lifecycle_point="stop",
        intervention_class="remediate_at_stop",
        result=result,
        rule_id=f"iteration-close.{rule}",
        platform="claude",
        ts="2026-07-07T01:14:38Z",
    )


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = Repo.new(tmp_path_factory.mktemp("repo"))
    made.commit("First", "a.txt")
    return made


@pytest.fixture(scope="module")
def stray(repo: Repo) -> str:
    """A commit that resolves, and that `master` does not reach."""
    repo.git("checkout", "--quiet", "-b", "stray")
    sha = repo.commit("Never merged", "stray.txt")
    repo.git("checkout", "--quiet", "master")
    return sha


ScoreIt = Callable[[str, str], Score]


@pytest.fixture
def score(tmp_path: Path, repo: Repo) -> ScoreIt:
    """The score of one entry, by its text and the version of a rubric. Sidecars may wait in the folder."""

    def scored(entry: str, rubric: str) -> Score:
        log = write_log(tmp_path, entry)
        return score_iteration(
            log, repo.root, parse_iteration_record(entry).iteration, profile="compat", rubric=rubric
        )[0]

    return scored


# ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────

BUILT = [
    pytest.param(ENTRY_7, 0.8934426230, 0.8921568627, "excellent", id="row-223-built"),
    pytest.param(ENTRY_52, 0.8934426230, 0.8921568627, "excellent", id="row-224-built"),
    pytest.param(ENTRY_66, 1.0, 1.0, "excellent", id="row-226-built"),
    pytest.param(ENTRY_65, 1.0, 1.0, "excellent", id="row-227-built"),
    pytest.param(ENTRY_1, 1.0, 1.0, "excellent", id="row-228-built"),
    pytest.param(ENTRY_2, 0.75, 0.75, "good", id="row-229-built"),
]


@pytest.mark.parametrize(("entry", "by_2", "by_3", "band"), BUILT)
def test_an_entry_whose_commit_is_gone_is_scored_by_what_it_says(
    score: ScoreIt, entry: str, by_2: float, by_3: float, band: str
):
    told = [score(entry, version) for version in ("2.1.0", "3.0.0")]
    assert [one.value for one in told] == [near(by_2), near(by_3)]
    assert [one.band for one in told] == [band, band]


@pytest.mark.parametrize(
    ("name", "by_2", "by_3", "band"),
    [
        pytest.param("v1_iter.yaml", 0.8934426230, 0.8921568627, "excellent", id="row-223"),
        pytest.param("v2_iter.yaml", 0.8934426230, 0.8921568627, "excellent", id="row-224"),
        pytest.param("v2_structured.yaml", 1.0, 1.0, "excellent", id="row-226"),
        pytest.param("v2_sparse.yaml", 1.0, 1.0, "excellent", id="row-227"),
        pytest.param("iterlog/iter-1.yaml", 1.0, 1.0, "excellent", id="row-228"),
        pytest.param("iterlog/iter-2.yaml", 0.75, 0.75, "good", id="row-229"),
    ],
)
def test_a_published_entry_has_its_published_value(
    published: Path, score: ScoreIt, name: str, by_2: float, by_3: float, band: str
):
    entry = (published / "fixtures" / name).read_text()
    told = [score(entry, version) for version in ("2.1.0", "3.0.0")]
    assert [one.value for one in told] == [near(by_2), near(by_3)]
    assert [one.band for one in told] == [band, band]


@pytest.mark.parametrize("present", [pytest.param(["correction_pressure"], id="row-227")])
def test_an_empty_entry_is_excellent_on_correction_pressure_alone(score: ScoreIt, present: list[str]):
    told = score(ENTRY_65, "2.1.0")
    assert [row.signal for row in told.breakdown if row.present] == present
    assert told.provisional


@pytest.mark.parametrize(
    ("version", "value"),
    [pytest.param("2.1.0", 0.8942857143, id="row-225"), pytest.param("3.0.0", 0.8932203390, id="row-225-3.0.0")],
)
def test_logged_tokens_vote_where_the_window_is_known(version: str, value: float):
    entry = parse_iteration_record(ENTRY_52)
    none = absent_signal("not looked for")
    scan = CompatScan([])
    within = window(None, "2026-04-18T15:26:48Z")
    signals = assemble_signal_set(
        entry,
        extract_iterlog_signals(entry),
        GitSignals(none, none),
        scan.backfill(entry, within),
        scan.objectives(within),
        none,
    )
    assert load_rubric(version).score(signals).value == near(value)


@pytest.mark.parametrize(
    ("label", "value"), [pytest.param((2, "on-target", "minor"), 0.9368686869, id="row-228-labelled")]
)
def test_a_label_moves_the_value_of_an_iteration(
    score: ScoreIt, tmp_path: Path, label: tuple[int, str, str], value: float
):
    add_label(tmp_path, 1, Judgement("ada", "reviewer", "2026-05-17T12:00:00Z", *label))
    assert score(ENTRY_1, "3.0.0").value == near(value)
    assert score(ENTRY_1, "2.1.0").value == near(1.0)


@pytest.mark.parametrize("sub_score", [pytest.param(13 / 18, id="row-211")])
def test_a_label_is_a_row_of_its_iteration_and_of_no_other(tmp_path: Path, repo: Repo, sub_score: float):
    log = write_log(tmp_path, ENTRY_1, ENTRY_2)
    add_label(log, 1, Judgement("ada", "reviewer", "2026-05-17T12:00:00Z", 2, "on-target", "minor"))
    report = score_log(ScorePlan(log, repo.root, profile="compat", rubric="3.0.0"))
    first, second = (
        next(row for row in one.score.breakdown if row.signal == "human_label") for one in report.iterations
    )
    assert (first.present, first.sub_score) == (True, near(sub_score))
    assert first.contribution == near(first.effective_weight * first.sub_score)
    assert (second.present, second.contribution) == (False, 0)


ROW_230 = [
    pytest.param("2.1.0", 0.8591549295774648, id="row-230"),
    pytest.param("3.0.0", 0.8500000000000001, id="row-230-3.0.0"),
]


@pytest.mark.parametrize(("version", "value"), ROW_230)
def test_a_remedy_that_a_gate_asked_for_is_a_zero_among_the_signals(
    score: ScoreIt, tmp_path: Path, version: str, value: float
):
    write_hook_record(tmp_path, 66, gate("remediate", "R1.1"))
    told = score(ENTRY_66, version)
    assert (told.value, told.band) == (value, "excellent")


@pytest.mark.parametrize(("version", "value"), ROW_230)
def test_a_real_entry_with_its_hook_sidecar_has_its_published_value(
    published: Path, tmp_path: Path, repo: Repo, version: str, value: float
):
    folder = published / "hook-outcomes"
    for name in ("iter-66.yaml", "iter-66.hook-outcomes.yaml"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    told, _ = score_iteration(tmp_path, repo.root, 66, profile="compat", rubric=version)
    assert (told.value, told.band) == (value, "excellent")


@pytest.mark.parametrize(
    ("version", "value"),
    [pytest.param("2.1.0", 0.13 / 0.23, id="row-231"), pytest.param("3.0.0", 0.55, id="row-231-3.0.0")],
)
def test_without_evidence_a_gate_s_remedy_halves_the_value(score: ScoreIt, tmp_path: Path, version: str, value: float):
    write_hook_record(tmp_path, 70, gate("remediate", "R1.1"))
    write_hook_record(tmp_path, 70, gate("advise", "R1.4"))
    told = score(ENTRY_70.format(commit=NO_SUCH_COMMIT), version)
    assert (told.value, told.band) == (near(value), "fair")


@pytest.mark.parametrize("value", [pytest.param((0.13 + 0.09 * 0.98491428) / 0.52, id="row-232")])
def test_a_commit_that_never_landed_pulls_the_value_down_and_lets_tokens_vote(
    score: ScoreIt, tmp_path: Path, stray: str, value: float
):
    write_hook_record(tmp_path, 70, gate("remediate", "R1.1"))
    told = score(ENTRY_70.format(commit=stray), "2.1.0")
    assert (told.value, told.band) == (near(value), "poor")
    assert told.value == pytest.approx(0.4204660, abs=1e-7)
    assert [row.signal for row in told.breakdown if row.present] == [
        "landed", "correction_pressure", "hook_outcomes", "token_efficiency",
    ]  # fmt: skip


# ── one iteration ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "log", ENTRY_1, ENTRY_2)


@pytest.mark.parametrize("iteration", [pytest.param(1, id="row-221")])
def test_one_iteration_of_a_log_is_scored(log: Path, repo: Repo, iteration: int):
    told, entry = score_iteration(log, repo.root, iteration, profile="compat")
    assert (told.iteration, entry.iteration, entry.commit) == (iteration, iteration, "dedicated1")
    assert told.value == near(1.0)


@pytest.mark.parametrize("iteration", [pytest.param(999, id="row-221-missing")])
def test_an_iteration_that_is_not_in_the_log_is_named(log: Path, repo: Repo, iteration: int):
    with pytest.raises(NotFound, match="iter-999"):
        score_iteration(log, repo.root, iteration, profile="compat")


@pytest.mark.parametrize("name", [pytest.param("iter-3.yaml", id="row-221-malformed")])
def test_a_log_that_cannot_be_loaded_says_at_which_step(log: Path, repo: Repo, name: str):
    (log / name).write_text("{ broken")
    with pytest.raises(Refused, match=f"load iteration log: {name}"):
        score_iteration(log, repo.root, 1, profile="compat")


@pytest.mark.parametrize("profile", [pytest.param("compat", id="row-221-no-repository")])
def test_without_a_repository_the_walk_ends_and_says_at_which_step(log: Path, tmp_path: Path, profile: str):
    with pytest.raises(GnomonError, match="build signal sets"):
        score_iteration(log, tmp_path, 1, profile=profile)


def test_a_session_file_that_cannot_be_read_ends_the_walk(tmp_path: Path, repo: Repo):
    log = write_log(tmp_path / "log", ENTRY_70.format(commit=repo.git("rev-parse", "master")))
    (tmp_path / "broken.jsonl").symlink_to(tmp_path / "nowhere")
    with pytest.raises(GnomonError, match="build signal sets: token backfill"):
        score_log(ScorePlan(log, repo.root, (tmp_path,), profile="compat"))


@pytest.mark.parametrize("iteration", [pytest.param(1, id="row-222"), pytest.param(2, id="row-222-second")])
def test_the_score_is_the_same_with_and_without_its_signals_and_among_all_or_alone(
    log: Path, repo: Repo, iteration: int
):
    told, entry = score_iteration(log, repo.root, iteration, profile="compat")
    (alone,) = score_log(ScorePlan(log, repo.root, profile="compat", iteration=iteration)).iterations
    among = score_log(ScorePlan(log, repo.root, profile="compat")).iterations[iteration - 1]
    assert (alone.score, alone.record) == (told, entry)
    assert (among.score, among.record) == (told, entry)
    assert load_rubric().score(alone.signals) == told


# ── a whole log ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> OutcomeReport:
    """Two iterations of one session, a day of work each, with a transcript and a plan."""
    root = tmp_path_factory.mktemp("whole")
    repo = Repo.new(root / "repo")
    repo.plan("plan", "tasks:\n  - {id: t1, write_scope: [src/]}\n")
    first = repo.commit("First", "src/a.py", "README.md", when="2026-05-02T00:00:00+00:00")
    second = repo.commit("Second", "src/b.py", when="2026-05-03T00:00:00+00:00")
    text = "schema_version: 2\niteration: {n}\ntask_id: t1\ncommit: {sha}\nagent: {{session_id: s1}}\n"
    log = write_log(root / "log", text.format(n=1, sha=first), text.format(n=2, sha=second[:10]))
    session = write_session(
        root / "sessions",
        turn("2026-05-01T10:00:00Z", read=0, created=100),
        turn("2026-05-02T10:00:00Z", read=70, created=30),
        use("2026-05-02T11:00:00Z", "Bash", command="pytest -q"),
    )
    return score_log(ScorePlan(log, repo.root, (session,), profile="compat"))


def test_every_source_reaches_the_iteration_it_belongs_to(whole: OutcomeReport):
    values = [
        {name: found(getattr(one.signals, name)) for name in ("landed", "scope", "token_efficiency")}
        for one in whole.iterations
    ]
    assert values == [
        {"landed": 1.0, "scope": 0.5, "token_efficiency": 0.0},
        {"landed": 1.0, "scope": 1.0, "token_efficiency": near(0.7)},
    ]
    assert [found(one.objectives["committed_after_tests"]) for one in whole.iterations] == [0.0, 1.0]


def test_a_whole_log_is_scored_in_order_by_the_plain_version_of_the_rubric(whole: OutcomeReport):
    assert [one.iteration for one in whole.iterations] == [1, 2]
    assert {one.score.rubric_version for one in whole.iterations} == {"2.1.0"}
    first = (0.20 + 0.13 + 0.065) / 0.55
    second = (0.20 + 0.13 + 0.13 + 0.063) / 0.55
    assert [one.score.value for one in whole.iterations] == [near(first), near(second)]
    (session,) = whole.sessions
    assert (session.session_id, session.iterations) == ("s1", [1, 2])
    assert session.value == near((first + second) / 2)


def test_signal_sets_are_those_of_the_report(log: Path, repo: Repo):
    report = score_log(ScorePlan(log, repo.root, profile="compat"))
    assert build_signal_sets(log, repo.root, profile="compat") == [one.signals for one in report.iterations]


def test_an_empty_log_needs_no_repository(tmp_path: Path):
    report = score_log(ScorePlan(tmp_path, tmp_path, profile="compat"))
    assert (report.iterations, report.sessions) == ((), ())
