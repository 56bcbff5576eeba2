"""Scores beside a log: written, compared, and made ready for a server."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnomon.errors import Conflict, InvalidInput, NotFound, Problem, Refused
from gnomon.model.outcome import IterationDraft, IterationsAccepted
from gnomon.outcome import ScorePlan, load_rubric, scorelog
from gnomon.outcome.pipeline import score_history
from outcome.conftest import LOG, Repo

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two iterations of one session: one that was kept, and one that says nothing."""
    repo = Repo(tmp_path / "shop")
    repo.root.mkdir()
    repo.git("init", "--quiet", "--initial-branch=main")
    sha = repo.commit("Add a cart", {"cart.py": "1\n"})
    repo.entry(1, commit=sha, task_id="cart", date="2026-06-01", agent={"session_id": "s"}, impl={"retries": 1})
    repo.entry(2, agent={"session_id": "s"})
    return repo


def plan(repo: Repo, **more: object) -> ScorePlan:
    return ScorePlan(log=repo.log, repo=repo.root, **more)  # type: ignore[arg-type]


def scored(repo: Repo) -> None:
    scorelog.score(plan(repo), NOW, write=True)


# ── where things are ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_log_is_that_of_the_folder_else_that_of_the_repository_around_it(repo: Repo, tmp_path: Path):
    inner = repo.root / "package"
    inner.mkdir()
    assert scorelog.log_around(inner) == repo.log
    (inner / LOG).mkdir(parents=True)
    assert scorelog.log_around(inner) == inner / LOG
    assert scorelog.log_around(tmp_path) == tmp_path / LOG


def test_the_first_place_that_is_in_a_repository_names_it(repo: Repo, tmp_path: Path):
    assert scorelog.repository_around(tmp_path, None, repo.log) == repo.root
    assert scorelog.repository_around(tmp_path, tmp_path / "nowhere") == tmp_path


# ── one iteration, beside what was stored ───────────────────────────────────────────────────────────────────────


def test_a_written_score_stands_until_something_that_went_into_it_changes(repo: Repo):
    one = plan(repo, iteration=1)
    assert scorelog.shown(one).stored is None
    scored(repo)
    assert scorelog.shown(one).stale == []
    repo.commit("Other work", {"x": "1\n"})
    assert scorelog.shown(one).stale == ["the trunk's tip changed"]
    scored(repo)
    repo.entry(1, commit="0" * 40, agent={"session_id": "s"})
    assert "iter-1.yaml changed" in scorelog.shown(one).stale


def test_a_written_score_that_cannot_be_read_is_not_taken_for_none(repo: Repo):
    (repo.log / "iter-1.score.yaml").write_text("band: [", encoding="utf-8")
    found = scorelog.shown(plan(repo, iteration=1))
    assert found.stored is None
    assert len(found.stale) == 1
    assert found.stale[0].startswith("cannot read iter-1.score.yaml")


def test_an_entry_that_cannot_be_read_is_told_with_its_reason_when_it_is_asked_for(repo: Repo):
    (repo.log / "iter-3.yaml").write_text("iteration: [", encoding="utf-8")
    for ask in (scorelog.shown, lambda one: scorelog.score(one, NOW, write=False)):
        with pytest.raises(Refused, match=r"iter-3\.yaml cannot be scored: .*not YAML"):
            ask(plan(repo, iteration=3))
        with pytest.raises(NotFound, match="iter-4 is not in the log"):
            ask(plan(repo, iteration=4))


def test_where_nothing_can_be_written_the_remedy_is_named(repo: Repo):
    (repo.log / "iter-1.score.yaml").mkdir()
    with pytest.raises(Refused, match=r"iter-1\.score\.yaml.*--no-write") as failed:
        scored(repo)
    assert failed.value.written == []


def test_where_not_everything_can_be_written_the_error_says_what_was(repo: Repo):
    (repo.log / "session-s.score.yaml").mkdir()
    words = r"session-s\.score\.yaml: .*; 4 files were written before it; --no-write"
    with pytest.raises(Refused, match=words) as failed:
        scored(repo)
    names = ["iter-1.score.yaml", "iter-1.evidence.json", "iter-2.score.yaml", "iter-2.evidence.json"]
    assert failed.value.written == [repo.log / name for name in names]


