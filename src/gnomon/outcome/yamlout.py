"""YAML as the original tool writes it: block style, four spaces, whole numbers without a point, keys in order."""

from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Lists inside mappings are indented, as in the original's files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _number(dumper: yaml.SafeDumper, value: float) -> yaml.Node:
    whole = value == int(value) and abs(value) < 1e15
    text = str(int(value)) if whole else repr(value)
    return dumper.represent_scalar("tag:yaml.org,2002:int" if whole else "tag:yaml.org,2002:float", text)


_Dumper.add_representer(float, _number)


def flow_free(value: Any) -> str:
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, indent=4, allow_unicode=True, default_flow_style=False, width=2**20
    )
    return text
