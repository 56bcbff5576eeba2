"""YAML as a tree of texts: nothing is a number, a date or a boolean until somebody who knows the field says so.

A commit `0123456` stays those seven characters, and `no` stays `no`. The tree is built from the parser's
events, one after the other: nesting has a limit, so that hostile bytes end in `BadYaml` and never in a crash.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_DEEPEST = 100
_LARGEST = 200_000  # nodes of one file, aliases not followed


class BadYaml(ValueError):
    """Not YAML, or more than we read. The message is one line with the place in the file."""


@dataclass(slots=True, eq=False)
class Scalar:
    text: str
    plain: bool
    line: int

    @property
    def null(self) -> bool:
        return self.plain and self.text in NULLS


@dataclass(slots=True, eq=False)
class Series:
    items: "list[Node]" = field(default_factory=list)
    line: int = 0


@dataclass(slots=True, eq=False)
class Mapping:
    items: "dict[str, Node]" = field(default_factory=dict)
    line: int = 0


Node = Scalar | Series | Mapping


def read(data: bytes) -> Node | None:
    """The first document of a file; None when it is empty."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _document(yaml.parse(data, Loader=loader), yaml)
    except yaml.MarkedYAMLError as bad:
        where = f" at line {bad.problem_mark.line + 1}" if bad.problem_mark else ""
        raise BadYaml(f"not YAML{where}: {bad.problem or bad.context or 'unreadable'}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as bad:
        raise BadYaml(f"not YAML: {str(bad).splitlines()[0]}") from None


class _Builder:
    """Puts events together. `open_nodes` are the lists and mappings that the next event falls into."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.open_nodes: list[tuple[Series | Mapping, list[str]]] = []
        self.anchors: dict[str, Node] = {}
        self.count = 0

    def add(self, node: Node) -> None:
        self.count += 1
        if self.count > _LARGEST:
            raise BadYaml(f"more than {_LARGEST} values; split the file")
        if not self.open_nodes:
            self.root = node
            return
        parent, waiting = self.open_nodes[-1]
        if isinstance(parent, Series):
            parent.items.append(node)
        elif waiting:
            _put(parent, waiting.pop(), node)
        elif isinstance(node, Scalar):
            if node.text in parent.items:
                raise BadYaml(f"key {node.text!r} appears twice (again at line {node.line})")
            waiting.append(node.text)
        else:
            raise BadYaml(f"a key at line {node.line} is a list or a mapping; keys are texts")

    def open(self, node: Series | Mapping) -> None:
        if len(self.open_nodes) >= _DEEPEST:
            raise BadYaml(f"nested deeper than {_DEEPEST} levels at line {node.line}")
        self.add(node)
        self.open_nodes.append((node, []))


def _put(parent: Mapping, key: str, node: Node) -> None:
    if key != "<<":
        parent.items[key] = node
        return
    for merged in node.items if isinstance(node, Series) else [node]:
        if isinstance(merged, Mapping):
            parent.items |= {name: value for name, value in merged.items.items() if name not in parent.items}


def _document(events: Iterator[Any], yaml: Any) -> Node | None:
    built = _Builder()
    for event in events:
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.DocumentEndEvent):
            break
        if isinstance(event, yaml.CollectionEndEvent):
            built.open_nodes.pop()
            continue
        if isinstance(event, yaml.AliasEvent):
            built.add(_meant(built, event.anchor, line))
            continue
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            node = Scalar(event.value, event.style in (None, ""), line)
            built.add(node)
        elif isinstance(event, yaml.SequenceStartEvent):
            built.open(node := Series(line=line))
        elif isinstance(event, yaml.MappingStartEvent):
            built.open(node := Mapping(line=line))
        else:
            continue
        if event.anchor:
            built.anchors[event.anchor] = node
    return built.root


def _meant(built: _Builder, anchor: str, line: int) -> Node:
    node = built.anchors.get(anchor)
    if node is None or any(node is opened for opened, _ in built.open_nodes):
        raise BadYaml(f"alias *{anchor} at line {line} names nothing that is complete")
    return node
