"""What leaves as a table: a spreadsheet that opens it must not run what somebody wrote into a cell."""

import ast
from pathlib import Path

import gnomon

CSV = {"csv.writer", "csv.DictWriter"}
METHODS = (".write_csv", ".sink_csv", ".to_csv")


def test_nothing_is_written_as_csv() -> None:
    """In CSV a cell that begins with =, +, -, @, a tab or a line end is a formula to a spreadsheet. Gnomon reads CSV,
    and writes JSON, JSONL, Parquet, HTML, Markdown and XML. Whoever adds a writer of CSV guards the cells that are
    text, leaves numbers as they are, and changes this test."""
    source = Path(gnomon.__file__).parent
    found = [
        f"{path.relative_to(source)}: {ast.unparse(node)}"
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if _writes_csv(node)
    ]
    assert found == []


def _writes_csv(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "csv"
    return isinstance(node, ast.Attribute) and (ast.unparse(node) in CSV or ast.unparse(node).endswith(METHODS))
