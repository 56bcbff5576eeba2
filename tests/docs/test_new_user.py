"""A new user's first day: README, quickstart, every example twice, and a suite in CI that regresses or cannot tell.

One user with one home, from an empty machine on; each test goes on where the one before it ended.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import start_server
from databases import new_sqlite_with_schema
from pages.blocks import ROOT
from pages.runner import PageRunner
from pages.walk import at_the, environment_for, programs

EXAMPLES = ROOT / "examples"
SAYS_WITH_A_SERVER = {
    "compare_agents.py": ["watchful-140e5831: succeeds on 75% of the days", "never-acts: succeeds on 50% of the days"],
    "many_at_once.py": ["squares (version 2): 20 items, their sum is 2470"],
    "score_a_file.py": ["capitals: mean 0.67, 95 % interval 0.21 to 0.94", "3 of 4 scored"],
    "send_a_trace.py": ["accepted 2 spans", "answer: 2 spans, 19 tokens, error: False"],
    "two_prompts.py": ["careful is improved", "gate: passed"],
}
SAYS_WITHOUT = {
    "agent_with_tools.py": ["right_tools  0.875", "solved       0.958", "pass^4 0.500 (0.188 to 0.812)"],
    "capitals.py": ["exact_match: better, by 0.373 to 0.982", "contains: cannot tell: -0.404 to +0.205"],
    "rag_chatbot.py": [
        "exact_match: better, by 0.263 to 0.862",
        "to_the_point: judged by openai/gpt-4o-mini, 0.0% of its answers unreadable",
        "passed: found_passage >= 0.6",
    ],
}
SUITE = """\
data: numbers.jsonl
task: app.py:answer
scorers: [exact_match]
gates: []
"""


@dataclass
class NewUser:
    place: Path
    """With a home, and a folder to work in."""
    environment: dict[str, str]
    hour: int = 0

    def types(self, script: str) -> subprocess.CompletedProcess[str]:
        self.hour += 1
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=self.place / "folder",
            env=self.environment | at_the(self.hour), capture_output=True, text=True,
        )  # fmt: skip

    def writes(self, name: str, text: str) -> None:
        file = self.place / "folder" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> NewUser:
    place = tmp_path_factory.mktemp("new-user")
    for name in ("home", "folder"):
        (place / name).mkdir()
    return NewUser(place, environment_for(place / "home", programs(place / "bin")))


@pytest.fixture(scope="module")
def with_server(user: NewUser) -> Iterator[NewUser]:
    home = user.place / "examples-server"
    home.mkdir()
    server = start_server(new_sqlite_with_schema(home / "gnomon.db"), home)
    yield NewUser(user.place, user.environment | {"GNOMON_URL": server.url, "GNOMON_API_KEY": server.admin_key})
    server.stop()


@pytest.mark.parametrize("page", ["README.md", "docs/get-started/quickstart.md"])
def test_first_pages_run_one_after_the_other(
    page: str, user: NewUser, tmp_path: Path, new_postgresql: Callable[[], str]
) -> None:
    faults = PageRunner(tmp_path, new_postgresql).run(ROOT / page, user.place).faults
    assert not faults, "\n\n".join(faults)


def test_every_example_is_listed_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == SAYS_WITH_A_SERVER.keys() | SAYS_WITHOUT.keys()


@pytest.mark.parametrize("name", SAYS_WITHOUT)
def test_an_example_runs_twice_on_one_machine(name: str, user: NewUser) -> None:
    runs_twice(user, name, SAYS_WITHOUT[name])


@pytest.mark.parametrize("name", [*SAYS_WITH_A_SERVER, "capitals.py"])
def test_an_example_runs_twice_on_one_server(name: str, with_server: NewUser) -> None:
    runs_twice(with_server, name, SAYS_WITH_A_SERVER.get(name, ["/projects/default/experiments/"]))


def runs_twice(user: NewUser, name: str, words: list[str]) -> None:
    for attempt in ("first", "second"):
        done = user.types(f"python '{EXAMPLES / name}'")
        assert done.returncode == 0, f"{name}, {attempt} run: {done.stderr}"
        missing = [each for each in words if each not in done.stdout]
        assert not missing, f"{name}, {attempt} run, does not print {missing}:\n{done.stdout}"


def test_a_suite_in_ci_regresses_or_cannot_tell(user: NewUser) -> None:
    rows = [{"id": str(n), "input": str(n), "expected_output": str(n)} for n in range(40)]
    user.writes("evals/numbers.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    user.writes("evals/numbers.yaml", SUITE)
    user.writes("evals/app.py", "def answer(input):\n    return input\n")
    user.writes(".gitignore", "*\n!evals\n!evals/*.*\n!.gitignore\n__pycache__\n")
    begun = user.types(
        "git init -q -b main; git add .; git commit -qm 'An application and its suite'; gnomon eval evals --quiet"
    )
    assert begun.returncode == 0, begun.stdout + begun.stderr

    user.writes("evals/app.py", "def answer(input):\n    return 'wrong' if int(input) % 2 else input\n")
    worse = user.types(
        "git checkout -qb worse; git commit -qam 'Answer faster'\n"
        "gnomon eval evals --quiet --against git:main --markdown comment.md"
    )
    assert worse.returncode == 1, worse.stdout + worse.stderr
    comment = (user.place / "folder" / "comment.md").read_text("utf-8")
    assert comment.startswith("### numbers: ✗ failed")
    assert comment.count("#### exact_match 1.000 → 0.000") == 5
    assert "-1\n+wrong\n" in comment

    user.writes("evals/app.py", "def answer(input):\n    return 'wrong' if input == '7' else input\n")
    user.writes("evals/numbers.yaml", SUITE.replace("[]", "['exact_match not worse than git:main by 0.01']"))
    unsure = user.types(
        "git commit -qam 'Nearly as before'; gnomon eval evals --quiet --against git:main --markdown comment.md"
    )
    assert unsure.returncode == 4, unsure.stdout + unsure.stderr
    assert (user.place / "folder" / "comment.md").read_text("utf-8").startswith("### numbers: ? undecided")
