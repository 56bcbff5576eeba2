"""What leaves as a table: a spreadsheet that opens it must not run what somebody wrote into a cell."""

import ast
from pathlib import Path

import gnomon

CSV = {"csv.writer", "csv.DictWriter"}
METHODS = (".write_csv", ".sink_csv", ".to_csv")


def test_only_exports_are_written_as_csv_where_cells_are_guarded() -> None:
    """In CSV a cell that begins with =, +, -, @, a tab or a line end is a formula to a spreadsheet. Exports guard the
    cells that are text and leave numbers as they are (`tests/interop/test_exports.py`). Whoever adds another writer of
    CSV does the same, and changes this test."""
    source = Path(gnomon.__file__).parent
    found = [
        f"{path.relative_to(source).as_posix()}: {ast.unparse(node)}"
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if _writes_csv(node)
    ]
    assert found == ["interop/exports/writers.py: csv.writer"]


def _writes_csv(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "csv"
    return isinstance(node, ast.Attribute) and (ast.unparse(node) in CSV or ast.unparse(node).endswith(METHODS))
