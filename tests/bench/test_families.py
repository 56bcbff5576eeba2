"""A family is a plug: what every one of them keeps to, which package is whose, and who may know of them."""

import ast
import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.small import write_small
from gnomon.bench.families import FAMILIES, by_name, family_of, is_package, load
from gnomon.bench.family import Family, RunSetup
from gnomon.errors import InvalidInput, Refused
from gnomon.model.transcript import RunConfig

SRC = Path(__file__).parents[2] / "src" / "gnomon"
OWN = {family.name: SRC / "bench" / family.name for family in FAMILIES}
CONFIG = RunConfig(agent_model="none", user_sim_model="none", judge_model="none")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_describes_what_it_measures(family: Family):
    own = family.metrics
    assert own.family == family.name
    groups = [group.name for group in own.groups]
    assert len(set(groups)) == len(groups)
    assert {metric.group for metric in own.metrics} <= set(groups)
    assert any(metric.headline for metric in own.metrics)
    assert family.summary
    assert family.reference_agents
    assert family.rubric().dimensions
    assert family.settings.model_config.get("extra") == "forbid"
    family.settings.model_validate({})


def test_a_metric_means_the_same_in_every_family():
    known: dict[str, Any] = {}
    for family in FAMILIES:
        for metric in family.metrics.metrics:
            assert known.setdefault(metric.name, metric) == metric
            assert metric.name != "success", "that is every run's, and no metric"


def test_a_family_is_found_by_its_name():
    assert [by_name(family.name) for family in FAMILIES] == list(FAMILIES)
    with pytest.raises(InvalidInput, match="family 'chess' is not known; there are noticing"):
        by_name("chess")


def test_a_package_is_of_the_family_that_it_names_or_whose_files_it_has(tmp_path: Path):
    small = write_small(tmp_path)
    assert is_package(small)
    assert family_of(small).name == "noticing"
    about = json.loads((small / "scenario.json").read_bytes())
    (small / "scenario.json").write_text(json.dumps({**about, "family": "chess"}), encoding="utf-8")
    with pytest.raises(Refused, match="family 'chess' is not known"):
        load(small)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert not is_package(empty)
    for folder, words in ((empty, "Missing required file"), (tmp_path / "none", "there is no such folder")):
        with pytest.raises(Refused, match=words):
            load(folder)


def test_a_world_can_be_brought_back_by_its_steps_alone(tmp_path: Path):
    """What every world has to keep: a run that was killed goes on as if nothing was."""
    (scenario,) = load(write_small(tmp_path / "packages"))

    async def first_messages(count: int) -> list[str]:
        world = scenario.open(RunSetup(CONFIG, tmp_path))
        assert world.planned_steps == 10
        begun = await world.begin([])
        assert begun is not None
        return [begun.message][:count]

    assert asyncio.run(first_messages(1)) == asyncio.run(first_messages(1))


# --- who knows what -----

WORDS = re.compile(r"called_911|contacted_someone|crisis|heartbeat|emergency", re.IGNORECASE)
"""Words of one family, which nobody else has a use for."""
MAY_KNOW = {
    "model/firstformat.py",  # the reader and writer of the first published format
}


def sources() -> Sequence[Path]:
    return [path for path in SRC.rglob("*") if path.suffix in (".py", ".yaml") and OWN["noticing"] not in path.parents]


def test_only_the_reader_of_the_first_format_knows_the_words_of_one_family():
    found = {path.relative_to(SRC).as_posix() for path in sources() if WORDS.search(path.read_text(encoding="utf-8"))}
    assert found == MAY_KNOW


def test_nobody_but_the_registry_imports_a_family():
    """The four published models have always been importable from `gnomon.bench`."""
    allowed = {"bench/families.py", "bench/__init__.py"}
    for path in SRC.rglob("*.py"):
        if any(own in path.parents for own in OWN.values()) or path.relative_to(SRC).as_posix() in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in OWN:
                    assert not node.module.startswith(f"gnomon.bench.{name}"), f"{path}: imports the family {name}"
