"""Transcripts to scores: whose a file is, what is written where, and a folder with good and bad runs in it."""

import json
import shutil
from pathlib import Path

import pytest

from bench.days import ARREST, QUIET, play, write_days
from gnomon.bench.transcripts import read_transcript
from gnomon.errors import InvalidInput, Refused
from gnomon.model.firstformat import first_format
from gnomon.scorers.protocol import Absent, Failed, Scored
from gnomon.service.bench.scoring import is_run, measured, score_below, score_file, write_beside


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("score")
    return play(folder / "runs", write_days(folder / "days")[:2], ["late-by-2"], runs=1)


@pytest.fixture
def runs(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "runs"))


@pytest.fixture
def file(runs: Path) -> Path:
    return runs / "reference-late-by-2" / ARREST / "run-01" / "transcript.jsonl"


@pytest.mark.parametrize(
    ("name", "content", "ours"),
    [
        ("a.jsonl", b'{"type":"header","scenario_id":"s"}\n', True),
        ("a.jsonl", b'{"type":"header"}', True),
        ("a.json", b'{\n "scenario_id": "s",\n "heartbeats": []\n}', True),
        ("a.jsonl", b'{"role":"user","content":"hi"}\n{"heartbeats":[]}\n', False),
        ("a.json", b'[{"role":"user","content":"hi"}]', False),
        ("a.json", b'{"messages":[]}', False),
        ("a.json", b"", False),
        ("a.json", b"\x00\xff", False),
        ("a.json", b"[" * 100_000, False),
    ],
)
def test_whose_a_file_is_shows_in_its_content(name: str, content: bytes, ours: bool, tmp_path: Path):
    (tmp_path / name).write_bytes(content)
    assert is_run(tmp_path / name) is ours


def test_a_run_is_scored_by_the_key_of_its_day_and_a_window_may_be_shorter(file: Path):
    [found] = score_file(file)
    assert found.run is not None
    assert found.scored
    assert (found.run.success, found.run.settings) == (True, {"window": 5})
    [strict] = score_file(file, settings={"window": 1})
    assert strict.run is not None
    assert (strict.run.success, strict.run.settings["window"], strict.run.value("action_type")) == (False, 1, "neither")
    assert "acted_late" in strict.run.flags


def test_both_formats_of_a_run_score_alike_and_get_files_of_their_own(file: Path, made: Path):
    out = file.with_name("exported.json")
    out.write_text(json.dumps(first_format(read_transcript(file))), encoding="utf-8")
    before = (file.parent / "score.json").read_bytes()
    day = made.parent / "days" / ARREST
    assert [path.name for path in write_beside(out, score_file(out, day))] == ["exported.score.json"]
    assert (file.parent / "exported.score.json").read_bytes() == before
    (file.parent / "score.json").unlink()
    assert [path.name for path in write_beside(file, score_file(file))] == ["score.json"]
    assert (file.parent / "score.json").read_bytes() == before


def test_a_package_is_found_in_a_folder_of_packages_by_name_or_where_the_run_found_it(file: Path, made: Path):
    moved = file.parent / "run_config.json"
    config = json.loads(moved.read_bytes())
    moved.write_text(json.dumps({**config, "scenario_path": "/nowhere"}), encoding="utf-8")
    with pytest.raises(Refused, match=r"package 'cardiac_arrest_T1_s0' was not found; name .* --scenarios"):
        score_file(file)
    for places in ([made.parent / "days"], [made.parent / "days" / ARREST]):
        [found] = score_file(file, scenarios=places)
        assert found.scored


def test_a_folder_is_scored_as_a_whole_with_what_cannot_be_named(runs: Path, file: Path):
    quiet = runs / "reference-late-by-2" / QUIET / "run-01"
    (quiet / "transcript.jsonl").write_bytes(b"nonsense")
    (runs / "reference-late-by-2" / "notes").mkdir()
    done: list[int] = []
    scored, notes = score_below(runs, on_done=done.append)
    assert [(one.folder.parent.name, one.score.scorable) for one in scored] == [(ARREST, True), (QUIET, False)]
    assert "is not JSON" in (scored[1].score.reason or "")
    assert json.loads((quiet / "score.json").read_bytes())["reason"] == scored[1].score.reason
    assert notes == [f"{runs / 'reference-late-by-2' / 'notes'} is not a run: it has no transcript.jsonl"]
    assert done == [1, 2]


def test_nothing_is_written_where_that_was_not_wished(runs: Path, file: Path):
    for path in runs.rglob("score.json"):
        path.unlink()
    score_below(runs, write=False)
    assert not list(runs.rglob("score.json"))


def test_where_a_score_cannot_be_written_it_is_said_once(runs: Path, file: Path):
    (file.parent / "score.json").unlink()
    (file.parent / "score.json").mkdir()
    with pytest.raises(
        Refused, match=r"cannot write .*score\.json: Is a directory; free or allow it, or use --no-write"
    ):
        score_below(runs)


def test_flags_that_do_not_fit_the_file_are_refused(file: Path, tmp_path: Path):
    with pytest.raises(InvalidInput, match="a run of `gnomon bench` is scored by its scenario"):
        score_file(file, expect=file)
    messages = tmp_path / "messages.json"
    messages.write_text('[{"role": "user", "content": "hi"}]', encoding="utf-8")
    with pytest.raises(InvalidInput, match="--scenario does not help"):
        score_file(messages, tmp_path)
    [found] = score_file(messages, judged=True)
    assert isinstance(found.calls, Absent)
    assert not found.scored


def test_a_measurement_is_a_value_or_a_reason():
    assert measured(Scored(0.5)) == {"state": "scored", "value": 0.5}
    assert measured(Absent("nothing to compare")) == {"state": "absent", "reason": "nothing to compare"}
    assert measured(Failed("odd", "so")) == {"state": "failed", "reason": "odd", "evidence": "so"}
