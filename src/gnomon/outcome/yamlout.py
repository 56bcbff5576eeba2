"""YAML as the original tool writes it: block style, four spaces, whole numbers without a point, keys in order."""

import re
from typing import Any

import yaml

_RARE_BREAKS = frozenset("\x85\u2028\u2029")


class _Dumper(yaml.SafeDumper):
    """Lists inside mappings are indented, and what stands in a list follows its dash, as in the original's files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)
        if self.sequence_context and not flow:
            self.indent = (self.indents[-1] or 0) + len("- ")

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _number(dumper: yaml.SafeDumper, value: float) -> yaml.Node:
    whole = value == int(value) and abs(value) < 1e15
    text = str(int(value)) if whole else repr(value)
    return dumper.represent_scalar("tag:yaml.org,2002:int" if whole else "tag:yaml.org,2002:float", text)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    # A file name may hold bytes that are not text; readers refuse the escape that would stand for them.
    text = value.encode(errors="replace").decode()
    # In single quotes PyYAML would lose these line breaks.
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if set(text) & _RARE_BREAKS else None)


_Dumper.add_representer(float, _number)
_Dumper.add_representer(str, _text)
# 9e-06 is a number for every other reader; PyYAML asks for a point and would write a tag before it.
_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"-?[0-9]+e[+-][0-9]+$"), list("-0123456789"))


def flow_free(value: Any) -> str:
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, indent=4, allow_unicode=True, default_flow_style=False, width=2**20
    )
    return text


def is_text(value: str) -> bool:
    """Whether it can be written as UTF-8. What a shell hands over may not be."""
    return value.encode(errors="replace").decode() == value
