"""Runs as frames: whatever outputs and scores are, no row is lost and every column is of one kind."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.extras import install_command
from gnomon.model.experiment import Run, RunError
from gnomon.model.score import Score
from gnomon.sdk.frames import as_arrow, as_pandas, as_polars, columns_of

NOW = datetime(2026, 2, 21, 22, tzinfo=UTC)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2),
    max_leaves=4,
)
SCALARS = {"text": str, "whole": int, "real": float, "bool": bool}


def run(trial: int, output: Any = "Paris", scores: dict[str, Any] | None = None, **more: Any) -> Run:
    fields: dict[str, Any] = {"error": None, "trace_id": None, "input": "France", "expected_output": "Paris", **more}
    return Run(
        id=f"run-{trial}", experiment_id="e", dataset_item_id="item", trial=trial, output=output, created_at=NOW,
        scores=[score(name, value) for name, value in (scores or {}).items()], **fields,
    )  # fmt: skip


def score(name: str, value: float | str, rationale: str | None = None) -> Score:
    return Score(
        id="s", project_id="p", target_id="run", target_type="run", trace_id=None, scorer_name=name, value=value,
        rationale=rationale, source="api", scorer=None, config=None, config_hash=None, metadata=None, created_at=NOW,
    )  # fmt: skip


def values(runs: list[Run], name: str) -> list[Any]:
    (column,) = [column for column in columns_of(runs) if column.name == name]
    return column.values


@given(st.lists(JSON, max_size=5))
def test_no_output_is_lost_and_a_column_has_one_kind(outputs: list[Any]) -> None:
    (column,) = [
        one for one in columns_of([run(n, output) for n, output in enumerate(outputs)]) if one.name == "output"
    ]
    assert len(column.values) == len(outputs)
    for kept, output in zip(column.values, outputs, strict=True):
        assert kept is None or type(kept) is SCALARS[column.kind]
        assert kept == output or (column.kind == "real" and kept == float(output)) or json.loads(kept) == output


@given(st.lists(JSON, max_size=5), st.lists(st.floats(0, 1) | st.text("ab", min_size=1), min_size=5, max_size=5))
def test_polars_and_arrow_take_whatever_a_run_may_hold(outputs: list[Any], scored: list[float | str]) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    runs = [run(n, output, {"s": scored[n]}) for n, output in enumerate(outputs)]
    frame, table = as_polars(columns_of(runs)), as_arrow(columns_of(runs))
    assert frame.to_dicts() == table.to_pylist()
    assert frame.height == len(runs)


def test_scalars_of_one_kind_stay_what_they_are_and_the_rest_is_json_text() -> None:
    assert values([run(0, 1), run(1, None)], "output") == [1, None]
    assert values([run(0, 1), run(1, 0.5)], "output") == [1.0, 0.5]
    assert values([run(0, True), run(1, False)], "output") == [True, False]
    assert values([run(0, True), run(1, 2)], "output") == ["true", "2"]
    assert values([run(0, {"city": "Köln"}), run(1, "Köln")], "output") == ['{"city": "Köln"}', "Köln"]
    assert values([run(0, 2**70)], "output") == [str(2**70)]


def test_of_several_scores_of_one_scorer_the_newest_counts() -> None:
    """A run lists its scores newest first."""
    twice = run(0).model_copy(update={"scores": [score("s", 0.75), score("s", 0.25)]})
    assert values([twice], "s") == [0.75]


def test_a_scorer_named_like_another_column_keeps_both() -> None:
    runs = [run(0, scores={"output": 1.0}), run(1).model_copy(update={"scores": [score("output", 0.5, "half")]})]
    assert [one.name for one in columns_of(runs)][-2:] == ["score.output", "output.rationale"]
    assert values(runs, "score.output") == [1.0, 0.5]
    assert values(runs, "output.rationale") == [None, "half"]


def test_an_error_is_its_type_and_message() -> None:
    failed = run(0, None, error=RunError(type="ValueError", message="bad"))
    assert values([failed, run(1, None, error=RunError(message="bad"))], "error") == ["ValueError: bad", "bad"]


def test_a_pandas_frame_keeps_kinds_beside_gaps() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = as_pandas(columns_of([run(0, 2**60, {"s": 0.5}), run(1, None), run(2, 7)]))
    assert [str(kind) for kind in frame.dtypes[["trial", "input", "output", "s"]]] == [
        "int64",
        "object",
        "Int64",
        "float64",
    ]
    assert frame["output"].tolist()[0] == 2**60  # a float would have lost its last digits
    assert frame["s"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("module", "method", "remedy"),
    [
        ("polars", "as_polars", install_command("analytics")),
        ("pyarrow", "as_arrow", install_command("analytics")),
        ("pandas", "as_pandas", "pip install pandas"),
    ],
)
def test_a_library_that_is_not_there_is_named_with_its_remedy(module: str, method: str, remedy: str) -> None:
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from gnomon.sdk import frames\nfrom gnomon.errors import NotAvailable\n"
        f"try:\n    frames.{method}([])\nexcept NotAvailable as missing:\n    print(missing.message)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    name = method.replace("as_", "to_")
    assert done.stdout.strip() == f"{name} needs {module}, which is not installed; install it with: {remedy}"
