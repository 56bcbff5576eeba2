"""From a run to success and metrics: every rule, with what it stands on."""

from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import EXAMPLES, FILES, files, two_apples, write_files
from gnomon.bench.tasks.package import Task, load
from gnomon.bench.tasks.scoring import AgentMessage, CallPosition, Episode, MadeCall, TaskScore, score
from gnomon.bench.tasks.world import apply

Calls = list[tuple[str, dict[str, Any]]]
SOLUTION: Calls = [("sell", {"fruit": "apple", "pieces": 2}), ("count_stock", {"fruit": "apple"})]


def episode(task: Task, calls: Calls, *answers: str) -> Episode:
    world, made = task.world, []
    for number, (tool, args) in enumerate(calls):
        applied = apply(task.tools, world, tool, args)
        made.append(MadeCall(CallPosition(0, number, 0), tool, args, applied.ok))
        world = applied.world
    return Episode(
        made, [AgentMessage(CallPosition(step, 0), text) for step, text in enumerate(answers)], max(len(answers), 1)
    )


def metrics(scored: TaskScore) -> dict[str, float]:
    return {metric.name: metric.value for metric in scored.metrics}


def test_the_solution_succeeds_with_evidence_for_every_share(tmp_path: Path) -> None:
    task = two_apples(tmp_path)
    scored = score(task, episode(task, SOLUTION, "Three are left."))
    assert scored.success
    assert scored.failures == ()
    assert metrics(scored) == {
        "state_match": 1.0, "required_calls": 1.0, "forbidden_calls": 0, "required_words": 1.0, "forbidden_words": 0,
        "tool_errors": 0, "tool_calls": 2, "steps": 1,
    }  # fmt: skip
    proofs = {metric.name: [proof.excerpt for proof in metric.proofs] for metric in scored.metrics}
    assert proofs["state_match"] == [
        'sales is [{"fruit":"apple","pieces":2}]', "stock.apple is 3", "till is 0.5",
    ]  # fmt: skip
    assert proofs["required_calls"] == ['count_stock(fruit="apple")']
    assert proofs["required_words"] == ["Three are left."]


def test_doing_nothing_matches_none_of_what_had_to_change(tmp_path: Path) -> None:
    task = two_apples(tmp_path)
    scored = score(task, Episode((), [AgentMessage(CallPosition(0, 0), "No.")], 1))
    assert not scored.success
    assert metrics(scored)["state_match"] == 0.0
    assert scored.failures == (
        'sales is [], expected [{"fruit":"apple","pieces":2}]',
        "stock.apple is 5, expected 3",
        "till is 0.1, expected 0.5",
        "not called: count_stock()",
        "not said: '3' or 'three'",
    )


def test_what_was_changed_besides_counts_against_the_run(tmp_path: Path) -> None:
    task = two_apples(tmp_path)
    scored = score(task, episode(task, [*SOLUTION, ("throw_away", {"fruit": "pear"})], "3 left"))
    assert scored.failures == ("stock.pear is missing, expected 2", 'forbidden call: throw_away(fruit="pear")')
    assert metrics(scored)["state_match"] == 0.75


def test_a_forbidden_call_counts_also_when_the_tool_refused_it_unless_the_task_says_otherwise(tmp_path: Path) -> None:
    calls: Calls = [*SOLUTION, ("throw_away", {"fruit": "plum"})]
    strict = two_apples(tmp_path / "strict")
    assert metrics(score(strict, episode(strict, calls, "3")))["forbidden_calls"] == 1
    lenient = two_apples(tmp_path / "lenient", forbidden_calls=[{"tool": "throw_away", "attempts": False}])
    scored = score(lenient, episode(lenient, calls, "3"))
    assert scored.success
    assert metrics(scored)["tool_errors"] == 1


@pytest.mark.parametrize(
    ("answer", "is_said"),
    [("3 left", True), ("Three.", True), ("13 left", False), ("3.5 left", False), ("threefold", False), ("x:3!", True)],
)
def test_words_are_whole_words(tmp_path: Path, answer: str, is_said: bool) -> None:
    task = two_apples(tmp_path)
    assert score(task, episode(task, SOLUTION, answer)).success is is_said


