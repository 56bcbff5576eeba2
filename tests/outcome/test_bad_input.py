"""Logs, repositories and sidecars that somebody broke: one clear sentence each, and everything else is scored.

A hang would be a failure of the worst kind, so whatever could wait for ever is scored under an alarm.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gnomon.errors import GnomonError
from gnomon.outcome import OutcomeReport, write_iteration_score_with_record
from outcome.conftest import PLANS, MakeRepo, Repo

SECRET = "status: fail\nsecret: never to be read\n"


@contextmanager
def promptly(seconds: int = 20) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise AssertionError(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def good(make_repo: MakeRepo) -> Repo:
    repo = make_repo()
    for number in (1, 2):
        repo.entry(number, commit=repo.commit(f"Work {number}", {f"{number}.py": "1\n"}), impl={"retries": 0})
    return repo


@pytest.fixture
def repo(good: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Two good iterations; whatever a test breaks is iteration 3."""
    return good.copied(tmp_path_factory.mktemp("bad") / "repo")


def scored(repo: Repo, **more) -> tuple[OutcomeReport, list[str]]:
    """The report, and its diagnostics as text. Whatever is scored can be written down too."""
    with promptly():
        report = repo.score(**more)
    for one in report.iterations:
        write_iteration_score_with_record(repo.log, one.score, one.record)
    for told in report.diagnostics:
        assert "\n" not in told.message
        assert len(told.message) < 400
        f"{told.where}{told.message}".encode()
    return report, [f"{told.where}: {told.message}" for told in report.diagnostics]


def numbers(report: OutcomeReport) -> list[int]:
    return [one.iteration for one in report.iterations]


def refused(repo: Repo, **more) -> str:
    """What the compat profile says."""
    with promptly(), pytest.raises(GnomonError) as bad:
        repo.score(profile="compat", trunk="main", **more)
    assert "\n" not in bad.value.message
    assert "Traceback" not in bad.value.message
    return bad.value.message


# ── entries of the log ──────────────────────────────────────────────────────────────────────────────────────────


def file(content: bytes | str) -> Callable[[Path], None]:
    data = content.encode() if isinstance(content, str) else content
    return lambda path: path.write_bytes(data) and None


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "malformed": (file("schema_version: [1\n"), "not YAML"),
    "nested": (file("a: " + "[" * 100_000), "nested deeper than 100 levels"),
    "nested and closed": (file("a: " + "[" * 100_000 + "]" * 100_000), "nested deeper than 100 levels"),
    "nested in another way": (file("".join(" " * n + "a:\n" for n in range(300))), "nested deeper"),
    "a directory": (lambda path: path.mkdir(), "is a directory"),
    "a pipe": (os.mkfifo, "is not a regular file"),
    "empty": (file(b""), "schema_version 0"),
    "a list": (file("- 1\n- 2\n"), "a list, not a mapping"),
    "a text": (file("hello\n"), "a text, not a mapping"),
    "another schema": (file("schema_version: 99\niteration: 3\n"), "schema_version 99"),
    "invalid UTF-8": (file(b"schema_version: 2\niteration: 3\nwave: \xff\xfe\n"), "not YAML"),
    "a zero byte": (file(b"schema_version: 2\niteration: 3\nwave: a\0b\n"), "not YAML"),
    "half a UTF-16 file": (file("schema_version: 2".encode("utf-16")[:-1]), "not YAML"),
    "a key twice": (file("schema_version: 2\niteration: 3\niteration: 4\n"), "appears twice"),
    "an alias to itself": (file("schema_version: 2\niteration: 3\nimpl: &a {x: *a}\n"), "alias *a"),
    "a number of 31 digits": (file(f"schema_version: 2\niteration: {10**30}\n"), "63 bits"),
    "a number of 5000 digits": (file("schema_version: 2\niteration: " + "9" * 5000), "63 bits"),
    "a number in words": (file("schema_version: 2\niteration: three\n"), "not a whole number"),
    "a list of numbers": (file("schema_version: 2\niteration: [3]\n"), "not a whole number"),
    "a mapping for a text": (file("schema_version: 2\niteration: 3\ncommit: {a: 1}\n"), "not a text"),
    "nine megabytes": (file(b"#" * (9 * 2**20)), "bytes, more than"),
    "a link that leads nowhere": (lambda path: path.symlink_to("nowhere.yaml"), ""),
    "a link to itself": (lambda path: path.symlink_to(path.name), ""),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_entry_is_one_diagnostic_and_the_others_are_scored(repo: Repo, kind: str):
    make, words = BROKEN[kind]
    make(repo.log / "iter-3.yaml")
    report, told = scored(repo)
    assert numbers(report) == [1, 2]
    assert len(told) == 1
    assert told[0].startswith("iter-3.yaml: ")
    assert words in told[0]
    assert "iter-3.yaml" in refused(repo)


