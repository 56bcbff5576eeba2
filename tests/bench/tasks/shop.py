"""A tiny task package, as values, for tests to change and write."""

import copy
import json
from pathlib import Path
from typing import Any

from gnomon.bench.tasks.package import Task, TaskPackage, load

EXAMPLES = Path(__file__).parents[3] / "src" / "gnomon" / "bench" / "tasks" / "examples"
EXAMPLE_NAMES = ("calendar", "returns_desk")

FILES: dict[str, Any] = {
    "package.json": {"family": "tasks", "name": "tiny", "policy": "You sell apples. Be brief."},
    "world.json": {"stock": {"apple": 5, "pear": 2}, "sales": [], "till": 0.1},
    "tools.json": {
        "tools": [
            {
                "name": "count_stock",
                "description": "How many pieces of a fruit there are.",
                "parameters": {"properties": {"fruit": {"type": "string"}}, "required": ["fruit"]},
                "do": [
                    {"lookup": "stock.{fruit}", "as": "left"},
                    {"error": "We have no {fruit}.", "when": "left == null"},
                ],
                "returns": {"left": "{left}"},
            },
            {
                "name": "sell",
                "description": "Sell pieces of a fruit for 0.2 each.",
                "parameters": {
                    "properties": {"fruit": {"type": "string"}, "pieces": {"type": "integer", "minimum": 1}},
                    "required": ["fruit", "pieces"],
                },
                "do": [
                    {"set": "till", "to": "{till + 0.2 * pieces}"},
                    {"append": "sales", "value": {"fruit": "{fruit}", "pieces": "{pieces}"}},
                    {"error": "There are only {stock[fruit]}.", "when": "stock[fruit] < pieces"},
                    {"set": "stock.{fruit}", "to": "{stock[fruit] - pieces}"},
                ],
                "returns": "Sold {pieces} of {fruit}.",
            },
            {
                "name": "throw_away",
                "description": "Remove a fruit from the shelves.",
                "parameters": {"properties": {"fruit": {"type": "string"}}, "required": ["fruit"]},
                "do": [{"remove": "stock.{fruit}"}],
            },
            {
                "name": "undo_sales",
                "description": "Strike sales of a fruit.",
                "parameters": {"properties": {"fruit": {"type": "string"}}, "required": ["fruit"]},
                "do": [{"remove": "sales", "where": "row.fruit == fruit"}],
            },
        ]
    },
    "tasks/two_apples.json": {
        "summary": "Sell two apples.",
        "instruction": "I would like two of the red ones.",
        "user": {
            "persona": "You want apples.",
            "facts": [{"asked": ["which", "apples or pears"], "say": "Apples, please."}],
            "says": ["And how many are left?"],
        },
        "expected": {
            "calls": [
                {"tool": "sell", "args": {"fruit": "apple", "pieces": 2}},
                {"tool": "count_stock", "args": {"fruit": "apple"}},
            ],
            "answer": "Here you are; 3 are left.",
        },
        "required_calls": [{"tool": "count_stock"}],
        "forbidden_calls": [{"tool": "throw_away"}],
        "required_words": [["3", "three"]],
        "forbidden_words": ["sold out"],
    },
}


def files(**changes: Any) -> dict[str, Any]:
    """The files of the package, a copy. A change is a file's new value, by its name without ending."""
    made = copy.deepcopy(FILES)
    for name, value in changes.items():
        path = next(path for path in made if path.rpartition("/")[2] == f"{name}.json")
        made[path] = value
    return made


def write_files(folder: Path, made: dict[str, Any]) -> Path:
    for name, value in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
    return folder


def tiny(folder: Path) -> TaskPackage:
    return load(write_files(folder / "tiny", files()))


def two_apples(folder: Path, **changes: Any) -> Task:
    """The only task of the package, with fields of its file changed."""
    task = {**copy.deepcopy(FILES["tasks/two_apples.json"]), **changes}
    return load(write_files(folder / "tiny", files(two_apples=task))).task("two_apples")
