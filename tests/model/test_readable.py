"""What a person reads of an input or an output, where it is not plain text: above all messages that only call tools."""

import pytest

from gnomon.model.jsonvalue import JsonValue
from gnomon.model.readable import answer, question

_OPENAI = {"id": "c1", "type": "function", "function": {"name": "find_order", "arguments": '{"order":17}'}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"role": "assistant", "content": None, "tool_calls": [_OPENAI]}, "[calls find_order]"),
        ({"role": "assistant", "tool_calls": [_OPENAI, _OPENAI]}, "[calls find_order]\n" * 2),
        ([{"role": "assistant", "content": "A moment.", "tool_calls": [_OPENAI]}],
         "A moment.\n[calls find_order]"),
        ({"role": "assistant", "content": [{"type": "tool_use", "name": "find", "input": {"a": 1}}]},
         "[calls find]"),
        ([{"role": "assistant", "parts": [{"type": "text", "content": "Well:"},
                                          {"type": "tool_call", "name": "find", "arguments": {"a": 1}}]}],
         "Well:\n[calls find]"),
        ({"role": "assistant", "content": "", "tool_calls": [{"odd": 1}]}, "[calls a tool]"),
        ({"role": "assistant", "content": "Hello.", "tool_calls": None}, "Hello."),
        ({"role": "assistant", "content": None}, ""),
        ([{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Here."}], "Here."),
    ],
)  # fmt: skip
def test_an_answer_says_which_tools_it_calls(value: JsonValue, text: str):
    shown = answer(value)
    assert shown is not None
    assert (shown.text, shown.format) == (text.rstrip("\n"), "chat")


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"order": {"id": 7, "lines": [{"sku": "a", "n": 2}]}},
         ["order:", "  id: 7", "  lines:", "    - sku: a", "      n: 2"]),
        ({"ok": True, "items": [1, 2, 3], "none": [], "gone": None},
         ["ok: true", "items: 1, 2, 3", "none: []", "gone: null"]),
        (["one", {"a": "b\nc"}], ["- one", "- a: b", "  c"]),
        ([[["deep"]]], ["- - deep"]),
        ({"a": {"b": {"c": {"d": {"e": 1}}}}}, ["a:", "  b:", "    c:", '      d: {"e":1}']),
        ([], [""]),
        (3.5, ["3.5"]),
    ],
)  # fmt: skip
def test_data_is_read_as_lines(value: JsonValue, lines: list[str]):
    shown = answer(value)
    assert shown is not None
    assert (shown.text.split("\n"), shown.format) == (lines, "json")


def test_a_question_of_parts_is_read():
    shown = question([{"role": "user", "parts": [{"type": "text", "content": "Where is it?"}]}])
    assert shown is not None
    assert shown.text == "Where is it?"
