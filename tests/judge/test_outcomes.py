"""The table of outcomes in docs/scorers/llm-judge.md, row by row: what a model does, and what becomes of the job."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from contract.caller import Api, expect
from gnomon import testing
from judge.conftest import Model, judge

PAGE = Path(__file__).parents[2] / "docs/scorers/llm-judge.md"
ROW = re.compile(r"\| (`.+`(?: × \d+)?(?:, `.+`)*) \| (done|failed) \| (\S+) \| (\d+) \| (\d+) \|")
REPLY = re.compile(r"`([^`]+)`(?: × (\d+))?")


def rows() -> list[tuple[str, str, str, int, int]]:
    section = PAGE.read_text().partition("## What a model may do")[2]
    found = [ROW.fullmatch(line) for line in section.splitlines() if line.startswith("| `")]
    assert len(found) > 15
    return [(row[1], row[2], row[3], int(row[4]), int(row[5])) for row in found if row]


def replies(told: str) -> list[Any]:
    """As the table writes them: replies of the test kit, some of them several times."""
    found = [[eval(reply, vars(testing))] * int(times or 1) for reply, times in REPLY.findall(told)]
    return list(itertools.chain.from_iterable(found))


@pytest.mark.parametrize(("told", "status", "outcome", "attempts", "calls"), rows(), ids=[row[0] for row in rows()])
def test_a_row_of_the_table(api: Api, model: Model, told: str, status: str, outcome: str, attempts: int, calls: int):
    *first, last = replies(told)
    said = itertools.chain(first, itertools.repeat(last))
    model.script = lambda asked: next(said)
    run = api.answer("Paris", input=told)
    # A model of its own: what all workers learn of one model is not for the next row to meet.
    body = {"target_id": run.id, "target_type": "run", **judge(model=f"judge-{api.project}")}
    job = api.finished(expect(202, api.post("/scores", body))["job_id"])
    assert (job["status"], job["attempts"], model.calls) == (status, attempts, calls), job
    values = [score["value"] for score in api.scores(run.id)]
    if status == "done":
        assert values == [float(outcome)]
    else:
        assert (values, job["reason"].partition(":")[0]) == ([], outcome)