@pytest.mark.parametrize("number", ["0", "-7", "", "~"])
def test_an_entry_without_a_number_from_1_on_is_left_out_and_told(repo: Repo, number: str):
    (repo.log / "iter-3.yaml").write_text(f"schema_version: 2\niteration: {number}\n")
    report, told = scored(repo)
    assert numbers(report) == [1, 2]
    assert len(told) == 1
    assert "is not a number from 1 on" in told[0]


def test_a_name_and_a_content_that_disagree_are_told_and_the_content_counts(repo: Repo):
    repo.entry(7, name="iter-3.yaml", impl={"retries": 0}, commit=repo.head())
    report, told = scored(repo)
    assert numbers(report) == [1, 2, 7]
    assert told[0] == "iter-3.yaml: its content says iteration 7; counted as that"


def test_a_number_in_two_files_is_told_and_the_file_of_that_name_counts(repo: Repo):
    repo.entry(2, name="iter-3.yaml", impl={"retries": 9})
    repo.entry(1, name="iter-0.yaml", impl={"retries": 9})
    report, told = scored(repo)
    assert numbers(report) == [1, 2]
    assert [one.signals.correction_pressure.sub_score for one in report.iterations] == [1.0, 1.0]
    assert sum("is left out" in one for one in told) == 2
    assert "iter-3.yaml: iteration 2 is also in iter-2.yaml; iter-3.yaml is left out" in told
    assert "iter-1.yaml: iteration 1 is also in iter-0.yaml; iter-0.yaml is left out" in told


def test_the_archive_gives_way_to_files_without_a_word_and_its_own_duplicates_are_told(repo: Repo):
    rows = [f"{{iteration: {n}, retries: {place}, tests_total_pass: 3}}" for place, n in enumerate((1, 5, 5, 6, 0))]
    (repo.log / "historical.yaml").write_text(f"iterations: [{', '.join(rows)}]\n")
    report, told = scored(repo)
    assert numbers(report) == [1, 2, 5, 6]
    assert report.iterations[0].signals.correction_pressure.sub_score == 1.0
    assert report.iterations[2].signals.correction_pressure.detail.startswith("retries=2")
    assert [one for one in told if one.startswith("historical.yaml")] == [
        "historical.yaml: iteration 5 is there twice; the later one counts",
        "historical.yaml: iteration 0 is not a number from 1 on; left out",
    ]
    assert [one for one in told if "tests_total_pass is the number 3" in one] == [
        f"iter-{n}: tests_total_pass is the number 3; read as true" for n in (5, 6)
    ]


@pytest.mark.parametrize("content", ["iterations: [\n", "iterations: 5\n", "- 1\n", "iterations: [1]\n"])
def test_a_broken_archive_is_one_diagnostic_and_the_files_are_scored(repo: Repo, content: str):
    (repo.log / "historical.yaml").write_text(content)
    report, told = scored(repo)
    assert numbers(report) == [1, 2]
    assert len(told) == 1
    assert told[0].startswith("historical.yaml: ")
    assert "historical.yaml" in refused(repo)


@pytest.mark.parametrize(
    "commit",
    ["main", "HEAD", "HEAD~1", "@", "--upload-pack=x", "-x", ":/Work", "HEAD^{/Work}", "a\nb", "abc123", "x" * 10_000,
     "0" * 10_000, "refs/heads/main", "main@{0}", "0123456789\n--all", "\0", "abcdefé"],
)  # fmt: skip
def test_a_commit_that_is_no_id_is_refused_and_the_rest_is_scored(repo: Repo, commit: str):
    if "\0" in commit:
        commit = "\x07"
    repo.entry(3, commit=commit, impl={"retries": 1, "summary": "Work 1"})
    report, told = scored(repo)
    assert numbers(report) == [1, 2, 3]
    assert len(told) == 1
    assert told[0].startswith("iter-3: commit ")
    assert "is not a commit id" in told[0]
    signals = report.iterations[2].signals
    assert not signals.landed.present
    assert not signals.scope.present
    assert signals.correction_pressure.sub_score == 0.5


def test_a_link_that_leaves_the_log_is_not_followed_and_one_inside_is(repo: Repo, tmp_path: Path):
    (tmp_path / "outside.yaml").write_text("schema_version: 2\niteration: 3\nimpl: {retries: 5}\n")
    (repo.log / "iter-3.yaml").symlink_to(tmp_path / "outside.yaml")
    repo.entry(4, name="four.yaml", impl={"retries": 0}, commit=repo.head())
    (repo.log / "iter-4.yaml").symlink_to("four.yaml")
    report, told = scored(repo)
    assert numbers(report) == [1, 2, 4]
    assert "iter-3.yaml: is a symbolic link that leaves the log's directory; left out" in told


