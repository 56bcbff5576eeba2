"""A server whose judges are asked over real HTTP, at a model on loopback that each test scripts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from conftest import Server, start_server
from contract.caller import Api, fresh_project
from gnomon.testing import Asked, LoopbackModel

TEMPLATE = "Question: {{input}}\nAnswer: {{output}}\nRate it."


@dataclass
class Model:
    """The one model of a test process; what it answers is up to the test at hand."""

    server: LoopbackModel
    script: Callable[[Asked], Any] = field(default=lambda asked: "1")
    seen: int = 0

    @property
    def calls(self) -> int:
        """Since the test began."""
        return self.server.calls - self.seen

    def prompts(self) -> list[str]:
        return [request.prompt for request in self.server.requests[self.seen :]]


@pytest.fixture(scope="session")
def one_model() -> Iterator[Model]:
    holder: list[Model] = []
    with LoopbackModel(lambda asked: holder[0].script(asked)) as server:
        holder.append(Model(server))
        yield holder[0]


@pytest.fixture
def model(one_model: Model) -> Model:
    one_model.script, one_model.seen = (lambda asked: "1"), one_model.server.calls
    return one_model


@pytest.fixture(scope="session")
def judging_server(
    one_model: Model, tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]
) -> Iterator[Callable[..., Server]]:
    running: dict[str, Server] = {}

    def server(database: str, way: str = "auto") -> Server:
        if (name := f"{database}-{way}") not in running:
            home = tmp_path_factory.mktemp(f"judge-{name}")
            url = new_postgresql() if database == "postgresql" else f"sqlite:///{home / 'gnomon.db'}"
            # What must time out waits as long as this; what must not, has as long as this on a busy machine.
            quick = {"GNOMON_BACK_OFF_SECONDS": "0.05", "GNOMON_LEASE_SECONDS": "30", "GNOMON_JUDGE_TIMEOUT": "20"}
            quick["GNOMON_JUDGE_TRANSPORT"] = way
            running[name] = start_server(url, home, **one_model.server.environment(), **quick)
        return running[name]

    yield server
    for started in running.values():
        started.stop()


@pytest.fixture
def root(database: str, judging_server: Callable[..., Server]) -> Api:
    server = judging_server(database)
    return Api(server.http, server.admin_key, fresh_project())


@pytest.fixture
def api(root: Api, model: Model) -> Api:
    return root.with_key("admin")


def judge(**config: Any) -> dict[str, Any]:
    return {"scorer_name": "llm_judge", "config": {"model": "judge-1", "prompt_template": TEMPLATE, **config}}


RUBRIC: dict[str, Any] = {
    "version": 1,
    "name": "support answers",
    "instructions": "Judge the answer to a customer.",
    "dimensions": [
        {"name": "truth", "description": "Is it true?", "weight": 3},
        {"name": "tone", "description": "Is it polite?"},
    ],
    "paths_to_pass": {"true enough": {"minimum": {"truth": 7}}},
}


def rubric(scorer_name: str = "quality", **config: Any) -> dict[str, Any]:
    return {
        "scorer_name": scorer_name,
        "scorer": "rubric",
        "config": {"model": "judge-1", "rubric": RUBRIC, **config},
    }


def opinion(truth: float = 8, tone: float = 6, overall: float = 7, **more: Any) -> dict[str, Any]:
    """What a model answers that judges by `RUBRIC`."""
    return {
        "reasoning": "I looked.",
        "dimension_scores": [
            {"dimension": "truth", "score": truth, "reasoning": "It is true."},
            {"dimension": "tone", "score": tone, "reasoning": "It is curt."},
        ],
        "overall_score": overall,
        "overall_assessment": "Fine on the whole.",
        **more,
    }
