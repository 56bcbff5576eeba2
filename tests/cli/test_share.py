"""`gnomon compare --share`: a link that a pull request can carry, which shows the comparison without a key."""

import json
import re
from pathlib import Path

import httpx2

from cli.conftest import Run, running
from contract.caller import LOOPBACK

LINK = re.compile(r"(http\S+)/share#token=([\w-]{43})")


def test_a_comparison_is_printed_with_a_link_that_needs_no_key(gnomon: Run, demo_db: Path, tmp_path: Path):
    key = json.loads(
        gnomon("key", "create", "--role", "write", "--project", "support-demo", "--db", demo_db, "--json").out
    )["key"]
    with running("serve", "--db", str(demo_db)) as server:
        comment = tmp_path / "comment.md"
        at = ("--url", server.url, "--key", key)
        done = gnomon("compare", "answers-v1", "answers-v2", "--share", "--markdown", str(comment), *at)
        assert done.code == 0, done.err
        ((url, token),) = LINK.findall(done.out)
        assert url == server.url
        assert re.search(r"shared, read only, until \d{4}-\d\d-\d\d: http", done.out)
        assert re.search(rf"\[Look at the comparison\]\({re.escape(url)}/share#token={token}\)", comment.read_text())
        opened = httpx2.post(f"{url}/v1/session", json={"share": token}, **LOOPBACK)
        assert opened.json()["share"]["path"].startswith("/projects/support-demo/compare/")
        as_json = json.loads(gnomon("compare", "answers-v1", "answers-v2", "--share", "3", "--json", *at).out)
        assert LINK.fullmatch(as_json["share_url"])
        without = json.loads(gnomon("compare", "answers-v1", "answers-v2", "--json", *at).out)
        assert "share_url" not in without


def test_without_a_server_there_is_nothing_to_link_to(gnomon: Run, demo_db: Path):
    done = gnomon("compare", "answers-v1", "answers-v2", "--share", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--share makes a link to a page of a server" in done.err
