"""`gnomon outcome`: scores of a log, of plain history, of people and gates, on this machine and on a server."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cli.conftest import Done, Run
from conftest import Server
from contract.caller import Api, fresh_project
from gnomon.cli.main import main
from gnomon.cli.show.facts import fact_lines
from gnomon.cli.show.outcome import explained
from gnomon.model.iterationfacts import IterationFacts, ModelTokens, PullRequest, RulesFile
from gnomon.model.outcome import IterationBatchDraft, absent_signal, present_signal
from gnomon.outcome import (
    IterationRecord,
    Rubric,
    ScoreBand,
    ScoredIteration,
    ScorePlan,
    SignalSet,
    SignalSpec,
    load_rubric,
    scorelog,
)
from gnomon.outcome.iterlog import DEFAULT_LOG
from gnomon.outcome.record import AgentInfo
from gnomon.report.text.drawing import clean
from gnomon.service.embedded import Embedded
from outcome.conftest import Claude, Repo, written
from test_weight import modules_after

LABEL = ("--correctness", 3, "--scope", "on-target", "--hallucination", "none", "--actor", "a-reader")
GATE = (
    "--sentinel-id", "isp-1", "--skill", "isp", "--lifecycle-point", "stop",
    "--intervention-class", "remediate_at_stop", "--rule-id", "isp.R1", "--platform", "claude",
)  # fmt: skip
OWN_RUBRIC = """
version: team-1
combination: weighted_mean_renormalized
signals:
  - {id: landed, label: Landed, weight: 0.5, two_way: true}
  - {id: coverage, label: Test coverage, weight: 0.5}
bands:
  - {name: ship, min: 0.8}
  - {name: look again, min: 0}
"""


def new_repo(root: Path, first: str | None = "Start") -> Repo:
    root.mkdir(parents=True)
    repo = Repo(root)
    repo.git("init", "--quiet", "--initial-branch=main")
    if first is not None:
        repo.commit(first, {"README.md": "start\n"})
    return repo


@pytest.fixture(scope="module")
def _a_shop(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = new_repo(tmp_path_factory.mktemp("shop") / "shop", first=None)
    scope = ["cart.py", "tests/"]
    repo.git("add", "--", repo.plan("shop", {"cart": scope, "discount": scope}))
    repo.commit("Plan the shop")
    about = {"date": "2026-06-01", "wave": "shop", "agent": {"session_id": "morning", "harness": "claude-code"}}
    said = {"scope_note": "on-target", "focused_tests_pass": True}
    sha = repo.commit("Add a cart", {"cart.py": "1\n"})
    repo.entry(
        1, commit=sha, task_id="cart", **about, impl={"summary": "Add a cart", "retries": 0, **said},
        verifiers=[{"type": "unit", "status": "pass"}], review={"overall_decision": "accept"},
    )  # fmt: skip
    sha = repo.commit("Allow a discount", {"cart.py": "2\n", "settings.py": "1\n"})
    repo.entry(
        2, commit=sha, task_id="discount", **about, impl={"summary": "Allow a discount", "retries": 2, **said},
        verifiers=[{"type": "unit", "status": "partial"}], review={"overall_decision": "accept"},
    )  # fmt: skip
    repo.entry(3, agent={"session_id": "evening"})
    return repo


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder without sessions of agents in it."""
    person = tmp_path / "person"
    person.mkdir()
    monkeypatch.setenv("HOME", str(person))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return person


