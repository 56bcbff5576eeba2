"""The guide is true: every `$ gnomon …` in a console block prints what the page shows.

Renew a page after a change that is meant: `python tests/cli/test_guide.py`.
"""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
NAMED = {"NAME": "a new user", "EMAIL": "user@example.org"}
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```)", re.MULTILINE | re.DOTALL)


def played(block: str, folder: Path, hour: Iterator[int]) -> str:
    """The block as it would read if its commands were run now. `cat` shows a file that the block itself gives, and
    every `git` is an hour after the one before."""
    shown = ""
    for step in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
        typed, _, rest = step.partition("\n")
        program, *arguments = shlex.split(typed.removeprefix("$ "))
        if program == "cat":
            (folder / arguments[0]).parent.mkdir(parents=True, exist_ok=True)
            (folder / arguments[0]).write_text(rest, encoding="utf-8")
            shown += step
        else:
            command = ["git", *arguments] if program == "git" else [sys.executable, "-m", program, *arguments]
            surroundings = os.environ | (at_the(next(hour)) if program == "git" else {})
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=surroundings
            )
            shown += f"{typed}\n{done.stdout}{done.stderr}"
    return shown


def at_the(hour: int) -> dict[str, str]:
    """A repository in which the same commands make the same commits, whoever runs them."""
    when = f"{1_780_300_800 + 3600 * hour} +0000"
    who = {f"GIT_{role}_{what}": words for role in ("AUTHOR", "COMMITTER") for what, words in NAMED.items()}
    return {**who, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.name)
def test_what_a_page_shows_is_what_the_commands_print(page: Path, demo_db: Path):
    hour = itertools.count()
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        assert played(block, demo_db.parent, hour) == block


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        played("$ gnomon demo --no-serve --db demo.db\n", Path(made), itertools.count())
        for one in GUIDE.glob("*.md"):
            clock = itertools.count()
            text = one.read_text(encoding="utf-8")
            renew = partial(lambda hour, found: played(found[1], Path(made), hour), clock)
            one.write_text(BLOCK.sub(renew, text), encoding="utf-8")
