"""Each tool's file becomes the bundle that its golden file shows; hostile files are refused in one line.

Look at the difference, then renew the golden files with GNOMON_RENEW_GOLDEN=1.
"""

import json
import os
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from gnomon.errors import GnomonError
from gnomon.interop import inspect
from gnomon.interop.foreign.bundle import Bundle, ForeignRun
from gnomon.interop.foreign.formats import READERS, find_files, format_of, read_any

FILES = Path(__file__).parents[1] / "golden" / "foreign"
BUNDLES = Path(__file__).parents[1] / "golden" / "foreign_bundles"

FORMATS = {
    "braintrust/made-from-schema.json": "braintrust",
    "braintrust/made-from-schema.csv": "braintrust",
    "braintrust/made-from-schema-api.json": "braintrust",
    "deepeval/capitals.json": "deepeval",
    "inspect/capitals.eval": "inspect",
    "inspect/capitals.json": "inspect",
    "langsmith/capitals.csv": "langsmith",
    "langsmith/capitals.jsonl": "langsmith",
    "langsmith/made-from-schema-runs.jsonl": "langsmith",
    "mini-swe-agent/made-from-schema": "mini-swe-agent",
    "openai-evals/capitals.jsonl": "openai-evals",
    "promptfoo/capitals.json": "promptfoo",
    "pydantic-evals/capitals.json": "pydantic-evals",
    "pydantic-evals/repeated.json": "pydantic-evals",
    "swe-agent/made-from-schema": "swe-agent",
    "swe-bench/first/tiny__agent": "swe-bench",
    "swe-bench/tiny__agent.first.json": "swe-bench",
    "table/capitals.csv": "table",
    "table/dataset.json": "table",
    "table/usual.jsonl": "table",
    "table/wide.csv": "table",
    "tau-bench/made-from-schema.json": "tau-bench",
    "tau2/made-from-schema.json": "tau2",
    "terminal-bench/run1": "terminal-bench",
}


def shown(bundle: Bundle) -> dict[str, Any]:
    """The bundle without times, which some tools do not note, and without what is not said."""

    def run(one: ForeignRun) -> dict[str, Any]:
        told = {**asdict(one), "scores": [without_none(asdict(score)) for score in one.scores]}
        told["spans"] = [
            without_none({"name": span.name, "input": span.input, "output": span.output, "model": span.model})
            for span in one.spans
        ]
        return without_none(told)

    return {
        "source": bundle.source,
        "experiments": [
            {"name": one.name, "dataset": one.dataset, "metadata": one.metadata, "runs": list(map(run, one.runs))}
            for one in bundle.experiments
        ],
        "datasets": [asdict(one) for one in bundle.datasets],
        "not_understood": dict(bundle.not_understood),
        "notes": bundle.notes,
    }


def without_none(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if value not in (None, [], ())}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_becomes_the_bundle_of_its_golden_file(name: str) -> None:
    golden = BUNDLES / f"{name.replace('/', '.')}.json"
    found = json.dumps(shown(read_any(FILES / name)), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "format"), FORMATS.items())
def test_a_file_is_known_by_its_own_reader_and_by_no_other(name: str, format: str) -> None:
    assert format_of(FILES / name) == format
    others = [one for one in READERS if one not in (format, "table")]
    assert [one for one in others if READERS[one].detect(FILES / name)] == []


def test_a_folder_is_walked_and_folders_that_belong_together_are_one() -> None:
    found = {file.path.relative_to(FILES).as_posix(): file.format for file in find_files(FILES)}
    assert {name: format for name, format in found.items() if format} == FORMATS
    assert [name for name, format in found.items() if format is None] == ["README.md"]


@pytest.mark.parametrize("name", FORMATS)
def test_reading_twice_gives_the_same_ids(name: str) -> None:
    first, second = read_any(FILES / name), read_any(FILES / name)
    spans = [
        [(span.trace_id, span.id) for one in bundle.experiments for run in one.runs for span in run.spans]
        for bundle in (first, second)
    ]
    assert spans[0] == spans[1]
    assert len(set(spans[0])) == len(spans[0])


def test_real_logs_of_inspect_and_tau_bench_keep_their_scores(test_data: Path) -> None:
    (log,) = read_any(test_data / "bench" / "inspect_choices.eval").experiments
    assert (log.name, log.dataset) == ("inspect_evals/mmlu_0_shot@openai/gpt-4o", "cais/mmlu")
    (score,) = log.runs[0].scores
    assert (score.name, score.value, score.raw) == ("choice", 0.0, "I")
    (tau,) = read_any(test_data / "bench" / "tau_bench_two_trajectories.json").experiments
    assert [(run.item_key, run.trial, run.scores[0].value) for run in tau.runs] == [("1", 1, 0.0), ("1", 2, 1.0)]


def test_the_published_table_of_tau_bench_is_fifty_items_with_four_trials(test_data: Path) -> None:
    (found,) = read_any(test_data / "tau_bench_gpt4o_airline_50x4.csv").experiments
    assert len(found.runs) == 200
    assert len({run.item_key for run in found.runs}) == 50
    assert {run.trial for run in found.runs} == {1, 2, 3, 4}


