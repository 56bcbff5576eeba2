"""Runs the cells of examples/notebook.ipynb and writes their outputs into it: `python docs/make_notebook.py`.

Jupyter is not needed. As there, the cells run in order, in one namespace and inside a running event loop; what a cell
prints and the value of its last line are its outputs. A test runs the cells again and compares.
"""

import ast
import asyncio
import contextlib
import io
import json
import linecache
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "notebook.ipynb"

Cell = dict[str, Any]


def executed(cells: Iterable[Cell]) -> list[Cell]:
    """The cells with the outputs of running them here and now."""
    return asyncio.run(_executed(cells))


async def _executed(cells: Iterable[Cell]) -> list[Cell]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    done: list[Cell] = []
    for cell in cells:
        if cell["cell_type"] == "code":
            number = 1 + sum(one["cell_type"] == "code" for one in done)
            outputs = await _outputs("".join(cell["source"]), namespace, number)
            cell = {**cell, "execution_count": number, "outputs": outputs}
        done.append(cell)
    return done


async def _outputs(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    file = f"<cell {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # as Jupyter does
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(printed):
        await _run(tree, namespace, file)
        value = None if last is None else await _run(ast.Expression(last.value), namespace, file)
    outputs: list[dict[str, Any]] = []
    printed.seek(0)
    if lines := printed.readlines():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        outputs.append({
            "data": _shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result",
        })  # fmt: skip
    return outputs


async def _run(tree: ast.Module | ast.Expression, namespace: dict[str, Any], file: str) -> Any:
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    result = eval(compile(tree, file, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), namespace)
    return await result if asyncio.iscoroutine(result) else result


def _shown(value: Any) -> dict[str, list[str]]:
    shown = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    return {kind: text.splitlines(keepends=True) for kind, text in sorted(shown.items())}


def read(path: Path = NOTEBOOK) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return notebook


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GNOMON_HOME"] = folder
        sys.stderr.write(f"running the cells of {NOTEBOOK.name}\n")
        notebook = read()
        notebook["cells"] = executed(notebook["cells"])
        NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
