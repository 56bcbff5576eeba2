"""The guide names every tool with its parameters, as the tools themselves have them."""

import os
from pathlib import Path

from gnomon.mcp.server import TOOLS
from gnomon.mcp.tools import Tool

GUIDE = Path(__file__).parents[2] / "docs" / "coding-agents" / "mcp.md"
BEGIN, END = "<!-- tools -->\n", "<!-- /tools -->\n"


def table() -> str:
    rows = [f"| `{tool.name}` | {parameters(tool)} | {words(tool)} |" for tool in TOOLS]
    return "\n".join(["| tool | parameters | what it does |", "|---|---|---|", *rows]) + "\n"


def parameters(tool: Tool) -> str:
    schema = tool.schema()
    required = schema.get("required", ())
    names = (f"`{name}`" if name in required else f"[`{name}`]" for name in schema.get("properties", {}))
    return ", ".join(names)


def words(tool: Tool) -> str:
    return f"{tool.description}{' With `--write`.' if tool.writes else ''}".replace("|", "\\|")


def test_the_table_of_tools_is_what_the_tools_say() -> None:
    page = GUIDE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    written, _, tail = rest.partition(END)
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        GUIDE.write_text(f"{head}{BEGIN}{table()}{END}{tail}", encoding="utf-8")
        written = table()
    assert written == table(), "docs/coding-agents/mcp.md is old; run this test with GNOMON_RENEW_GOLDEN=1"
