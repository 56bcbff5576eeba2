"""What type checkers see of tasks that are not functions. mypy reads this file; nothing runs it."""

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import gnomon as gn

Task = Callable[[Mapping[str, Any]], Awaitable[Any]]


def tasks_are_functions_of_an_item() -> list[Task]:
    return [
        gn.model("openai/gpt-4o", "Where is {{input}}?", system="Be brief.", temperature=0, max_tokens=20, timeout=5),
        gn.http("http://127.0.0.1:8000/ask", method="GET", headers=os.environ, body={"q": "{{input}}"}, output="a.b"),
        gn.command(["sort", Path("-r")], input="argument", output="last-line", cwd=Path(), env={"LC_ALL": "C"}),
        gn.command("sort -r"),
        gn.command(Path("./app"), timeout=None),
    ]


def what_a_model_took_is_known() -> tuple[int, float | None]:
    asked = gn.model("openai/gpt-4o", prompt="{{input}}")
    return asked.spent.calls, asked.spent.cost_usd


def wrong_types_are_noticed() -> None:
    gn.model("openai/gpt-4o")  # type: ignore[call-arg]
    gn.model("openai/gpt-4o", "{{input}}", temperature="low")  # type: ignore[arg-type]
    gn.http("http://127.0.0.1", method="TRACE")  # type: ignore[arg-type]
    gn.http("http://127.0.0.1", headers={"a": 1})  # type: ignore[dict-item]
    gn.command("sort", input="file")  # type: ignore[arg-type]
    gn.command(7)  # type: ignore[arg-type]


def evaluations_are_declared_with_their_gates() -> gn.Eval:
    return gn.Eval(
        "letters", task=str.upper, data="letters.jsonl", scorers=[gn.exact_match()], gates=["exact_match > 0"]
    )


def wrong_gates_are_noticed() -> None:
    gn.Eval(task=str.upper, data=[], gates=[0.8])  # type: ignore[list-item]
    gn.Eval(task=str.upper, data=[], trials="three")  # type: ignore[arg-type]
    gn.Eval("letters", data=[])  # type: ignore[call-arg]
