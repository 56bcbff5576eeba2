"""The floor plan is a test: a room imports only from floors below, also inside functions."""

import ast
import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "gnomon"

FLOORS = [
    {"errors", "_version"},
    {"model", "stats", "settings"},
    {"scorers", "llm", "agentlogs", "client"},
    {"outcome", "bench", "store", "interop", "report"},
    {"service"},
    {"server", "cli", "sdk", "pytest_plugin"},
    {"__init__", "__main__", "testing"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# Where start-up time needs it, these may import our own rooms late; floors hold for them too,
# except that commands may start the server, their neighbour.
LATE_IMPORTS_ALLOWED = {"cli", "__init__"}
NEIGHBOURS_ALLOWED = {("cli", "server")}


def rooms_imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("gnomon.")}


def room_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


ALL = sorted(SRC.rglob("*.py"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(SRC)))
def test_a_room_imports_only_from_below(path: Path) -> None:
    room = room_of(path)
    for other in rooms_imported(ast.parse(path.read_text(encoding="utf-8"))) - {room}:
        if (room, other) not in NEIGHBOURS_ALLOWED:
            assert FLOOR[other] < FLOOR[room], f"{room} reaches up (or sideways) into {other}"


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(SRC)))
def test_our_own_rooms_are_imported_at_the_top_of_a_file(path: Path) -> None:
    if room_of(path) in LATE_IMPORTS_ALLOWED:
        return
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            assert not rooms_imported(function), f"{path.name}:{function.lineno} imports one of our rooms late"


def test_sql_lives_in_the_store_and_nowhere_else() -> None:
    for path in ALL:
        if room_of(path) != "store":
            text = path.read_text(encoding="utf-8")
            assert "exec_driver_sql" not in text, path
            assert not re.search(r"import sqlalchemy|from sqlalchemy import|sqlite3\.connect|PRAGMA", text), path


def test_only_show_prints() -> None:
    for path in ALL:
        if path.relative_to(SRC).as_posix().startswith("cli/show/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", f"{path}:{node.lineno} prints"
