"""What holds for every log: one iteration scored alone, with a cache, in any order, with any evidence taken away."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.errors import Refused
from gnomon.model.outcome import PROVISIONAL_BELOW, Profile, observed_signals
from gnomon.outcome import ScorePlan, SignalSet, build_signal_sets, default_rubric, score_log
from outcome.conftest import Claude, Codex, MakeRepo, Repo, composed, moment, written

FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
LONG_AGO = 1_700_000_000


@dataclass
class World:
    """A repository in which everything happened once, and transcripts of it. Logs are written by the laws."""

    repo: Repo
    commits: list[str]
    transcripts: Path
    ci: Path

    def plan(self, log: Path, **more: Any) -> ScorePlan:
        given = {"log": log, "repo": self.repo.root, "transcripts": (self.transcripts,), "ci": (self.ci,)}
        return ScorePlan(**{**given, "rubric": "3.0.0", **more})


@pytest.fixture(scope="module")
def world(make_repo: MakeRepo, tmp_path_factory: pytest.TempPathFactory) -> World:
    repo = make_repo()
    path = repo.plan("p", {"t1": ["src/"], "t2": ["docs", "*.py"]})
    commits = [repo.commit("A plan", {path: (repo.root / path).read_text()})]
    commits += [repo.commit(f"t{1 + n % 2}: step {n}", {f"src/{n}.py": f"{n}\n"}) for n in range(4)]
    commits.append(repo.revert(commits[2]))
    for name in ("merged", "squashed", "forgotten"):
        repo.switch(name, "main")
        commits += [repo.commit(f"{name} {n}", {f"docs/{name}{n}.md": f"{n}\n"}) for n in range(2)]
        repo.switch("main")
    commits.append(repo.merge("merged"))
    commits.append(repo.squash("squashed", "All at once"))
    merge = repo.later("revert", "--no-edit", "-m", "1", commits[-2])
    commits += [merge, "0123456789abcdef", "HEAD", ""]
    folder = tmp_path_factory.mktemp("world")
    claude, codex = Claude("a", cwd=str(repo.root)), Codex("b", cwd=str(repo.root))
    for minute in range(1, repo.minutes):
        claude.answer(minute + 0.2, f"m{minute}", read=minute * 10, fresh=50)
        claude.bash(minute + 0.3, f"t{minute}", "pytest -q" if minute % 3 else "ls", failed=minute % 4 == 0)
        codex.answer(minute + 0.4, given=100, cached=minute)
    written(folder / "t", claude, codex)
    (folder / "ci").mkdir()
    (folder / "ci" / f"{commits[4][:9]}.xml").write_text("<a><testcase/><testcase><failure/></testcase></a>")
    return World(repo, commits, folder / "t", folder / "ci")


HOOKS = {"records": [{"intervention_class": "remediate_at_stop", "result": "advise", "rule_id": "a.R1"}]}


@st.composite
def logs(draw: st.DrawFn) -> dict[str, Any]:
    """File name → content; `commit` is a place in the world's list."""
    files: dict[str, Any] = {}
    for n in draw(st.lists(st.integers(1, 12), min_size=1, max_size=5, unique=True)):
        entry: dict[str, Any] = {"schema_version": 2, "iteration": n, "commit": draw(st.integers(0, 16))}
        entry |= draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "task_id": st.sampled_from(["t1", "t2", "t3"]),
                    "wave": st.sampled_from(["p", "q"]),
                    "checkpoint_at": st.integers(0, 20).map(moment) | st.just("soon"),
                    "agent": st.fixed_dictionaries({"session_id": st.sampled_from(["a", "b", "c"])}),
                    "impl": st.fixed_dictionaries(
                        {},
                        optional={
                            "retries": st.integers(0, 3),
                            "focused_tests_pass": st.booleans(),
                            "scope_note": st.sampled_from(["on-target", "partial", "prose"]),
                            "summary": st.sampled_from(["All at once", "Nothing"]),
                        },
                    ),
                    "session_tokens": st.fixed_dictionaries({}, optional={"cache_hit_rate": st.floats(0, 1)}),
                    "verifiers": st.lists(
                        st.fixed_dictionaries({"status": st.sampled_from(["pass", "fail", "unknown"])}), max_size=2
                    ),
                },
            )
        )
        files[f"iter-{n}.yaml"] = entry
        if draw(st.booleans()):
            files[f"iter-{n}.hook-outcomes.yaml"] = HOOKS
        if draw(st.integers(0, 5)) == 0:
            files[f"iter-{n}.yaml"] = "not an entry"
    return files


@contextmanager
def on_disk(world: World, files: dict[str, Any], order: Any = sorted) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        log.mkdir()
        for name in order(files):
            content = files[name]
            if isinstance(content, dict) and "commit" in content:
                content = {**content, "commit": world.commits[content["commit"]]}
            (log / name).write_text(json.dumps(content))
            os.utime(log / name, (LONG_AGO, LONG_AGO))
        yield log