@pytest.fixture
def shop(_a_shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Where one stands: a repository of two iterations, the second promising more than it holds, and an empty third."""
    repo = _a_shop.copied(tmp_path / "shop")
    monkeypatch.chdir(repo.root)
    return repo


def answer(done: Done) -> Any:
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def beside(repo: Repo) -> dict[str, bytes]:
    """The files in the log that are no entries."""
    return {
        path.name: path.read_bytes() for path in repo.log.iterdir() if not re.fullmatch(r"iter-\d+\.yaml", path.name)
    }


def plan(repo: Repo, **more: Any) -> ScorePlan:
    return ScorePlan(log=repo.log, repo=repo.root, **more)


# ── score ───────────────────────────────────────────────────────────────────────────────────────────────────────

ITERATION = {
    "iteration", "rubric_version", "scored", "value", "band", "coverage", "provisional", "breakdown", "integrity",
    "why_provisional", "observed", "objectives", "date", "task_id", "session_id", "commits", "facts",
}  # fmt: skip
SESSION = {
    "session_id", "rubric_version", "iterations", "scored", "value", "confidence_interval_95", "band", "per_iteration",
    "n_provisional", "provisional_value",
}  # fmt: skip
ROW = {
    "signal", "label", "present", "sub_score", "detail", "nominal_weight", "effective_weight", "contribution",
    "self_reported",
}  # fmt: skip
SIGNALS = ["landed", "verifier", "tests", "correction_pressure", "scope", "hook_outcomes", "token_efficiency"]


def test_scores_as_json_have_exactly_the_promised_shape(gnomon: Run, shop: Repo):
    found = answer(gnomon("outcome", "score", "--json"))
    assert list(found) == ["rubric_version", "profile", "iterations", "mean", "sessions", "diagnostics"]
    assert (found["rubric_version"], found["profile"]) == ("2.1.0+gnomon.3", "gnomon")
    assert [one["iteration"] for one in found["iterations"]] == [1, 2, 3]
    for one in found["iterations"]:
        assert set(one) == ITERATION
        assert [row["signal"] for row in one["breakdown"]] == SIGNALS
        assert all(set(row) == ROW for row in one["breakdown"])
        assert all(set(value) == {"present", "sub_score", "detail"} for value in one["objectives"].values())
        for pair in one["integrity"]:
            assert set(pair) == {"signal", "role", "claimed", "observed", "comparable", "delta"}
    assert [session["session_id"] for session in found["sessions"]] == ["evening", "morning"]
    assert all(set(session) == SESSION for session in found["sessions"])
    assert all(set(one) == {"where", "code", "message"} for one in found["diagnostics"])


def test_present_contributions_add_up_to_the_value_and_present_weights_to_the_coverage(gnomon: Run, shop: Repo):
    for one in answer(gnomon("outcome", "score", "--json"))["iterations"][:2]:
        present = [row for row in one["breakdown"] if row["present"]]
        assert one["value"] == pytest.approx(sum(row["contribution"] for row in present), abs=1e-12)
        assert one["coverage"] == pytest.approx(sum(row["nominal_weight"] for row in present), abs=1e-12)


def test_what_has_no_score_has_no_number(gnomon: Run, shop: Repo):
    found = answer(gnomon("outcome", "score", "--json"))
    third, evening = found["iterations"][2], found["sessions"][0]
    assert (third["scored"], third["value"], third["band"], third["coverage"]) == (False, None, "unscored", 0)
    assert (evening["scored"], evening["value"], evening["confidence_interval_95"]) == (False, None, None)
    assert evening["per_iteration"][0]["value"] is None
    pairs = [pair for one in found["iterations"] for pair in one["integrity"] if not pair["comparable"]]
    assert pairs
    assert all(pair["delta"] is None for pair in pairs)


@pytest.mark.parametrize(("profile", "version"), [("gnomon", "2.1.0+gnomon.3"), ("compat", "2.1.0")])
def test_every_score_as_json_says_under_which_version_it_was_computed(
    gnomon: Run, shop: Repo, profile: str, version: str
):
    """Every persisted score records the version it was computed under."""
    flags = ("--profile", profile, "--trunk", "main", "--json")
    found = answer(gnomon("outcome", "score", *flags))
    scores = [*found["iterations"], *found["sessions"], answer(gnomon("outcome", "show", 1, *flags))]
    assert {one["rubric_version"] for one in scores} == {version}
    for row in answer(gnomon("outcome", "backfill", "--rubric", "3.0.0", *flags))["iterations"]:
        versions = (row["before"]["rubric_version"], row["after"]["rubric_version"])
        assert versions == (version, version.replace("2.1.0", "3.0.0"))


def test_what_is_null_as_json_is_0_in_a_sidecar(gnomon: Run, shop: Repo):
    """A session or an iteration with no score: scored false, value 0, band unscored. JSON has null for the 0."""
    found = answer(gnomon("outcome", "score", "--json"))
    written = beside(shop)
    for name, shown in (("iter-3", found["iterations"][2]), ("session-evening", found["sessions"][0])):
        assert (shown["scored"], shown["value"]) == (False, None)
        assert b"scored: false\nvalue: 0\nband: unscored\n" in written[f"{name}.score.yaml"]


def test_the_archive_never_stands_in_for_an_entry_that_cannot_be_read(gnomon: Run, shop: Repo):
    """A historical entry is kept only when no dedicated file covers that iteration."""
    (shop.log / "historical.yaml").write_text("iterations:\n  - {iteration: 1, tests_total_pass: true}\n")
    (shop.log / "iter-1.yaml").write_text("schema_version: [1\n")
    done = gnomon("outcome", "score")
    assert [line for line in done.out.splitlines() if line.startswith("note: historical.yaml: ")] == [
        "note: historical.yaml: iteration 1 is not taken from the archive: "
        "it has a file of its own, iter-1.yaml, which is left out"
    ]
    assert "iter-1.score.yaml" not in beside(shop)


def test_scores_and_evidence_are_written_beside_the_log_unless_told_not_to(gnomon: Run, shop: Repo):
    gnomon("outcome", "score", "--no-write")
    assert beside(shop) == {}
    done = gnomon("outcome", "score")
    assert sorted(beside(shop)) == [
        "iter-1.evidence.json", "iter-1.score.yaml", "iter-2.evidence.json", "iter-2.score.yaml",
        "iter-3.evidence.json", "iter-3.score.yaml", "session-evening.score.yaml", "session-morning.score.yaml",
    ]  # fmt: skip
    assert done.out.splitlines()[-1] == "written beside the log: 3 scores with the evidence, 2 sessions"


def test_scoring_again_writes_the_same_bytes_but_for_the_time(gnomon: Run, shop: Repo):
    def files() -> dict[str, bytes]:
        return {name: re.sub(rb'"(?:computed_at|as_of)": "[^"]+"', b"", data) for name, data in beside(shop).items()}

    gnomon("outcome", "score", "--json")
    first = files()
    gnomon("outcome", "score", "--no-cache")
    assert files() == first
    assert b'"computed_at"' in beside(shop)["iter-1.evidence.json"]


def test_one_iteration_alone_is_worth_what_it_is_worth_among_all(gnomon: Run, shop: Repo):
    every = answer(gnomon("outcome", "score", "--json", "--no-write"))["iterations"]
    (one,) = answer(gnomon("outcome", "score", "--json", "--iteration", 2, "--no-write"))["iterations"]
    assert one == every[1]
    assert beside(shop) == {}


def test_one_iteration_is_written_with_its_session_and_nothing_else(gnomon: Run, shop: Repo):
    every = answer(gnomon("outcome", "score", "--json", "--no-write"))["sessions"]
    assert answer(gnomon("outcome", "score", "--json", "--iteration", 2))["sessions"] == [every[1]]
    assert sorted(beside(shop)) == ["iter-2.evidence.json", "iter-2.score.yaml", "session-morning.score.yaml"]
    done = gnomon("outcome", "score", "--iteration", 2)
    assert done.out.splitlines()[-1] == "written beside the log: 1 score with the evidence, 1 session"


def test_a_table_shows_score_band_and_evidence_and_a_mean_with_its_interval(gnomon: Run, shop: Repo):
    lines = gnomon("outcome", "score").out.splitlines()
    assert lines[0] == "3 iterations by rubric 2.1.0+gnomon.3, 1 without a score"
    assert lines[2].split() == ["1", "cart", "1.000", "█" * 15, "excellent", "81%", "2026-06-01"]
    assert lines[3].split() == ["2", "discount", "0.702", "█" * 11 + "·" * 4, "good", "81%", "2026-06-01"]
    assert lines[4].split() == ["3", "–", "unscored", "0%"]
    assert any(re.match(r"morning +2 +0  0\.851  \d\.\d{3} to \d\.\d{3}  [├─●┤·]+  excellent$", line) for line in lines)
    assert any(re.match(r"mean 0\.851 \(95 % interval .* to .*\) over 2 scored iterations$", line) for line in lines)


def test_little_evidence_never_looks_like_a_verdict(gnomon: Run, shop: Repo):
    shop.only_entry(commit=shop.head())
    shown = gnomon("outcome", "score", "--no-write").out
    assert "1 iteration by rubric 2.1.0+gnomon.3, 1 provisional" in shown
    assert "provisional (excellent)       20%" in shown
    assert "1.000, provisional (excellent), on 20% of the evidence" in gnomon("outcome", "show", 1).out


@pytest.mark.parametrize("flags", [("--trunk", "main"), ("--trunk", "main", "--profile", "compat")])
def test_the_profile_is_part_of_the_version_that_is_written(gnomon: Run, shop: Repo, flags: tuple[str, ...]):
    found = answer(gnomon("outcome", "score", "--json", *flags))
    written = yaml.safe_load((shop.log / "iter-1.score.yaml").read_text())
    version = "2.1.0" if "compat" in flags else "2.1.0+gnomon.3"
    assert (found["rubric_version"], written["rubric_version"]) == (version, version)
    assert found["iterations"][0]["value"] == written["value"] == 1.0


def test_a_trunk_that_does_not_exist_is_told_and_nothing_has_failed_to_land(gnomon: Run, shop: Repo):
    done = gnomon("outcome", "score", "--trunk", "nope", "--no-write", "--json")
    one = answer(done)["iterations"][0]
    assert not one["breakdown"][0]["present"]
    assert any("'nope'" in told["message"] for told in answer(done)["diagnostics"])


def test_sessions_of_agents_are_read_unless_told_not_to(gnomon: Run, shop: Repo, nobody: Path, tmp_path: Path):
    session = Claude("morning", str(shop.root))
    session.bash(1.5, "t1", "just check")
    session.answer(1.6, "a1", read=90, fresh=10)
    place = nobody / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(shop.root))

    def first(*flags: object) -> dict[str, bool]:
        found = answer(gnomon("outcome", "score", "--json", "--no-write", *flags))["iterations"][0]
        return {row["signal"]: row["present"] for row in found["breakdown"]}

    assert not first()["token_efficiency"]
    written(place, session)
    assert first()["token_efficiency"]
    assert not first("--no-transcripts")["token_efficiency"]
    elsewhere = tmp_path / "elsewhere"
    place.parent.rename(elsewhere)
    assert not first()["token_efficiency"]
    assert first("--transcripts", elsewhere, "--no-cache")["token_efficiency"]
    detail = [
        answer(gnomon("outcome", "show", 1, "--json", "--transcripts", elsewhere, *more))["breakdown"][2]["detail"]
        for more in ((), ("--test-runner", "just check"))
    ]
    assert "self-reported" in detail[0]
    assert "1/1 test commands passed" in detail[1]


def test_results_of_ci_are_facts_about_tests(gnomon: Run, shop: Repo, tmp_path: Path):
    sha = shop.git("rev-parse", "HEAD~1")
    (tmp_path / "ci" / sha).mkdir(parents=True)
    cases = '<testcase name="a"/><testcase name="b"><failure/></testcase>'
    (tmp_path / "ci" / sha / "junit.xml").write_text(f'<testsuite tests="2" failures="1">{cases}</testsuite>')
    found = answer(gnomon("outcome", "show", 1, "--json", "--ci", tmp_path / "ci"))
    assert found["breakdown"][2]["sub_score"] == 0.5
    tests = next(pair for pair in found["integrity"] if pair["signal"] == "tests")
    assert (tests["role"], tests["delta"]) == ("impl", -0.5)


def test_a_bad_entry_is_a_note_and_the_rest_is_scored(gnomon: Run, shop: Repo):
    (shop.log / "iter-4.yaml").write_text("iteration: [", encoding="utf-8")
    for command in ("score", "sessions", "integrity"):
        done = gnomon("outcome", command)
        assert (done.code, done.err) == (0, "")
        assert "note: iter-4.yaml: " in done.out
        told = answer(gnomon("outcome", command, "--json"))["diagnostics"]
        assert [one["where"] for one in told if one["code"] == "unreadable"] == ["iter-4.yaml"]
    done = gnomon("outcome", "show", 4)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "iter-4.yaml cannot be scored: " in done.err


def test_a_bad_entry_ends_the_compat_profile_in_one_line(gnomon: Run, shop: Repo):
    (shop.log / "iter-4.yaml").write_text("iteration: [", encoding="utf-8")
    for command in (["score"], ["score", "--json"], ["sessions"], ["integrity"], ["show", 1]):
        done = gnomon("outcome", *command, "--profile", "compat")
        assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
        assert "iter-4.yaml" in done.err
    assert beside(shop) == {}


def test_a_sidecar_that_cannot_be_written_is_one_line_with_the_remedy(gnomon: Run, shop: Repo):
    (shop.log / "iter-2.score.yaml").mkdir()
    done = gnomon("outcome", "score")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "iter-2.score.yaml" in done.err
    assert "--no-write" in done.err
    assert gnomon("outcome", "score", "--no-write").code == 0


# ── where things are ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_log_is_found_from_a_folder_inside_the_repository(gnomon: Run, shop: Repo, monkeypatch: pytest.MonkeyPatch):
    (shop.root / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(shop.root / "src" / "deep")
    assert len(answer(gnomon("outcome", "score", "--json"))["iterations"]) == 3
    assert gnomon("outcome", "label", 1, *LABEL).code == 0
    assert gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "allow").code == 0
    assert {"iter-1.labels.yaml", "iter-3.hook-outcomes.yaml", "iter-1.score.yaml"} <= set(beside(shop))


def test_from_elsewhere_the_repository_or_the_log_says_where(
    gnomon: Run, shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    here = answer(gnomon("outcome", "score", "--json", "--no-write"))
    monkeypatch.chdir(tmp_path)
    assert answer(gnomon("outcome", "score", "--json", "--no-write", "--repo", "shop")) == here
    assert answer(gnomon("outcome", "score", "--json", "--no-write", "--log", shop.log)) == here
    other = new_repo(tmp_path / "other")
    other.entry(9)
    monkeypatch.chdir(other.root)
    assert answer(gnomon("outcome", "score", "--json", "--no-write", "--repo", "../shop")) == here


def test_without_a_log_the_two_ways_on_are_named(gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    repo = new_repo(tmp_path / "repo")
    for folder in (repo.root, tmp_path):
        monkeypatch.chdir(folder)
        done = gnomon("outcome", "score")
        assert (done.code, done.err) == (0, "")
        assert "has no iterations yet" in done.out
        assert "`gnomon outcome init`" in done.out
        assert "`gnomon outcome from-git`" in done.out
        assert answer(gnomon("outcome", "score", "--json"))["iterations"] == []
        assert "no entry names an agent session" in gnomon("outcome", "sessions").out
        assert "no claim and no fact" in gnomon("outcome", "integrity").out
        assert "no iterations" in gnomon("outcome", "backfill", "--rubric", "3.0.0").out
    assert not (repo.root / ".agents").exists()


def test_the_compat_profile_passes_over_folders_that_are_missing(gnomon: Run, shop: Repo):
    done = gnomon("outcome", "score", "--profile", "compat", "--log", "nowhere", "--transcripts", "nowhere either")
    assert (done.code, done.err) == (0, "")
    assert "nowhere has no iterations yet" in done.out


# ── show ────────────────────────────────────────────────────────────────────────────────────────────────────────


def bars(text: str) -> list[str]:
    """The drawn bars, those of the signals and then that of the sum."""
    return re.findall(r"(?<= )[#.█·]{28}$", text, re.MULTILINE)


def assert_laid_end_to_end(text: str) -> None:
    *signals, total = bars(text)
    full = total[0] if total[0] in "#█" else ""
    here = 0
    for bar in signals:
        cells = [place for place, cell in enumerate(bar) if cell in "#█"]
        assert cells == list(range(here, here + len(cells))), text
        here += len(cells)
    assert total == (full or "x") * here + total[here:]
    assert not set(total[here:]) & set("#█"), text


def test_the_bars_of_the_signals_laid_end_to_end_are_the_bar_of_the_sum(gnomon: Run, shop: Repo):
    for number, count in ((1, 5), (2, 5)):
        shown = gnomon("outcome", "show", number).out
        assert len(bars(shown)) == count + 1
        assert_laid_end_to_end(shown)
    assert bars(gnomon("outcome", "show", 3).out) == []


@given(st.lists(st.tuples(st.floats(0.01, 1), st.none() | st.floats(0, 1)), min_size=1, max_size=12))
def test_bars_fit_whatever_the_weights_and_sub_scores(given: list[tuple[float, float | None]]):
    total = sum(weight for weight, _ in given)
    specs = tuple(SignalSpec(f"s{n}", f"s{n}", weight / total) for n, (weight, _) in enumerate(given))
    rubric = Rubric("x", "weighted_mean_renormalized", specs, (ScoreBand("b", 0),))
    values = [absent_signal("no") if value is None else present_signal(value) for _, value in given]
    signals = SignalSet(1, more={spec.id: value for spec, value in zip(specs, values, strict=True)})
    one = ScoredIteration(IterationRecord(iteration=1), rubric.score(signals), signals)
    with redirect_stdout(io.StringIO()) as told:
        explained(scorelog.Shown(one, None, [], ()))
    text = told.getvalue()
    assert len(bars(text)) == sum(value.present for value in values) + one.score.scored
    if one.score.scored:
        assert_laid_end_to_end(text)


def test_a_breakdown_says_what_each_signal_is_worth_and_why(gnomon: Run, shop: Repo):
    shown = gnomon("outcome", "show", 2).out
    assert shown.startswith("iteration 2: 0.702, good, on 81% of the evidence (rubric 2.1.0+gnomon.3)\n")
    assert re.search(r"^Scope adherence +0\.500   0\.160  0\.080  ", shown, re.MULTILINE)
    assert re.search(r"^Hook-gate outcomes +–  \(0\.10\)      –$", shown, re.MULTILINE)
    assert "  Scope adherence: 1/2 changed files in the scope of plan shop at the commit; outside: settings.py" in shown
    assert "  Token & cache efficiency: no transcripts (absent, no vote)" in shown
    assert "  scope: impl claimed 1.00, observed 0.50, -0.50" in shown
    assert "  tests: impl claimed 1.00, observed not known" in shown
    assert "way of working: ran cli command: not known;" in shown
    assert "\nagent: claude-code\n" in shown


def test_who_did_it_with_what_and_for_how_much_are_lines_and_what_is_not_known_is_one():
    known = IterationFacts(
        agent="claude-code", agent_version="2.1.0", model="m-large", cost_usd=1.234,
        models=(ModelTokens("m-large", 1000, 200, cache_read_tokens=9000),),
        rules_files=(RulesFile("AGENTS.md", "1f0c3a9d2b4e" + "0" * 52),),
        pull_requests=(PullRequest(12, title="Add a \x1b[31mcart"), PullRequest(13, "https://git.test/13")),
    )  # fmt: skip
    assert list(fact_lines(known)) == [
        "agent: claude-code 2.1.0",
        "model: m-large",
        "tokens: 10,200, of them 9,000 read from the cache or written to it",
        "cost: $1.23",
        "rules files: AGENTS.md@1f0c3a9d2b4e",
        f"pull requests: #12 {clean('Add a ' + chr(27) + '[31mcart')}, #13 https://git.test/13",
    ]
    assert list(fact_lines(IterationFacts())) == ["not known: agent, model, tokens, cost, rules files, pull requests"]
    unpriced = replace(known, cost_usd=None, why_no_cost="no price is known for m-large", rules_files=())
    assert list(fact_lines(unpriced))[3:5] == ["cost: unknown, no price is known for m-large", "rules files: none"]


def test_whether_a_score_is_written_and_still_stands_is_told_with_reasons(gnomon: Run, shop: Repo):
    def last() -> str:
        return gnomon("outcome", "show", 2).out.splitlines()[-1]

    assert last() == "no score is written yet; `gnomon outcome score` writes it"
    gnomon("outcome", "score")
    assert last() == "the written score still stands"
    shop.git("revert", "--no-edit", "HEAD")
    gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "advise", "--iteration", 2)
    assert last() == (
        "the written score (0.702 by 2.1.0+gnomon.3) is stale: "
        "the trunk's tip changed; iter-2.hook-outcomes.yaml changed"
    )
    (shop.log / "iter-2.score.yaml").write_text("no", encoding="utf-8")
    assert last().startswith("the written score does not count: cannot read iter-2.score.yaml")


def test_one_iteration_as_json_has_what_was_stored_beside_what_is_true_today(gnomon: Run, shop: Repo):
    found = answer(gnomon("outcome", "show", 3, "--json"))
    assert set(found) == ITERATION | {"stored", "stale", "diagnostics"}
    assert (found["stored"], found["stale"]) == (None, [])
    gnomon("outcome", "score")
    found = answer(gnomon("outcome", "show", 3, "--json", "--rubric", "3.0.0"))
    assert found["stored"] == {
        "rubric_version": "2.1.0+gnomon.3", "scored": False, "value": None, "band": "unscored", "coverage": 0,
    }  # fmt: skip
    assert found["stale"] == ["the rubric changed", "the rubric's content changed"]


def test_what_is_odd_about_other_iterations_does_not_crowd_the_one_that_is_shown(gnomon: Run, shop: Repo):
    shop.entry(4, commit="HEAD")
    shop.entry(5, commit="HEAD")
    shown = gnomon("outcome", "show", 4).out
    assert "note: iter-4: commit 'HEAD'" in shown
    assert "iter-5" not in shown
    assert "iter-5" not in gnomon("outcome", "score", "--iteration", 4).out


# ── sessions, integrity, another rubric ─────────────────────────────────────────────────────────────────────────


def test_sessions_and_claims_are_those_of_the_services(gnomon: Run, shop: Repo):
    report = scorelog.score(plan(shop), datetime.now(UTC), write=False).report
    found = answer(gnomon("outcome", "sessions", "--json"))
    told = scorelog.as_json(report)
    assert found == {name: told[name] for name in ("rubric_version", "profile", "sessions", "diagnostics")}
    found = answer(gnomon("outcome", "integrity", "--json"))
    assert found.pop("diagnostics") == told["diagnostics"]
    assert found == scorelog.profile_of(report).model_dump(mode="json")
    assert beside(shop) == {}


def test_claims_that_are_not_borne_out_are_counted_by_role_with_intervals(gnomon: Run, shop: Repo):
    lines = gnomon("outcome", "integrity").out.splitlines()
    assert any(re.match(r"impl +scope +2  -0\.250  -\d\.\d{3} to \d\.\d{3}  [├─●│┤·]{25}$", line) for line in lines)
    assert "gap: observed minus claimed; below 0, more was claimed than is true" in lines
    assert any(
        re.match(r"impl claimed too much of scope: 1 of 2 \(95 % interval 0\.\d+ to 0\.\d+\)$", line) for line in lines
    )
    assert "note: impl, tests: no iteration has both a claim and a fact" in lines
    assert max(len(line) for line in lines[:5]) <= 80


def test_two_rubrics_are_shown_side_by_side_and_written_only_when_asked(gnomon: Run, shop: Repo):
    gnomon("outcome", "label", 2, *LABEL)
    gnomon("outcome", "score")
    kept = beside(shop)
    done = gnomon("outcome", "backfill", "--rubric", "3.0.0")
    assert (done.code, done.err) == (0, "")
    head, _, two, three, *rest = done.out.splitlines()
    assert head.split() == ["iteration", "2.1.0+gnomon.3", "band", "3.0.0+gnomon.3", "band", "change"]
    assert two.split() == ["2", "0.702", "good", "0.755", "good", "+0.053"]
    assert three.split() == ["3", "–", "unscored", "–", "unscored", "–"]
    assert re.match(r"mean change \+0\.027 \(95 % interval .* to .*\); 0 of 3 change their band$", rest[0])
    assert rest[-1] == "nothing is written; --write replaces the scores beside the log"
    assert beside(shop) == kept
    found = answer(gnomon("outcome", "backfill", "--rubric", "3.0.0", "--json", "--write"))
    assert (found["before"], found["after"]) == ("2.1.0+gnomon.3", "3.0.0+gnomon.3")
    second = found["iterations"][1]
    assert second["delta"] == pytest.approx(second["after"]["value"] - second["before"]["value"])
    stored = yaml.safe_load((shop.log / "iter-2.score.yaml").read_text())
    assert (stored["rubric_version"], stored["value"]) == ("3.0.0+gnomon.3", second["after"]["value"])


def test_a_rubric_is_not_compared_with_itself(gnomon: Run, shop: Repo):
    for flags in ((), ("--rubric", "2.1.0"), ("--rubric", "3.0.0", "--against", "3.0.0")):
        done = gnomon("outcome", "backfill", *flags)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert "--against" in done.err
        assert "name another rubric" in done.err


def test_a_rubric_of_ones_own_goes_all_the_way(gnomon: Run, shop: Repo, tmp_path: Path):
    rubric = tmp_path / "team.yaml"
    rubric.write_text(OWN_RUBRIC, encoding="utf-8")
    (shop.log / "iter-1.signals.yaml").write_text("signals: {coverage: {value: 0.82, detail: lines}}")
    (shop.log / "iter-2.signals.yaml").write_text("signals: {coverage: 0.4}")
    found = answer(gnomon("outcome", "score", "--rubric", rubric, "--json"))
    assert found["rubric_version"] == "team-1+gnomon.3"
    assert [(one["value"], one["band"]) for one in found["iterations"]] == [
        (pytest.approx(0.91), "ship"), (pytest.approx(0.7), "look again"), (None, "unscored"),
    ]  # fmt: skip
    shown = gnomon("outcome", "show", 1, "--rubric", rubric).out
    assert_laid_end_to_end(shown)
    assert "  Test coverage: lines" in shown
    assert shown.endswith("the written score still stands\n")
    (shop.log / "iter-1.signals.yaml").write_text("signals: {coverage: 0.1}")
    assert "iter-1.signals.yaml changed" in gnomon("outcome", "show", 1, "--rubric", rubric).out
    file = upgraded(gnomon, tmp_path / "own.db")
    assert answer(gnomon("outcome", "push", "--db", file, "--project", "p", "--json"))["created"] == 3
    assert [one.band for one in kept(file)[0]] == ["ship", "look again", "unscored"]


# ── people and gates ────────────────────────────────────────────────────────────────────────────────────────────


def labels(repo: Repo, iteration: int) -> list[dict[str, Any]]:
    return list(yaml.safe_load((repo.log / f"iter-{iteration}.labels.yaml").read_text())["labels"])


def test_a_label_is_added_changed_and_counted_by_the_rubric_that_asks_people(gnomon: Run, shop: Repo):
    done = gnomon("outcome", "label", 2, *LABEL)
    assert re.fullmatch(r"added label [0-9a-f]{32} in .*iter-2\.labels\.yaml: worth 1\.000\n", done.out)
    (label,) = labels(shop, 2)
    changed = ("--correctness", 0, "--scope", "partial", "--hallucination", "major", "--actor", "a-reader")
    found = answer(gnomon("outcome", "label", 2, *changed, "--note", "read it again", "--edit", label["id"], "--json"))
    assert found == {
        "iteration": 2, "id": label["id"], "value": pytest.approx(1 / 6), "path": str(shop.log / "iter-2.labels.yaml"),
    }  # fmt: skip
    (edited,) = labels(shop, 2)
    assert [entry["structured"]["correctness"] for entry in edited["history"]] == [3, 0]
    rows = {
        version: {
            row["signal"]: row
            for row in answer(gnomon("outcome", "show", 2, "--json", "--rubric", version))["breakdown"]
        }
        for version in ("2.1.0", "3.0.0")
    }
    assert "human_label" not in rows["2.1.0"]
    assert rows["3.0.0"]["human_label"]["sub_score"] == pytest.approx(1 / 6)


def test_an_admins_override_stands_alone(gnomon: Run, shop: Repo):
    gnomon("outcome", "label", 1, *LABEL)
    lowest = ("--correctness", 0, "--scope", "breach", "--hallucination", "major", "--actor", "an-admin")
    assert gnomon("outcome", "label", 1, *lowest, "--role", "admin", "--override").code == 0
    found = answer(gnomon("outcome", "show", 1, "--json", "--rubric", "3.0.0"))["breakdown"]
    assert next(row["sub_score"] for row in found if row["signal"] == "human_label") == 0


def test_a_gates_decision_is_written_once_and_a_worse_one_beside_it(gnomon: Run, shop: Repo):
    def write(result: str, *more: object) -> dict[str, Any]:
        return dict(answer(gnomon("outcome", "hook-outcome", "write", *GATE, "--result", result, *more, "--json")))

    path = str(shop.log / "iter-3.hook-outcomes.yaml")
    assert write("allow") == {"status": "written", "iteration": 3, "path": path}
    assert write("allow")["status"] == "duplicate"
    assert write("remediate")["status"] == "written"
    assert write("advise")["status"] == "duplicate"
    assert write("allow", "--iteration", 1)["iteration"] == 1
    records = yaml.safe_load((shop.log / "iter-3.hook-outcomes.yaml").read_text())["records"]
    assert [record["result"] for record in records] == ["allow", "remediate"]
    found = answer(gnomon("outcome", "show", 3, "--json"))
    assert (found["value"], found["scored"]) == (0, True)
    done = gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "allow")
    assert done.out == f"duplicate: {path}\n"


def test_a_gates_decision_without_an_iteration_is_told_and_ends_well(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "allow")
    assert (done.code, done.out, done.err.count("\n")) == (0, "no-active-iteration\n", 1)
    assert "nothing is written" in done.err
    done = gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "allow", "--json")
    assert json.loads(done.out) == {"status": "no-active-iteration", "iteration": None, "path": None}
    assert not (tmp_path / ".agents").exists()


# ── begin a log ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_init_explains_and_writes_an_entry_that_can_be_scored_and_goes_no_further_in_a_log(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    repo = new_repo(tmp_path / "repo", "Begin")
    monkeypatch.chdir(repo.root)
    shown = gnomon("outcome", "init", "--no-write")
    assert (shown.code, shown.err) == (0, "")
    assert "not written" in shown.out
    assert not repo.log.exists()
    session = Claude("newest", str(repo.root))
    session.answer(1, "a", read=3, fresh=1)
    done = gnomon("outcome", "init", "--transcripts", written(tmp_path / "sessions", session))
    entry = (repo.log / "iter-1.yaml").read_text()
    assert yaml.safe_load(entry)["agent"]["session_id"] == "newest"
    assert "# scope_note: on-target, partial or scope-breach." in entry
    assert done.out.startswith(entry)
    assert f"commit {repo.head()[:12]} and session newest.jsonl; written to {repo.log / 'iter-1.yaml'}" in done.out
    assert answer(gnomon("outcome", "score", "--json"))["iterations"][0]["scored"]
    again = gnomon("outcome", "init")
    assert (again.code, again.out, again.err.count("\n")) == (3, "", 1)
    assert "up to iter-1; score them with `gnomon outcome score`" in again.err
    assert (repo.log / "iter-1.yaml").read_text() == entry


def test_init_as_json_has_the_entry_and_what_it_was_made_from(gnomon: Run, tmp_path: Path):
    repo = new_repo(tmp_path / "repo", "Begin")
    found = answer(gnomon("outcome", "init", "--repo", repo.root, "--json"))
    assert found["path"] == str(repo.log / "iter-1.yaml")
    assert (found["written"], found["made_from"]) == (True, [f"commit {repo.head()[:12]}"])
    assert found["entry"] == (repo.log / "iter-1.yaml").read_text()


# ── plain history ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A root, a pull request of two commits, something that was taken back, and a branch of somebody's."""
    repo = new_repo(tmp_path / "plain", "Root")
    by = ("commit", "--quiet", "--allow-empty", "--author=Zelda Writer <zelda@example.com>")
    repo.switch("zelda/feature", "main")
    repo.commit("One", {"a": "1\n"})
    repo.commit("Two\n\nCo-authored-by: Zelda Writer <zelda@example.com>", {"b": "1\n"})
    repo.switch("main")
    asked = "Merge pull request #12 from zelda/feature\n\nAdd the feature"
    repo.later("merge", "--quiet", "--no-ff", "-m", asked, "zelda/feature")
    repo.revert(repo.commit("Regret", {"c": "1\n"}))
    repo.switch("zelda/two", "main")
    repo.later(*by, "-m", "By hand")
    repo.switch("main")
    named = "Merge branch 'zelda/two' of https://example.com/zelda/fork"
    repo.later("merge", "--quiet", "--no-ff", "-m", named, "zelda/two")
    monkeypatch.chdir(repo.root)
    return repo


def test_plain_history_is_scored_and_nothing_is_written(gnomon: Run, plain: Repo):
    done = gnomon("outcome", "from-git")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "5 iterations by rubric 2.1.0+gnomon.3, 1 without a score, 4 provisional"
    told = [re.split(r"  +", line.strip()) for line in lines[2:7]]
    assert [(row[0], row[3], row[6]) for row in told] == [
        ("1", "1.000", "Root"),
        ("2", "1.000", "Add the feature (#12)"),
        ("3", "0.000", "Regret"),
        ("4", "–", 'Revert "Regret"'),
        ("5", "1.000", "Merge branch 'two'"),
    ]
    found = answer(gnomon("outcome", "from-git", "--json"))
    assert len(found["iterations"][1]["commits"]) == 3
    assert plain.git("status", "--short") == ""


def test_no_author_and_no_owner_is_named_anywhere(gnomon: Run, plain: Repo, tmp_path: Path):
    out = tmp_path / "out"
    told = gnomon("outcome", "from-git", "--out", out).out + gnomon("outcome", "from-git", "--json").out
    told += "".join(path.read_text() for path in out.iterdir())
    assert "zelda" not in told.lower()
    assert "example.com" not in told


def test_a_history_that_is_written_can_be_scored_again_as_a_log(gnomon: Run, plain: Repo, tmp_path: Path):
    out = tmp_path / "new" / "out"
    found = answer(gnomon("outcome", "from-git", "--out", out, "--json"))
    again = answer(gnomon("outcome", "score", "--log", out, "--json"))
    assert [(one["iteration"], one["value"]) for one in again["iterations"]] == [
        (one["iteration"], one["value"]) for one in found["iterations"]
    ]
    assert (
        gnomon("outcome", "push", "--log", out, "--db", upgraded(gnomon, tmp_path / "h.db"), "--project", "p").code == 0
    )
    done = gnomon("outcome", "from-git", "--out", out)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "holds iterations already" in done.err


def test_the_newest_are_shown_when_asked_for(gnomon: Run, plain: Repo):
    lines = gnomon("outcome", "from-git", "--last", 2).out.splitlines()
    assert lines[0].endswith("; the newest 2:")
    assert [line.split()[0] for line in lines[2:4]] == ["4", "5"]


def test_the_sidecars_of_a_log_say_nothing_of_plain_history(gnomon: Run, plain: Repo):
    """The log counts otherwise: its iteration 2 is not the trunk's second commit."""
    plain.entry(2)
    gnomon("outcome", "hook-outcome", "write", *GATE, "--result", "remediate")
    gnomon("outcome", "label", 2, *LABEL)
    found = answer(gnomon("outcome", "from-git", "--json", "--rubric", "3.0.0"))["iterations"][1]
    assert [row["signal"] for row in found["breakdown"] if row["present"]] == ["landed"]


# ── on a server ─────────────────────────────────────────────────────────────────────────────────────────────────


def upgraded(gnomon: Run, file: Path) -> Path:
    assert gnomon("db", "upgrade", "--db", file).code == 0
    return file


@contextmanager
def opened(file: Path) -> Iterator[Embedded]:
    place = Embedded(f"sqlite:///{file}")
    try:
        yield place
    finally:
        place.close()


def kept(file: Path, project: str = "p") -> tuple[list[Any], list[Any], Any]:
    """Iterations, sessions and claims as a server has them, without what says when they were stored."""
    with opened(file) as place:
        stored = [
            one.model_copy(update={"id": "", "created_at": None, "updated_at": None})
            for one in place.iterations(project)
        ]
        honesty = place.honesty(project)
        return sorted(stored, key=lambda one: one.iteration), list(place.outcome_sessions(project)), honesty


def test_what_was_written_is_sent_and_sending_it_again_changes_nothing(gnomon: Run, shop: Repo, tmp_path: Path):
    file = upgraded(gnomon, tmp_path / "a.db")
    scores = answer(gnomon("outcome", "score", "--json"))
    done = gnomon("outcome", "push", "--db", file, "--project", "p")
    assert (done.code, done.out) == (0, "3 iterations of shop: 3 new, 0 updated\n")
    iterations, sessions, honesty = first = kept(file)
    assert [(one.iteration, one.value, one.band) for one in iterations] == [
        (one["iteration"], one["value"], one["band"]) for one in scores["iterations"]
    ]
    assert [one.coverage for one in iterations] == [pytest.approx(one["coverage"]) for one in scores["iterations"]]
    assert {one.session_id: one.value for one in sessions} == {
        one["session_id"]: pytest.approx(one["value"]) if one["scored"] else None for one in scores["sessions"]
    }
    claims = answer(gnomon("outcome", "integrity", "--json"))
    assert honesty.model_dump(mode="json")["roles"] == claims["roles"]
    found = answer(gnomon("outcome", "push", "--db", file, "--project", "p", "--json"))
    assert found == {"source": "shop", "accepted": 3, "created": 0, "updated": 3, "diagnostics": []}
    assert kept(file) == first


def test_a_lost_database_is_made_again_from_the_sidecars(gnomon: Run, shop: Repo, tmp_path: Path):
    old, new = upgraded(gnomon, tmp_path / "old.db"), upgraded(gnomon, tmp_path / "new.db")
    gnomon("outcome", "score")
    gnomon("outcome", "push", "--db", old, "--project", "p")
    gnomon("outcome", "push", "--db", new, "--project", "p")
    assert kept(new) == kept(old)
    assert len(kept(new)[0]) == 3


def test_a_source_is_named_by_its_remote_without_the_host_or_by_hand(gnomon: Run, shop: Repo, tmp_path: Path):
    file = upgraded(gnomon, tmp_path / "a.db")
    shop.git("remote", "add", "origin", "https://user:secret@example.com/team/shop.git")
    gnomon("outcome", "score")
    assert answer(gnomon("outcome", "push", "--db", file, "--project", "p", "--json"))["source"] == "team/shop"
    found = answer(gnomon("outcome", "push", "--db", file, "--project", "p", "--source", "mine", "--json"))
    assert (found["source"], found["created"]) == ("mine", 3)


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://user:secret@github.com/team/shop.git", "https://github.com/team/shop"),
        ("git@gitlab.com:team/web/shop.git", "https://gitlab.com/team/web/shop"),
        ("https://user:secret@git.example.com/team/shop.git", None),
    ],
)
def test_pushed_iterations_say_where_a_forge_shows_their_repository(
    gnomon: Run, shop: Repo, tmp_path: Path, remote: str, address: str | None
):
    file = upgraded(gnomon, tmp_path / "a.db")
    shop.git("remote", "add", "origin", remote)
    gnomon("outcome", "score")
    gnomon("outcome", "push", "--db", file, "--project", "p")
    assert {one.repository_url for one in kept(file)[0]} == {address}


