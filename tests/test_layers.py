"""A package imports only from the layers below it, also inside functions."""

import ast
import functools
import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "gnomon"

LAYERS = [
    {"errors", "collector", "shorten", "_version"},
    {"model", "stats", "settings", "loops", "throttle", "atomicfile", "extras"},
    {"scorers", "llm", "agentlogs", "client", "calling"},
    {"outcome", "bench", "store", "interop", "report"},
    {"service"},
    {"server", "cli", "sdk", "mcp"},
    {"__init__", "__main__", "testing", "pytest_plugin"},
]
LAYER = {package: number for number, packages in enumerate(LAYERS) for package in packages}

# Where start-up time needs it, these may import our own packages late; layers hold for them too,
# except that commands may start the servers, their neighbours, and that `gnomon eval` runs programs of the SDK.
LATE_IMPORTS_ALLOWED = {"cli", "sdk", "__init__", "pytest_plugin"}
NEIGHBOURS_ALLOWED = {("cli", "server"), ("cli", "mcp"), ("cli", "sdk")}


def packages_imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("gnomon.")}


def package_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


@functools.cache
def trees() -> dict[Path, ast.Module]:
    """Every file of the package, parsed once."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SRC.rglob("*.py"))}


def test_a_package_imports_only_from_layers_below() -> None:
    faults = [
        f"{path.relative_to(SRC)} reaches up (or sideways) into {other}"
        for path, tree in trees().items()
        for other in packages_imported(tree) - {package_of(path)}
        if (package_of(path), other) not in NEIGHBOURS_ALLOWED and LAYER[other] >= LAYER[package_of(path)]
    ]
    assert not faults, "\n".join(faults)


def test_our_own_packages_are_imported_at_the_top_of_a_file() -> None:
    faults = [
        f"{path.relative_to(SRC)}:{function.lineno} imports one of our packages late"
        for path, tree in trees().items()
        if package_of(path) not in LATE_IMPORTS_ALLOWED
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and packages_imported(function)
    ]
    assert not faults, "\n".join(faults)


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


def sql_in(tree: ast.AST) -> list[int]:
    """The lines in which a file talks to a database itself."""
    return sorted({node.lineno for node in ast.walk(tree) if is_sql(node)})


def test_sql_lives_in_the_store_and_nowhere_else() -> None:
    faults = [
        f"{path.relative_to(SRC)}: SQL in the lines {lines}"
        for path, tree in trees().items()
        if package_of(path) != "store" and (lines := sql_in(tree))
    ]
    assert not faults, "\n".join(faults)


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
    assert sql_in(ast.parse(line))


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
    assert not sql_in(ast.parse(line))


def test_only_show_prints() -> None:
    faults = [
        f"{path.relative_to(SRC)}:{node.lineno} prints"
        for path, tree in trees().items()
        if not path.relative_to(SRC).as_posix().startswith("cli/show/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not faults, "\n".join(faults)