@FEW
@given(logs())
def test_one_iteration_scored_alone_is_as_it_is_among_all(world: World, files):
    with on_disk(world, files) as log:
        for one in score_log(world.plan(log)).iterations:
            (alone,) = score_log(world.plan(log, iteration=one.iteration)).iterations
            assert alone == one
            (again,) = score_log(world.plan(log, iteration=one.iteration, cache=log.parent / "cache")).iterations
            assert again == one


def scored_or_refused(compute: Callable[[], list[SignalSet]]) -> list[SignalSet] | None:
    try:
        return compute()
    except Refused:
        return None


@FEW
@given(logs(), st.sampled_from(["gnomon", "compat"]))
def test_stages_composed_by_hand_give_what_the_pipeline_gives(world: World, files, profile: Profile):
    folder = world.transcripts / "project" if profile == "compat" else world.transcripts
    where = {"profile": profile, "trunk": "main"}
    with on_disk(world, files) as log:
        by_hand = scored_or_refused(lambda: composed(log, world.repo.root, [folder], **where))
        piped = scored_or_refused(lambda: build_signal_sets(log, world.repo.root, folder, **where))
        assert by_hand == piped
        if by_hand is not None:
            versions = {score.rubric_version for score in default_rubric().score_all(by_hand)}
            assert versions <= {"2.1.0" if profile == "compat" else "2.1.0+gnomon.3"}


@FEW
@given(logs(), st.sampled_from(["gnomon", "compat"]))
def test_the_session_of_one_iteration_is_as_it_is_among_all(world: World, files, profile):
    files = {name: content for name, content in files.items() if content != "not an entry"}
    with on_disk(world, files) as log:
        whole = score_log(world.plan(log, profile=profile, trunk="main"))
        of = {n: session for session in whole.sessions for n in session.iterations}
        for one in whole.iterations:
            n = one.iteration
            alone = score_log(world.plan(log, profile=profile, trunk="main", iteration=n, with_session=True))
            assert alone.iterations == (one,)
            assert alone.sessions == ((of[n],) if n in of else ())


@FEW
@given(logs(), st.data())
def test_a_cache_changes_nothing_cold_warm_or_after_an_entry_changed(world: World, files, data):
    with on_disk(world, files) as log:
        cache = log.parent / "cache"
        plain = score_log(world.plan(log))
        for _ in ("cold", "warm"):
            assert score_log(world.plan(log, cache=cache)) == plain
        name = data.draw(st.sampled_from(sorted(files)))
        was = (log / name).read_text()
        (log / name).write_text(was.replace('"commit": "', '"commit": "f').replace("R1", "R2"))
        assert score_log(world.plan(log, cache=cache)) == score_log(world.plan(log))
        (log / name).write_text(was)
        assert score_log(world.plan(log, cache=cache)) == plain


def test_a_cache_changes_nothing_after_two_changes_within_one_tick_of_the_clock(world: World):
    files = {"iter-1.yaml": {"schema_version": 2, "iteration": 1, "commit": 1, "impl": {"retries": 1}}}
    with on_disk(world, files) as log:
        path, cache = log / "iter-1.yaml", log.parent / "cache"
        text = path.read_text()
        path.write_text(text)
        now = path.stat().st_mtime_ns
        score_log(world.plan(log, cache=cache))
        path.write_text(text.replace('"retries": 1', '"retries": 3'))
        os.utime(path, ns=(now, now))
        (one,) = score_log(world.plan(log, cache=cache)).iterations
        assert "retries=3" in one.signals.correction_pressure.detail


def test_a_cache_changes_nothing_as_the_repository_goes_on(make_repo: MakeRepo, tmp_path: Path):
    repo, cache = make_repo(), tmp_path / "cache"

    def same() -> list[float]:
        plain, kept = repo.score(), repo.score(cache=cache)
        assert kept.iterations == plain.iterations
        return [one.signals.landed.sub_score for one in kept.iterations]

    sha = repo.commit("One", {"1": "1"})
    repo.entry(1, commit=sha)
    repo.switch("side", "main")
    strayed = repo.commit("Two", {"2": "2"})
    repo.entry(2, commit=strayed)
    repo.switch("main")
    assert same() == [1.0, 0.0]
    other = repo.commit("Other", {"3": "3"})
    repo.later("cherry-pick", strayed)
    assert same() == [1.0, 1.0]
    repo.switch("late", sha)
    repo.minutes += 5
    repo.later("cherry-pick", strayed)
    repo.switch("main")
    repo.merge("late")
    assert same() == [1.0, 1.0], "two commits of the same patch: which of them is named must not hang on the cache"
    repo.revert(sha)
    assert same() == [0.0, 1.0]
    repo.git("reset", "--quiet", "--hard", other)
    assert same() == [1.0, 0.0]
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "--quiet", "--prune=now")
    repo.commit("Four", {"4": "4"})
    assert same() == [1.0, 0.0]


