"""Files of outputs: every format says the same, in constant memory, whole or not at all."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, NotAvailable
from gnomon.interop import rows as files
from gnomon.scorers import Scorer, build, config_hash
from gnomon.service.scoring import bulk
from gnomon.service.scoring.bulk import Columns, MeasuredChunk, ScorerTally, score_file
from gnomon.stats.describe import ScoreSums
from gnomon.stats.interval import mean_interval

ROWS: list[dict[str, Any]] = [
    {"id": "a", "output": "Paris", "expected_output": "Paris"},
    {"id": "b", "output": " Rome ", "expected_output": "Rome"},
    {"id": "c", "output": "Berlin\nGermany", "expected_output": "Bonn"},
    {"id": "d", "output": "", "expected_output": "Oslo"},
    {"id": "e", "output": 'Lima, "the grey"', "expected_output": None},
    {"id": None, "output": "Ürümqi", "expected_output": "Ürüm"},
]
EXACT, LIKE = build("exact_match"), build("similarity")
SCORERS: list[tuple[str, Scorer]] = [("same", EXACT), ("like", LIKE), ("has_a", build("regex", {"pattern": "a"}))]


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


WRITERS = {"data.jsonl": write_jsonl, "data.ndjson": write_jsonl, "data.csv": write_csv, "data.parquet": write_parquet}


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_analytics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)


@pytest.mark.parametrize("out", ["scores.jsonl", "scores.parquet"])
@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_scores(tmp_path: Path, name: str, out: str) -> None:
    path = WRITERS[name](tmp_path / name, ROWS)
    result = score_file(path, SCORERS, tmp_path / out)
    written = read(tmp_path / out)
    assert [row["value"] for row in written if row["scorer_name"] == "same"] == [1.0, 1.0, 0.0, 0.0, None, 0.0]
    assert written[0] == {
        "row": 1,
        "id": "a",
        "scorer_name": "same",
        "value": 1.0,
        "label": None,
        "state": "scored",
        "reason": None,
        "config_hash": config_hash(EXACT),
    }
    assert [(row["row"], row["id"], row["state"], row["reason"]) for row in written if row["scorer_name"] == "like"][
        4:
    ] == [
        (5, "e", "absent", "no expected_output"),
        (6, None, "scored", None),
    ]
    assert [row["scorer_name"] for row in written] == ["same", "like", "has_a"] * 6
    same = result.tallies[0]
    assert (same.n_total, same.n_scored, same.n_absent, same.n_failed) == (6, 5, 1, 0)
    assert (same.mean, same.minimum, same.maximum, same.n_ones, same.all_binary) == (0.4, 0.0, 1.0, 2, True)
    assert same.reasons == {"no expected_output": 1}
    assert result.rows == 6


@pytest.mark.parametrize("name", ["data.jsonl", "data.csv"])
def test_without_the_extra_the_answers_are_the_same(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = WRITERS[name](tmp_path / name, ROWS)
    with_extra = score_file(path, SCORERS, tmp_path / "with.jsonl")
    without_analytics(monkeypatch)
    without = score_file(path, SCORERS, tmp_path / "without.jsonl")
    assert without.tallies == with_extra.tallies
    assert (tmp_path / "without.jsonl").read_bytes() == (tmp_path / "with.jsonl").read_bytes()


@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"output": st.none() | st.text(max_size=5) | st.integers() | st.lists(st.text(max_size=2), max_size=2)},
            optional={"expected_output": st.none() | st.text(max_size=5) | st.floats(0, 1), "id": st.integers()},
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=50)
def test_without_the_extra_any_lines_score_alike(rows: list[dict[str, Any]], tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("bulk")
    path = write_jsonl(folder / "data.jsonl", [{"expected_output": "x", "output": "x"}, *rows])
    scored = score_file(path, SCORERS, folder / "a.jsonl")
    with pytest.MonkeyPatch.context() as patch:
        without_analytics(patch)
        assert score_file(path, SCORERS, folder / "b.jsonl").tallies == scored.tallies
    assert (folder / "a.jsonl").read_bytes() == (folder / "b.jsonl").read_bytes()


@pytest.mark.parametrize(("name", "out"), [("data.parquet", None), ("data.jsonl", "scores.parquet")])
def test_parquet_without_the_extra_is_one_line_that_names_it(
    tmp_path: Path, name: str, out: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = WRITERS[name](tmp_path / name, ROWS)
    without_analytics(monkeypatch)
    with pytest.raises(NotAvailable, match=r"^[^\n]*pip install [^\n]*\[analytics\][^\n]*$"):
        score_file(path, SCORERS, tmp_path / out if out else None)
    assert sorted(tmp_path.iterdir()) == [path]


def test_chunks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_jsonl(tmp_path / "data.jsonl", ROWS * 5)
    whole = score_file(path, SCORERS, tmp_path / "whole.parquet")
    monkeypatch.setattr(bulk, "CHUNK_ROWS", 4)
    monkeypatch.setattr(bulk, "ROW_GROUP", 10)
    pieces = score_file(path, SCORERS, tmp_path / "pieces.parquet")
    assert read(tmp_path / "pieces.parquet") == read(tmp_path / "whole.parquet")
    assert [tally.n_ones for tally in pieces.tallies] == [tally.n_ones for tally in whole.tallies]
    assert pieces.tallies[1].mean == pytest.approx(whole.tallies[1].mean)


def test_progress_ends_at_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "CHUNK_ROWS", 4)
    for name, write in WRITERS.items():
        path = write(tmp_path / name, ROWS)
        seen: list[tuple[int, int, int]] = []
        score_file(path, SCORERS, on_progress=lambda *told: seen.append(told))  # noqa: B023
        size = path.stat().st_size
        assert [rows for _, _, rows in seen] == [4, 6]
        assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
        assert seen[-1] == (size, size, 6)


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    rows = [{"case": 7, "answer": "x", "truth": "x"}, {"case": 8, "answer": {"a": 1}, "truth": "y"}]
    path = write_jsonl(tmp_path / "data.jsonl", rows)
    score_file(path, [("same", EXACT)], tmp_path / "out.jsonl", columns=Columns("answer", "truth", "case"))
    assert [(row["id"], row["value"]) for row in read(tmp_path / "out.jsonl")] == [("7", 1.0), ("8", 0.0)]


@pytest.mark.parametrize("name", WRITERS)
def test_a_column_that_is_nowhere_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = WRITERS[name](tmp_path / name, [{"answer": "x", "expected_output": "x"}])
    with pytest.raises(InvalidInput, match=rf"^{name} has no output, it has answer, expected_output; name them with"):
        score_file(path, SCORERS, tmp_path / "out.jsonl")
    assert sorted(tmp_path.iterdir()) == [path]


def test_an_expected_output_is_only_asked_for_where_it_is_compared(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "data.jsonl", [{"output": "x"}])
    assert score_file(path, [("re", build("regex", {"pattern": "x"}))]).tallies[0].mean == 1.0
    assert score_file(path, [("same", build("exact_match", {"expected_output": "x"}))]).tallies[0].mean == 1.0
    with pytest.raises(InvalidInput, match="has no expected_output, it has output"):
        score_file(path, [("same", EXACT)])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("d.jsonl", b'{"output": "x"}\n\n{"output": \n', "line 3 is not JSON"),
        ("d.jsonl", b'{"output": "x"}\n[1]\n', "line 2 is not a JSON object"),
        ("d.jsonl", b'{"output": "\xff"}\n', "line 1 is not JSON"),
        ("d.jsonl", b'{"output": "\\ud800"}\n', "line 1 is not JSON"),
        ("d.jsonl", b"[" * 100_000, "line 1 is not JSON"),
        ("d.csv", b"output\nx\ny,z\n", "line 3 has 2 cells where the first line has 1"),
        ("d.csv", b'output,b\n"x"y,z\n', "line 2 is not CSV"),
        ("d.csv", b'output,b\n"x,z\n', "is not CSV"),
        ("d.csv", b"output\n\xff\n", "line 2 is not UTF-8"),
        ("d.csv", b"output,output\n1,2\n", "names a column twice"),
        ("d.parquet", b"PAR1 nonsense PAR1", "cannot be read as Parquet"),
        ("d.parquet", b"", "is empty; name a file with rows in it"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_where_it_breaks_and_nothing_is_written(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as refused:
        score_file(path, [("re", build("regex", {"pattern": "x"}))], tmp_path / "out.jsonl")
    assert said in refused.value.message
    assert name in refused.value.message
    assert "\n" not in refused.value.message
    assert sorted(tmp_path.iterdir()) == [path]


def test_bad_lines_can_be_skipped_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"output": "x"}\nnonsense\n7\n{"output": "y"}\n')
    result = score_file(path, [("re", build("regex", {"pattern": "x"}))], skip_bad_lines=True)
    assert (result.rows, result.skipped) == (2, 2)
    assert [skip.partition(" (")[0] for skip in result.skips] == [
        "d.jsonl, line 2 is not JSON",
        "d.jsonl, line 3 is not a JSON object",
    ]


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    path = write_jsonl(tmp_path / "d.jsonl", [{"output": "x"}, {"output": "y" * (1 << 20)}])
    with pytest.raises(InvalidInput, match="line 2 is longer than 1 MiB"):
        score_file(path, [("re", build("regex", {"pattern": "x"}))])


def test_a_cell_larger_than_the_csv_module_allows_by_default_is_read(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "d.csv", [{"output": "x" * 500_000 + "a"}])
    assert score_file(path, [("re", build("regex", {"pattern": "a"}))]).tallies[0].mean == 1.0


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    for name, text in [("d.csv", "output\nx\n"), ("d.jsonl", '{"output": "x"}\n')]:
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert score_file(tmp_path / name, [("re", build("regex", {"pattern": "x"}))]).rows == 1


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_without_rows_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if path.suffix == ".parquet":
        pq.write_table(
            pa.table({"output": pa.array([], pa.string()), "expected_output": pa.array([], pa.string())}), path
        )
    else:
        path.write_text("output,expected_output\n" if path.suffix == ".csv" else "")
    with pytest.raises(InvalidInput, match="name a file with rows in it"):
        score_file(path, SCORERS, tmp_path / "out.parquet")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_parquet_holds_numbers_lists_and_structs_too(tmp_path: Path) -> None:
    table = pa.table({"output": [{"a": 1, "b": [2.0]}], "expected_output": ['{"a":1,"b":[2]}']})
    pq.write_table(table, tmp_path / "d.parquet")
    assert score_file(tmp_path / "d.parquet", [("same", EXACT)]).tallies[0].mean == 1.0


def test_texts_in_parquet_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    broken = pa.Array.from_buffers(pa.string(), 1, [None, *pa.array([b"\xff\xfe"]).buffers()[1:]])
    pq.write_table(pa.table({"output": broken}), tmp_path / "d.parquet")
    with pytest.raises(InvalidInput, match="cannot be read as Parquet"):
        score_file(tmp_path / "d.parquet", [("re", build("regex", {"pattern": "x"}))])


@pytest.mark.parametrize(
    ("path", "out", "said"),
    [
        ("missing.jsonl", None, "No such file"),
        (".", None, "is a folder; name a file in it"),
        ("data.json", None, "data.json is not .parquet"),
        ("data.jsonl", "out.csv", "out.csv is not .jsonl or .parquet"),
        ("data.jsonl", "data.jsonl", "is the file that is read"),
        ("data.jsonl", "nowhere/out.jsonl", "nowhere does not exist; make it first"),
        ("folder.jsonl", None, "folder.jsonl is a folder"),
    ],
)
def test_a_path_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, path: str, out: str | None, said: str) -> None:
    write_jsonl(tmp_path / "data.jsonl", ROWS)
    (tmp_path / "data.json").write_text("[]")
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InvalidInput) as refused:
        score_file(tmp_path / path, SCORERS, tmp_path / out if out else None)
    assert said in refused.value.message


def test_a_run_that_is_interrupted_leaves_the_old_scores_and_nothing_else(tmp_path: Path) -> None:
    path, out = write_jsonl(tmp_path / "data.jsonl", ROWS), tmp_path / "scores.jsonl"
    out.write_text("old")

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_file(path, SCORERS, out, interrupt)
    assert out.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [path, out]
    score_file(path, SCORERS, out)
    assert len(read(out)) == 18


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_written_scores_have_the_usual_permissions(tmp_path: Path) -> None:
    path, out = write_jsonl(tmp_path / "data.jsonl", ROWS), tmp_path / "scores.jsonl"
    score_file(path, SCORERS, out)
    assert out.stat().st_mode == path.stat().st_mode


def test_two_scorers_need_two_names(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "data.jsonl", ROWS)
    with pytest.raises(InvalidInput, match="same name"):
        score_file(path, [("x", EXACT), ("x", LIKE)])


def test_a_judge_does_not_score_files(tmp_path: Path) -> None:
    judge = build("llm_judge", {"model": "m", "prompt_template": "{{input}}{{output}}"})
    with pytest.raises(NotAvailable, match="llm_judge asks a model"):
        score_file(write_jsonl(tmp_path / "data.jsonl", ROWS), [("judge", judge)])


def test_failures_are_counted_by_reason(tmp_path: Path) -> None:
    rows = [{"output": "1", "expected_output": truth} for truth in (1, "many", "some", None)]
    path = write_jsonl(tmp_path / "data.jsonl", rows)
    (tally,) = score_file(path, [("n", build("numeric"))]).tallies
    assert (tally.n_scored, tally.n_failed, tally.n_absent) == (1, 2, 1)
    assert tally.reasons == {"expected_output is not a number": 2, "no expected_output": 1}


values = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1.0]) | st.none(), max_size=20)


def tally_of(*chunks: list[float | None]) -> ScorerTally:
    tally = ScorerTally("s", "0", "numeric")
    for chunk in chunks:
        states = ["absent" if value is None else "scored" for value in chunk]
        tally.add(MeasuredChunk(list(chunk), states, [None if value is not None else "no output" for value in chunk]))
    return tally


@given(values, values)
def test_merged_tallies_say_what_one_would_have_said(first: list[float | None], second: list[float | None]) -> None:
    merged, whole = tally_of(first), tally_of(first, second)
    merged.merge(tally_of(second))
    assert merged == whole
    scored = [value for value in first + second if value is not None]
    assert merged.all_binary == (bool(scored) and set(scored) <= {0.0, 1.0})
    if scored:
        sums, exact = merged.sums(), ScoreSums.of_clusters([[value] for value in scored])
        assert sums is not None
        assert sums.mean == pytest.approx(exact.mean)
        assert mean_interval(sums).low == pytest.approx(mean_interval(exact).low, abs=1e-6)


def test_tallies_of_different_scorers_do_not_merge() -> None:
    with pytest.raises(InvalidInput, match="two scorers"):
        ScorerTally("a", "0", "numeric").merge(ScorerTally("b", "0", "numeric"))


def test_labels_are_counted_as_a_distribution() -> None:
    tally = ScorerTally("s", "0", "categorical")
    tally.add(MeasuredChunk(["good", "bad", "good", None], ["scored"] * 3 + ["absent"], [None] * 3 + ["no output"]))
    assert tally.labels == {"good": 2, "bad": 1}
    assert (tally.n_scored, tally.mean, tally.all_binary) == (3, None, False)


MEASURE = """
import resource, sys
from pathlib import Path
from gnomon.scorers import build
from gnomon.service.scoring.bulk import score_file
path = Path(sys.argv[1])
scorers = [("same", build("exact_match")), ("has", build("regex", {"pattern": "x+y"}))]
result = score_file(path, scorers, path.with_name("out" + sys.argv[2]))
print(result.rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_many(path: Path, rows: int) -> Path:
    row = {"id": "some-id", "output": "lorem ipsum " * 200, "expected_output": "dolor"}
    if path.suffix == ".parquet":
        batch = pa.RecordBatch.from_pylist([row] * 1000)
        with pq.ParquetWriter(path, batch.schema, compression="none", use_dictionary=False) as writer:
            for _ in range(rows // 1000):
                writer.write_batch(batch)
    else:
        line = ",".join(row.values()) if path.suffix == ".csv" else json.dumps(row)
        with path.open("w") as file:
            file.write(",".join(row) + "\n" if path.suffix == ".csv" else "")
            file.writelines(line + "\n" for _ in range(rows))
    return path


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize(("name", "out"), [("d.jsonl", ".jsonl"), ("d.csv", ".jsonl"), ("d.parquet", ".parquet")])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str, out: str) -> None:
    peaks = []
    for rows in (15_000, 60_000):  # 36 and 144 MB
        path = write_many(tmp_path / name, rows)
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, str(path), out], capture_output=True, text=True, check=True
        ).stdout.split()
        assert int(done[0]) == rows
        peaks.append(int(done[1]))
    assert peaks[1] - peaks[0] < 40_000  # of the 108 MB more that were read
