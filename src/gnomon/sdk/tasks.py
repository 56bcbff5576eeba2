"""Tasks for `evaluate` that are not Python functions: a model with a prompt, an HTTP endpoint, a command.

Each function checks its configuration at once. What it returns can be called with an item and awaited, too.
"""

import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from gnomon.calling.command import split, why_not_runnable
from gnomon.calling.endpoint import has_password, is_address, without_password
from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.llm.providers import not_installed, why_not
from gnomon.model import jsonvalue
from gnomon.model.nearest import nearest
from gnomon.service.evaluation import templates
from gnomon.service.evaluation.tasks import CommandInput, CommandOutput, CommandTask, HttpTask, ModelTask

METHODS = ("POST", "PUT", "PATCH", "GET")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def model(
    name: str,
    prompt: str,
    *,
    system: str | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float = 60,
    allow_expected_output: bool = False,
) -> ModelTask:
    """A model as a task: the prompt is filled with each item, and the output is what the model answers.

    Prompt and system prompt may hold `{{input}}`, `{{input.KEY}}` for inputs that are objects, and `{{metadata.KEY}}`.
    Text is put in as it is, anything else as JSON. `{{expected_output}}` would tell the answer: it has to be allowed.
    The model is asked as judges are: with the keys of the environment, again after a fault that may pass, and more
    slowly where the provider asks for it. `timeout` is for one try. What the calls took together is in `.spent`.

    >>> capital = gn.model("openai/gpt-4o-mini", "What is the capital of {{input.country}}? One word.", temperature=0)
    >>> capital
    <ModelTask openai/gpt-4o-mini>
    """
    _check_text("name", name)
    if reason := why_not(name, os.environ) or not_installed(name, os.environ):
        raise InvalidInput.of("name", reason)
    _check_template("prompt", prompt, allow_expected_output)
    if system is not None:
        _check_template("system", system, allow_expected_output)
    if not any(templates.placeholders([prompt, system])):
        raise InvalidInput.of("prompt", f"prompt {short(prompt)} is the same for every item; write {{{{input}}}} in it")
    _check_temperature(temperature)
    if max_tokens is not None and (type(max_tokens) is not int or max_tokens < 1):
        raise InvalidInput.of("max_tokens", f"max_tokens is {short(max_tokens)}; give a whole number from 1")
    settings = {"temperature": temperature, "max_tokens": max_tokens}
    chosen = {key: value for key, value in settings.items() if value is not None}
    return ModelTask(name, prompt, system, chosen, _seconds(timeout))


def http(
    url: str,
    *,
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST",
    headers: Mapping[str, str] | None = None,
    body: Any = None,
    output: str | None = None,
    timeout: float = 60,
    allow_expected_output: bool = False,
) -> HttpTask:
    """An HTTP endpoint as a task: one request per item, and the output is what it answers, JSON or text.

    The endpoint gets `{"input": …}`, or `body` with its placeholders filled: `{{input}}`, `{{input.KEY}}` and
    `{{metadata.KEY}}`. A text that is one place and nothing else becomes the value itself, of whatever type. With
    `method="GET"` the fields go into the query. `output` picks a part of a JSON answer by its path.

    A status other than 2xx, an answer of more than 16 MiB and no answer within `timeout` seconds are errors of that
    run. Redirects are not followed. When code behind the same URL changes, give `version=` to `evaluate`.

    >>> gn.http("http://127.0.0.1:8000/ask", body={"question": "{{input}}", "top": 3}, output="answer.text")
    <HttpTask 127.0.0.1:8000/ask>
    """
    _check_url(url)
    if method not in METHODS:
        raise InvalidInput.of("method", f"method is {short(method)}; it is one of {', '.join(METHODS)}")
    body = {"input": "{{input}}"} if body is None else body
    _check_body(method, body)
    templates.check("body", body, allow_expected_output=allow_expected_output)
    if output is not None:
        _check_path(output)
    return HttpTask(url, method, _checked_headers(headers), body, output, _seconds(timeout))


def command(
    command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    input: CommandInput = "stdin-text",
    output: CommandOutput = "text",
    timeout: float | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    allow_expected_output: bool = False,
) -> CommandTask:
    """A command as a task: one process per item, and the output is what it writes to its stdout.

    No shell reads the command; a text is split into words as a shell would. Words may hold `{{input}}`,
    `{{input.KEY}}` and `{{metadata.KEY}}`. `input` says how else the process gets the input: `stdin-text` (text as it
    is, anything else as JSON), `stdin-json` (always JSON), `argument` (as the last word) or `none`. `output` says how
    its stdout is read: `text` (without the last line break), `json`, or `last-line`. `env` is added to the environment.

    Another exit code than 0 is the error of that run, with the end of stderr; so is an output of more than 16 MiB.
    After `timeout` seconds, or when the evaluation is broken off, the process is ended with all that it started.

    >>> gn.command("sort -r", input="stdin-text")
    <CommandTask sort>
    """
    words = _words(command)
    folder = _folder(cwd)
    environment = _environment(env)
    if reason := why_not_runnable(words[0], folder=folder or Path(), search_path=environment.get("PATH")):
        raise InvalidInput.of("command", f"command {short(words[0])} cannot be run: {reason}")
    templates.check("command", words, allow_expected_output=allow_expected_output)
    _check_choice("input", input, get_args(CommandInput))
    _check_choice("output", output, get_args(CommandOutput))
    seconds = None if timeout is None else _seconds(timeout)
    return CommandTask(words, input, output, seconds, folder, environment)