def test_texts_of_any_length_and_kind_do_no_harm(repo: Repo):
    long = "ä\u202e\U0001f680 " * 20_000
    repo.entry(
        3, task_id=long, wave=long, date=long, checkpoint_at=long, agent={"session_id": long, "harness": long},
        impl={"summary": long, "scope_note": long, "retries": 10**15, "self_assessment": {"one_item_only": True}},
        verifiers=[{"type": long, "status": long, "result_artifact": long}], review={"decision_artifact": long},
        commit=repo.head(),
    )  # fmt: skip
    report, _ = scored(repo, transcripts=(repo.log,))
    assert numbers(report) == [1, 2, 3]
    assert all(len(row.detail) < 1000 for row in report.iterations[2].score.breakdown)


# ── the log itself ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["missing", "a file"])
def test_a_log_that_is_no_folder_is_told_and_holds_nothing(repo: Repo, tmp_path: Path, kind: str):
    if kind == "a file":
        (tmp_path / "log").write_text("x")
    report = repo.score(log=tmp_path / "log")
    assert report.iterations == ()
    (told,) = report.diagnostics
    assert (told.where, told.code, told.message) == (str(tmp_path / "log"), "log", "there is no such folder")
    assert repo.score(log=tmp_path / "log", profile="compat").iterations == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_log_that_may_not_be_read_is_refused(repo: Repo):
    repo.log.chmod(0)
    try:
        for profile in ("gnomon", "compat"):
            with pytest.raises(GnomonError, match="cannot list the iteration log"):
                repo.score(profile=profile)
    finally:
        repo.log.chmod(0o755)


def test_an_iteration_that_is_not_in_the_log_is_refused_by_its_number(repo: Repo):
    for profile in ("gnomon", "compat"):
        with pytest.raises(GnomonError, match=r"iter-9 is not in the log .*; it has 2 iterations"):
            repo.score(iteration=9, profile=profile)


# ── what stands beside an entry ─────────────────────────────────────────────────────────────────────────────────


def broken_files(name: str) -> dict[str, Callable[[Path], None]]:
    return {
        "malformed": file("records: [\nlabels: ["),
        "another shape": file("records: 5\nlabels: 5\nsignals: 5\n"),
        "a list": file("- 1\n"),
        "nested": file("[" * 100_000),
        "binary": file(b"\0\xff\xfe"),
        "a directory": lambda path: path.mkdir(),
        "a pipe": os.mkfifo,
    }


@pytest.mark.parametrize("kind", broken_files(""))
@pytest.mark.parametrize("name", ["hook-outcomes", "labels"])
def test_a_broken_sidecar_is_one_diagnostic_and_its_signal_is_absent(repo: Repo, name: str, kind: str):
    repo.entry(3, impl={"retries": 0}, commit=repo.head())
    broken_files(name)[kind](repo.log / f"iter-3.{name}.yaml")
    report, told = scored(repo, rubric="3.0.0")
    assert numbers(report) == [1, 2, 3]
    third = report.iterations[2].signals
    assert not (third.hook_outcomes if name == "hook-outcomes" else third.human_label).present
    beside = [one for one in told if one.startswith("iter-3.")]
    assert len(beside) == 1
    assert name in beside[0]
    with promptly():
        assert len(repo.score(rubric="3.0.0", profile="compat", trunk="main").iterations) == 3


@pytest.mark.parametrize("kind", broken_files(""))
def test_a_broken_file_of_own_signals_leaves_them_absent_with_the_reason(repo: Repo, tmp_path: Path, kind: str):
    rubric = tmp_path / "own.yaml"
    rubric.write_text(
        "version: own\ncombination: weighted_mean_renormalized\nbands: [{name: any, min: 0}]\n"
        "signals: [{id: design, weight: 0.5}, {id: correction_pressure, weight: 0.5}]\n"
    )
    broken_files("")[kind](repo.log / "iter-2.signals.yaml")
    report, _ = scored(repo, rubric=rubric)
    found = report.iterations[1].signals.value("design")
    assert not found.present
    assert "cannot read iter-2.signals.yaml" in found.detail
    assert report.iterations[1].score.value == 1.0


@pytest.mark.parametrize("kind", ["malformed", "nested", "binary", "a directory", "a pipe"])
def test_a_broken_plan_is_one_diagnostic_and_the_rest_is_scored(repo: Repo, kind: str):
    (repo.root / PLANS / "p").mkdir(parents=True)
    broken_files("")[kind](repo.root / PLANS / "p" / "TASKS.yaml")
    repo.entry(3, impl={"retries": 0}, commit=repo.commit("Work 3", {"3.py": "1\n"}), task_id="t")
    report, told = scored(repo)
    assert numbers(report) == [1, 2, 3]
    assert len(told) == 1
    assert told[0].startswith(f"{PLANS}/p/TASKS.yaml: ")
    assert not report.iterations[2].signals.scope.present
    with promptly():
        assert len(repo.score(profile="compat", trunk="main").iterations) == 3