def test_more_than_a_server_takes_at_once_goes_in_batches(gnomon: Run, shop: Repo, tmp_path: Path):
    """A server takes 1,000 in one request."""
    row = "{signal: s, label: s, present: true, sub_score: 1, nominal_weight: 1, effective_weight: 1, contribution: 1}"
    for n in range(1, 1002):
        text = f"iteration: {n}\nrubric_version: x\nscored: true\nvalue: 1\nband: b\nbreakdown: [{row}]\n"
        (shop.log / f"iter-{n}.score.yaml").write_text(text)
    file = upgraded(gnomon, tmp_path / "a.db")
    found = answer(gnomon("outcome", "push", "--db", file, "--project", "p", "--json"))
    assert (found["accepted"], found["created"]) == (1001, 1001)
    with opened(file) as place:
        assert {one.iteration for one in place.iterations("p")} == set(range(1, 1002))


def test_bad_sidecars_are_told_and_the_rest_is_sent(gnomon: Run, shop: Repo, tmp_path: Path):
    file = upgraded(gnomon, tmp_path / "a.db")
    gnomon("outcome", "score")
    whole = (shop.log / "iter-1.score.yaml").read_text()
    (shop.log / "iter-3.score.yaml").write_text("nonsense", encoding="utf-8")
    (shop.log / "iter-4.score.yaml").write_text(whole, encoding="utf-8")
    forged = whole.replace("iteration: 1", "iteration: 5").replace("\nvalue: 1\n", "\nvalue: 0.5\n")
    (shop.log / "iter-5.score.yaml").write_text(forged, encoding="utf-8")
    done = gnomon("outcome", "push", "--db", file, "--project", "p")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("2 iterations of shop: 2 new, 0 updated\n")
    notes = {line.split(": ")[1]: line for line in done.out.splitlines() if line.endswith("; not sent")}
    assert list(notes) == ["iter-3.score.yaml", "iter-4.score.yaml", "iter-5.score.yaml"]
    assert "add up to 1, not to the value 0.5" in notes["iter-5.score.yaml"]
    assert [one.iteration for one in kept(file)[0]] == [1, 2]


