"""`gnomon score` with a judge: a file in, opinions out, nothing asked twice."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.test_judge import RUBRIC, likes_even
from gnomon.testing import LoopbackModel
from gnomon.testing.replies import Asked, Script

MODEL = "openai/gpt-4o-mini"
PROMPT = "Is {{output}} right for {{input}}? From 0 to 1."
JUDGE = ("--scorer", "llm_judge", "--model", MODEL, "--prompt", PROMPT)

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
def answers(tmp_path: Path) -> Path:
    """Five answers and a row without one."""
    path = tmp_path / "answers.jsonl"
    rows = [{"id": f"a{n}", "input": f"q{n}", "output": f"answer {n}.", "expected_output": "x"} for n in range(1, 6)]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"id": "a6", "input": "q6"}]), encoding="utf-8")
    return path


def even_is_right(asked: Asked) -> str:
    return "1" if int(re.findall(r"answer (\d+)\.", asked.prompt)[0]) % 2 == 0 else "0"


def test_a_judge_scores_a_file_beside_a_rule_says_what_it_cost_and_asks_nothing_twice(
    gnomon: Run, provider: Provider, answers: Path, tmp_path: Path
):
    model, out = provider(even_is_right), tmp_path / "scores.jsonl"
    done = gnomon("score", answers, *JUDGE, "--scorer", "contains", "--out", out)
    assert done.code == 0, done.err
    assert "llm_judge  0.400" in done.out
    assert re.search(r"judges: 5 calls, [\d,]+ tokens, \$", done.out)
    assert "stored as the experiment scored-answers" in done.out
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    judged = {row["id"]: (row["value"], row["reason"]) for row in written if row["scorer_name"] == "llm_judge"}
    assert judged == {
        "a1": (0.0, None), "a2": (1.0, None), "a3": (0.0, None), "a4": (1.0, None), "a5": (0.0, None),
        "a6": (None, "no output"),
    }  # fmt: skip
    asked = model.calls
    again = gnomon("score", answers, *JUDGE, "--scorer", "contains", "--json")
    told = json.loads(again.out)
    assert (told["judge"]["calls"], model.calls) == (0, asked)
    assert told["scores_by_scorer"]["llm_judge"]["mean"] == 0.4


def test_scores_of_a_judge_in_two_files_are_compared_and_gated(
    gnomon: Run, provider: Provider, answers: Path, tmp_path: Path
):
    provider(even_is_right)
    out = tmp_path / "scores.jsonl"
    gnomon("score", answers, *JUDGE, "--scorer", "contains", "--out", out)
    same = Path(shutil.copy(out, tmp_path / "same.jsonl"))
    done = gnomon("compare", out, same, "--fail-on", "worse")
    assert (done.code, "passed: llm_judge not worse than" in done.out) == (0, True), done.out + done.err


def test_a_rubric_scores_the_whole_and_its_dimensions(gnomon: Run, provider: Provider, answers: Path, tmp_path: Path):
    provider(lambda asked: {**likes_even(asked), "contradictions": []})
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text(RUBRIC, encoding="utf-8")
    done = gnomon("score", answers, "--rubric", rubric, "--model", MODEL, "--json")
    told = json.loads(done.out)
    assert done.code == 0
    assert "rubric" in told["scores_by_scorer"]
    assert told["scores_by_scorer"]["rubric.truth"]["n_scored"] == 5


def test_where_no_answer_can_be_read_the_exit_code_is_3_and_the_reason_is_counted(
    gnomon: Run, provider: Provider, answers: Path
):
    provider(lambda asked: "Splendid!")
    done = gnomon("score", answers, *JUDGE)
    assert done.code == 3
    assert "5 unreadable answers" in done.out
    gate = gnomon("gate", "scored-answers", "llm_judge >= 0.5")
    assert (gate.code, "all 5 scores failed: 5 unreadable answers" in gate.out) == (3, True), gate.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--scorer", "llm_judge", "--prompt", PROMPT], "llm_judge needs --model"),
        (["--scorer", "llm_judge", "--model", MODEL], "llm_judge needs --prompt"),
        (["--scorer", "contains", "--model", MODEL], "--model is for llm_judge and --rubric"),
        (["--scorer", "contains", "--prompt", PROMPT], "--prompt is for --scorer llm_judge"),
        (["--rubric", "nobody.yaml", "--model", MODEL], "nobody.yaml"),
        (["--rubric", "nobody.yaml"], "--rubric needs --model"),
        (["--scorer", "rubric", "--model", MODEL], "write --rubric FILE"),
        ([*JUDGE, "--input-column", "inptu"], "did you mean --input-column input?"),
        (["--scorer", "llm_judge", "--model", MODEL, "--prompt", "Good?"], "must contain {{input}}"),
        ([*JUDGE, "--skip-bad-lines"], "fix the file"),
    ],
)
def test_what_is_missing_or_too_much_is_one_line(
    gnomon: Run, provider: Provider, answers: Path, arguments: list[str], words: str
):
    provider(even_is_right)
    done = gnomon("score", answers, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert words in done.err


def test_without_a_key_the_model_is_refused_before_anything_is_asked(gnomon: Run, answers: Path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = gnomon("score", answers, *JUDGE)
    assert (done.code, done.out) == (2, "")
    assert "OPENAI_API_KEY" in done.err
