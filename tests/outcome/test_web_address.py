"""Where a remote's repository is on the web."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.outcome.webaddress import FORGES, web_address

SHOP = "https://github.com/acme/shop"


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/acme/shop", "https://github.com/acme/shop.git", "https://github.com/acme/shop/",
        "https://GitHub.com:443/acme/shop.git", "https://ana:secret@github.com/acme/shop.git",
        "https://secret@github.com/acme/shop", "git@github.com:acme/shop.git", "github.com:acme/shop",
        "ssh://git@github.com/acme/shop.git", "ssh://git@github.com:22/acme/shop.git",
    ],
)  # fmt: skip
def test_every_way_to_write_a_remote_has_one_address(remote: str) -> None:
    assert web_address(remote) == SHOP


def test_a_group_of_a_group_is_in_the_address() -> None:
    assert web_address("git@gitlab.com:acme/web/shop.git") == "https://gitlab.com/acme/web/shop"
    assert web_address("git@github.com:acme/web/shop.git") is None


@pytest.mark.parametrize(
    "remote",
    [
        "", "shop", "/srv/git/shop.git", "file:///srv/git/shop.git", "../shop", "git://github.com/acme/shop",
        "http://github.com/acme/shop", "https://git.example.com/acme/shop", "git@host:acme/shop",
        "https://github.com:8443/acme/shop", "https://github.com:secret/acme/shop",
        "ssh://git@github.com:2222/acme/shop", "https://github.com@evil.example/acme/shop",
        "https://evil.example/github.com/acme", "https://github.com.evil.example/acme/shop",
        "https://evil.example\\@github.com/acme/shop", "https://github.com/acme/shop?x=1",
        "https://github.com/acme/shop#x", "https://github.com/acme/../shop", "https://github.com/acme/%2e%2e",
        "https://github.com/acme", "https://github.com/acme/shop/tree", "https://github.com//acme/shop",
        "javascript:alert(1)//github.com/acme/shop", "https://github.com/acme/sh op", "https://github.com/acme/shop\n",
        "https://[github.com/acme/shop", "https://github.com/-acme/shop", "git@github.com:/acme/shop:x",
    ],
)  # fmt: skip
def test_what_is_on_no_forge_or_odd_has_none(remote: str) -> None:
    assert web_address(remote) is None


remotes = st.builds(
    "{}{}@{}{}/{}".format, st.sampled_from(["https://", "ssh://", ""]), st.text(), st.sampled_from(FORGES),
    st.sampled_from(["", ":443", ":22", ":x", "/a", ":a"]), st.text(),
)  # fmt: skip


@given(st.text() | remotes)
def test_an_address_never_has_more_than_a_forge_and_names(remote: str) -> None:
    address = web_address(remote)
    if address is not None:
        parts = urlsplit(address)
        assert (parts.scheme, parts.netloc in FORGES, parts.query, parts.fragment) == ("https", True, "", "")
