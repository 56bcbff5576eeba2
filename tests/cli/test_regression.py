"""`gnomon compare --fail-on` and `gnomon gate --against`, on stored experiments and on files: one law for the codes."""

import csv
import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.conftest import Run
from gnomon.interop.resulttables import LongTable, read_table
from gnomon.model.backend import find_experiment
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import ProjectDraft
from gnomon.service.analysis.gates import check_all
from gnomon.service.analysis.regressions import difference_gates
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.resultfiles import ResultFile, stored_for_a_moment
from gnomon.service.upkeep.maintenance import make_ready

RENEW = bool(os.environ.get("GNOMON_RENEW_GOLDEN"))
GOLDEN = Path(__file__).parents[1] / "golden" / "gate"

Value = float | str | None
"""A score, why it failed, or nothing."""


def table(path: Path, values: Sequence[Value], wrong_from: int = 0) -> Path:
    """A file of results with texts; `wrong_from` is the first item whose output differs."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "input", "expected_output", "output", "score", "state", "reason"])
        for number, value in enumerate(values):
            answer = f"The sum is {2 * number + (number >= wrong_from > 0)}."
            failed = isinstance(value, str)
            cells = ["" if failed or value is None else value, "failed" if failed else "", value if failed else ""]
            rows.writerow([f"q{number}", f"{number} + {number}?", 2 * number, answer, *cells])
    return path


@pytest.fixture
def better(tmp_path: Path) -> Path:
    return table(tmp_path / "better.csv", [1.0] * 34 + [0.0] * 6)


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    return table(tmp_path / "worse.csv", [1.0] * 20 + [0.0] * 20, wrong_from=20)


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """One item worse: too little to tell."""
    return table(tmp_path / "near.csv", [1.0] * 33 + [0.0] * 7)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return table(tmp_path / "broken.csv", ["unparsable"] * 38 + ["timeout: no answer in 60 s"] * 2)


@pytest.mark.parametrize(
    ("base", "other", "arguments", "code"),
    [
        ("better", "worse", ["--fail-on", "worse"], 1),
        ("better", "near", ["--fail-on", "worse"], 0),
        ("worse", "better", ["--fail-on", "worse"], 0),
        ("worse", "better", ["--fail-on", "not-better"], 0),
        ("better", "near", ["--fail-on", "not-better"], 1),
        ("better", "worse", ["--fail-on", "not-better"], 1),
        ("better", "broken", ["--fail-on", "worse"], 3),
        ("broken", "better", ["--fail-on", "worse"], 3),
        ("better", "worse", [], 0),
        ("better", "worse", ["--fail-on", "worse", "--scorer", "scor"], 2),
        ("better", "worse", ["--scorer", "score"], 2),
    ],
)
def test_a_comparison_fails_only_on_what_is_certain(
    gnomon: Run, request: pytest.FixtureRequest, base: str, other: str, arguments: list[str], code: int
):
    """Spec: `worse` fails only on `regressed`, `not-better` passes only on `improved`, everything failed is 3."""
    done = gnomon("compare", request.getfixturevalue(base), request.getfixturevalue(other), *arguments)
    assert done.code == code, done.out + done.err


@pytest.mark.parametrize(
    ("experiment", "against", "margin", "code"),
    [
        ("worse", "better", None, 1),
        ("near", "better", None, 0),
        ("near", "better", 0.5, 0),
        ("near", "better", 0.02, 4),
        ("worse", "better", 0.02, 1),
        ("broken", "better", 0.02, 3),
    ],
)
def test_a_gate_against_a_base_passes_fails_or_is_open_by_its_margin(
    gnomon: Run, request: pytest.FixtureRequest, experiment: str, against: str, margin: float | None, code: int
):
    """Spec: pass if the low end > −m, fail if the high end < −m, else 4; without a margin as `worse`."""
    by = [] if margin is None else ["--margin", margin]
    done = gnomon("gate", request.getfixturevalue(experiment), "--against", request.getfixturevalue(against), *by)
    assert done.code == code, done.out + done.err
    if margin is None and code == 0:
        assert "a drop of up to 0." in done.out
        assert "is not ruled out" in done.out


def test_the_items_that_got_worse_are_shown_with_their_texts(gnomon: Run, better: Path, worse: Path):
    out = gnomon("compare", better, worse, "--fail-on", "worse", "--show", 2).out
    assert "The 2 items that lost most, of 14 that got worse:" in out
    assert "- score 1.000 → 0.000\n    input: 20 + 20?\n    expected: 40\n    output: The sum is [-40.-] {+41.+}" in out
    assert out.count("input:") == 2
    assert "input:" not in gnomon("compare", better, worse, "--show", 0).out


def test_reports_for_a_pull_request_and_a_build_server_are_those_of_eval(
    gnomon: Run, better: Path, worse: Path, tmp_path: Path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = gnomon("compare", "better.csv", "worse.csv", "--fail-on", "worse", "--show", 2, "--markdown", "c.md",
                  "--junit", "c.xml")  # fmt: skip
    assert done.code == 1
    for name in ("c.md", "c.xml"):
        kept = GOLDEN / f"compare.{name[2:]}"
        if RENEW:
            kept.write_text(Path(name).read_text(encoding="utf-8"), encoding="utf-8")
        assert Path(name).read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
    (case,) = ElementTree.parse("c.xml").getroot()
    assert [child.tag for child in case] == ["failure"]
    printed = gnomon("compare", "better.csv", "worse.csv", "--fail-on", "worse", "--show", 2, "--markdown", "-")
    assert printed.out == Path("c.md").read_text(encoding="utf-8")
    both = gnomon("compare", "better.csv", "worse.csv", "--json", "--markdown", "-")
    assert (both.code, "both write to stdout" in both.err) == (2, True)


def test_json_has_the_comparison_the_gates_and_the_items(gnomon: Run, better: Path, worse: Path):
    told = json.loads(gnomon("compare", better, worse, "--fail-on", "worse", "--json").out)
    assert (told["exit_code"], told["gates"][0]["decision"]) == (1, "fail")
    assert (told["worse"][0]["input"], len(told["worse"])) == ("20 + 20?", 5)
    gate = json.loads(gnomon("gate", worse, "--against", better, "--json").out)
    assert (gate["exit_code"], gate["worse"][0]["delta"]) == (1, -1.0)


def test_where_everything_failed_the_reasons_are_counted(gnomon: Run, better: Path, broken: Path):
    words = "all 40 scores failed: 38 unreadable answers, 2 timeouts (no answer in 60 s)"
    assert words in gnomon("gate", broken, "--against", better).out
    assert words in gnomon("gate", broken, "score >= 0.5").out
    assert words in gnomon("gate", broken, "--scorer", "score", "--threshold", 0.5).out


# --- files -----


def both(tmp_path: Path, header: str = "model,task_id,score", name: str = "both.csv") -> Path:
    rows = [f"{agent},q{n},{int(n < right)}" for n in range(40) for agent, right in (("small", 34), ("large", 20))]
    path = tmp_path / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_one_file_may_hold_both_experiments(gnomon: Run, tmp_path: Path):
    file = both(tmp_path)
    for arguments in ([file], ["small", "large", "--file", file]):
        done = gnomon("compare", *arguments, "--fail-on", "worse")
        assert (done.code, done.out.splitlines()[0]) == (1, "small → large")
        assert "agent=model, item=task_id, value=score" in done.err
    assert gnomon("gate", "large", "--against", "small", "--file", file).code == 1
    assert gnomon("gate", "large", "score not worse than small by 0.9", "--file", file).code == 0


@pytest.mark.parametrize("command", ["compare", "leaderboard", "lint"])
def test_columns_are_named_where_their_names_are_not_the_usual_ones(gnomon: Run, tmp_path: Path, command: str):
    file = both(tmp_path, "who,itme,mark")
    done = gnomon(command, file)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "has the columns who, itme, mark" in done.err
    assert "--columns item=itme" in done.err
    done = gnomon(command, file, "--columns", "agent=who,item=itme,value=mark")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("header", "arguments", "words"),
    [
        ("model,task_id,scre", [], "did you mean --columns value=scre?"),
        ("model,task_id,score", ["--columns", "value=scor"], "has no column 'scor' (for value); did you mean score?"),
        ("model,task_id,score", ["--columns", "agnt=model"], "did you mean agent?"),
        ("score,task_id,reward", [], "has the columns score and reward; say which one is the value"),
        ("model,system,score", ["--columns", "item=score"], "say which one is the agent"),
        ("model,task_id,score", ["--url", "http://localhost:1"], "--url is for stored experiments"),
        ("model,task_id,score", ["--at", "~1"], "--at is for stored experiments"),
    ],
)
def test_a_column_that_is_missing_or_not_clear_is_one_line(
    gnomon: Run, tmp_path: Path, header: str, arguments: list[str], words: str
):
    done = gnomon("compare", both(tmp_path, header), *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert words in done.err


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["small", "lrge", "--file", "both.csv"], "did you mean 'large'?"),
        (["both.csv", "both.csv"], "is named twice"),
        (["both.csv", "main"], "gnomon import both.csv"),
        (["both.csv", "three.csv"], "has several experiments: small, large"),
        (["nobody.csv", "three.csv"], "nobody.csv: No such file"),
        (["main"], "name two experiments, or a file that has two"),
        (["main", "other", "--columns", "item=x"], "--columns is for files of results"),
    ],
)
def test_files_that_cannot_be_meant_are_one_line(gnomon: Run, tmp_path: Path, monkeypatch, names, words):
    monkeypatch.chdir(tmp_path)
    both(tmp_path)
    both(tmp_path, name="three.csv")
    done = gnomon("compare", *names)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert words in done.err


# --- the law -----


def stored(backend: Embedded, dataset_id: str, items: Sequence[str], name: str, values: Sequence[Value]) -> str:
    """The same data as an experiment that somebody stored run by run."""
    draft = ExperimentDraft(project_id="p", name=name, dataset_id=dataset_id)
    experiment = backend.create_experiment(draft).id
    runs = []
    for item, value in zip(items, values, strict=True):
        fields: dict[str, Any] = {"failed": value} if isinstance(value, str) else {"value": value}
        if value is None:
            fields = {"absent": "the file has no value"}
        runs.append(
            RunDraft(dataset_item_id=item, output="x", scores=[InlineScoreDraft(scorer_name="score", **fields)])
        )
    backend.add_runs(experiment, runs)
    backend.complete(experiment)
    return experiment


def decisions(backend: Embedded, margin: float | None) -> list[tuple[Any, ...]]:
    base, other = find_experiment(backend, "base.csv"), find_experiment(backend, "other.csv")
    summary = backend.summary(other.id)
    gates = [
        *difference_gates(summary, "base.csv", scorer_name="score", margin=margin),
        *difference_gates(summary, "base.csv", scorer_name="score", better=True),
        "score >= 0.5",
    ]
    results = check_all(backend, other, gates)
    compared = backend.compare(base.id, other.id).scorer_comparisons
    verdicts = [(one.verdict, one.delta_ci_95, one.p_value_adjusted) for one in compared]
    return [*verdicts, *((one.decision, one.value, one.words) for one in results), (results.exit_code,)]


VALUES = st.lists(
    st.tuples(*[st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1), st.sampled_from(["unparsable", None]))] * 2),
    min_size=1, max_size=25,
)  # fmt: skip


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(VALUES, st.sampled_from([None, 0.0, 0.1]))
def test_the_same_data_as_files_and_as_stored_experiments_give_the_same_verdicts_and_codes(
    tmp_path: Path, pairs: list[tuple[Value, Value]], margin: float | None
):
    columns = {"base.csv": [base for base, _ in pairs], "other.csv": [other for _, other in pairs]}
    url = f"sqlite:///{tmp_path / 'stored.db'}"
    (tmp_path / "stored.db").unlink(missing_ok=True)
    make_ready(url)
    with Embedded(url) as backend:
        backend.create_project(ProjectDraft(id="p"))
        dataset = backend.create_dataset(DatasetDraft(project_id="p", name="d"))
        drafts = [ItemDraft(input=n, key=f"q{n}") for n in range(len(pairs))]
        items = backend.sync_items(dataset.id, drafts).item_ids
        for name, values in columns.items():
            stored(backend, dataset.id, items, name, values)
        as_stored = decisions(backend, margin)
    files = []
    for name, values in columns.items():
        scores = read_table(table(tmp_path / name, values), with_texts=True)
        assert isinstance(scores, LongTable)
        files.append(ResultFile(scores, name))
    with stored_for_a_moment(files) as backend:
        as_files = decisions(backend, margin)
    assert as_files == as_stored


def test_failed_runs_of_a_file_are_failed_runs(gnomon: Run, tmp_path: Path):
    path = tmp_path / "down.csv"
    path.write_text("item,score,error\n" + "".join(f"q{n},,no route\n" for n in range(6)), encoding="utf-8")
    done = gnomon("gate", path, "score >= 0.5")
    assert (done.code, "all 6 runs failed" in done.out) == (3, True), done.out + done.err