def test_a_server_has_what_was_pushed_and_its_page_can_be_written(
    gnomon: Run, shop: Repo, tmp_path: Path, server_on: Callable[[str], Server]
):
    server = server_on("sqlite")
    root = Api(server.http, server.admin_key, fresh_project())
    there = ("--url", server.url, "--key", server.admin_key)
    gnomon("outcome", "score")
    done = gnomon("outcome", "push", *there)
    assert (done.code, done.err) == (2, "gnomon: iterations belong to a project; name it with --project\n")
    assert answer(gnomon("outcome", "push", *there, "--project", root.project, "--json"))["created"] == 3
    bound = root.with_key("write")
    first = bound.read("/iterations")["items"]
    assert answer(gnomon("outcome", "push", "--url", server.url, "--key", bound.key, "--json"))["updated"] == 3
    again = bound.read("/iterations")["items"]
    for one in [*first, *again]:
        del one["updated_at"]
    assert again == first
    assert sorted((one["iteration"], one["value"]) for one in first)[0] == (1, 1.0)
    (shop.log / "iter-5.score.yaml").write_text(
        (shop.log / "iter-1.score.yaml")
        .read_text()
        .replace("iteration: 1", "iteration: 5")
        .replace("band: ", "band: un")
        .replace("scored: true", "scored: false")
    )
    told = answer(gnomon("outcome", "push", *there, "--project", root.project, "--json"))
    assert (told["accepted"], told["diagnostics"][-1]["where"]) == (3, "iter-5.score.yaml")
    page = tmp_path / "trend.html"
    done = gnomon("outcome", "trend", *there, "--project", root.project, "--html", page)
    assert (done.code, done.out) == (0, f"3 iterations of shop, drawn in {page}\n")
    assert page.read_text().startswith("<!doctype html>")


