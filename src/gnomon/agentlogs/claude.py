"""Claude Code's messages: usage, tool calls and tool results.

One answer of the model is written over several lines, one a content block, with the same message id and the same
or a growing usage. Content is plain text or a list of blocks. Every field is read as "anything", so that one odd
value costs that value and not the line.
"""

import re
from typing import Any

from msgspec import Raw, Struct

from gnomon.agentlogs.events import AnswerTokens, RequestedTool, ToolResult, ToolState, count, text
from gnomon.agentlogs.lines import roughly

SHELLS = {"Bash", "PowerShell"}
SYNTHETIC = "<synthetic>"  # the model's name on lines that the harness wrote itself, such as an API error
TAIL = 500

EXIT_CODE = re.compile(rb"Exit code (\d{1,5})\b")
RUNNING = re.compile(
    rb"Command (running in background|was (manually |automatically )?(moved to |put in )?(the )?background)"
)
REFUSED = re.compile(
    rb"The user doesn't want to |\[Request interrupted|<tool_use_error>|Permission to use |hook error|Hook PreToolUse"
    rb"|[^\n\"]{0,40}requested permissions to "
)


class ClaudeTokens(Struct, gc=False):
    input_tokens: Any = 0
    output_tokens: Any = 0
    cache_read_input_tokens: Any = 0
    cache_creation_input_tokens: Any = 0


class Input(Struct):
    command: Any = None
    file_path: Any = None
    notebook_path: Any = None
    run_in_background: Any = None


Other = str | int | float | bool | list[Raw] | None  # what stands where an object was expected


class ContentBlock(Struct):
    type: Any = None
    id: Any = None
    name: Any = None
    input: Input | Other = None
    tool_use_id: Any = None
    is_error: Any = None
    content: Raw = Raw()


class Message(Struct):
    id: Any = None
    model: Any = None
    usage: ClaudeTokens | Other = None
    content: list[ContentBlock | str | int | float | bool | None] | str | int | float | bool | None = None


def usage(message: Message) -> AnswerTokens | None:
    tokens = message.usage
    if not isinstance(tokens, ClaudeTokens):
        return None
    return AnswerTokens(
        count(tokens.input_tokens),
        count(tokens.output_tokens),
        count(tokens.cache_read_input_tokens),
        count(tokens.cache_creation_input_tokens),
    )


def calls(message: Message) -> tuple[RequestedTool, ...]:
    blocks = message.content if isinstance(message.content, list) else ()
    return tuple(_call(block) for block in blocks if isinstance(block, ContentBlock) and block.type == "tool_use")


def _call(block: ContentBlock) -> RequestedTool:
    name, arguments = text(block.name) or "", block.input
    if not isinstance(arguments, Input):
        return RequestedTool(text(block.id), name)
    return RequestedTool(
        text(block.id),
        name,
        command=text(arguments.command) if name in SHELLS else None,
        path=text(arguments.file_path) or text(arguments.notebook_path),
        background=arguments.run_in_background is True,
    )


def results(message: Message) -> tuple[ToolResult, ...]:
    blocks = message.content if isinstance(message.content, list) else ()
    return tuple(_result(block) for block in blocks if isinstance(block, ContentBlock) and block.type == "tool_result")


def _result(block: ContentBlock) -> ToolResult:
    content, is_error = memoryview(block.content), block.is_error is True
    code: int | None = None
    state: ToolState = "done"
    start = bytes(content[:200])
    if is_error:
        match = EXIT_CODE.search(start)
        code = int(match[1]) if match else None
        state = "refused" if match is None and REFUSED.search(start) else "done"
    elif RUNNING.search(start):
        state = "unknown"
    return ToolResult(text(block.tool_use_id), is_error, code, state, roughly(content[-TAIL:]))


def loose(message: Message) -> bool:
    """Whether a reader that insists on whole numbers and on content as a list of blocks would refuse it."""
    if isinstance(message.content, list):
        odd = any(not isinstance(block, ContentBlock) for block in message.content)
    else:
        odd = message.content is not None
    tokens = message.usage
    if isinstance(tokens, ClaudeTokens):
        counters = [tokens.input_tokens, tokens.output_tokens]
        counters += [tokens.cache_read_input_tokens, tokens.cache_creation_input_tokens]
        return odd or any(type(value) is not int for value in counters if value is not None)
    return odd or tokens is not None
