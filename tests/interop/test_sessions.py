"""Sessions of coding agents with their texts: each thing once, side-chains apart, nothing makes it raise."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentlogs.sessions import Line, bash, came_back, codex, said, shell, shell_output, stamp, tokens, write
from gnomon.errors import GnomonError, Refused
from gnomon.interop.agentsessions import read
from gnomon.model.transcript import Transcript


def asked(seconds: float, text: str, **more: Any) -> Line:
    message = {"role": "user", "content": text}
    return {"type": "user", "timestamp": stamp(seconds), "sessionId": "s1", "message": message, **more}


def words(text: str) -> Line:
    return {"type": "text", "text": text}


def only(path: Path) -> Transcript:
    (found,) = read(path)
    return found


def test_a_claude_session_is_prompts_with_the_answers_calls_and_results(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        {"type": "summary", "summary": "x"},
        asked(0, "run the tests"),
        said(1, words("Running."), id="m1", usage=(10, 1, 300, 100)),
        said(2, bash("pytest", "t1"), id="m1", usage=(10, 5, 300, 100)),
        came_back(5, "t1", "Exit code 1\nboom", error=True),
        said(6, words("They fail."), id="m2", usage=(20, 7, 0, 0)),
        asked(9, "thanks"),
    )
    found = only(path)
    assert (found.scenario_id, found.run_id, found.source) == ("s1", "s1", "claude-code")
    assert [beat.user_message for beat in found.steps] == ["run the tests", "thanks"]
    first = found.steps[0]
    assert [turn.agent_text for turn in first.turns] == ["Running.", "They fail."]
    (made,) = found.calls()
    assert (made.tool, made.args, made.ok, made.duration_ms) == ("Bash", {"command": "pytest"}, False, 3000)
    assert made.result == {"text": "Exit code 1\nboom"}
    assert first.usage is not None
    assert (first.usage.input, first.usage.output, first.latency_ms) == (430, 12, 6000)
    assert found.metadata == {"cwd": "/repo", "models": ["claude-sonnet-4-5"], "model": "claude-sonnet-4-5"}


def test_what_a_resumed_session_repeats_counts_once(tmp_path: Path) -> None:
    lines = [
        asked(0, "go", uuid="u1"),
        {**said(1, bash("ls", "t1")), "uuid": "u2"},
        {**came_back(2, "t1"), "uuid": "u3"},
        {**said(3, bash("ls", "t1")), "uuid": "u4"},
        {**came_back(4, "t1"), "uuid": "u5"},
    ]
    found = only(write(tmp_path / "s.jsonl", *lines, *lines))
    assert [len(found.steps), len(found.calls())] == [1, 1]
    assert "notes" not in found.metadata


def test_side_chains_are_runs_of_their_own(tmp_path: Path) -> None:
    def side(line: Line, uuid: str, parent: str | None) -> Line:
        return {**line, "isSidechain": True, "uuid": uuid, "parentUuid": parent}

    path = write(
        tmp_path / "s.jsonl",
        asked(0, "main"),
        side(asked(1, "look for x"), "a1", None),
        side(asked(2, "look for y"), "b1", None),
        side(said(3, bash("grep x", "ta")), "a2", "a1"),
        side(said(4, bash("grep y", "tb"), id="msg_2"), "b2", "b1"),
        said(5, words("done"), id="msg_3"),
    )
    main, first, second = read(path)
    assert [one.run_id for one in (main, first, second)] == ["s1", "s1.sidechain-a1", "s1.sidechain-b1"]
    assert [one.scenario_id for one in (main, first, second)] == ["s1"] * 3
    assert (main.final_text(), main.calls(), "sidechain" in main.metadata) == ("done", [], False)
    assert [one.calls()[0].args["command"] for one in (first, second)] == ["grep x", "grep y"]
    assert (first.metadata["sidechain"], first.metadata["parent_run_id"]) == (True, "s1")


def test_what_the_harness_wrote_itself_is_no_word_of_the_agent(tmp_path: Path) -> None:
    found = only(write(tmp_path / "s.jsonl", asked(0, "go"), said(1, words("API Error: 529"), model="<synthetic>")))
    (beat,) = found.steps
    assert (beat.turns, beat.error, beat.stop_reason, "models" in found.metadata) == (
        [],
        "API Error: 529",
        "error",
        False,
    )


def item(seconds: float, role: str, text: str) -> Line:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex(seconds, "response_item", type="message", role=role, content=[{"type": kind, "text": text}])


def test_a_codex_session_is_read_from_its_items_and_not_again_from_its_events(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        codex(0, "session_meta", id="c1", cwd="/repo", base_instructions={"text": "You are Codex."}),
        codex(0, "turn_context", cwd="/repo", model="gpt-5-codex"),
        item(1, "user", "<environment_context>\n<cwd>/repo</cwd>"),
        item(2, "user", "list files"),
        codex(2, "event_msg", type="user_message", message="list files"),
        codex(3, "response_item", type="reasoning", summary=[]),
        item(3, "assistant", "Listing."),
        codex(3, "event_msg", type="agent_message", message="Listing."),
        shell(4, ["bash", "-lc", "ls"], "k1"),
        codex(4, "response_item", type="local_shell_call", call_id="k2", action={"command": ["pwd"]}),
        shell_output(5, json.dumps({"output": "a.txt", "metadata": {"exit_code": 1}}), "k1"),
        codex(5, "event_msg", type="exec_command_end", call_id="k1", exit_code=1),
        tokens(6, (500, 400, 50), (500, 400, 50)),
        tokens(6, (500, 400, 50), (500, 400, 50)),
        item(7, "assistant", "One file."),
        codex(8, "compacted", message="…"),
        codex(9, "event_msg", type="turn_aborted", reason="interrupted"),
    )
    found = only(path)
    (beat,) = found.steps
    assert (found.run_id, found.source, beat.user_message) == ("c1", "codex", "list files")
    assert [turn.agent_text for turn in beat.turns] == ["Listing.", "One file."]
    listed, where = found.calls()
    assert (listed.tool, listed.args, listed.ok) == ("shell", {"command": ["bash", "-lc", "ls"]}, False)
    assert listed.result == {"output": "a.txt", "metadata": {"exit_code": 1}}
    assert (where.tool, where.args) == ("local_shell", {"command": ["pwd"]})
    assert beat.usage is not None
    assert (beat.usage.input, beat.usage.output, beat.error) == (500, 50, "interrupted")
    assert found.metadata["system_prompt"].startswith("You are Codex.\n\n<environment_context>")
    assert found.metadata["notes"] == [
        "times that the agent shortened its history: 1",
        "1 call has no result: local_shell (step 0)",
        "left out: reasoning × 1",
    ]


def test_a_codex_sub_agent_names_the_session_that_started_it(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    found = only(write(tmp_path / "r.jsonl", codex(0, "session_meta", id="c", source=source), item(1, "user", "hi")))
    assert (found.metadata["sidechain"], found.metadata["parent_run_id"]) == (True, "p")


def test_lines_that_cannot_be_read_cost_only_themselves_and_are_told(tmp_path: Path) -> None:
    deep = b'{"type":"user","message":{"content":' + b"[" * 150 + b"]" * 150 + b"}}"
    undated = {"type": "user", "message": {"role": "user", "content": "undated"}}
    path = write(
        tmp_path / "s.jsonl", b"not json", asked(0, "go"), undated, deep, json.dumps(asked(1, "cut"))[:50].encode()
    )
    found = only(path)
    assert [beat.user_message for beat in found.steps] == ["go", "undated"]
    assert found.metadata["notes"] == [
        "2 lines are not a JSON object and left out (line 1 is the first)",
        "lines nested deeper than 100 levels and left out: 1",
    ]


def test_a_kind_of_item_that_is_no_text_costs_only_that_item(tmp_path: Path) -> None:
    odd = codex(1, "response_item", type=["function_call"], role=["user"], content={})
    assert only(write(tmp_path / "r.jsonl", item(0, "user", "hi"), odd)).metadata["notes"] == [
        "left out: ['function_call'] × 1"
    ]


@pytest.mark.parametrize("folder", ["backfill_claude/session.jsonl", "backfill_mixed/claude.jsonl"])
def test_published_session_files_without_words_keep_their_usage_and_their_strays(test_data: Path, folder: str) -> None:
    found = only(test_data / "outcome" / "fixtures" / folder)
    assert found.calls() == []
    assert len(found.metadata["unmatched_results"]) == (3 if "session" in folder else 1)
    assert sum(beat.usage.output or 0 for beat in found.steps if beat.usage) == (1012 if "session" in folder else 5)


def test_a_file_without_any_message_is_refused(tmp_path: Path, test_data: Path) -> None:
    with pytest.raises(Refused, match="holds no message of Claude Code or Codex"):
        read(test_data / "outcome" / "fixtures" / "backfill_codex" / "rollout.jsonl")
    with pytest.raises(Refused, match="No such file"):
        read(tmp_path / "gone.jsonl")


KEYS = (
    "type message payload content role id uuid parentUuid isSidechain model usage input output name arguments call_id"
)
WORDS = "user assistant tool_use tool_result response_item session_meta function_call function_call_output message"
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(WORDS.split()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5),
    max_leaves=15,
)  # fmt: skip
claude_lines = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant"]), "message": st.dictionaries(st.sampled_from(KEYS.split()), values)}
)
codex_lines = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]),
        "timestamp": st.just(stamp(0)) | values,
        "payload": st.dictionaries(st.sampled_from(KEYS.split()), values),
    }
)


def outcome(path: Path) -> list[Transcript] | str:
    try:
        return read(path)
    except GnomonError as bad:
        return bad.message


@given(st.lists(claude_lines | codex_lines | values, max_size=5))
@settings(max_examples=50)
def test_no_lines_make_it_raise_anything_else(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any-session.jsonl", *(json.dumps(row).encode() for row in rows))
    found = outcome(path)
    assert "\n" not in found if isinstance(found, str) else all(one.model_dump_json() for one in found)