# Checks


def _check_text(field: str, value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput.of(field, f"{field} is {short(value)}; give a text that is not blank")


def _check_template(field: str, value: Any, allow_expected_output: bool) -> None:
    _check_text(field, value)
    templates.check(field, value, allow_expected_output=allow_expected_output)


def _check_temperature(value: Any) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (number and math.isfinite(value) and value >= 0):
        raise InvalidInput.of("temperature", f"temperature is {short(value)}; give a number from 0")


def _seconds(timeout: Any) -> float:
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not number or not math.isfinite(timeout) or timeout <= 0:
        raise InvalidInput.of("timeout", f"timeout is {short(timeout)}; give seconds above 0")
    return float(timeout)


def _check_url(url: Any) -> None:
    if not isinstance(url, str) or not is_address(url) or not url.isprintable() or " " in url:
        raise InvalidInput.of("url", f"url {short(url)} is not an address; write it like http://127.0.0.1:8000/ask")
    if has_password(url):
        shown = short(without_password(url))
        raise InvalidInput.of("url", f'url {shown} came with a password; send headers={{"Authorization": …}} instead')


def _check_body(method: str, body: Any) -> None:
    if method == "GET" and not isinstance(body, Mapping):
        raise InvalidInput.of("body", f"body is {short(body)}; with GET give an object, whose fields go into the query")
    try:
        jsonvalue.canonical(body)
    except (TypeError, ValueError, RecursionError) as bad:
        raise InvalidInput.of("body", f"body is not a JSON value: {bad}") from None


def _check_path(output: Any) -> None:
    if not isinstance(output, str) or not all(output.split(".")):
        raise InvalidInput.of("output", f"output is {short(output)}; give a path such as answer.text")


def _checked_headers(headers: Any) -> dict[str, str]:
    if headers is not None and not isinstance(headers, Mapping):
        raise InvalidInput.of("headers", f"headers is {type(headers).__name__}; give an object of names and values")
    for name, value in (headers or {}).items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise InvalidInput.of("headers", f"headers has {short(name)}, which is not a valid header name")
        if not isinstance(value, str) or not value.isascii() or not value.isprintable():
            words = "is not plain printable text; check where it comes from"
            raise InvalidInput.of("headers", f"the value of header {name} {words}")
    return dict(headers or {})


def _words(command: Any) -> list[str]:
    if isinstance(command, str):
        try:
            words = split(command)
        except ValueError as bad:
            raise InvalidInput.of("command", f"command {short(command)} cannot be split into words: {bad}") from None
    elif isinstance(command, os.PathLike):
        words = [os.fspath(command)]
    elif isinstance(command, Sequence) and all(isinstance(word, str | os.PathLike) for word in command):
        words = [os.fspath(word) for word in command]
    else:
        raise InvalidInput.of("command", f"command is {short(command)}; give a text or a list of words")
    if not words:
        raise InvalidInput.of("command", 'command names no program; write it like "./app --quiet"')
    return words


def _folder(cwd: Any) -> Path | None:
    if cwd is None:
        return None
    if not isinstance(cwd, str | os.PathLike) or not Path(cwd).is_dir():
        raise InvalidInput.of("cwd", f"cwd is {short(cwd)}, which is not a folder")
    return Path(cwd)


def _environment(env: Any) -> dict[str, str]:
    if env is not None and not isinstance(env, Mapping):
        raise InvalidInput.of("env", f"env is {type(env).__name__}; give an object of names and values")
    for name, value in (env or {}).items():
        if not isinstance(name, str) or not name or "=" in name or "\0" in name:
            raise InvalidInput.of("env", f"env has {short(name)}, which is not a valid variable name")
        if not isinstance(value, str) or "\0" in value:
            raise InvalidInput.of("env", f"the value of {name} in env is not text; write it as text")
    return dict(env or {})


def _check_choice(field: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        near = nearest(value, known) if isinstance(value, str) else None
        remedy = f"did you mean {near}?" if near else f"it is one of {', '.join(known)}"
        raise InvalidInput.of(field, f"{field} is {short(value)}; {remedy}")
