"""Every example runs as it is, and says what it should."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SAYS = {
    "compare_agents.py": ["watchful-140e5831: succeeds on 75% of the days", "never-acts: succeeds on 50% of the days"],
    "many_at_once.py": ["squares: 20 items, their sum is 2470"],
    "score_a_file.py": ["capitals: mean 0.67, 95 % interval 0.21 to 0.94", "3 of 4 scored"],
    "send_a_trace.py": ["accepted 2 spans", "answer: 2 spans, 19 tokens, error: False"],
    "two_prompts.py": ["careful is improved", "gate: passed"],
}


def test_every_example_is_listed_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name: str, server_on):
    server = server_on("sqlite")
    environment = {**os.environ, "GNOMON_URL": server.url, "GNOMON_API_KEY": server.admin_key}
    done = subprocess.run([sys.executable, EXAMPLES / name], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    for words in SAYS[name]:
        assert words in done.stdout