def test_words_may_be_said_in_any_answer_and_forbidden_ones_in_none(tmp_path: Path) -> None:
    task = two_apples(tmp_path)
    assert score(task, episode(task, SOLUTION, "3 left", "You are welcome.")).success
    scored = score(task, episode(task, SOLUTION, "3 left", "Soon we are SOLD  out."))
    assert scored.failures == ("forbidden words: Soon we are SOLD out.",)


def test_required_calls_match_arguments_conditions_times_and_order(tmp_path: Path) -> None:
    required = [
        {"tool": "sell", "args": {"fruit": "apple"}, "where": "pieces > 1"},
        {"tool": "count_stock", "times": 2},
    ]
    task = two_apples(tmp_path, required_calls=required, in_order=True, required_words=[])
    assert score(task, episode(task, SOLUTION)).failures == ("not called: count_stock() 2 times",)
    assert score(task, episode(task, [*SOLUTION, SOLUTION[1]])).success
    wrong_order = score(task, episode(task, [SOLUTION[1], SOLUTION[0], SOLUTION[1]]))
    assert wrong_order.failures == ("not called: count_stock() 2 times",)
    assert metrics(wrong_order)["required_calls"] == 0.5


def test_ignored_paths_and_orders_do_not_matter(tmp_path: Path) -> None:
    one_by_one: Calls = [("sell", {"fruit": "apple", "pieces": 1})] * 2
    expected = {"calls": [{"tool": "sell", "args": {"fruit": "apple", "pieces": 2}}], "ignore": ["sales"]}
    task = two_apples(tmp_path / "a", expected=expected, required_calls=[], required_words=[])
    assert score(task, episode(task, one_by_one)).success
    both = [{"tool": "sell", "args": {"fruit": fruit, "pieces": 1}} for fruit in ("apple", "pear")]
    turned: Calls = [("sell", {"fruit": "pear", "pieces": 1}), ("sell", {"fruit": "apple", "pieces": 1})]
    for any_order in ([], ["sales"]):
        task = two_apples(
            tmp_path / f"b{len(any_order)}", expected={"calls": both, "any_order": any_order}, required_calls=[],
            required_words=[],
        )  # fmt: skip
        assert score(task, episode(task, turned)).success is bool(any_order)


def test_without_reference_calls_only_the_named_values_matter(tmp_path: Path) -> None:
    expected = {"world": {"stock.apple": 3}, "absent": ["stock.pear"]}
    task = two_apples(tmp_path, expected=expected, required_calls=[], required_words=[], forbidden_calls=[])
    scored = score(task, episode(task, [SOLUTION[0]]))
    assert scored.failures == ("stock.pear is 2, expected missing",)
    assert metrics(scored)["state_match"] == 0.5
    assert score(task, episode(task, [SOLUTION[0], ("throw_away", {"fruit": "pear"})])).success


def test_a_task_may_begin_with_another_world(tmp_path: Path) -> None:
    task = {**FILES["tasks/two_apples.json"], "changes": {"stock.apple": 9}}
    package = load(write_files(tmp_path, files(two_apples=task)))
    assert package.task("two_apples").world["stock"] == {"apple": 9, "pear": 2}
    assert package.world["stock"] == {"apple": 5, "pear": 2}


def test_lists_are_compared_item_by_item_as_long_as_nothing_was_added(tmp_path: Path) -> None:
    task = load(EXAMPLES / "returns_desk").task("grey_for_blue")
    swapped_too_many = [("exchange", {"order_id": "W1004", "line": 2, "quantity": 3, "article_id": "A11"})]
    assert score(task, episode(task, [("get_order", {"order_id": "W1004"}), *swapped_too_many])).failures == (
        "articles.A11.stock is 3, expected 4",
        'exchanges is [{"article":"A11","line":2,"order":"W1004","quantity":3}], '
        'expected [{"article":"A11","line":2,"order":"W1004","quantity":2}]',
        "orders.W1004.lines.1.returned is 3, expected 2",
    )
