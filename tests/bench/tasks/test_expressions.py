"""The expression language: what it computes, what it refuses, and that it always comes to an end."""

import contextlib
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.bench.tasks.expressions import ExpressionError, parse
from gnomon.bench.tasks.templates import filled, filled_path, template
from gnomon.model import jsonvalue

NAMES: dict[str, Any] = {
    "order": {"status": "delivered", "lines": [{"price": 12.5, "quantity": 2}, {"price": 0.1, "quantity": 3}]},
    "orders": {"W1": {"total": 7}, "a.b": {"total": 8}},
    "order_id": "W1",
    "dotted": "a.b",
    "n": 3,
    "nothing": None,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("0.1 + 0.2 == 0.3", True),
        ("7 / 2", 3.5),
        ("6 / 3", 2),
        ("-n % 2", 1),
        ("orders[order_id].total", 7),
        ("orders.W1.total", 7),
        ("orders[dotted].total", 8),
        ("orders.W9.total", None),
        ("order.lines[5].price", None),
        ("order.lines[-1].quantity", 3),
        ('order.status == "delivered" and not n > 3', True),
        ("1 < n < 3", False),
        ("n in [1, 2, 3]", True),
        ('"W1" in orders and "W2" not in orders', True),
        ('"liver" in order.status', True),
        ("sum(line.price * line.quantity for line in order.lines)", 25.3),
        ("sum(line.price for line in order.lines if line.quantity > 2)", 0.1),
        ("[line.quantity for line in order.lines]", [2, 3]),
        ("max(line.price for line in order.lines)", 12.5),
        ("min(n, 2)", 2),
        ("max([])", None),
        ("len(order.lines) + len(order.status)", 11),
        ("any(line.price > 10 for line in order.lines) and all(x for x in [true, true])", True),
        ('"yes" if nothing == null else "no"', "yes"),
        ("round(55.165, 2)", 55.17),
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("1 == true", False),
        ("1 == 1.0", True),
        ('{"total": n}', {"total": 3}),
        ("sorted(keys(orders))", ["W1", "a.b"]),
        ("sum(entry.total for entry in values(orders))", 15),
        ('lower("ÀB") + text(n)', "àb3"),
        ('minutes_between("2027-03-16T10:00", "2027-03-16T11:30")', 90),
        ('plus_minutes("2027-02-28T23:45", 30)', "2027-03-01T00:15"),
        ('weekday("2027-03-15")', "Monday"),
    ],
)
def test_an_expression_has_the_value_that_it_seems_to_have(text: str, value: Any) -> None:
    assert jsonvalue.canonical(parse(text).value(NAMES)) == jsonvalue.canonical(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__import__('os')", "is not a function"),
        ("order.__class__()", "a call of something that is not a function's name"),
        ("(lambda: 1)()", "a call of something"),
        ("2 ** 9", "the operator Pow"),
        ("1 << 9", "the operator LShift"),
        ("[x for x in [1] for y in [2]]", "a ListComp"),
        ("{**order}", "a Dict"),
        ("order[0:2]", "a Subscript"),
        ("f'{n}'", "a JoinedStr"),
        ("b'x'", "a constant of type bytes"),
        ("n is null", "a Compare"),
        ("(x := 1)", "a NamedExpr"),
        ("summ([1])", "did you mean 'sum'?"),
        ("n n", "is not an expression"),
        ("len(n=1)", "named arguments"),
        ('"a\\n"', "a backslash"),
        ("1" * 501, "longer than 500"),
        ("(" * 250, "is not an expression"),
    ],
)
def test_what_is_not_part_of_the_language_is_refused_when_it_is_read(text: str, words: str) -> None:
    with pytest.raises(ExpressionError, match="(?s)" + words.replace("?", r"\?").replace("*", r"\*")):
        parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('n - "a"', "'-' takes numbers, not \"a\""),
        ("1 / 0", "1 / 0 has no value"),
        ("1e15 * 10", "beyond"),
        ("unknown", "'unknown' is not defined"),
        ("n and true", "not true or false"),
        ("n < nothing", "takes numbers, not null"),
        ("sum(n)", "sum\\(\\) takes a list"),
        ("[x for x in orders]", "use values"),
        ("len()", "takes 1 arguments, not 0"),
        ('plus_minutes("soon", 5)', "is not a time"),
    ],
)
def test_a_value_of_the_wrong_kind_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words):
        parse(text).value(NAMES)


def test_no_expression_runs_for_long() -> None:
    many = list(range(1000))
    with pytest.raises(ExpressionError, match="takes more than 20000 steps"):
        parse("sum(sum(a * b for b in many) for a in many)").value({"many": many})


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**300)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=8,
)
pieces = st.sampled_from(
    [
        "x",
        "y",
        "x.a",
        "x[0]",
        "1",
        "2.5",
        '"t"',
        "null",
        "true",
        "[x, y]",
        "len(x)",
        "sum(x)",
        "keys(y)",
        "(not x)",
        "-y",
    ]
)
operators = st.sampled_from([" + ", " - ", " * ", " / ", " % ", " == ", " < ", " in ", " and ", " or "])


@given(st.lists(st.tuples(pieces, operators), min_size=1, max_size=6), pieces, values, values)
def test_an_expression_gives_json_or_one_error_and_the_same_each_time(
    parts: list[tuple[str, str]], last: str, x: Any, y: Any
) -> None:
    expression = parse("".join(piece + operator for piece, operator in parts) + last)
    outcomes = []
    for _ in range(2):
        try:
            outcomes.append(jsonvalue.canonical(expression.value({"x": x, "y": y})))
        except ExpressionError as bad:
            outcomes.append(f"error: {bad}")
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0].splitlines()) == 1


@given(st.text(alphabet=string.printable, max_size=40))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        assert parse(text).text == text


def test_a_template_that_is_one_expression_keeps_the_type() -> None:
    assert filled({"a": "{n}", "b": "{n} pieces", "c": ["{order.lines[0]}"], "d": "{{n}}", "e": 4}, NAMES) == {
        "a": 3, "b": "3 pieces", "c": [{"price": 12.5, "quantity": 2}], "d": "{n}", "e": 4,
    }  # fmt: skip


def test_an_expression_in_a_path_is_one_key() -> None:
    assert filled_path("orders.{dotted}.lines.{n - 1}", NAMES) == ("orders", "a.b", "lines", "2")


@pytest.mark.parametrize("text", ["{n", "n}", "{}", "{n + }"])
def test_braces_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        template(text)
