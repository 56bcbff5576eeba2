"""YAML as a tree of texts: nothing is a number, a date or a boolean until the reader of a field converts it.

A commit `0123456` stays those seven characters, and `no` stays `no`. `as_json` gives JSON's own types and no others.
The tree is built from the parser's events, one after the other: nesting has a limit, so that hostile bytes end in
`BadYaml` and never in a crash.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_DEEPEST = 100
_LARGEST = 200_000  # nodes of one file; what an alias stands for counts each time


class BadYaml(ValueError):
    """Not YAML, or more than we read. The message is one line with the place in the file."""


@dataclass(slots=True, eq=False)
class Scalar:
    text: str
    plain: bool
    line: int
    size: ClassVar[int] = 1
    depth: ClassVar[int] = 0

    @property
    def null(self) -> bool:
        return self.plain and self.text in NULLS


@dataclass(slots=True, eq=False)
class Series:
    items: "list[Node]" = field(default_factory=list)
    line: int = 0
    size: int = 1
    depth: int = 1


@dataclass(slots=True, eq=False)
class Mapping:
    items: "dict[str, Node]" = field(default_factory=dict)
    line: int = 0
    size: int = 1
    depth: int = 1
    key_lines: dict[str, int] = field(default_factory=dict)
    """Where each key is written; a key that `<<` merges in is not here."""


Node = Scalar | Series | Mapping


def read(data: bytes, *, deepest: int = _DEEPEST, strict: bool = False) -> Node | None:
    """The first document of a file; None when it is empty. `strict` refuses aliases and further documents."""
    import yaml

    loader = None
    try:
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)(data)
        root = _document(loader.get_event, yaml, _TreeBuilder(deepest, aliases=not strict))
        if strict and isinstance(loader.get_event(), yaml.DocumentStartEvent):
            raise BadYaml("the file holds several documents; keep one")
        return root
    except yaml.MarkedYAMLError as bad:
        where = f" at line {bad.problem_mark.line + 1}" if bad.problem_mark else ""
        raise BadYaml(f"not YAML{where}: {bad.problem or bad.context or 'unreadable'}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as bad:
        raise BadYaml(f"not YAML: {str(bad).splitlines()[0]}") from None
    finally:
        if loader is not None:
            loader.dispose()


_JSON_WORDS = {"true": True, "false": False}
_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,17})?([eE][+-]?\d{1,2})?")


def as_json(node: Node | None) -> Any:
    """The tree as a JSON value: what is written as JSON writes it is a number, a boolean or null, all else is text."""
    if isinstance(node, Mapping):
        return {key: as_json(value) for key, value in node.items.items()}
    if isinstance(node, Series):
        return [as_json(item) for item in node.items]
    if node is None or node.null:
        return None
    if not node.plain:
        return node.text
    if node.text in _JSON_WORDS:
        return _JSON_WORDS[node.text]
    number = _JSON_NUMBER.fullmatch(node.text)
    if number is None:
        return node.text
    return float(node.text) if number[2] or number[3] else int(node.text)


@dataclass(slots=True)
class _Opened:
    """A list or mapping that is not complete: its own keys, the key that waits for its value, and where it began."""

    node: Series | Mapping
    began: int
    own: set[str] = field(default_factory=set)
    key: str | None = None


class _TreeBuilder:
    """Puts events together. `opened` are the lists and mappings that the next event falls into."""

    def __init__(self, deepest: int, *, aliases: bool) -> None:
        self.deepest = deepest
        self.aliases = aliases
        self.root: Node | None = None
        self.opened: list[_Opened] = []
        self.anchors: dict[str, Node] = {}
        self.count = 0

    def add(self, node: Node, size: int = 1) -> None:
        self.count += size
        if self.count > _LARGEST:
            raise BadYaml(f"more than {_LARGEST} values; split the file")
        if not self.opened:
            self.root = node
            return
        inside = self.opened[-1]
        if isinstance(inside.node, Series):
            inside.node.items.append(node)
        elif inside.key is not None:
            _put(inside.node, inside.key, node)
            inside.key = None
        elif isinstance(node, Scalar):
            if node.text in inside.own:
                raise BadYaml(f"key {node.text!r} appears twice (again at line {node.line})")
            inside.own.add(node.text)
            inside.key = node.text
            inside.node.key_lines[node.text] = node.line
        else:
            raise BadYaml(f"a key at line {node.line} is a list or a mapping; keys are texts")

    def open(self, node: Series | Mapping) -> None:
        began = self.count
        self.add(node)
        self.opened.append(_Opened(node, began))
        self._limit_depth(0, node.line)

    def close(self) -> None:
        closed = self.opened.pop()
        closed.node.size = self.count - closed.began
        self._limit_depth(closed.node.depth, closed.node.line)

    def add_alias(self, anchor: str, line: int) -> None:
        if not self.aliases:
            raise BadYaml(f"*{anchor} is an alias at line {line}; write out what it stands for")
        node = self.anchors.get(anchor)
        if node is None or any(node is inside.node for inside in self.opened):
            raise BadYaml(f"alias *{anchor} at line {line} names nothing that is complete")
        self.add(node, node.size)
        self._limit_depth(node.depth, line)

    def _limit_depth(self, below: int, line: int) -> None:
        """Nothing is deeper than the limit, also where aliases are followed."""
        if len(self.opened) + below > self.deepest:
            raise BadYaml(f"nested deeper than {self.deepest} levels at line {line}")
        if self.opened:
            inside = self.opened[-1].node
            inside.depth = max(inside.depth, below + 1)


def _put(parent: Mapping, key: str, node: Node) -> None:
    """A key of its own wins over one that `<<` merges in, whichever comes first."""
    if key != "<<":
        parent.items[key] = node
        return
    for merged in node.items if isinstance(node, Series) else [node]:
        if isinstance(merged, Mapping):
            parent.items |= {name: value for name, value in merged.items.items() if name not in parent.items}


def plain(node: Node | None) -> Any:
    """The tree as dicts, lists and texts; an empty file is an empty text."""
    match node:
        case None:
            return ""
        case Scalar():
            return node.text
        case Series():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key: plain(value) for key, value in node.items.items()}


def _document(next_event: Callable[[], Any], yaml: Any, built: _TreeBuilder) -> Node | None:
    # By exact type and the commonest first: a log has a thousand files of a hundred events each.
    node: Node
    while True:
        event = next_event()
        kind = type(event)
        if kind is yaml.ScalarEvent:
            node = Scalar(event.value, not event.style, event.start_mark.line + 1)
            built.add(node)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            built.close()
            continue
        elif kind is yaml.MappingStartEvent:
            built.open(node := Mapping(line=event.start_mark.line + 1))
        elif kind is yaml.SequenceStartEvent:
            built.open(node := Series(line=event.start_mark.line + 1))
        elif kind is yaml.AliasEvent:
            built.add_alias(event.anchor, event.start_mark.line + 1)
            continue
        elif event is None or kind is yaml.DocumentEndEvent:
            return built.root
        else:
            continue
        if event.anchor:
            built.anchors[event.anchor] = node
