"""`gnomon judge run`: a file and a rubric in, means with intervals and a pass rate out."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from gnomon.stats.interval import wilson
from gnomon.testing import Asked, ClientError, LoopbackModel, Script

pytestmark = [
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
]

RUBRIC = """\
version: 1
name: answers
instructions: Judge the answer.
dimensions:
  - {name: truth, description: Is it true?}
  - {name: tone, description: Is it polite?}
paths_to_pass:
  true enough: {minimum: {truth: 7}}
"""
MODEL = "openai/gpt-4o-mini"
FINDING = {"name": "short", "value": True, "statement": "It has one word."}

Provider = Callable[[Script], LoopbackModel]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with ExitStack() as open_models:

        def start(script: Script) -> LoopbackModel:
            model = open_models.enter_context(LoopbackModel(script))
            for name, value in model.environment().items():
                monkeypatch.setenv(name, value)
            return model

        yield start


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "rubric.yaml"
    path.write_text(RUBRIC, encoding="utf-8")
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Six answers, one of them missing; the judge of these tests likes those with an even number."""
    path = tmp_path / "answers.jsonl"
    made: list[dict[str, Any]] = [{"id": f"a{n}", "input": f"q{n}", "output": f"answer {n}."} for n in range(1, 6)]
    made[0]["findings"] = [FINDING]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*made, {"id": "a6"}]), encoding="utf-8")
    return path


def likes_even(asked: Asked) -> dict[str, Any]:
    truth = 9 if int(re.findall(r"answer (\d+)\.", asked.prompt)[0]) % 2 == 0 else 2
    denial = {"finding": "short", "agrees": False, "comment": "It has two."}
    return {
        "reasoning": "r",
        "dimension_scores": [
            {"dimension": "truth", "score": truth, "reasoning": ""},
            {"dimension": "tone", "score": 5, "reasoning": ""},
        ],
        "overall_score": truth,
        "overall_assessment": "a",
        "finding_statements": [denial] if "It has one word." in asked.prompt else [],
        "quotes": ["never said"] if "answer 2." in asked.prompt else ["answer"],
    }


def test_dimensions_have_means_with_intervals_and_gaps_have_reasons(gnomon: Run, provider: Provider, rows, rubric):
    model = provider(likes_even)
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"answers.jsonl: 6 rows by {MODEL}, rubric answers\n")
    assert re.search(r"^truth +4\.800 +\d\.\d{3} to \d\.\d{3} .* 5 of 6$", done.out, re.MULTILINE)
    assert re.search(r"^tone +5\.000 ", done.out, re.MULTILINE)
    ends = wilson(2, 5)
    assert f"pass rate 0.400 ({ends.low:.3f} to {ends.high:.3f}): 2 of 5, 2 by true enough" in done.out
    assert "1 without an opinion (1 no output)" in done.out
    assert "it cannot be said (1 no output): the rate would be 0.333 had none of them passed, 0.500 had all" in done.out
    assert "the judge denies a finding, which stands: 1 of 6 (short 1)" in done.out
    assert "the judge quotes what is not there: 1 of 6" in done.out
    assert model.calls == 5


def test_every_row_has_a_line_in_the_file_that_is_asked_for(gnomon: Run, provider: Provider, rows, rubric, tmp_path):
    provider(likes_even)
    out = tmp_path / "opinions.jsonl"
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL, "--passes", "2", "--out", out)
    assert f"opinions are in {out}" in done.out
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(one["row"], one["id"], one["state"], one["passed"]) for one in written] == [
        (1, "a1", "scored", False),
        (2, "a2", "scored", True),
        (3, "a3", "scored", False),
        (4, "a4", "scored", True),
        (5, "a5", "scored", False),
        (6, "a6", "absent", None),
    ]
    assert written[0]["contradictions"] == [
        {"finding": "short", "value": True, "comments": ["It has two.", "It has two."]}
    ]
    assert written[1]["quotes_not_found"] == ["never said"]
    assert written[1]["spread"]["truth"] == {"standard_deviation": 0, "min": 9, "max": 9}
    assert written[5]["reason"] == "no output"


def test_json_is_for_programs(gnomon: Run, provider: Provider, rows, rubric):
    provider(likes_even)
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL, "--json")
    told = json.loads(done.out)
    assert (told["rows"], told["dimensions"]["truth"]["mean"], told["pass_rate"]["mean"]) == (6, 0.48, 0.4)
    assert told["pass_rate"]["ci_method"] == "wilson"
    assert len(told["rubric_hash"]) == 16


def test_when_no_row_can_be_judged_the_exit_code_is_three_and_the_reason_is_shown(
    gnomon: Run, provider: Provider, rows, rubric
):
    provider(ClientError(401, "no such key"))
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL)
    assert done.code == 3
    assert "6 without an opinion (5 refused, 1 no output)" in done.out
    assert "refused, for instance: openai answered 401: no such key" in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "openai/gpt-4o http://evil"], "not the name of a model"),
        (["--rubric", "gone.yaml"], "gone.yaml"),
        (["--rubric", "answers.jsonl"], "answers.jsonl"),
        (["--out", "opinions.csv"], ".jsonl"),
        (["--out", "answers.jsonl"], "a file that is read"),
        (["--out", "no/such/folder.jsonl"], "No such file"),
        (["--passes", "26"], "--passes"),
    ],
)
def test_what_is_wrong_is_one_line_before_anything_is_asked(
    gnomon: Run, provider: Provider, rows: Path, rubric, monkeypatch, arguments, words
):
    model = provider(likes_even)
    monkeypatch.chdir(rows.parent)
    before = rows.read_text()
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL, *arguments)
    assert (done.code, done.out, done.err.count("\n"), model.calls) == (2, "", 1, 0)
    assert words in done.err
    assert rows.read_text() == before


def test_a_model_without_a_key_is_refused_at_the_door(gnomon: Run, rows, rubric, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    done = gnomon("judge", "run", rows, "--rubric", rubric, "--model", MODEL)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "OPENAI_API_KEY" in done.err


def test_help_and_refusals_do_not_load_a_client():
    code = "import sys; from gnomon.cli.judge import judge; import gnomon.service.judges.opinion; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"litellm", "instructor", "yaml", "numpy"} & set(done.stdout.split())
