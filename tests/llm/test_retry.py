"""What is decided after trouble: the same for a command that sleeps and for a job that is postponed."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm.answer import Answer, Trouble
from gnomon.llm.prices import MOST_TOKENS
from gnomon.llm.retry import AskingPolicy, GiveUp, TryAgain, WaitAsTold
from gnomon.llm.spent import LARGEST_SUM, Spent, bounded, total

POLICY = AskingPolicy()
KINDS = ["rate_limited", "overloaded", "timeout", "connection", "refused", "unreadable"]
waits = st.none() | st.floats(0, 1e9)
policies = st.builds(
    AskingPolicy, attempts=st.integers(1, 10), first_pause=st.floats(0, 5), longest_pause=st.floats(0, 100),
    longest_wait=st.floats(0, 1000), gives_up_on_longer_waits=st.booleans(), waits_for=st.floats(0, 1e4),
    counts_rate_limits=st.booleans(),
)  # fmt: skip


def trouble(kind: Any, retry_after: float | None = None, **more: Any) -> Trouble:
    return Trouble(kind, "no", retry_after=retry_after, **more)


@pytest.mark.parametrize(
    ("fault", "attempt", "waited", "decision"),
    [
        (trouble("rate_limited", 7), 1, 0, WaitAsTold(7)),
        (trouble("rate_limited", 7), 6, 0, WaitAsTold(7)),
        (trouble("rate_limited", 9_999), 1, 0, WaitAsTold(300)),
        (trouble("rate_limited", 7), 1, 3600, TryAgain(7)),
        (trouble("rate_limited", 7), 6, 3600, GiveUp("rate_limited: no (6 attempts)")),
        (trouble("rate_limited"), 1, 0, TryAgain(1)),
        (trouble("overloaded"), 1, 0, TryAgain(1)),
        (trouble("overloaded", 40), 1, 0, TryAgain(40)),
        (trouble("overloaded"), 6, 0, GiveUp("overloaded: no (6 attempts)")),
        (trouble("refused"), 1, 0, GiveUp("refused: no")),
        (trouble("unreadable"), 1, 0, TryAgain(1)),
        (trouble("unreadable", evidence="{"), 1, 0, GiveUp("unreadable: no")),
    ],
)
def test_what_is_decided(fault: Trouble, attempt: int, waited: float, decision: Any) -> None:
    assert POLICY.after(fault, attempt, waited, lambda: 0.0) == decision


def test_a_command_does_not_wait_for_longer_than_somebody_would() -> None:
    hasty = AskingPolicy(gives_up_on_longer_waits=True)
    assert isinstance(hasty.after(trouble("rate_limited", 301), 1), GiveUp)
    assert hasty.after(trouble("rate_limited", 300), 1) == WaitAsTold(300)


def test_a_benchmark_waits_for_a_model_that_does_not_say_how_long() -> None:
    assert AskingPolicy(counts_rate_limits=False).after(trouble("rate_limited"), 6) == WaitAsTold(0)


@given(
    policies, st.sampled_from(KINDS), waits, st.integers(1, 10), st.floats(0, 1e5), st.floats(0, 1, exclude_max=True)
)
def test_an_attempt_is_never_beyond_the_limit_and_every_wait_is_bounded(
    policy: AskingPolicy, kind: str, retry_after: float | None, attempt: int, waited: float, chance: float
) -> None:
    decision = policy.after(trouble(kind, retry_after), attempt, waited, lambda: chance)
    if isinstance(decision, TryAgain):
        assert attempt < policy.attempts
        longest = max(policy.longest_wait, policy.longest_pause, policy.first_pause)
        assert 0 <= decision.seconds <= longest * (1 + 1e-9)
    if isinstance(decision, WaitAsTold):
        assert kind == "rate_limited"
        assert waited < policy.waits_for
        assert 0 <= decision.seconds <= policy.longest_wait


# --- sums -----

counts = st.none() | st.integers(0, 2**62)


@given(st.lists(counts, max_size=20))
def test_a_sum_with_an_unknown_part_is_unknown_and_every_other_is_inside_64_bits(parts: list[int | None]) -> None:
    found = total(parts)
    assert (found is None) == (None in parts)
    assert found is None or 0 <= found <= LARGEST_SUM


@given(st.lists(st.floats(0, 1e308), max_size=20))
def test_a_sum_of_costs_is_finite_or_unknown(parts: list[float]) -> None:
    found = total(parts)
    assert found is None or math.isfinite(found)


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@given(anything, anything, anything)
def test_whatever_a_model_says_that_it_took_is_a_count_or_unknown(given_in: Any, given_out: Any, usd: Any) -> None:
    took = bounded(Answer("", "m", given_in, given_out, usd, 1.0))
    for tokens in (took.tokens_input, took.tokens_output):
        assert tokens is None or (type(tokens) is int and 0 <= tokens <= MOST_TOKENS)
    assert took.cost_usd is None or (math.isfinite(took.cost_usd) and took.cost_usd >= 0)
    spent = Spent.of([took] * 3)
    assert 0 <= spent.known_tokens <= LARGEST_SUM
    assert math.isfinite(spent.known_usd)
    assert (spent.cost_usd is None) == (took.cost_usd is None)
