"""The guide is true: every `$ gnomon …` in a console block prints what the page shows.

Renew a page after a change that is meant: `python tests/cli/test_guide.py`.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```)", re.MULTILINE | re.DOTALL)


def played(block: str, folder: Path) -> str:
    """The block as it would read if its commands were run now. `cat` shows a file that the block itself gives."""
    shown = ""
    for step in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
        typed, _, rest = step.partition("\n")
        program, *arguments = shlex.split(typed.removeprefix("$ "))
        if program == "cat":
            (folder / arguments[0]).write_text(rest, encoding="utf-8")
            shown += step
        else:
            command = [sys.executable, "-m", program, *arguments]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
            shown += f"{typed}\n{done.stdout}{done.stderr}"
    return shown


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.name)
def test_what_a_page_shows_is_what_the_commands_print(page: Path, demo_db: Path):
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        assert played(block, demo_db.parent) == block


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        played("$ gnomon demo --no-serve --db demo.db\n", Path(made))
        for one in GUIDE.glob("*.md"):
            text = one.read_text(encoding="utf-8")
            one.write_text(BLOCK.sub(lambda found: played(found[1], Path(made)), text), encoding="utf-8")