# ── one iteration, and its session ──────────────────────────────────────────────────────────────────────────────


def written_scores(repo: Repo) -> dict[str, str]:
    return {path.name: path.read_text() for path in repo.log.glob("*.score.yaml")}


@pytest.mark.parametrize("profile", ["gnomon", "compat"])
def test_scoring_one_iteration_writes_its_session_as_scoring_all_would(repo: Repo, profile: str):
    """Required: `score --iteration N` leaves no stale session file; it is what a full `outcome score` would write."""
    given: dict[str, object] = {"profile": profile, "trunk": "main"}
    repo.entry(3, impl={"retries": 0}, agent={"session_id": "s"})
    repo.entry(4, impl={"retries": 0}, agent={"session_id": "other"})
    scorelog.score(plan(repo, **given), NOW, write=True)
    before = written_scores(repo)
    repo.entry(3, impl={"retries": 3}, agent={"session_id": "s"})
    scorelog.score(plan(repo, iteration=3, **given), NOW, write=True)
    after = written_scores(repo)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"iter-3.score.yaml", "session-s.score.yaml"}
    scorelog.score(plan(repo, **given), NOW, write=True)
    assert written_scores(repo) == after


def test_the_first_score_of_a_log_may_be_that_of_one_iteration_and_its_session_is_whole(repo: Repo):
    found = scorelog.score(plan(repo, iteration=2), NOW, write=True).report
    assert [session.iterations for session in found.sessions] == [[1, 2]]
    alone = written_scores(repo)
    assert sorted(alone) == ["iter-2.score.yaml", "session-s.score.yaml"]
    scored(repo)
    assert {name: written_scores(repo)[name] for name in alone} == alone


def test_what_another_iteration_of_the_session_is_worth_now_counts_and_a_file_that_says_otherwise_is_told(repo: Repo):
    scored(repo)
    repo.revert(repo.git("rev-parse", "main"))
    found = scorelog.score(plan(repo, iteration=2), NOW, write=True).report
    (told,) = [one for one in found.diagnostics if one.code == "stale"]
    assert told.where == "session-s.score.yaml"
    assert told.message == (
        "iteration 1 counts as it is worth now, 0.197; iter-1.score.yaml says 0.803 by 2.1.0+gnomon.3; "
        "`gnomon outcome score` writes all of them anew"
    )
    session = written_scores(repo)["session-s.score.yaml"]
    scored(repo)
    assert written_scores(repo)["session-s.score.yaml"] == session
    again = scorelog.score(plan(repo, iteration=2), NOW, write=True).report
    assert "stale" not in [one.code for one in again.diagnostics]


def test_an_iteration_of_no_session_writes_no_session(repo: Repo):
    repo.entry(3, impl={"retries": 0})
    scorelog.score(plan(repo, iteration=3), NOW, write=True)
    assert sorted(written_scores(repo)) == ["iter-3.score.yaml"]


def test_where_nothing_is_written_one_iteration_is_scored_without_its_session(repo: Repo):
    assert scorelog.score(plan(repo, iteration=1), NOW, write=False).report.sessions == ()


# ── under another rubric ────────────────────────────────────────────────────────────────────────────────────────


def test_what_floats_leave_behind_is_no_change(repo: Repo):
    first, second = (scorelog.score(plan(repo), NOW, write=False).report.iterations[0].score for _ in range(2))
    nearly = second.model_copy(update={"value": second.value - 1e-16})
    assert scorelog.change(first, nearly) == 0.0
    assert str(scorelog.change(first, nearly)) == "0.0"


def test_an_iteration_without_a_score_changes_by_nothing_that_could_be_counted(repo: Repo):
    before, after = (
        scorelog.score(plan(repo, rubric=load_rubric(version)), NOW, write=False).report
        for version in ("2.1.0", "3.0.0")
    )
    told = scorelog.recomputed_json(scorelog.recomputed(before, after))
    assert (told["before"], told["after"]) == ("2.1.0+gnomon.3", "3.0.0+gnomon.3")
    one, two = told["iterations"]
    assert one["delta"] == pytest.approx(one["after"]["value"] - one["before"]["value"])
    assert two["before"] == {
        "rubric_version": "2.1.0+gnomon.3", "scored": False, "value": None, "band": "unscored", "coverage": 0,
    }  # fmt: skip
    assert two["delta"] is None
    assert told["mean_delta"] == pytest.approx(one["delta"])
    assert told["confidence_interval_95"] is None


