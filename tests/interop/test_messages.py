"""Message lists become beats, turns and calls; no call is lost and no result goes to a stranger."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import GnomonError, Refused
from gnomon.interop.messages import from_messages, read
from gnomon.model.transcript import Transcript


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def call(name: str, id: str | None = None, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def agent(text: str | None = None, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {})}


def tool(content: Any, id: str | None = None, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": content, **({"tool_call_id": id} if id else {}), **more}


def told(*messages: Any) -> Transcript:
    return from_messages(messages, "task", "run")


def results(transcript: Transcript) -> dict[str, Any]:
    return {one.tool: one.result for one in transcript.calls()}


def test_a_beat_is_a_users_message_with_the_turns_that_answered_it() -> None:
    found = told(
        {"role": "system", "content": "Be kind."},
        {"role": "developer", "content": [{"type": "text", "text": "Be short."}]},
        user("weather?"),
        agent("Let me look.", call("weather", "c1", '{"city": "Oslo"}')),
        tool('{"sky": "grey"}', "c1"),
        agent("Grey."),
        user([{"type": "text", "text": "and"}, {"type": "image_url"}, {"type": "text", "text": "now?"}]),
        agent("Still grey."),
        user("bye"),
    )  # fmt: skip
    assert [beat.step_id for beat in found.steps] == [0, 1, 2]
    assert [beat.user_message for beat in found.steps] == ["weather?", "and\nnow?", "bye"]
    assert [[turn.agent_text for turn in beat.turns] for beat in found.steps] == [
        ["Let me look.", "Grey."],
        ["Still grey."],
        [],
    ]
    (looked,) = found.calls()
    assert (looked.tool, looked.args, looked.result, looked.id) == ("weather", {"city": "Oslo"}, {"sky": "grey"}, "c1")
    assert found.metadata == {"system_prompt": "Be kind.\n\nBe short.", "notes": ["left out: image_url × 1"]}
    assert (found.source, found.final_text()) == ("messages", "Still grey.")


def test_older_function_calls_have_no_ids_and_join_by_order_and_name() -> None:
    found = told(
        user("hi"),
        {"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": "{}"}},
        {"role": "function", "name": "a", "content": "first"},
        {"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": "{}"}},
        {"role": "function", "name": "a", "content": "second"},
    )
    assert [one.result for one in found.calls()] == [{"text": "first"}, {"text": "second"}]


def test_response_items_of_one_answer_are_one_turn() -> None:
    found = told(
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "two at once"}]},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "a", "arguments": "{}"},
        {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "b", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c2", "output": "B"},
        {"type": "function_call_output", "call_id": "c1", "output": "A"},
        {"type": "custom_tool_call", "call_id": "c3", "name": "patch", "input": "*** Begin"},
        {"type": "web_search_call", "id": "ws", "action": {"query": "x"}, "status": "completed"},
    )
    (beat,) = found.steps
    assert [[one.tool for one in turn.tool_calls] for turn in beat.turns] == [["a", "b"], ["patch", "web_search"]]
    assert results(found) == {"a": {"text": "A"}, "b": {"text": "B"}, "patch": {}, "web_search": {}}
    assert found.calls()[2].args == {"input": "*** Begin"}
    assert found.metadata["notes"] == [
        "2 calls have no result: patch (step 0), web_search (step 0)",
        "left out: reasoning × 1",
    ]


def test_blocks_of_the_other_big_api_are_read_and_a_call_that_is_written_twice_counts_once() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "a", "input": {"x": 1}}
    found = told(
        user("hi"),
        {"role": "assistant", "content": [{"type": "text", "text": "ok"}, use], "tool_calls": [call("a", "t1")]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no"}]},
        agent("sorry"),
    )
    (made,) = found.calls()
    assert (made.ok, made.result, len(found.steps)) == (False, {"text": "no"}, 1)


def test_calls_without_results_and_results_without_calls_are_kept_and_told() -> None:
    found = told(user("hi"), agent(None, call("a", "c1"), call("b", "c2")), tool("A", "c1"), tool("?", "c9", name="z"))
    assert results(found) == {"a": {"text": "A"}, "b": {}}
    assert found.calls()[1].routed_to == "none"
    assert found.metadata["unmatched_results"] == [{"id": "c9", "name": "z", "content": "?"}]
    assert found.metadata["notes"] == ["1 call has no result: b (step 0)", "1 result has no call: z (step 0)"]


@pytest.mark.parametrize(
    ("arguments", "args", "is_told"),
    [
        ('{"x": 1}', {"x": 1}, False),
        ({"x": 1}, {"x": 1}, False),
        ("", {}, False),
        (None, {}, False),
        ("null", {}, False),
        ('{"x": ', {"_raw": '{"x": '}, True),
        ("[1, 2]", {"_raw": "[1, 2]"}, True),
        ([1, 2], {"_raw": "[1,2]"}, True),
        (7, {"_raw": "7"}, True),
    ],
)
def test_arguments_that_are_no_object_are_kept_raw(arguments: Any, args: dict[str, Any], is_told: bool) -> None:
    found = told(user("hi"), agent(None, call("a", "c1", arguments)), tool("", "c1"))
    assert found.calls()[0].args == args
    assert found.metadata.get("notes", []) == (
        ["a call of a in step 0 has arguments that are not a JSON object"] if is_told else []
    )


def test_an_id_that_is_used_again_means_the_latest_call() -> None:
    found = told(
        user("hi"), agent(None, call("a", "call_0")), tool("A", "call_0"),
        agent(None, call("lost", "call_0")), agent(None, call("b", "call_0")), tool("B", "call_0"),
    )  # fmt: skip
    assert results(found) == {"a": {"text": "A"}, "lost": {}, "b": {"text": "B"}}


def test_what_is_no_message_and_roles_that_nobody_knows_are_told() -> None:
    found = told(
        5, {"content": "?"}, agent("first"), {"role": "system", "content": "hurry"}, {"role": "env", "content": "x"}
    )
    assert [beat.user_message for beat in found.steps] == [None, "hurry", "x"]
    assert found.metadata["notes"] == [
        "5 stands where a message should, and is left out",
        "step 1 begins with a system message",
        "step 2 begins with a env message",
        "left out: message without a role × 1",
    ]


# Files

TALK = [user("hi"), agent("hello")]


def written(tmp_path: Path, content: str | bytes, name: str = "talk.json") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (json.dumps(TALK), [("talk", "talk.1")]),
        (json.dumps({"messages": TALK}), [("talk", "talk.1")]),
        (json.dumps({"messages": TALK, "task_id": 7, "trial": 2}), [("7", "7.2")]),
        (json.dumps({"messages": TALK, "id": "x", "run_id": "r"}), [("x", "r")]),
        (json.dumps([TALK, {"messages": TALK, "id": "x"}]), [("talk:1", "talk:1.1"), ("x", "x")]),
        ((json.dumps({"messages": TALK}) + "\n") * 2, [("talk:1", "talk:1.1"), ("talk:2", "talk:2.1")]),
        ("\n".join(map(json.dumps, TALK)), [("talk", "talk.1")]),
        ("\ufeff" + json.dumps(TALK, indent=1), [("talk", "talk.1")]),
        (json.dumps(TALK[0]), [("talk", "talk.1")]),
        (json.dumps([{"messages": TALK, "id": 1}] * 2), [("1", "1"), ("1", "1 (2)")]),
    ],
)  # fmt: skip
def test_a_file_holds_one_conversation_or_many(tmp_path: Path, content: str, names: list[tuple[str, str]]) -> None:
    found = read(written(tmp_path, content))
    assert [(one.scenario_id, one.run_id) for one in found] == names
    assert {one.steps[0].user_message for one in found} == {"hi"}


def test_what_stands_beside_the_messages_is_kept(tmp_path: Path) -> None:
    beside = {"model": "gpt-4o", "score": 1, "metadata": {"split": "test"}}
    (found,) = read(written(tmp_path, json.dumps({"messages": TALK, **beside})))
    assert found.metadata == {"model": "gpt-4o", "score": 1, "split": "test"}
    assert found.run_config is not None
    assert found.run_config.agent_model == "gpt-4o"


def test_a_cut_last_line_is_left_out_and_told(tmp_path: Path) -> None:
    line = json.dumps(TALK)
    (found,) = read(written(tmp_path, f"{line}\n{line[:20]}", "talk.jsonl"))
    assert found.metadata["notes"] == ["the file's last line is cut and left out"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps(TALK)[:25], "talk.json: is not JSON, or cut"),
        (json.dumps(TALK, indent=1)[:40], "talk.json: is not JSON, or cut"),
        (json.dumps(TALK) + "\n{\n" + json.dumps(TALK), "talk.json: line 2 is not JSON, or cut"),
        ('{"a": 1}', "talk.json: holds no list of messages"),
        ("[]", "talk.json: holds no list of messages"),
        ('{"a": 1}\n{"a": 2}', "talk.json: record 1 holds no list of messages"),
        ("[" * 5000, "talk.json: is nested deeper than 100 levels"),
        ('[{"role": "user", "content": ' + "[" * 200 + "]" * 200 + "}]", "talk.json: is nested deeper than 100 levels"),
        (b"\xff\xfe", "talk.json: is not JSON"),
    ],
)
def test_a_file_without_conversations_is_refused_in_one_line(tmp_path: Path, content: Any, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(written(tmp_path, content))
    assert refused.value.message.startswith(said)
    assert "\n" not in refused.value.message


def test_half_characters_nan_and_endless_numbers_do_not_cost_the_file(tmp_path: Path) -> None:
    content = (
        r'[{"role": "user", "content": "a\ud83d"}, {"role": "assistant", "content": "b", "logprob": NaN, "x": 1e999}]'
    )
    (found,) = read(written(tmp_path, content))
    assert found.steps[0].user_message == "a\ufffd"


# Laws

names = st.sampled_from(["a", "b", "c.d"])
arguments = st.sampled_from(['{"x": 1}', "{", "[]", "", None]) | st.dictionaries(st.text(max_size=2), st.integers())
steps = st.lists(
    st.one_of(
        st.just("user"),
        st.lists(st.tuples(names, arguments, st.booleans()), max_size=3),
    ),
    max_size=8,
)


@given(steps, st.integers(0, 2**32))
@settings(max_examples=60)
def test_no_call_is_lost_and_every_result_finds_its_call_however_the_results_are_shuffled(
    plan: list[Any], seed: int
) -> None:
    messages: list[Any] = []
    wanted: dict[str, Any] = {}
    answers: list[Any] = []
    for step in plan:
        if step == "user":
            messages.append(user("go on"))
            continue
        calls = []
        for name, given_, answered in step:
            id = f"c{len(wanted)}"
            calls.append(call(name, id, given_))
            wanted[id] = {"text": f"result of {id}"} if answered else {}
            answers += [tool(f"result of {id}", id)] if answered else []
        messages.append(agent("text", *calls))
    random.Random(seed).shuffle(answers)
    found = told(*messages, *answers)
    assert {one.id: one.result for one in found.calls()} == wanted
    assert len(found.calls()) == len(wanted)
    assert "unmatched_results" not in found.metadata


KEYS = (
    "role content tool_calls function_call function name arguments id tool_call_id type text call_id output parts "
    "messages error is_error tool_use_id input result"
)
WORDS = "user assistant tool function system tool_use tool_result function_call function_call_output message text"
words = st.sampled_from(WORDS.split())
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5),
    max_leaves=20,
)
messages_of_any_kind = st.lists(
    st.fixed_dictionaries(
        {"role": words, "content": anything}, optional={"tool_calls": st.lists(anything, max_size=3)}
    ),
    min_size=1,
    max_size=5,
)


def outcome(path: Path) -> list[Transcript] | str:
    try:
        return read(path)
    except GnomonError as bad:
        return bad.message


@given(anything | messages_of_any_kind)
@settings(max_examples=60)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = written(tmp_path_factory.getbasetemp(), json.dumps(value))
    found = outcome(path)
    if isinstance(found, str):
        assert "\n" not in found
    else:
        assert all(one.model_dump_json() for one in found)


@given(st.lists(st.lists(anything, max_size=3), max_size=4))
@settings(max_examples=40)
def test_every_entry_of_tool_calls_is_a_call_whatever_it_is(entries: list[list[Any]]) -> None:
    found = told(*({"role": "assistant", "content": "x", "tool_calls": calls} for calls in entries))
    assert len(found.calls()) == sum(map(len, entries))