@FEW
@given(logs(), st.randoms(use_true_random=False))
def test_the_order_in_which_files_are_written_never_matters(world: World, files, random):
    def shuffled(names: Any) -> list[str]:
        return random.sample(sorted(names), len(names))

    with on_disk(world, files) as one, on_disk(world, files, shuffled) as other:
        found, same = score_log(world.plan(one)), score_log(world.plan(other))
        assert (found.iterations, found.sessions, found.diagnostics) == (
            same.iterations,
            same.sessions,
            same.diagnostics,
        )


@FEW
@given(logs(), st.data())
def test_taking_evidence_away_never_raises_and_never_invents(world: World, files, data):
    with on_disk(world, files) as log:
        before = {one.iteration: one for one in score_log(world.plan(log)).iterations}
        less: dict[str, Any] = {}
        for name, nothing in {"transcripts": (), "ci": (), "repo": log}.items():
            if data.draw(st.booleans()):
                less[name] = nothing
        taken = data.draw(st.lists(st.sampled_from(sorted(files)), unique=True))
        for name in taken:
            (log / name).unlink()
        after = {one.iteration: one for one in score_log(world.plan(log, **less)).iterations}
        assert set(after) == {n for n in before if f"iter-{n}.yaml" not in taken}
        if not taken and set(less) <= {"transcripts", "ci"}:
            assert all(one.score.coverage <= before[n].score.coverage for n, one in after.items())


@FEW
@given(logs())
def test_every_score_says_on_how_much_evidence_it_stands(world: World, files):
    with on_disk(world, files) as log:
        report = score_log(world.plan(log))
        for one in report.iterations:
            score = one.score
            present = [row for row in score.breakdown if row.present]
            assert [row.signal for row in score.breakdown] == [spec.id for spec in report.rubric.signals]
            assert score.coverage == pytest.approx(sum(row.nominal_weight for row in present))
            vouched = any(row.signal == "landed" for row in present)
            assert score.provisional == (score.coverage < PROVISIONAL_BELOW or not vouched)
            assert score.scored == bool(present)
            assert score.value == pytest.approx(sum(row.contribution for row in present))
            assert sum(row.effective_weight for row in present) == pytest.approx(1 if present else 0)
            assert all(row.detail for row in score.breakdown), "a value or a gap, each has its reason"
            assert score.rubric_version == "3.0.0+gnomon.3"
            assert json.loads(json.dumps(one.inputs)) == one.inputs


def test_a_score_below_the_line_is_provisional_and_one_on_it_is_not(repo: Repo):
    repo.entry(1, impl={"retries": 0})
    repo.entry(2, impl={"retries": 0}, verifiers=[{"status": "pass", "tests_total_pass": True}])
    few, more = repo.one(1).score, repo.one(2).score
    assert (few.band, few.coverage, few.provisional) == ("excellent", 0.13, True)
    assert (more.band, more.coverage, more.provisional) == ("excellent", pytest.approx(0.48), True)
    assert (few.why_provisional, more.why_provisional) == (
        "on 13% of the evidence, 35% are needed",
        "self-reported only",
    )
    repo.entry(3, commit=repo.head(), impl={"retries": 0}, verifiers=[{"status": "pass"}])
    assert repo.one(3).score.why_provisional is None
    old = repo.one(2, profile="compat", trunk="main").score
    assert (old.provisional, {row.self_reported for row in old.breakdown}) == (False, {False})


@FEW
@given(logs(), st.data())
def test_less_evidence_never_scores_better_but_as_provisional_or_as_another_kind(world: World, files, data):
    """Required: with evidence taken away a score is no better, or provisional, or told apart by what was observed."""
    removable = {"transcripts": (), "ci": (), "repo": None}
    with on_disk(world, files) as log:
        before = {one.iteration: one.score for one in score_log(world.plan(log)).iterations}
        taken = data.draw(st.sets(st.sampled_from(sorted(removable)), min_size=1))
        hooks = data.draw(st.booleans())
        less = {name: log if name == "repo" else removable[name] for name in taken}
        for path in log.glob("*.hook-outcomes.yaml") if hooks else []:
            path.unlink()
        for one in score_log(world.plan(log, **less)).iterations:
            whole, score = before[one.iteration], one.score
            if "repo" in taken:
                assert score.provisional or not score.scored, "nobody knows what became of the work"
            if score.scored and not score.provisional and score.value > whole.value + 1e-9:
                assert set(observed_signals(score.breakdown)) < set(observed_signals(whole.breakdown))
            claims = {row.signal for row in score.breakdown if row.self_reported}
            if score.scored and claims == {row.signal for row in score.breakdown if row.present}:
                assert score.provisional


def test_nothing_is_written_by_scoring(world: World, tmp_path: Path):
    with on_disk(world, {"iter-1.yaml": {"schema_version": 2, "iteration": 1, "commit": 1}}) as log:
        shutil.copytree(log, tmp_path / "log")
        before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
        status = world.repo.git("status", "--porcelain", "--ignored")
        score_log(world.plan(tmp_path / "log"))
        assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before
        assert world.repo.git("status", "--porcelain", "--ignored") == status
