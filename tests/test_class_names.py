"""A class name means one thing in the whole project, so that a reader who meets it knows which class is meant."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "gnomon"


def declared() -> dict[str, list[str]]:
    """Class name → the places where a class of that name is declared, also inside of functions and classes."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(SOURCES)}:{node.lineno}")
    return places


def test_a_class_name_is_declared_once():
    places = declared()
    assert len(places) > 1_000, "the sources were not found"
    repeated = {name: where for name, where in places.items() if len(where) > 1}
    assert repeated == {}, "give each of these a name of its own that says what it is"
