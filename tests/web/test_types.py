"""The page's types are those of the API."""

import importlib.util
from pathlib import Path

_TOOL = Path(__file__).parents[2] / "web" / "tools" / "make_types.py"


def test_the_types_of_the_page_are_made_from_the_document_as_it_is() -> None:
    spec = importlib.util.spec_from_file_location("make_types", _TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    first = tool.TYPES.read_text().partition("\n")[0]
    assert first == tool.first_line(tool.document()), "run: make web-types"
