"""The first published format, and run folders from before steps had that name: read and written byte for byte."""

import json
from pathlib import Path

import pytest

from bench.small import write_small
from gnomon.bench.transcripts import Writer, read_transcript
from gnomon.errors import Refused
from gnomon.model.firstformat import first_format, is_first_format, recorded_steps, step_config, step_line
from gnomon.model.jsonvalue import dump
from gnomon.service.bench.gathering import read_runs

FIRST = Path(__file__).parents[1] / "golden" / "bench" / "first_run"
"""A run as it was recorded with heartbeats, and its export: both written by the version before this one."""


def test_an_old_run_is_exported_byte_for_byte():
    run = read_transcript(FIRST / "transcript.jsonl")
    assert dump(first_format(run)) + "\n" == (FIRST / "export.json").read_text(encoding="utf-8")


def test_an_export_is_read_and_written_again_byte_for_byte():
    run = read_transcript(FIRST / "export.json")
    assert (run.source, len(run.steps)) == ("crisis-bench", 10)
    assert dump(first_format(run)) + "\n" == (FIRST / "export.json").read_text(encoding="utf-8")


def test_an_old_run_is_read_under_the_names_of_today():
    run = read_transcript(FIRST / "transcript.jsonl")
    assert [step.step_id for step in run.steps] == list(range(10))
    assert run.header is not None
    assert (run.header.planned_steps, run.header.start_step) == (10, 0)
    assert run.run_config is not None
    assert run.run_config.settings == {"window": 5, "action_log_window": 20}
    assert run.end is not None
    assert run.end.steps == 10


def test_what_was_read_is_written_as_today_and_read_back_the_same(tmp_path: Path):
    run = read_transcript(FIRST / "transcript.jsonl")
    assert run.header is not None
    assert run.end is not None
    with Writer(tmp_path / "transcript.jsonl") as writer:
        writer.header(run.header)
        for step in run.steps:
            writer.step(step)
        writer.end(run.end)
    assert b"heartbeat" not in (tmp_path / "transcript.jsonl").read_bytes().replace(b'"heartbeats"', b"")
    assert read_transcript(tmp_path / "transcript.jsonl") == run


def test_an_old_folder_is_scored_again_with_the_same_result(tmp_path: Path):
    """Its score.json is of an older shape: it counts as missing, and the transcript is scored."""
    folder = tmp_path / "runs" / "reference-threshold-monitor" / "cardiac_arrest_T1_s0" / "run-01"
    folder.mkdir(parents=True)
    for path in FIRST.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    write_small(tmp_path / "packages")
    ((run,), notes) = read_runs(tmp_path / "runs", [tmp_path / "packages"])
    old = json.loads((FIRST / "score.json").read_bytes())
    assert notes == []
    assert (run.run_score.success, run.run_score.result) == (old["success"], old["result"])
    assert run.run_score.value("composite") == old["composite"]
    assert [(one.claim, one.step_id, one.excerpt) for one in run.run_score.evidence] == [
        (one["claim"], one["heartbeat_id"], one["excerpt"]) for one in old["evidence"]
    ]


def test_a_line_of_today_stays_as_it_is():
    assert step_line("step", {"step_id": 3}) == ("step", {"step_id": 3})
    assert step_line("beat", {"heartbeat_id": 3}) == ("step", {"step_id": 3})
    assert step_config({"settings": {"window": 2}}) == {"settings": {"window": 2}}
    assert step_config({"max_post_crisis_heartbeats": 2}) == {"settings": {"window": 2}}
    assert step_config(None) is None


def test_what_else_has_steps_is_no_transcript(tmp_path: Path):
    assert not is_first_format({"steps": []})
    assert recorded_steps({"steps": ["wash", "rinse"]}) is None
    assert recorded_steps({"scenario_id": "s", "run_id": "r", "steps": []}) == []
    (tmp_path / "other.json").write_text('{"steps": []}', encoding="utf-8")
    with pytest.raises(Refused, match="is not a transcript"):
        read_transcript(tmp_path / "other.json")
