"""The included families of benchmarks, and which of them a package belongs to.

This is the only module outside of a family that names one.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gnomon.bench.family import Family, Scenario, read_settings
from gnomon.bench.noticing.family import NOTICING
from gnomon.bench.packagefiles import CODE
from gnomon.bench.tasks.family import TASKS
from gnomon.errors import InvalidInput, Refused
from gnomon.model.nearest import did_you_mean
from gnomon.model.yamltree import as_json, read

FAMILIES: Sequence[Family] = (NOTICING, TASKS)
MARKERS = ("package.yaml", "package.json", "scenario.json")
"""Files of a package that may say of which family it is."""


def by_name(name: str) -> Family:
    family = next((family for family in FAMILIES if family.name == name), None)
    if family is None:
        known = ", ".join(family.name for family in FAMILIES)
        raise InvalidInput.of("family", f"family {name[:60]!r} is not known; there are {known}")
    return family


def is_package(folder: Path) -> bool:
    """Whether a folder looks like a package of any family."""
    return any((folder / name).is_file() for name in MARKERS) or any(family.recognises(folder) for family in FAMILIES)


def family_of(folder: Path) -> Family:
    """The family that a package names, else the one that recognises its files."""
    if not folder.is_dir():
        raise Refused(f"{folder}: there is no such folder; name the folder of a scenario package", code=CODE)
    stated = next((name for marker in MARKERS if (name := _stated(folder / marker)) is not None), None)
    if stated is not None:
        try:
            return by_name(stated)
        except InvalidInput as bad:
            raise Refused(f"{folder}: {bad.message}", code=CODE) from None
    recognised = next((family for family in FAMILIES if family.recognises(folder)), None)
    if recognised is None:
        known = ", ".join(family.name for family in FAMILIES)
        words = f"Missing required file: scenario.json, or package.json with a family ({known})"
        raise Refused(f"{folder}: {words}", code=CODE)
    return recognised


def check_settings(values: Mapping[str, Any]) -> None:
    """Refuse a setting that no family takes, or a value that it may not have."""
    known = sorted({name for family in FAMILIES for name in family.settings.model_fields})
    for name, value in values.items():
        takers = [family for family in FAMILIES if name in family.settings.model_fields]
        if not takers:
            near = did_you_mean(name, known, f"there are {', '.join(known)}")
            raise InvalidInput.of(f"settings.{name}", f"setting {name} is taken by no family of benchmarks; {near}")
        for family in takers:
            read_settings(family, {name: value})


def settings_of(family: Family, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of these settings that a family takes: runs of several families may be in one folder."""
    return {name: value for name, value in values.items() if name in family.settings.model_fields}


def load(folder: Path) -> list[Scenario]:
    """The scenarios of a package, whatever its family."""
    return list(family_of(folder).load(folder))


def copy_examples(out: Path) -> list[tuple[str, Path]]:
    """Copy every example package into a folder, and say where each is. What is there already is not overwritten."""
    packages = [
        (family.name, package)
        for family in FAMILIES
        if family.examples is not None
        for package in sorted(family.examples.iterdir())
        if is_package(package)
    ]
    for _, package in packages:
        if (out / package.name).exists():
            raise Refused(f"{out / package.name} exists already; name another folder with --out", code=CODE)
    copied = []
    try:
        for family, package in packages:
            shutil.copytree(package, out / package.name)
            copied.append((family, out / package.name))
    except OSError as bad:
        raise Refused(f"{out}: {bad.strerror or bad}; name a folder that can be written to", code=CODE) from None
    return copied


def _stated(path: Path) -> str | None:
    """The key `family` of a file; None where it has none, or cannot be read: its family will say what is wrong."""
    try:
        text = path.read_bytes()
        content: Any = as_json(read(text)) if path.suffix == ".yaml" else json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    name = content.get("family") if isinstance(content, dict) else None
    return name if isinstance(name, str) else None