def test_a_page_is_of_the_source_and_rubric_that_were_pushed_last(gnomon: Run, shop: Repo, tmp_path: Path):
    file, page = upgraded(gnomon, tmp_path / "a.db"), tmp_path / "trend.html"
    gnomon("outcome", "score")
    gnomon("outcome", "push", "--db", file, "--project", "p", "--source", "first")
    gnomon("outcome", "score", "--rubric", "3.0.0")
    gnomon("outcome", "push", "--db", file, "--project", "p", "--source", "last")
    found = answer(gnomon("outcome", "trend", "--db", file, "--html", page, "--json"))
    assert found == {"page": str(page), "source": "last", "rubric_version": "3.0.0+gnomon.3", "iterations": 3}
    text = page.read_text()
    assert "morning" in text
    assert "last, rubric 3.0.0+gnomon.3" in text
    found = answer(gnomon("outcome", "trend", "--db", file, "--html", page, "--source", "first", "--json"))
    assert found["rubric_version"] == "2.1.0+gnomon.3"
    done = gnomon("outcome", "trend", "--db", file, "--html", tmp_path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"--html {tmp_path}: Is a directory; name another file" in done.err
    done = gnomon("outcome", "trend", "--db", file, "--html", page, "--source", "nobody")
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "source 'nobody'" in done.err


# ── what cannot be done ─────────────────────────────────────────────────────────────────────────────────────────

BAD_RUBRICS = {
    "no-yaml": b"\x00\xff",
    "no-mapping": b"[1]",
    "no-number": b"{version: x, combination: weighted_mean_renormalized, signals: [{id: a, weight: two}]}",
    "no-sum": b"{version: x, combination: weighted_mean_renormalized, signals: [{id: a, weight: 0.4}], "
    b"bands: [{name: b, min: 0}]}",
    "no-combination": b"{version: x, combination: max, signals: [{id: a, weight: 1}], bands: [{name: b, min: 0}]}",
}


@pytest.mark.parametrize("name", BAD_RUBRICS)
@pytest.mark.parametrize("command", [("score",), ("show", 1), ("backfill",)], ids=lambda command: command[0])
def test_a_rubric_that_is_none_is_one_line_that_names_it(
    gnomon: Run, shop: Repo, tmp_path: Path, name: str, command: tuple[object, ...]
):
    file = tmp_path / f"{name}.yaml"
    file.write_bytes(BAD_RUBRICS[name])
    done = gnomon("outcome", *command, "--rubric", file)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "rubric" in done.err
    assert "something broke" not in done.err
    assert beside(shop) == {}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["score", "--rubric", "nope.yaml"], 2, ["--rubric nope.yaml", "no such file", "2.1.0, 3.0.0"]),
        (["score", "--rubric", "."], 2, ["--rubric .", "2.1.0, 3.0.0"]),
        (["backfill", "--rubric", "3.0.0", "--against", "nope"], 2, ["--against nope", "2.1.0, 3.0.0"]),
        (["score", "--iteration", "99"], 3, ["iter-99", "3 iterations"]),
        (["score", "--iteration", "0"], 2, ["--iteration", "0"]),
        (["score", "--profile", "other"], 2, ["--profile", "other", "compat"]),
        (["score", "--transcripts", ".", "--no-transcripts"], 2, ["--transcripts", "--no-transcripts", "give one"]),
        (["score", "--transcripts", "nowhere"], 2, ["--transcripts nowhere", "folder"]),
        (["score", "--ci", "nowhere"], 2, ["--ci nowhere", "JUnit"]),
        (["show"], 2, ["ITERATION", "--help"]),
        (["show", "x"], 2, ["ITERATION", "x"]),
        (["show", "99"], 3, ["iter-99"]),
        (["from-git", "--profile", "compat"], 2, ["--profile compat", "gnomon"]),
        (["from-git", "--trunk", "nope"], 3, ["--trunk"]),
        (["from-git", "--last", "0"], 2, ["--last", "0"]),
        (["from-git", "--out", "README.md/x"], 3, ["README.md", "--out"]),
        (["from-git", "--log", "x"], 2, ["--log", "--help"]),
        (["init"], 3, ["up to iter-3", "gnomon outcome score"]),
        (["init", "--log", "README.md"], 3, ["README.md", "--log"]),
        (["init", "--log", "new", "--transcripts", "nowhere"], 2, ["--transcripts nowhere", "folder"]),
        (["label", "9", *LABEL], 3, ["iter-9.yaml", "--log"]),
        (["label", "1", *LABEL, "--override"], 3, ["a-reader", "reviewer", "admin"]),
        (["label", "1", *LABEL, "--edit", "nope"], 3, ["'nope'"]),
        (["label", "1", *LABEL, "--edit", "nope", "--override", "--role", "admin"], 2, ["--override", "--edit"]),
        (["label", "1", *LABEL[:-1], " "], 2, ["actor is blank"]),
        (["label", "1", *LABEL, "--correctness", "4"], 2, ["--correctness", "4"]),
        (["label", "1", *LABEL, "--note", "x" * 4001], 2, ["free_text", "4000"]),
        (["hook-outcome", "write", *GATE, "--result", "perhaps"], 2, ["'perhaps'", "allow, advise, remediate"]),
        (["hook-outcome", "write", *GATE, "--result", "allow", "--ts", "now"], 2, ["ts 'now'", "2026-"]),
        (["hook-outcome", "write", *GATE, "--result", "allow", "--log", "a/b", "--iteration", "1"], 3, ["a/b"]),
        (["push"], 3, ["no scores to send", "gnomon outcome score"]),
        (["push", "--log", "nowhere"], 3, ["nowhere", "gnomon outcome score"]),
        (["trend", "--log", "nowhere"], 2, ["--log nowhere is not a folder", "gnomon outcome init"]),
        (["trend", "--log", "."], 3, [". has no iterations yet", "gnomon outcome add"]),
        (["score", "--log", "nowhere"], 2, ["--log nowhere is not a folder", "gnomon outcome init"]),
        (["sessions", "--log", "README.md"], 2, ["--log README.md is not a folder"]),
        (["trend", "--project", "p"], 2, ["--html"]),
        (["trend", "--project", "p", "--log", "."], 2, ["--project", "--log", "give one of them"]),
        (["trend", "--project", "p", "--html", "x.html"], 3, ["there is no database"]),
    ],
    ids=lambda value: " ".join(map(str, value))[:60] if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_one_line_that_names_the_field_the_value_and_the_remedy(
    gnomon: Run, shop: Repo, arguments: list[object], code: int, words: list[str]
):
    (shop.root / "README.md").write_text("a file\n")
    done = gnomon("outcome", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1), done.err
    assert "something broke" not in done.err
    for word in words:
        assert word in done.err
    assert beside(shop) == {}


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--project", "two words"], ["--project 'two words'"]),
        (["--project", "p", "--source", "x" * 300], ["--source", "256"]),
        ([], ["--project"]),
    ],
)
def test_what_a_push_lacks_is_named_by_its_flag(
    gnomon: Run, shop: Repo, tmp_path: Path, flags: list[str], words: list[str]
):
    gnomon("outcome", "score")
    done = gnomon("outcome", "push", "--db", upgraded(gnomon, tmp_path / "a.db"), *flags)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "something broke" not in done.err
    for word in words:
        assert word in done.err


