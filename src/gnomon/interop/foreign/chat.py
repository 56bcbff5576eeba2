"""What went into a model call and what came out, in the one form in which Gnomon shows it.

Messages are `{role, content, tool_calls: [{id, name, arguments}], tool_call_id}`, with the keys that say something.
An answer of only text is that text. Known are OpenAI's and Anthropic's messages and whole responses, and LangChain's.
"""

from collections.abc import Iterator
from typing import Any

from gnomon.interop.foreign.exports import decoded
from gnomon.model.toolcalls import asked, is_call

_ROLES = {
    "human": "user", "humanmessage": "user", "humanmessagechunk": "user",
    "ai": "assistant", "aimessage": "assistant", "aimessagechunk": "assistant", "model": "assistant",
    "developer": "system", "systemmessage": "system",
    "function": "tool", "toolmessage": "tool", "functionmessage": "tool",
}  # fmt: skip
_MESSAGE_LISTS = ("messages", "input", "prompt", "message")
_TEXT = (None, "text", "input_text", "output_text")
_RESULTS = ("tool_result", "function_call_output", "tool_call_response")


def asked_of_model(value: Any) -> tuple[Any, dict[str, Any]]:
    """The messages that a model got, and what stood beside them (tools, settings)."""
    value = decoded(value)
    if isinstance(value, dict) and not _is_message(value):
        for key in _MESSAGE_LISTS:
            if key in value and (found := _messages(value[key])) is not None:
                instructed = [{"role": "system", "content": text} for text in [value.get("instructions")] if text]
                beside = {name: one for name, one in value.items() if name not in (key, "instructions")}
                return instructed + found, beside
    found = _messages(value)
    return (value if found is None else found), {}


def answer_of_model(value: Any) -> Any:
    """The model's answer: its text, or the message; a list of these where it gave several."""
    value = decoded(value)
    found = [_answer(one) for one in _answers(value)]
    if not found:
        return value
    return found[0] if len(found) == 1 else found


def _answers(value: Any) -> list[dict[str, Any]]:
    """The messages that an answer holds."""
    if isinstance(value, dict):
        for key in ("choices", "generations", "output", "messages"):
            listed = value.get(key)
            if isinstance(listed, list) and listed:
                return [message for one in _flattened(listed) for message in _answers(one)]
        for key in ("message", "output", "delta"):
            if isinstance(value.get(key), dict):
                return _answers(value[key])
    return _messages(value) or [] if isinstance(value, dict | list) else []


def _flattened(values: list[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flattened(value)
        else:
            yield value


def _answer(message: dict[str, Any]) -> Any:
    is_text = message.get("role") == "assistant" and set(message) == {"role", "content"}
    return message["content"] if is_text and isinstance(message["content"], str) else message


def _messages(value: Any) -> list[dict[str, Any]] | None:
    """The value as messages, or None where it is something else."""
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    if isinstance(value, dict):
        return list(_one(value)) if _is_message(value) else None
    if not isinstance(value, list) or not value:
        return None
    if len(value) == 1 and isinstance(value[0], list):  # LangChain: a batch of one conversation
        return _messages(value[0])
    if not all(_is_message(one) for one in value):
        return None
    return [message for one in value for message in _one(one)]


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if isinstance(value.get("role"), str) or (isinstance(kind, str) and (is_call(value) or kind in _RESULTS)):
        return True
    return _langchain(value) is not None


def _langchain(value: dict[str, Any]) -> dict[str, Any] | None:
    """LangChain writes a message as its constructor's call, as {type, data}, or as {type, content}."""
    inner = value.get("kwargs") if value.get("lc") == 1 else value.get("data") if "data" in value else value
    named = value.get("id")
    kind = named[-1] if value.get("lc") == 1 and isinstance(named, list) and named else value.get("type")
    if not isinstance(inner, dict) or not isinstance(kind, str) or "content" not in inner:
        return None
    role = _ROLES.get(kind.lower(), kind.lower())
    return {**inner, "role": role} if role in ("user", "assistant", "system", "tool") else None


def _one(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A message, and the tool results in it as messages of their own."""
    written = told if isinstance(told.get("role"), str) else _langchain(told) or told
    role = str(written.get("role") or ("tool" if told.get("type") in _RESULTS else "assistant")).lower()
    role = _ROLES.get(role, role)
    content, calls, results = _parts(written, role)
    yield from results
    message: dict[str, Any] = {"role": role}
    if content not in (None, "", []):
        message["content"] = content
    if calls:
        message["tool_calls"] = calls
    id = next((written[key] for key in ("tool_call_id", "call_id") if isinstance(written.get(key), str)), None)
    if role == "tool" and id:
        message["tool_call_id"] = id
    if len(message) > 1 or not results:
        yield message


def _parts(written: dict[str, Any], role: str) -> tuple[Any, list[Any], list[dict[str, Any]]]:
    """(content, calls, results) of a message, whose content may be text or a list of any of these."""
    calls = [_call(one) for one in written.get("tool_calls") or () if isinstance(one, dict)]
    extra = written.get("additional_kwargs")
    if not calls and isinstance(extra, dict):  # where older LangChain keeps them
        calls = [_call(one) for one in extra.get("tool_calls") or () if isinstance(one, dict)]
    if is_call(written) and "role" not in written:
        return None, [_call(written)], []
    content = next((written[key] for key in ("content", "parts", "output") if written.get(key) is not None), None)
    if not isinstance(content, list):
        return content, calls, []
    kept: list[Any] = []
    results: list[dict[str, Any]] = []
    known = {call.get("id") for call in calls}
    for part in content:
        if isinstance(part, dict) and is_call(part):
            call = _call(part)
            calls += [call] if call.get("id") not in known or "id" not in call else []
        elif isinstance(part, dict) and part.get("type") in _RESULTS:
            results.append(_result(part))
        else:
            kept.append(part)
    texts = [_text(part) for part in kept]
    return ("\n".join(text or "" for text in texts) if None not in texts else kept), calls, results


def _result(part: dict[str, Any]) -> dict[str, Any]:
    id = next((part[key] for key in ("tool_use_id", "call_id", "id") if isinstance(part.get(key), str)), None)
    content = next((part[key] for key in ("content", "output", "result", "response") if key in part), None)
    texts = [_text(one) for one in content] if isinstance(content, list) else [None]
    whole = "\n".join(text or "" for text in texts) if None not in texts else content
    return {"role": "tool", "content": whole, **({"tool_call_id": id} if id else {})}


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type") in _TEXT:
        return next((part[key] for key in ("text", "content") if isinstance(part.get(key), str)), None)
    return None


def _call(written: dict[str, Any]) -> dict[str, Any]:
    call = asked(written)
    arguments = call.args.get("_raw") if set(call.args) == {"_raw"} else call.args
    return {**({"id": call.id} if call.id else {}), "name": call.name, "arguments": arguments}
