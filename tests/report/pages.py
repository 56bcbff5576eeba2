"""What holds for every page: well formed, self-contained, both colour schemes, and text from outside stays text."""

import re
from html.parser import HTMLParser

SCRIPT = '<script>alert("1")</script>&\'"'
IMAGE = "<img src=x onerror=alert(2)>"
BIDI = "invoice \u202e}gpj.exe\u202c \u2066hidden\u2069"
CONTROL = "\x1b[31mred\x07"
HOSTILE = [SCRIPT, IMAGE, BIDI, CONTROL]
VOID = {"meta", "link", "input", "circle", "path", "rect", "polygon", "polyline", "br", "wbr"}
_FETCHING = {"script", "link", "img", "iframe", "object", "embed", "video", "audio"}
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069]")


class Tags(HTMLParser):
    """The tags in order, with their attributes; every one that opens must close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def check_self_contained(text: str) -> None:
    """Nothing is fetched, nothing runs, and every colour has a light and a dark value."""
    tags = Tags(text)
    assert not {tag for tag, _ in tags.found} & _FETCHING
    for _, attributes in tags.found:
        assert not [name for name in attributes if name in ("src", "srcset") or name.startswith("on")]
    assert not re.search(r"url\(|@import", text)
    check_colours(text)


def check_colours(text: str) -> None:
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", text))
    assert used <= set(re.findall(r"(--[a-z0-9-]+): light-dark\(#\w+, #\w+\)", text))


def check_harmless(text: str, hostile: str) -> None:
    """The hostile text is on the page, as text that anybody can see."""
    check_self_contained(text)
    assert not _HIDDEN.search(text)
    assert "<script" not in text
    assert "<img" not in text
    shown = {SCRIPT: "&lt;script&gt;alert(&#34;1&#34;)", IMAGE: "&lt;img src=x onerror=alert(2)&gt;"}
    assert shown.get(hostile, "") in text
