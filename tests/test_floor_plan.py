"""The floor plan is a test: a room imports only from floors below, also inside functions."""

import ast
import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "gnomon"

FLOORS = [
    {"errors", "collector", "_version"},
    {"model", "stats", "settings", "loops"},
    {"scorers", "llm", "agentlogs", "client", "calling"},
    {"outcome", "bench", "store", "interop", "report"},
    {"service"},
    {"server", "cli", "sdk", "mcp", "pytest_plugin"},
    {"__init__", "__main__", "testing"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# Where start-up time needs it, these may import our own rooms late; floors hold for them too,
# except that commands may start the servers, their neighbours.
LATE_IMPORTS_ALLOWED = {"cli", "sdk", "__init__"}
NEIGHBOURS_ALLOWED = {("cli", "server"), ("cli", "mcp")}


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


DRIVERS = {"sqlalchemy", "psycopg"}
RAW_CALLS = {"exec_driver_sql", "executemany", "executescript"}
STATEMENT = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|(CREATE|ALTER|DROP)\s+(TABLE|INDEX)|PRAGMA"
    r"|WITH\s.+\sAS\s*\(\s*SELECT)\b",
    re.DOTALL,
)


def is_sql(node: ast.AST) -> bool:
    """Whether here a package for databases is imported, a driver is called, or a statement is written out."""
    match node:
        case ast.Import(names=names):
            return any(alias.name.split(".")[0] in DRIVERS for alias in names)
        case ast.ImportFrom(module="sqlite3", names=names):
            return any(alias.name == "connect" for alias in names)
        case ast.ImportFrom(module=str(module), level=0):
            return module.split(".")[0] in DRIVERS
        case ast.Attribute(value=ast.Name(id="sqlite3"), attr="connect"):
            return True
        case ast.Attribute(attr=attribute):
            return attribute in RAW_CALLS
        case ast.Constant(value=str(text)):
            return STATEMENT.match(text) is not None
        case ast.JoinedStr(values=parts):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts)
            return STATEMENT.match(text) is not None
    return False


def sql_in(text: str) -> list[int]:
    """The lines in which a file talks to a database itself."""
    return sorted({node.lineno for node in ast.walk(ast.parse(text)) if is_sql(node)})


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(SRC)))
def test_sql_lives_in_the_store_and_nowhere_else(path: Path) -> None:
    if room_of(path) != "store":
        lines = sql_in(path.read_text(encoding="utf-8"))
        assert not lines, f"{path}: SQL in the lines {lines}"


@pytest.mark.parametrize(
    "line",
    [
        "import sqlalchemy",
        "import sqlalchemy.engine as engine",
        "from sqlalchemy import select",
        "from sqlalchemy.engine import Connection",
        "def late():\n    from sqlalchemy.dialects.sqlite import insert",
        "import psycopg",
        "import sqlite3\nsqlite3.connect('file')",
        "from sqlite3 import connect",
        "db.exec_driver_sql(text)",
        "db.execute('SELECT id FROM runs')",
        "text = 'INSERT INTO runs (id) VALUES (?)'",
        "text = f'UPDATE {table} SET id = 1'",
        "text = f'DELETE FROM {table}'",
        "text = 'PRAGMA journal_mode=WAL'",
        "text = '''\nWITH names AS (SELECT 1) SELECT name FROM names'''",
    ],
)
def test_sql_outside_the_store_is_noticed(line: str) -> None:
    assert sql_in(line)


@pytest.mark.parametrize(
    "line",
    [
        "from gnomon.store.engine import Transaction",
        "import sqlite3\nfailed = sqlite3.Error",
        "words = 'select one FROM the list'",
        "words = 'DELETE removes it from the list'",
        "words = 'UPDATE what is there'",
    ],
)
def test_words_that_only_look_like_sql_are_fine(line: str) -> None:
    assert not sql_in(line)


def test_only_show_prints() -> None:
    for path in ALL:
        if path.relative_to(SRC).as_posix().startswith("cli/show/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", f"{path}:{node.lineno} prints"