# ── a history as a log ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_history_is_written_as_a_log_and_never_over_one(repo: Repo, tmp_path: Path):
    report = score_history(plan(repo))
    out = tmp_path / "new" / "log"
    scorelog.write_history(out, report, NOW)
    assert sorted(os.listdir(out)) == ["iter-1.evidence.json", "iter-1.score.yaml", "iter-1.yaml"]
    with pytest.raises(Conflict, match="--out"):
        scorelog.write_history(out, report, NOW)
    with pytest.raises(Refused, match=r"cart\.py.*--out"):
        scorelog.write_history(repo.root / "cart.py", report, NOW)


# ── for a server ────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_sent_is_what_was_written(repo: Repo):
    scored(repo)
    ready = scorelog.from_sidecars(repo.log)
    assert ready.diagnostics == []
    one, two = ready.iterations
    assert (one.iteration, one.session_id, one.date, one.task_id) == (1, "s", "2026-06-01", "cart")
    assert (one.profile, one.rubric_version, one.scored) == ("gnomon", "2.1.0+gnomon.3", True)
    assert one.value == pytest.approx(sum(row.contribution for row in one.breakdown))
    assert [pair.signal for pair in one.integrity] == ["landed"]
    assert set(one.objectives) == {"ran_cli_command", "committed_after_tests", "read_loop_state"}
    assert (two.scored, two.value, two.date, two.task_id) == (False, None, None, None)


def test_scores_are_sent_in_the_order_of_their_numbers(repo: Repo):
    repo.entry(10)
    scored(repo)
    assert [one.iteration for one in scorelog.from_sidecars(repo.log).iterations] == [1, 2, 10]


def test_scores_of_the_compat_profile_are_sent_as_such(repo: Repo):
    scorelog.score(plan(repo, profile="compat", trunk="main"), NOW, write=True)
    assert {(one.profile, one.rubric_version) for one in scorelog.from_sidecars(repo.log).iterations} == {
        ("compat", "2.1.0")
    }


def test_a_log_without_scores_has_nothing_to_send(repo: Repo, tmp_path: Path):
    for log in (repo.log, tmp_path / "nowhere"):
        with pytest.raises(NotFound, match="has no scores to send; `gnomon outcome score` writes them"):
            scorelog.from_sidecars(log)


def test_a_score_that_is_none_is_told_and_the_rest_is_sent(repo: Repo):
    scored(repo)
    first = repo.log / "iter-1.score.yaml"
    (repo.log / "iter-9.score.yaml").write_bytes(first.read_bytes())
    (repo.log / "iter-8.score.yaml").write_text("nothing", encoding="utf-8")
    (repo.log / "iter-7.score.yaml").write_text(
        first.read_text().replace("iteration: 1", "iteration: 7").replace("band: ", "band: " + "x" * 300),
        encoding="utf-8",
    )
    ready = scorelog.from_sidecars(repo.log)
    assert [one.iteration for one in ready.iterations] == [1, 2]
    told = {one.where: one.message for one in ready.diagnostics}
    assert list(told) == ["iter-7.score.yaml", "iter-8.score.yaml", "iter-9.score.yaml"]
    assert all(message.endswith("; not sent") for message in told.values())
    assert "iteration 1" in told["iter-9.score.yaml"]
    assert told["iter-7.score.yaml"].startswith("band: ")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"integrity": [{"signal": "landed"}]},
        {"integrity": {"signal": "landed"}},
        {"integrity": 3},
        {"objectives": [1]},
        {"objectives": {"a": 1}},
        {"objectives": {"a": {"present": "perhaps"}}},
    ],
)
def test_evidence_that_is_none_is_told_and_the_score_is_sent_without_it(repo: Repo, spoilt: dict[str, object]):
    scored(repo)
    file = repo.log / "iter-1.evidence.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **spoilt}), encoding="utf-8")
    ready = scorelog.from_sidecars(repo.log)
    assert [one.where for one in ready.diagnostics] == ["iter-1.evidence.json"]
    one = ready.iterations[0]
    assert (one.iteration, one.integrity, one.objectives) == (1, [], {})


