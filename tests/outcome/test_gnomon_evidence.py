"""On what a score stands, written beside it: it is stale when any of that changed, and only then."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gnomon.outcome import HookRecord, Judgement, add_label, write_hook_record
from gnomon.outcome.evidence import evidence_path, read_evidence, stale_reasons, write_evidence
from outcome.conftest import Claude, MakeRepo, Repo, written

NOW = datetime(2026, 5, 5, 12, 0, tzinfo=UTC)
NOTHING_RECORDED = ["nothing records what the score was computed from"]


class Kept:
    """An iteration whose score and evidence were written; asked later what changed since."""

    def __init__(self, repo: Repo, transcripts: Path, ci: Path) -> None:
        self.repo = repo
        self.session = Claude(cwd=str(repo.root))
        self.session.answer(12, "a", read=50, fresh=50)
        self.folder = written(transcripts, self.session)
        self.ci = ci
        self.write()

    def write(self) -> None:
        write_evidence(self.repo.log, self.current().evidence(NOW))

    def current(self, **more: Any) -> Any:
        return self.repo.one(2, **{"transcripts": (self.folder,), "ci": (self.ci,), "rubric": "3.0.0", **more})

    def stale(self, **more: Any) -> list[str]:
        return stale_reasons(read_evidence(self.repo.log, 2), self.current(**more).inputs)

    def grow(self, minutes: float) -> None:
        self.session.answer(minutes, f"grown-{minutes}", read=10)
        written(self.folder, self.session)


@pytest.fixture
def kept(three: Repo, tmp_path: Path) -> Kept:
    (tmp_path / "ci").mkdir()
    return Kept(three.copied(tmp_path / "repo"), tmp_path / "t", tmp_path / "ci")


@pytest.fixture(scope="module")
def three(make_repo: MakeRepo) -> Repo:
    """Three iterations that ended with commits at minutes 10, 20 and 30."""
    repo = make_repo()
    for number in (1, 2, 3):
        repo.minutes = 10 * number - 1
        sha = repo.commit(f"Work {number}", {f"{number}.py": "1\n"})
        repo.entry(number, commit=sha, task_id="t", impl={"retries": 0})
    return repo


def test_nothing_changed_is_not_stale(kept: Kept):
    assert kept.stale() == []
    os.utime(kept.repo.log / "iter-2.yaml")
    kept.repo.entry(4, commit="", impl={"retries": 5})
    kept.repo.commit("Aside", {"x": "1"})
    kept.repo.git("update-ref", "refs/heads/aside", "HEAD")
    kept.repo.git("reset", "--quiet", "--hard", "HEAD~1")
    assert kept.stale() == []


def test_a_label_that_was_added_is_named(kept: Kept):
    add_label(kept.repo.log, 2, Judgement("a@example.com", "reviewer", "2026-05-05T00:00:00Z", 3, "on-target", "none"))
    assert kept.stale() == ["iter-2.labels.yaml changed"]


def test_a_hook_sidecar_that_appeared_or_was_edited_is_named(kept: Kept):
    record = HookRecord(
        sentinel_id="isp-1", skill="isp", lifecycle_point="stop", intervention_class="remediate_at_stop",
        result="allow", rule_id="isp.R1", platform="claude", ts="2026-05-05T00:00:00Z",
    )  # fmt: skip
    write_hook_record(kept.repo.log, 2, record)
    assert kept.stale() == ["iter-2.hook-outcomes.yaml changed"]
    kept.write()
    assert kept.stale() == []
    path = kept.repo.log / "iter-2.hook-outcomes.yaml"
    path.write_text(path.read_text().replace("allow", "advise"))
    assert kept.stale() == ["iter-2.hook-outcomes.yaml changed"]


def test_an_edited_entry_is_named_and_another_s_is_not(kept: Kept):
    commit = kept.current().record.commit
    kept.repo.entry(3, commit=kept.repo.head(), impl={"retries": 3})
    assert kept.stale() == []
    kept.repo.entry(2, commit=commit, task_id="t", impl={"retries": 1})
    assert kept.stale() == ["iter-2.yaml changed"]


def test_a_trunk_that_moved_is_named(kept: Kept):
    kept.repo.commit("More", {"x": "1"})
    assert kept.stale() == ["the trunk's tip changed"]
    assert kept.stale(trunk="nowhere") == ["the trunk's tip changed"]


def test_another_rubric_or_profile_is_named(kept: Kept):
    assert kept.stale(rubric="2.1.0") == ["the rubric changed", "the rubric's content changed"]
    assert "the profile changed" in kept.stale(profile="compat", trunk="main")


def test_a_rubric_with_the_same_version_and_other_weights_is_named(kept: Kept, tmp_path: Path):
    text = "version: own\ncombination: weighted_mean_renormalized\nbands: [{{name: any, min: 0}}]\n"
    text += "signals: [{{id: landed, weight: {}}}, {{id: tests, weight: {}}}]\n"
    rubric = tmp_path / "own.yaml"
    rubric.write_text(text.format(0.5, 0.5))
    write_evidence(kept.repo.log, kept.current(rubric=rubric).evidence(NOW))
    assert kept.stale(rubric=rubric) == []
    rubric.write_text(text.format(0.25, 0.75))
    assert kept.stale(rubric=rubric) == ["the rubric's content changed"]


def test_a_transcript_that_grew_within_the_window_is_named(kept: Kept):
    kept.grow(15)
    assert kept.stale() == ["what transcripts show changed"]


@pytest.mark.parametrize("minutes", [5, 25])
def test_a_transcript_that_grew_outside_the_window_is_not(kept: Kept, minutes: int):
    kept.grow(minutes)
    assert kept.stale() == []


def test_transcripts_that_are_gone_are_named(kept: Kept):
    assert kept.stale(transcripts=()) == ["what transcripts show changed"]


def test_results_that_ci_delivered_later_are_named(kept: Kept):
    name = f"{kept.current().record.commit[:10]}.xml"
    (kept.ci / name).write_text("<a><testcase/></a>")
    assert kept.stale() == [f"ci: {name} changed"]


def test_a_scope_that_was_declared_later_is_named(kept: Kept):
    kept.repo.plan("p", {"t": ["2.py"]})
    assert kept.stale() == ["the declared write_scope changed"]
    kept.write()
    kept.repo.plan("p", {"t": ["2.py", "3.py"]})
    assert kept.stale() == ["the declared write_scope changed"]


def test_an_artefact_that_appeared_is_named(kept: Kept):
    path = ".agents/active/verification/t/unit.result.yaml"
    commit = kept.current().record.commit
    kept.repo.entry(2, commit=commit, verifiers=[{"type": "unit", "status": "pass", "result_artifact": path}])
    kept.write()
    assert kept.stale() == []
    kept.repo.write({path: "status: fail\n"})
    assert kept.stale() == [f"{path} changed"]


def test_a_neighbour_that_moves_the_range_is_named_by_what_it_moved(kept: Kept):
    kept.repo.entry(1, commit="")
    assert kept.stale() == []
    kept.repo.entry(1, commit=kept.repo.git("rev-list", "--max-parents=0", "HEAD"))
    assert kept.stale() == ["the iteration's commits changed"]


def test_several_changes_are_all_named(kept: Kept):
    kept.grow(15)
    kept.repo.commit("More", {"x": "1"})
    (kept.repo.log / "iter-2.labels.yaml").write_text("x")
    found = kept.stale()
    assert found == ["the trunk's tip changed", "iter-2.labels.yaml changed", "what transcripts show changed"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 99}', b"[" * 100_000, b"\xff\xfe", None])
def test_evidence_that_cannot_be_read_is_none(kept: Kept, content: bytes | None):
    path = evidence_path(kept.repo.log, 2)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    assert read_evidence(kept.repo.log, 2) is None
    assert kept.stale() == NOTHING_RECORDED


def test_evidence_explains_a_score(kept: Kept):
    found = json.loads(evidence_path(kept.repo.log, 2).read_text())
    assert found["format"] == 1
    assert found["iteration"] == 2
    assert found["profile"] == "gnomon"
    assert found["rubric_version"] == "3.0.0+gnomon.3"
    assert found["trunk"] == {"name": "main", "tips": [kept.repo.head()]}
    assert found["commits"] == [kept.current().record.commit]
    assert found["commits_how"] == "the recorded commit"
    assert set(found["files"]) == {"iter-2.yaml"}
    assert found["transcripts"]["sessions"] == ["s-1"]
    assert found["coverage"] == pytest.approx(kept.current().score.coverage)
    assert found["computed_at"] == "2026-05-05T12:00:00Z"
    assert not any(str(kept.repo.root) in text for text in (json.dumps(found),)), "no paths of this machine"


def test_evidence_with_names_that_are_no_text_is_written_and_read_back(tmp_path: Path):
    evidence = {"format": 1, "iteration": 7, "files": {"odd\udcff.yaml": "sha256:…"}}
    write_evidence(tmp_path, evidence)
    assert read_evidence(tmp_path, 7) == evidence
