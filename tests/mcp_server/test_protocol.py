"""The protocol: what is listed, what stands on stdout, and what is said without the SDK."""

import json
import subprocess
import sys
from pathlib import Path

from mcp import Client
from mcp.types import TextContent

from gnomon.mcp.server import TOOLS, described
from mcp_server.conftest import own_environment, session

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip


def test_every_tool_and_every_parameter_is_described() -> None:
    for tool in TOOLS:
        assert len(tool.description) > 20, tool.name
        schema = tool.schema()
        assert schema["additionalProperties"] is False
        for name, parameter in schema.get("properties", {}).items():
            described_so = parameter.get("description", "")
            assert described_so.endswith("."), f"{tool.name}.{name} is not described"
            optional = name not in schema.get("required", ())
            assert not optional or "default" in parameter, f"{tool.name}.{name}"
            if optional and parameter["default"] is None and name not in ("after", "before"):
                assert "Default: " in described_so, f"{tool.name}.{name} does not say what holds without it"


def test_hints_tell_which_tools_change_something() -> None:
    for tool in TOOLS:
        hints = described(tool).annotations
        assert hints is not None
        assert hints.read_only_hint is not tool.writes


def test_the_prompt_asks_for_an_explanation_of_what_got_worse(filled: Path) -> None:
    async def prompt(client: Client) -> tuple[list[str], str]:
        listed = await client.list_prompts()
        asked = await client.get_prompt("explain_regression", {"experiment": "city-bot"})
        content = asked.messages[0].content
        assert isinstance(content, TextContent)
        return [one.name for one in listed.prompts], content.text

    names, text = session(prompt, "--db", str(filled))
    assert names == ["explain_regression"]
    assert text.startswith("Call compare_experiments with experiment='city-bot' and say what got worse")


def test_nothing_but_the_protocol_stands_on_stdout_and_the_server_ends_with_its_input(filled: Path) -> None:
    call = {"name": "list_projects", "arguments": {}}
    lines = [
        json.dumps(INITIALIZE),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        "not json at all",
        "{",
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ]
    command = [sys.executable, "-m", "gnomon", "mcp", "--db", str(filled), "--write"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=own_environment(), **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        answers = {}
        while 2 not in answers:
            answer = json.loads(process.stdout.readline())  # an empty line, at the end, is not JSON
            assert answer["jsonrpc"] == "2.0"
            answers[answer.get("id")] = answer
        rest, log = process.communicate()
    assert answers[1]["result"]["serverInfo"]["name"] == "gnomon"
    assert "capitals" in answers[2]["result"]["content"][0]["text"]
    assert rest == ""
    assert "Traceback" not in log
    assert process.returncode == 0


def test_without_a_database_the_command_says_so_in_a_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gnomon", "mcp", "--db", str(tmp_path / "nothing.db")]
    done = subprocess.run(command, input="", capture_output=True, text=True, env=own_environment(), check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("gnomon: there is no database ")
    assert len(done.stderr.splitlines()) == 1


def test_the_tools_can_be_printed_without_a_database() -> None:
    command = [sys.executable, "-m", "gnomon", "mcp", "--json", "--db", "nothing.db"]
    done = subprocess.run(command, capture_output=True, text=True, env=own_environment(), check=True)
    assert {tool["name"]: tool["input_schema"] for tool in json.loads(done.stdout)} == {
        tool.name: tool.schema() for tool in TOOLS if not tool.writes
    }


def test_without_the_sdk_the_command_names_what_to_install_from_a_clone() -> None:
    script = "import sys; sys.modules['mcp'] = None; from gnomon.cli.main import main; main(['mcp'])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=own_environment(), check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "gnomon: `gnomon mcp` needs the extra `mcp`; run: pip install -e '.[mcp]'\n"
