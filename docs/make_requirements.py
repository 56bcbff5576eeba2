"""Writes docs/reference/requirements.md from requirements.yaml: `python docs/make_requirements.py`.

With --check nothing is written: what is wrong with the data, and a page that is not up to date, are told, and the
exit code is 1. A test does the same.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "reference" / "requirements.yaml"
PAGE = DATA.with_suffix(".md")
PENDING = "pending"
_ID = re.compile(r"[A-Z]-\d{3}")
_TEST = re.compile(r"(?P<path>tests/[\w/]+\.py)::(?P<name>test_\w+)(?:\[(?P<case>.+)\])?")


@dataclass(frozen=True)
class Row:
    """One requirement: `tests` hold it, or `untested` says why none does.

    `differs` is where we do otherwise on purpose, `decided` what we do where the document leaves it open.
    """

    id: str
    says: str
    tests: tuple[str, ...] = ()
    pending: bool = False
    untested: str = ""
    differs: str = ""
    decided: str = ""


@dataclass(frozen=True)
class Section:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Document:
    id: str
    title: str
    about: str
    sections: tuple[Section, ...]

    @property
    def rows(self) -> list[Row]:
        return [row for section in self.sections for row in section.rows]


def load(path: Path = DATA) -> list[Document]:
    """The data file. A key that nobody reads, or one that is missing, raises."""
    return [_document(**one) for one in yaml.safe_load(path.read_text(encoding="utf-8"))["documents"]]


def _document(id: str, title: str, about: str, sections: list[dict[str, Any]]) -> Document:
    made = (Section(one["title"], tuple(_row(**row) for row in one["rows"])) for one in sections)
    return Document(id, title, about, tuple(made))


def _row(id: str, says: str, tests: list[str] | str = (), **notes: str) -> Row:
    if isinstance(tests, str) and tests != PENDING:
        raise ValueError(f"{id}: tests is {tests!r}; write a list, or {PENDING}")
    named = () if isinstance(tests, str) else tuple(tests)
    return Row(id, says, named, pending=tests == PENDING, **notes)


# --- what is wrong with it -----


def faults(documents: list[Document]) -> Iterator[str]:
    """Ids that are not in order, rows that nothing holds, tests that do not exist: one line each."""
    for document in documents:
        before = ""
        for row in document.rows:
            if not (_ID.fullmatch(row.id) and row.id.startswith(document.id) and row.id > before):
                yield f"{row.id}: ids of {document.title} are {document.id}-001 and so on, each once, upwards"
            before = row.id
            if bool(row.tests) + row.pending + bool(row.untested) != 1:
                yield f"{row.id}: name its tests, or say in `untested` why there is none"
            if len(set(row.tests)) < len(row.tests):
                yield f"{row.id}: a test is named twice"
            yield from (f"{row.id}: {fault}" for test in row.tests if (fault := _missing(test)))


def _missing(test: str) -> str | None:
    """Why this is not a test of ours; None when it is."""
    parts = _TEST.fullmatch(test)
    if parts is None:
        return f"{test} is not like tests/file.py::test_name or tests/file.py::test_name[case]"
    if not (ROOT / parts["path"]).is_file():
        return f"there is no file {parts['path']}"
    cases = _tests_in(ROOT / parts["path"]).get(parts["name"])
    if cases is None:
        return f"{parts['path']} has no test {parts['name']}"
    if parts["case"] and parts["case"] not in cases:
        return f"{parts['name']} has no case {parts['case']!r} that is written as such"
    return None


@cache
def _tests_in(path: Path) -> dict[str, set[str]]:
    """The tests of a file, each with the texts in its parameters: a case is called by one of them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assigned = {
        name.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for name in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(name, ast.Name)
    }
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        function.name: {text for decorator in function.decorator_list for text in _texts(decorator, assigned)}
        for function in functions
        if function.name.startswith("test_")
    }


def _texts(node: ast.AST, assigned: dict[str, ast.expr]) -> Iterator[str]:
    for inside in ast.walk(node):
        if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
            yield inside.value
        elif isinstance(inside, ast.Name) and inside.id in assigned:
            yield from _texts(assigned[inside.id], {})


# --- the page -----

_HEAD = """\
# Requirements

Gnomon began with three documents: about a scoring platform, about the outcome of a coding agent's iterations, and
about the models of a benchmark's results. This page lists what they ask, and what was added on them, in our words, and
the tests that hold it.
*Differs* is where we do otherwise on purpose, *Decided* what we do where the document leaves it open. The page is made
from [requirements.yaml](requirements.yaml) by `python docs/make_requirements.py`; a test checks that it is current and
that every test on it exists.

| document | requirements | differ on purpose | without a test |
|---|---|---|---|
"""


def page(documents: list[Document]) -> str:
    return _HEAD + "".join(_summary(one) for one in documents) + "".join(_shown(one) for one in documents)


def _summary(document: Document) -> str:
    rows = document.rows
    differ = sum(bool(row.differs) for row in rows)
    link = f"[{document.title}](#{document.title.lower().replace(' ', '-')})"
    return f"| {link} | {len(rows)} | {differ} | {sum(not row.tests for row in rows)} |\n"


def _shown(document: Document) -> str:
    parts = [f"\n## {document.title}\n\n{document.about}\n"]
    for section in document.sections:
        rows = "".join(_line(row) for row in section.rows)
        parts.append(f"\n### {section.title}\n\n| id | requirement | held by |\n|---|---|---|\n{rows}")
    return "".join(parts)


def _line(row: Row) -> str:
    notes = {"Differs": row.differs, "Decided": row.decided}
    said = "".join(f"<br>*{name}:* {words}" for name, words in notes.items() if words)
    return f"| {row.id} | {_cell(row.says + said)} | {_cell(_holds(row))} |\n"


def _holds(row: Row) -> str:
    if row.pending:
        return "*test to come*"
    return "<br>".join(f"`{test}`" for test in row.tests) or f"*No test:* {row.untested}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write docs/reference/requirements.md from requirements.yaml.")
    parser.add_argument("--check", action="store_true", help="Write nothing; exit 1 when something is wrong or old.")
    check = parser.parse_args(arguments).check
    documents = load()
    wrong = list(faults(documents))
    text = page(documents)
    if check and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text):
        wrong.append(f"{PAGE.name} is old; run: python docs/make_requirements.py")
    for line in wrong:
        sys.stdout.write(f"{line}\n")
    waiting = [row.id for document in documents for row in document.rows if row.pending]
    if waiting:
        sys.stdout.write(f"tests to come: {', '.join(waiting)}\n")
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