def test_in_a_repository_without_commits_or_outside_of_one_the_reason_is_told(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for folder, words in (
        (new_repo(tmp_path / "empty", None).root, "no commits yet"),
        (tmp_path, "not a git repository"),
    ):
        monkeypatch.chdir(folder)
        for command in ("init", "from-git"):
            done = gnomon("outcome", command)
            assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
            assert words in done.err
        assert not (folder / DEFAULT_LOG).exists()


# ── what a terminal gets to see ─────────────────────────────────────────────────────────────────────────────────


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


def told_to_a_terminal(monkeypatch: pytest.MonkeyPatch, width: int, *arguments: object) -> str:
    """What a command writes to stdout when a person sits before it; nothing is stripped there."""
    screen = Terminal()
    with monkeypatch.context() as at:
        at.setattr(sys, "stdout", screen)
        at.setenv("COLUMNS", str(width))
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
    assert not ended.value.code
    return screen.getvalue()


EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"


def test_nothing_from_outside_reaches_a_terminal_raw(gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    repo = new_repo(tmp_path / f"re{EVIL}po", f"Start {EVIL}")
    repo.commit(f"Work {EVIL}", {f"a{EVIL}.py": "1\n"})
    assert gnomon("outcome", "from-git", "--repo", repo.root, "--out", tmp_path / f"out{EVIL}").code == 0
    about = {"task_id": EVIL, "date": EVIL, "wave": EVIL, "agent": {"session_id": f"s{EVIL}"}}
    repo.entry(1, commit=repo.head(), **about, impl={"summary": EVIL, "scope_note": EVIL})
    repo.entry(2, commit=EVIL, verifiers=[{"type": EVIL, "status": EVIL}])
    (repo.log / "iter-3.yaml").write_text(yaml.safe_dump({"schema_version": 2, "iteration": EVIL}))
    (repo.log / "iter-1.signals.yaml").write_text(yaml.safe_dump({"signals": {"own": {"value": 1, "detail": EVIL}}}))
    rubric = tmp_path / "evil.yaml"
    own = {"id": "own", "label": f"Own{EVIL}", "weight": 1}
    text = {"version": f"v{EVIL}", "combination": "weighted_mean_renormalized", "signals": [own]}
    rubric.write_text(yaml.safe_dump({**text, "bands": [{"name": f"band{EVIL}", "min": 0}]}))
    monkeypatch.chdir(repo.root)
    file = upgraded(gnomon, tmp_path / "a.db")
    for command in (
        ["score"], ["score", "--rubric", rubric], ["show", 1], ["show", 1, "--rubric", rubric], ["show", 2],
        ["sessions"], ["integrity"], ["backfill", "--rubric", rubric, "--write"], ["from-git"],
        ["from-git", "--out", tmp_path / f"again{EVIL}"], ["init", "--log", tmp_path / f"log{EVIL}"],
        ["label", 1, *LABEL], ["hook-outcome", "write", *GATE, "--result", "allow"],
        ["push", "--db", file, "--project", "p", "--source", EVIL],
        ["trend", "--db", file, "--html", tmp_path / f"t{EVIL}.html"],
    ):  # fmt: skip
        told = told_to_a_terminal(monkeypatch, 200, "outcome", *command)
        assert told
        for part in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e"):
            assert part not in told, (command, part)


def test_in_a_narrow_terminal_scores_and_bands_can_be_read_and_bars_are_whole(
    shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    def plainly(*arguments: object) -> str:
        return re.sub(r"\x1b\[\d*m", "", told_to_a_terminal(monkeypatch, 80, "outcome", *arguments))

    told = plainly("score")
    for word in ("excellent", "good", "unscored", "2026-06-01", "discount", "0.702"):
        assert word in told
    told = plainly("show", 2)
    assert len(bars(told)) == 6
    assert_laid_end_to_end(told)
    assert "Token & cache efficiency          –" in told
    told = plainly("integrity")
    assert re.search(r"^impl +landed +2  \+0\.000  .* [├─●│┤·]{25}$", told, re.MULTILINE)


def test_a_reader_of_plain_ascii_gets_bars_too(shop: Repo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Terminal, "encoding", "ascii")
    told = told_to_a_terminal(monkeypatch, 120, "outcome", "show", 2)
    assert bars(told)[-1] == "#" * 20 + "." * 8
    assert "█" not in told


# ── what it costs to ask for help ───────────────────────────────────────────────────────────────────────────────


def test_the_commands_are_listed_with_whole_sentences(gnomon: Run):
    rows = gnomon("outcome", "--help").out.partition("Commands:\n")[2].strip().splitlines()
    assert len(rows) >= 13
    assert all(row.endswith(".") and not row.endswith("...") for row in rows)


@pytest.mark.parametrize("room", ["gnomon.cli.outcome", "gnomon.outcome.scorelog, gnomon.cli.show.outcome"])
def test_asking_for_help_and_reading_a_log_loads_no_numerics_and_no_server(room: str):
    heavy = {"numpy", "scipy", "polars", "pyarrow", "fastapi", "litellm", "sqlalchemy", "rich", "httpx2"}
    assert not modules_after(f"import {room}") & heavy


# --- groups -----


def pushed_by_two_models(gnomon: Run, tmp_path: Path, count: int = 8) -> Path:
    """A database with so many sessions of each of two models."""
    file = upgraded(gnomon, tmp_path / "groups.db")
    with opened(file) as backend:
        for at, (model, values) in enumerate({"small": (0.2, 0.3), "large": (0.8, 0.9)}.items()):
            drafts = [
                {"iteration": 100 * at + n, "rubric_version": "2.1.0+gnomon.3", "profile": "gnomon", "scored": True,
                 "value": values[n % 2], "band": "fair", "model": model, "session_id": f"s{at}-{n // 2}",
                 "breakdown": [{"signal": "landed", "present": True, "sub_score": values[n % 2], "nominal_weight": 1.0,
                                "effective_weight": 1.0, "contribution": values[n % 2]}]}
                for n in range(2 * count)
            ]  # fmt: skip
            batch = {"project_id": "p", "source": "repo", "iterations": drafts}
            backend.push_iterations(IterationBatchDraft.model_validate(batch))
    return file


def test_two_groups_are_compared_in_words(gnomon: Run, tmp_path: Path):
    file = pushed_by_two_models(gnomon, tmp_path)
    done = gnomon("outcome", "compare", "--by", "model", "--db", file)
    assert done.code == 0
    assert done.out.startswith("small → large, by rubric 2.1.0+gnomon.3\nsmall: 16 iterations in 8 sessions\n")
    assert re.search(r"^outcome: better, by 0\.\d+ to 0\.\d+$", done.out, re.MULTILINE)
    assert "fewer than 15 sessions or tasks" in done.out
    told = answer(gnomon("outcome", "compare", "large", "small", "--by", "model", "--db", file, "--json"))
    assert told["scorer_comparisons"][0]["verdict"] == "regressed"


def test_groups_that_are_not_named_are_listed(gnomon: Run, tmp_path: Path):
    file = pushed_by_two_models(gnomon, tmp_path, 2)
    done = gnomon("outcome", "compare", "--by", "session", "--db", file)
    assert (done.code, done.out) == (3, "")
    assert "have 4 sessions (s0-0, s0-1, s1-0, s1-1); name two of them" in done.err
    done = gnomon("outcome", "compare", "--by", "weather", "--db", file)
    assert done.code == 2


def test_a_gate_on_iterations_has_the_exit_codes_of_every_gate(gnomon: Run, tmp_path: Path):
    file = pushed_by_two_models(gnomon, tmp_path, 10)
    at = ("--db", file, "--model", "large")
    assert gnomon("outcome", "gate", "outcome >= 0.5", *at).code == 0
    assert gnomon("outcome", "gate", "outcome.landed.ci_low >= 0.95", *at).code == 1
    done = gnomon("outcome", "gate", "outcome >= 0.85", *at)
    assert done.code == 4
    assert done.out.startswith("UNDECIDED: ")
    assert answer(gnomon("outcome", "gate", "outcome.point >= 0.85", *at, "--json"))["decision"] == "pass"
    for bar, words in (("outcome.pass_at_k(2) >= 0.5", "trials"), ("outcome not worse than main", "outcome compare")):
        refused = gnomon("outcome", "gate", bar, *at)
        assert refused.code == 2
        assert words in refused.err
    assert "nobody" in gnomon("outcome", "gate", "nobody >= 0.5", *at).err


def test_an_entry_says_by_which_agent_and_model_it_was_made():
    record = IterationRecord(iteration=1, agent=AgentInfo("s", "codex", "small" * 100))
    score = load_rubric().score(SignalSet(iteration=1))
    draft = scorelog.draft(score, record, None)
    assert (draft.agent, draft.model) == ("codex", ("small" * 100)[:256])
    assert scorelog.draft(score, IterationRecord(iteration=1), None).agent is None


def test_what_is_pushed_with_a_label_has_it(gnomon: Run, shop: Repo, tmp_path: Path):
    file = upgraded(gnomon, tmp_path / "a.db")
    gnomon("outcome", "score")
    push = ("outcome", "push", "--db", file, "--project", "p")
    assert gnomon(*push, "--label", "new-rules", "--label", "spring").code == 0
    with opened(file) as backend:
        assert {tuple(one.labels) for one in backend.iterations("p")} == {("new-rules", "spring")}
        gnomon(*push)
        assert {tuple(one.labels) for one in backend.iterations("p")} == {()}, "the newest push says all"
