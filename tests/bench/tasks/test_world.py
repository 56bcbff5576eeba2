"""The laws of a world: calls are pure, done as a whole or not at all, and can be replayed."""

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.tasks.shop import EXAMPLE_NAMES, EXAMPLES, files, tiny, write_files
from gnomon.bench.tasks.package import TaskPackage, load
from gnomon.bench.tasks.world import apply, replayed
from gnomon.model import jsonvalue


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> TaskPackage:
    return tiny(tmp_path_factory.mktemp("shop"))


def test_a_call_changes_the_world_as_its_tool_declares(shop: TaskPackage) -> None:
    applied = apply(shop.tools, shop.world, "sell", {"fruit": "apple", "pieces": 2})
    assert applied.result == {"status": "ok", "result": "Sold 2 of apple."}
    assert applied.world == {
        "stock": {"apple": 3, "pear": 2}, "sales": [{"fruit": "apple", "pieces": 2}], "till": 0.5,
    }  # fmt: skip


def test_a_call_that_fails_in_its_last_step_changes_nothing(shop: TaskPackage) -> None:
    applied = apply(shop.tools, shop.world, "sell", {"fruit": "pear", "pieces": 3})
    assert applied.result == {"status": "error", "message": "There are only 2."}
    assert applied.world == shop.world


def test_items_are_removed_by_a_condition(shop: TaskPackage) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("sell", {"fruit": "apple", "pieces": 1}),
        ("sell", {"fruit": "pear", "pieces": 1}),
        ("undo_sales", {"fruit": "apple"}),
    ]
    assert replayed(shop.tools, shop.world, calls)["sales"] == [{"fruit": "pear", "pieces": 1}]


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("sel", {}, "Unknown tool: sel; did you mean sell?"),
        ("sell", {"fruit": "apple"}, "Missing argument: pieces"),
        ("sell", {"fruit": "apple", "pieces": None}, "Missing argument: pieces"),
        ("sell", {"fruit": "apple", "pieces": "2"}, 'Wrong arguments: pieces does not satisfy type: "integer"'),
        ("sell", {"fruit": "apple", "pieces": 0}, "Wrong arguments: pieces does not satisfy minimum: 1"),
        ("sell", {"fruit": "apple", "pieces": 1, "x": 1}, "Unknown argument: x; sell takes fruit, pieces"),
        ("count_stock", {"fruit": "plum"}, "We have no plum."),
        ("throw_away", {"fruit": "plum"}, "there is nothing at stock.plum"),
    ],
)
def test_what_cannot_be_done_is_an_error_that_says_why(
    shop: TaskPackage, tool: str, args: dict[str, Any], message: str
) -> None:
    applied = apply(shop.tools, shop.world, tool, args)
    assert applied.result == {"status": "error", "message": message}
    assert applied.world is shop.world


PACKAGES = [load(EXAMPLES / name) for name in EXAMPLE_NAMES]
_texts = st.sampled_from(
    ["W1001", "W1003", "W1005", "A11", "A12", "R2001", "card", "damaged", "iris.albrecht@example.com", "mug", "M1",
     "M8", "M9", "lena", "dana", "Oak", "Birch", "2027-03-16T14:00", "2027-03-18T11:00", "2027-03-16", "nonsense", ""]
)  # fmt: skip
_values = _texts | st.integers(-1, 5) | st.booleans() | st.none() | st.lists(_texts, max_size=3)


@st.composite
def packages_and_calls(draw: st.DrawFn) -> tuple[TaskPackage, list[tuple[str, dict[str, Any]]]]:
    """Calls that are often possible: known tools, known arguments, values that occur in the world."""
    package = draw(st.sampled_from(PACKAGES))
    calls = []
    for _ in range(draw(st.integers(1, 6))):
        tool = draw(st.sampled_from([*package.tools.values()]))
        names = [*tool.arguments, "unknown"] if draw(st.integers(0, 9)) == 0 else tool.arguments
        calls.append((tool.name, {name: draw(_values) for name in names}))
    return package, calls


@given(packages_and_calls())
def test_calls_are_pure_atomic_and_replayable(given_: tuple[TaskPackage, list[tuple[str, dict[str, Any]]]]) -> None:
    package, calls = given_
    first = copy.deepcopy(package.world)
    world = package.world
    for tool, args in calls:
        before = copy.deepcopy(world)
        applied = apply(package.tools, world, tool, args)
        again = apply(package.tools, world, tool, args)
        assert world == before, "a call changed the world that it was given"
        assert (applied.world, applied.result) == (again.world, again.result)
        assert applied.ok or applied.world == world, "a call that failed changed something"
        jsonvalue.canonical(applied.world)
        world = applied.world
    assert replayed(package.tools, package.world, calls) == world
    assert package.world == first


@given(st.text(max_size=20), st.dictionaries(st.text(max_size=8), _values, max_size=3))
def test_whatever_is_called_with_whatever_nothing_raises(tool: str, args: dict[str, Any]) -> None:
    for package in PACKAGES:
        applied = apply(package.tools, package.world, tool, args)
        assert applied.ok or applied.result["message"]


def test_a_world_cannot_grow_beyond_all_bounds(tmp_path: Path) -> None:
    tools = {
        "tools": [
            {
                "name": "grow",
                "description": "Doubles.",
                "do": [
                    {"compute": f"[{previous}, {previous}]", "as": f"v{number}"}
                    for number, previous in enumerate(["sales", *(f"v{n}" for n in range(39))])
                ],
            }
        ]
    }
    made = {name: value for name, value in files(tools=tools).items() if not name.startswith("tasks/")}
    made["tasks/idle.json"] = {"summary": "Idle.", "instruction": "Hi.", "expected": {"calls": []}}
    package = load(write_files(tmp_path / "tiny", made))
    applied = apply(package.tools, package.world, "grow", {})
    assert applied.result["message"] == "The call makes more than 50000 values; ask for less"


def test_the_steps_of_a_call_together_take_a_bounded_time(tmp_path: Path) -> None:
    tools = {
        "tools": [
            {
                "name": "search",
                "description": "Looks at everything for everything.",
                "do": [{"lookup": "many", "where": "sum(x * row for x in many) > 0", "as": "found"}],
            }
        ]
    }
    made = {name: value for name, value in files(tools=tools).items() if not name.startswith("tasks/")}
    made["world.json"] = {"many": list(range(1000))}
    made["tasks/idle.json"] = {"summary": "Idle.", "instruction": "Hi.", "expected": {"calls": []}}
    package = load(write_files(tmp_path / "tiny", made))
    applied = apply(package.tools, package.world, "search", {})
    assert applied.result["message"] == "this takes more than 200000 steps; loop over less"