def test_results_of_tau2_in_a_folder_are_those_of_one_file(tmp_path: Path) -> None:
    whole = json.loads((FILES / "tau2/made-from-schema.json").read_text())
    simulations = whole.pop("simulations")
    (tmp_path / "simulations").mkdir()
    (tmp_path / "results.json").write_text(json.dumps({**whole, "simulations": []}))
    for number, simulation in enumerate(simulations):
        (tmp_path / "simulations" / f"{number}.json").write_text(json.dumps(simulation))
    assert format_of(tmp_path) == "tau2"
    assert read_any(tmp_path).experiments == read_any(FILES / "tau2/made-from-schema.json").experiments


def test_a_log_that_inspect_writes_today_is_compressed_with_zstandard_and_read() -> None:
    with zipfile.ZipFile(FILES / "inspect/capitals.eval") as log:
        assert {member.compress_type for member in log.infolist()} == {93}
    assert len(read_any(FILES / "inspect/capitals.eval").experiments[0].runs) == 6


# --- hostile files -----


def refusal(path: Path, format: str) -> str:
    try:
        read_any(path, format)
    except GnomonError as bad:
        return bad.message
    return ""


def json_formats() -> list[str]:
    return [name for name in READERS if name not in ("table",)]


@pytest.mark.parametrize("name", [name for name in FORMATS if (FILES / name).is_file()])
def test_a_file_that_is_cut_is_refused_in_one_line_or_read_in_part(name: str, tmp_path: Path) -> None:
    content = (FILES / name).read_bytes()
    for share in (0.1, 0.5, 0.9):
        cut = tmp_path / Path(name).name
        cut.write_bytes(content[: int(len(content) * share)])
        words = refusal(cut, FORMATS[name])
        assert "\n" not in words
        assert "Traceback" not in words


@pytest.mark.parametrize("value", [b"", b"null", b"[]", b"{}", b"3", b'"text"', b"[1, 2]", b"[[]]", b"\xff\xfe\x00"])
@pytest.mark.parametrize("format", READERS)
def test_nothing_of_another_shape_breaks_a_reader(value: bytes, format: str, tmp_path: Path) -> None:
    for suffix in (".json", ".jsonl", ".csv"):
        file = tmp_path / f"strange{suffix}"
        file.write_bytes(value)
        READERS[format].detect(file)
        assert "\n" not in refusal(file, format)


def spoiled(value: Any, wrong: Any) -> list[Any]:
    """The value with one of its parts after the other replaced, a level or more down."""
    if isinstance(value, dict):
        keys: list[Any] = list(value)
    elif isinstance(value, list):
        keys = list(range(min(len(value), 2)))
    else:
        return []
    found = []
    for key in keys:
        copy = value.copy()
        copy[key] = wrong
        found.append(copy)
        for inner in spoiled(value[key], wrong):
            copy = value.copy()
            copy[key] = inner
            found.append(copy)
    return found


@pytest.mark.parametrize("wrong", [None, 3, "text", [], {}, [{}], {"a": 1}, True, 1e308])
@pytest.mark.parametrize(
    "name",
    [name for name in FORMATS if name.endswith(".json")] + ["terminal-bench/run1/results.json"],
)
def test_parts_of_the_wrong_type_are_refused_or_left_out(name: str, wrong: Any, tmp_path: Path) -> None:
    whole = json.loads((FILES / name).read_text(encoding="utf-8"))
    format = FORMATS.get(name, "terminal-bench")
    file = tmp_path / "spoiled.json"
    cases = spoiled(whole, wrong)
    for value in cases[:: max(1, len(cases) // 60)]:
        file.write_text(json.dumps(value), encoding="utf-8")
        assert "\n" not in refusal(file, format)  # and nothing else is raised


@pytest.mark.parametrize("format", READERS)
def test_deep_nesting_is_refused(format: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_bytes(b'{"a":' * 50_000 + b"1" + b"}" * 50_000)
    assert format_of(file) is None
    words = refusal(file, format)
    assert words
    assert "\n" not in words


def test_a_zip_that_unpacks_to_very_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect, "LARGEST_MEMBER", 1 << 20)
    bomb = tmp_path / "bomb.eval"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}}))
        file.writestr("samples/1.json", b" " * (4 << 20))
    assert bomb.stat().st_size < 20_000
    assert format_of(bomb) == "inspect"
    assert "unpacks to more than" in refusal(bomb, "inspect")


def test_a_line_of_a_hundred_megabytes_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with file.open("wb") as out:
        out.write(b'{"spec": {"run_id": "r", "eval_name": "e"}}\n')
        out.truncate(100 << 20)
    assert format_of(file) == "openai-evals"
    assert "line 2 is longer than 64 MiB" in refusal(file, "openai-evals")


def test_an_unknown_file_is_refused_with_the_formats(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    words = refusal(file, "auto")
    assert words.startswith("notes.txt has no known format; name it with --format (inspect, promptfoo, ")
