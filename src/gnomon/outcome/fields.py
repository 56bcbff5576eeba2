"""The fields of a YAML mapping, each read as what it is meant to be: text, number, flag, list or mapping.

Nothing is guessed: a field of another kind is refused by its name, its line and what stands there.
"""

import re
from collections.abc import Callable

from gnomon.model.yamltree import BadYaml, Mapping, Node, Scalar, Series
from gnomon.outcome.record import OptionalBool
from gnomon.shorten import shorten

_INTEGER = re.compile(r"[+-]?[0-9]+")
_PREFIXED_INTEGER = re.compile(r"[+-]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLAGS = dict.fromkeys(("true", "True", "TRUE", "y", "Y", "yes", "on"), True)
_FLAGS |= dict.fromkeys(("false", "False", "FALSE", "n", "N", "no", "off"), False)
_MORE_FLAGS = {"Yes": True, "YES": True, "On": True, "ON": True, "No": False, "NO": False, "Off": False, "OFF": False}
_LARGEST_NUMBER = 2**63 - 1
_LONGEST_NUMBER = 400  # characters
_TRI_STATE = "true, false or nothing"


class Block:
    """The fields of a mapping, each read as what it is. `strict` keeps the original's reading of odd spellings."""

    def __init__(self, mapping: Mapping, *, strict: bool, notes: list[str] | None = None) -> None:
        self.items = mapping.items
        self.strict = strict
        self.notes: list[str] = [] if notes is None else notes

    @classmethod
    def of(cls, node: Node | None, source: str, *, strict: bool = False) -> "Block":
        """The mapping that a file or a place in it holds; an empty one where there is nothing."""
        if node is None or (isinstance(node, Scalar) and node.null):
            return cls(Mapping(), strict=strict)
        if not isinstance(node, Mapping):
            raise BadYaml(f"{source} is a {'list' if isinstance(node, Series) else 'text'}, not a mapping")
        return cls(node, strict=strict)

    def only(self, *known: str) -> None:
        """Refuse an unknown field: a misspelt one would otherwise be lost silently."""
        for name in self.items:
            if name not in known:
                raise BadYaml(f"unknown field {name!r}; known are {', '.join(sorted(known))}")

    def text(self, name: str) -> str:
        node = self._scalar(name, "a text")
        return "" if node is None else node.text

    def integer(self, name: str) -> int:
        node = self._scalar(name, "a whole number")
        if node is None:
            return 0
        text = node.text.replace("_", "")
        if not (node.plain and (_PREFIXED_INTEGER.fullmatch(text) or _FLOAT.fullmatch(text))):
            raise mistyped(name, node, "a whole number")
        number = _whole(text) if len(text) <= _LONGEST_NUMBER else _LARGEST_NUMBER + 1
        if abs(number) > _LARGEST_NUMBER:
            raise mistyped(name, node, "a whole number of at most 63 bits")
        return number

    def number(self, name: str) -> float:
        node = self._scalar(name, "a number")
        if node is None:
            return 0.0
        text = node.text.replace("_", "")
        if not (node.plain and _FLOAT.fullmatch(text)):
            raise mistyped(name, node, "a number")
        return float(text)

    def flag(self, name: str) -> bool:
        node = self._scalar(name, "true or false")
        if node is None:
            return False
        known = _FLAGS if self.strict else _FLAGS | _MORE_FLAGS
        if not node.plain or node.text not in known:
            raise mistyped(name, node, "true or false")
        return known[node.text]

    def reported(self, name: str) -> bool:
        """A flag that an agent reports. One that is neither true nor false was not reported, and that is noted."""
        return bool(self._leniently(lambda: self.flag(name)))

    def tri_state(self, name: str) -> OptionalBool:
        """true, false or not reported. Counts of passed tests are taken for what they mean."""
        node = self.items.get(name)
        value = self._leniently(lambda: optional_bool(name, node, strict=self.strict))
        if isinstance(node, Scalar) and node.plain and _INTEGER.fullmatch(node.text):
            self.notes.append(f"{name} is the number {node.text[:20]}; read as {str(value).lower()}")
        return value

    def _leniently(self, read: Callable[[], OptionalBool]) -> OptionalBool:
        try:
            return read()
        except BadYaml as bad:
            if self.strict:
                raise
            self.notes.append(f"{bad}; read as not reported")
            return None

    def block(self, name: str) -> "Block":
        return self.optional_block(name) or Block(Mapping(), strict=self.strict, notes=self.notes)

    def optional_block(self, name: str) -> "Block | None":
        node = self.items.get(name)
        return None if node is None else self._as_block(name, node)

    def blocks(self, name: str) -> "list[Block]":
        empty = Block(Mapping(), strict=self.strict, notes=self.notes)
        return [self._as_block(name, node) or empty for node in self._series(name)]

    def texts(self, name: str) -> tuple[str, ...]:
        nodes = self._series(name)
        for node in nodes:
            if not isinstance(node, Scalar):
                raise mistyped(name, node, "a list of texts")
        return tuple("" if node.null else node.text for node in nodes if isinstance(node, Scalar))

    def has(self, name: str) -> bool:
        """Whether the key is there with a value; `retries: 0` is evidence, a missing key is not."""
        node = self.items.get(name)
        return node is not None and not (isinstance(node, Scalar) and node.null)

    def _scalar(self, name: str, wanted: str) -> Scalar | None:
        node = self.items.get(name)
        if node is None or (isinstance(node, Scalar) and node.null):
            return None
        if not isinstance(node, Scalar):
            raise mistyped(name, node, wanted)
        return node

    def _series(self, name: str) -> list[Node]:
        node = self.items.get(name)
        if node is None or (isinstance(node, Scalar) and node.null):
            return []
        if not isinstance(node, Series):
            raise mistyped(name, node, "a list")
        return node.items

    def _as_block(self, name: str, node: Node) -> "Block | None":
        if isinstance(node, Scalar) and node.null:
            return None
        if not isinstance(node, Mapping):
            raise mistyped(name, node, "a mapping")
        return Block(node, strict=self.strict, notes=self.notes)


def optional_bool(name: str, node: Node | None, *, strict: bool) -> OptionalBool:
    """A flag that may be unset. Raises BadYaml where the node is neither true, false, a whole number nor nothing."""
    if node is None or (isinstance(node, Scalar) and (node.null or not node.text.strip())):
        return None
    if not isinstance(node, Scalar):
        raise mistyped(name, node, _TRI_STATE)
    if node.plain and node.text in ("True", "TRUE"):
        return not strict  # the original takes only the exact text `true` for true
    if node.plain and _INTEGER.fullmatch(node.text):
        return node.text.strip("+-0") != ""
    text = node.text.strip()
    if text in ("1", "t", "T", "TRUE", "true", "True"):
        return True
    if text in ("0", "f", "F", "FALSE", "false", "False"):
        return False
    raise mistyped(name, node, _TRI_STATE)


def _whole(text: str) -> int:
    """A number as an integer; its fraction is cut."""
    if re.match(r"[+-]?0[xob]", text):
        return int(text, 0)
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text)
    return int(number) if abs(number) < _LARGEST_NUMBER else _LARGEST_NUMBER + 1


def mistyped(name: str, node: Node, wanted: str) -> BadYaml:
    if isinstance(node, Scalar):
        return BadYaml(f"{name} at line {node.line} is {shorten(node.text, 60)!r}, not {wanted}")
    return BadYaml(f"{name} at line {node.line} is a {'list' if isinstance(node, Series) else 'mapping'}, not {wanted}")