def test_a_plan_that_is_a_link_out_of_the_repository_is_not_followed(repo: Repo, tmp_path: Path):
    (tmp_path / "TASKS.yaml").write_text("tasks: [{id: t, write_scope: [.]}]\n")
    (repo.root / PLANS).mkdir(parents=True)
    (repo.root / PLANS / "p").symlink_to(tmp_path)
    repo.entry(3, impl={"retries": 0}, commit=repo.commit("Work 3", {"3.py": "1\n"}), task_id="t")
    report, told = scored(repo)
    assert not report.iterations[2].signals.scope.present
    assert len(told) == 1
    assert "leads out of" in told[0]


OUT = ["../outside.yaml", "../../etc/passwd", "{outside}", "/etc/passwd", "link.yaml", "folder/outside.yaml",
       "loop.yaml", "pipe.yaml", ".", "", "a\0b", "a/../../outside.yaml", "x" * 5000]  # fmt: skip


@pytest.mark.parametrize("path", OUT)
def test_an_artefact_outside_the_repository_is_not_read(repo: Repo, path: str):
    outside = repo.root.parent / "outside.yaml"
    outside.write_text(SECRET + "post_invocation: {user_corrections: [a, b, c]}\n")
    (repo.root / "link.yaml").symlink_to(outside)
    (repo.root / "folder").symlink_to(repo.root.parent)
    (repo.root / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(repo.root / "pipe.yaml")
    artefact = path.format(outside=outside).replace("\0", "\x07")
    verifier = {"type": "unit", "status": "pass", "result_artifact": artefact}
    repo.entry(3, commit=repo.head(), verifiers=[verifier], review={"decision_artifact": artefact})
    report, _ = scored(repo)
    third = report.iterations[2]
    assert third.signals.verifier.sub_score == 1.0, "the status in the entry stands"
    assert not third.signals.correction_pressure.present
    assert list(third.inputs["files"]) == ["iter-3.yaml"]


def test_an_artefact_inside_the_repository_is_read_also_through_a_link(repo: Repo):
    repo.write({"real.yaml": "status: fail\n"})
    (repo.root / "link.yaml").symlink_to("real.yaml")
    repo.entry(3, commit=repo.head(), verifiers=[{"type": "unit", "status": "pass", "result_artifact": "link.yaml"}])
    report, _ = scored(repo)
    assert report.iterations[2].signals.verifier.sub_score == 0.0


# ── transcripts and caches ──────────────────────────────────────────────────────────────────────────────────────


def test_transcripts_that_wait_loop_or_never_end_a_line_cost_themselves(repo: Repo, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "up").symlink_to(tmp_path)
    with (tmp_path / "long.jsonl").open("wb") as long:
        long.truncate(17 * 2**20)
        long.seek(0)
        long.write(b'{"timestamp": "')
        long.seek(0, os.SEEK_END)
        long.write(b'\n{"type": "user", "timestamp": "2026-05-04T08:02:30Z", "message": {"content": []}}\n')
    report, told = scored(repo, transcripts=(tmp_path,))
    assert numbers(report) == [1, 2]
    assert report.iterations[1].objectives["ran_cli_command"].present
    assert len(told) == 3
    assert [one for one in told if "long.jsonl" in one and "longer than 16 MiB" in one]


@pytest.mark.parametrize("content", [b"", b"\0\xff garbage", b"\x93\x01\x90\x90", b"\x81" * 1000, None])
def test_a_cache_that_somebody_broke_changes_nothing(repo: Repo, tmp_path: Path, content: bytes | None):
    cache = tmp_path / "cache"
    session = tmp_path / "t" / "s.jsonl"
    session.parent.mkdir()
    session.write_text('{"type": "user", "timestamp": "2026-05-04T08:02:30Z", "message": {"content": []}}\n')
    for path in repo.log.glob("iter-*.yaml"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    plain = repo.score(transcripts=(session.parent,))
    repo.score(cache=cache, transcripts=(session.parent,))
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert len(kept) == 3, "a log, a history and a session"
    for path in kept:
        whole = path.read_bytes()
        if content is None:
            path.unlink()
            path.mkdir()
        else:
            path.write_bytes(content or whole[: len(whole) // 2])
    broken = repo.score(cache=cache, transcripts=(session.parent,))
    assert broken.iterations == plain.iterations
    assert repo.score(cache=cache, transcripts=(session.parent,)).iterations == plain.iterations


def test_a_cache_that_cannot_be_kept_changes_nothing(repo: Repo, tmp_path: Path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert repo.score(cache=tmp_path / "cache").iterations == repo.score().iterations
