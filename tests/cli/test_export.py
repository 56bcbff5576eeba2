"""`gnomon export` as a person runs it: what it writes, what it says, and what it refuses."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.conftest import Run
from report.pages import check_self_contained


def test_what_was_written_is_told_in_words_and_as_json(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs.csv"
    told = gnomon("export", "experiments", "answers-v2", "--db", demo_db, "--out", out, "--json")
    assert told.code == 0, told.err
    report = json.loads(told.out)
    assert (report["kind"], report["format"], report["path"], report["rows"]) == ("experiments", "csv", str(out), 200)
    assert report["counts"]["runs"] == 200
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["experiment_name"] for row in rows} == {"answers-v2"}
    assert {"score.contains", "score.helpfulness", "score.tone"} < set(rows[0])
    mean = [float(row["score.contains"]) for row in rows if row["score.contains"]]
    assert len(mean) == 188


@pytest.mark.parametrize("kind", ["experiments", "datasets", "scores"])
def test_stdout_holds_the_export_and_nothing_else(gnomon: Run, demo_db: Path, kind: str) -> None:
    lately = ["--after", f"{datetime.now(UTC) - timedelta(hours=12):%Y-%m-%dT%H:%M:%SZ}"] if kind == "scores" else []
    told = gnomon("export", kind, "--db", demo_db, "--out", "-", *lately)
    heading, *lines = map(json.loads, told.out.splitlines())
    assert (told.code, told.err, heading) == (0, "", {"gnomon_export": 1, "kind": kind})
    assert lines


def test_times_choose_what_was_created_in_between(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    everything = json.loads(gnomon("export", "experiments", "--db", demo_db, "--out", tmp_path / "a", "--json").out)
    nothing = gnomon(
        "export", "experiments", "--db", demo_db, "--out", tmp_path / "b", "--after", "2099-01-01T00:00:00Z"
    )
    assert everything["counts"]["experiments"] == 27
    assert nothing.out == f"nothing written to {tmp_path / 'b'}\n"


def test_the_name_of_a_file_decides_its_format(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    for name, format in {"a.parquet": "parquet", "b.ndjson": "jsonl", "c.CSV": "csv", "d.txt": "jsonl"}.items():
        told = gnomon("export", "datasets", "--db", demo_db, "--out", tmp_path / name, "--json")
        assert json.loads(told.out)["format"] == format


def test_a_page_needs_nothing_but_itself(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert gnomon("export", "experiments", "answers-v1", "answers-v2", "--db", demo_db, "--out", out).code == 0
    page = out.read_text("utf-8")
    assert "Content-Security-Policy" in page
    check_self_contained(page)
    assert not re.search(r"https?://", page)
    for words in (
        "answers-v1 → answers-v2",
        "improved",
        "Items that got worse",
        "Failed runs",
        "Lowest scores by contains",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["traces"], "no destination; use --out FILE, --out - for stdout, or --otlp URL"),
        (["datasets", "--out", "x.html"], "html is a format of experiments, not of datasets; use jsonl or csv"),
        (["datasets", "--out", "x.json"], "otlp-json is a format of traces, not of datasets; use jsonl or csv"),
        (["experiments", "--out", "x.html"], "a page shows one experiment or two, and 0 are named; name one or two"),
        (["datasets", "--out", "-", "--json"], "--json needs a file, not stdout; name one with --out"),
        (["datasets", "--out", "-", "--format", "parquet"], "--format parquet needs a file, not stdout"),
        (["datasets", "--otlp", "http://127.0.0.1:9"], "--otlp sends traces or scores, not datasets"),
        (["traces", "--otlp", "http://127.0.0.1:9", "--force"], "--force goes with --out, not with --otlp"),
        (["traces", "--otlp", "http://127.0.0.1:9", "--header", "x"], "--header is written NAME=VALUE"),
        (["traces", "--out", "x", "--header", "a=b"], "--header goes with --otlp; leave it out"),
        (["traces", "--out", "x", "--after", "yesterday"], "--after 'yesterday': not an ISO 8601 time"),
        (["traces", "--out", "x", "--metadata", "k"], "--metadata 'k' is not KEY=VALUE"),
        (["datasets", "--out", "x", "--errors"], "--errors and --metadata choose traces, not datasets"),
        (["traces", "t", "--out", "x", "--errors"], "names say which traces; leave out --after"),
        (["datasets", "--out", "."], "--out . is a folder; name a file in it"),
        (["traces", "--out", "x", "--project", "no-such"], "no-such"),
        (["experiments", "no-such", "--out", "x"], "no-such"),
        (["scores", "no-such", "--out", "x"], "(no trace has that id either)"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(
    gnomon: Run, demo_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    told = gnomon("export", *arguments, "--db", demo_db)
    assert told.code in (2, 3)
    assert words in told.err
    assert told.err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} - {path.name for path in before} <= {"demo.db-shm", "demo.db-wal"}


def test_a_file_is_overwritten_only_when_told_so(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    out = tmp_path / "d.jsonl"
    out.write_text("mine")
    refused = gnomon("export", "datasets", "--db", demo_db, "--out", out)
    assert (refused.code, out.read_text()) == (2, "mine")
    assert "exists already; name another file, or overwrite it with --force" in refused.err
    assert gnomon("export", "datasets", "--db", demo_db, "--out", out, "--force").code == 0
    assert out.read_text("utf-8").startswith('{"gnomon_export":1')


def test_a_link_stays_a_link(gnomon: Run, demo_db: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "d.jsonl"
    link.symlink_to(tmp_path / "real" / "d.jsonl")
    assert gnomon("export", "datasets", "--db", demo_db, "--out", link).code == 0
    assert link.is_symlink()
    assert (tmp_path / "real" / "d.jsonl").is_file()