def test_evidence_of_another_score_is_not_taken_for_this_ones(repo: Repo):
    scored(repo)
    file = repo.log / "iter-1.evidence.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "rubric_version": "9"}), encoding="utf-8")
    ready = scorelog.from_sidecars(repo.log)
    assert (ready.iterations[0].integrity, ready.diagnostics) == ([], [])


def test_a_score_whose_entry_is_gone_is_sent_and_told(repo: Repo):
    scored(repo)
    (repo.log / "iter-1.yaml").unlink()
    ready = scorelog.from_sidecars(repo.log)
    assert [one.where for one in ready.diagnostics] == ["iter-1.score.yaml"]
    assert (ready.iterations[0].iteration, ready.iterations[0].task_id) == (1, None)


def test_long_words_are_cut_to_what_a_server_takes(repo: Repo):
    repo.entry(1, task_id="t" * 9000, date="d" * 9000, commit="c" * 9000, agent={"session_id": "s" * 300})
    repo.write({f"{LOG}/iter-1.signals.yaml": f"signals: {{own: {{value: 1, detail: {'x' * 9000}}}}}"})
    rubric = repo.root / "own.yaml"
    rubric.write_text(
        "{version: own, combination: weighted_mean_renormalized, "
        "signals: [{id: own, weight: 1}], bands: [{name: b, min: 0}]}"
    )
    scorelog.score(plan(repo, rubric=str(rubric)), NOW, write=True)
    one = scorelog.from_sidecars(repo.log).iterations[0]
    assert (
        len(one.breakdown[0].detail) == len(one.task_id or "") == len(one.date or "") == len(one.commit or "") == 4000
    )
    assert len(one.session_id or "") == 256


def drafts(count: int) -> scorelog.Ready:
    about = {"rubric_version": "x", "profile": "compat", "scored": False, "band": "unscored", "breakdown": []}
    return scorelog.Ready([IterationDraft(iteration=n, **about) for n in range(1, count + 1)], [])  # type: ignore[arg-type]


class Server:
    """Takes batches as a server does: all of one, or none when it refuses some of it."""

    def __init__(self, *unwanted: int) -> None:
        self.unwanted = unwanted
        self.kept: list[int] = []
        self.batches: list[int] = []

    def push(self, batch: list[IterationDraft]) -> IterationsAccepted:
        numbers = [one.iteration for one in batch]
        bad = [index for index, number in enumerate(numbers) if number in self.unwanted]
        if bad:
            raise Refused("no", problems=[Problem("value", "X", "does not add up", index) for index in bad])
        self.batches.append(len(batch))
        self.kept += numbers
        return IterationsAccepted(accepted=len(batch), created=len(batch) - 1, updated=1)


@pytest.mark.parametrize(("count", "batches"), [(1, [1]), (500, [500]), (501, [500, 1]), (1200, [500, 500, 200])])
def test_many_iterations_go_in_batches_and_progress_is_told(count: int, batches: list[int]):
    server, steps = Server(), list[tuple[int, int]]()
    sent = scorelog.send(drafts(count), server.push, lambda done, total: steps.append((done, total)))
    assert server.batches == batches
    assert sent.accepted == IterationsAccepted(accepted=count, created=count - len(batches), updated=len(batches))
    assert steps[-1] == (count, count)
    assert len(steps) == len(batches)


def test_what_a_server_refuses_is_told_and_the_rest_of_its_batch_is_sent():
    server = Server(2, 502)
    sent = scorelog.send(drafts(600), server.push, lambda done, total: None)
    assert server.kept == [n for n in range(1, 601) if n not in (2, 502)]
    assert [(one.where, one.message) for one in sent.diagnostics] == [
        ("iter-2.score.yaml", "value: does not add up; not sent"),
        ("iter-502.score.yaml", "value: does not add up; not sent"),
    ]


def test_a_server_that_refuses_everything_or_the_call_itself_ends_the_command():
    with pytest.raises(Refused, match=r"no iteration could be sent: iter-1\.score\.yaml: value: does not add up"):
        scorelog.send(drafts(1), Server(1).push, lambda done, total: None)

    def unknown_project(batch: list[IterationDraft]) -> IterationsAccepted:
        raise InvalidInput("name the project")

    with pytest.raises(InvalidInput, match="name the project"):
        scorelog.send(drafts(1), unknown_project, lambda done, total: None)
