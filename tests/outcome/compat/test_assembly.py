"""From what the extractors found to one set of signals: which value votes, and which claims stand beside facts."""

import ast
import inspect
from types import ModuleType

import pytest

from gnomon.model.outcome import IntegrityObservation
from gnomon.outcome import (
    BackfillSignals,
    GitSignals,
    IterlogSignals,
    SignalSet,
    SignalValue,
    absent_signal,
    present_signal,
    profiles,
    reading,
)
from gnomon.outcome import signals as signals_module
from gnomon.outcome.compat import reading as compat_reading
from gnomon.outcome.signals import claiming_role, correction_pressure, no_objectives
from outcome.compat.building import assemble_signal_set, found, near, record

A = absent_signal("nobody said")


def assembled(
    entry: dict[str, SignalValue | int] | None = None,
    landed: SignalValue = A,
    scope: SignalValue = A,
    schema: int = 2,
) -> SignalSet:
    said = {"scope_claimed": A, "tests_claimed": A, "verifier": A, "verifier_claimed": A, "landed_claimed": A}
    return assemble_signal_set(
        record(schema=schema),
        IterlogSignals(**said | (entry or {})),
        GitSignals(landed, scope),
        BackfillSignals(1, A),
        no_objectives("no transcripts"),
        A,
    )


@pytest.mark.parametrize(
    ("retries", "corrections", "error_rate", "expected"),
    [
        pytest.param(0, 0, None, 1.0, id="row-49"),
        pytest.param(2, 0, None, 1 / 3, id="row-50"),
        pytest.param(1, 3, None, 0.2, id="row-51"),
        pytest.param(0, 0, 0.5, 0.5, id="row-52"),
        pytest.param(1, 1, 0.25, 1 / 3.5, id="row-53"),
        pytest.param(3, 0, None, 0.25, id="row-55"),
        pytest.param(0, 0, 1 / 3, 0.6, id="row-56"),
        pytest.param(-1, 0, None, 1.0, id="a load of zero"),
        pytest.param(-3, 0, None, 0.0, id="a negative load"),
    ],
)
def test_correction_pressure_falls_with_retries_corrections_and_tool_errors(
    retries: int, corrections: int, error_rate: float | None, expected: float
):
    assert found(correction_pressure(retries, corrections, error_rate)) == near(expected)


@pytest.mark.parametrize("retries", [pytest.param(5, id="row-54")])
def test_an_error_rate_that_is_not_present_is_ignored(retries: int):
    backfill = BackfillSignals(1, A, tool_error_rate=0.9, tool_error_rate_present=False)
    entry = IterlogSignals(A, A, A, A, A, retries=retries)
    signals = assemble_signal_set(record(), entry, GitSignals(A, A), backfill, no_objectives("none"), A)
    assert found(signals.correction_pressure) == near(1 / 6)


@pytest.mark.parametrize(
    ("retries", "corrections", "error_rate", "told"),
    [
        pytest.param(0, 0, None, ["0"], id="row-57-nothing-known"),
        pytest.param(2, 4, None, ["2", "4"], id="row-57-counts"),
        pytest.param(0, 0, 0.25, ["25%"], id="row-57-rate"),
    ],
)
def test_correction_pressure_is_never_absent_and_always_explains_itself(
    retries: int, corrections: int, error_rate: float | None, told: list[str]
):
    value = correction_pressure(retries, corrections, error_rate)
    assert value.present
    assert all(words in value.detail for words in told)


@pytest.mark.parametrize(
    ("observed", "expected"),
    [pytest.param(present_signal(0.6), 0.6, id="row-58"), pytest.param(A, 1.0, id="row-59")],
)
def test_the_changed_files_decide_about_scope_and_the_note_only_without_them(observed: SignalValue, expected: float):
    assert found(assembled({"scope_claimed": present_signal(1.0)}, scope=observed).scope) == expected


@pytest.mark.parametrize(
    ("claimed", "observed", "comparable", "delta"),
    [
        pytest.param(0.5, 1.0, True, 0.5, id="row-60"),
        pytest.param(1.0, 0.0, True, -1.0, id="row-61"),
        pytest.param(0.7, 0.7, True, 0.0, id="row-62"),
        pytest.param(0.5, None, False, 0.0, id="row-63"),
        pytest.param(None, 0.5, False, 0.0, id="row-64"),
    ],
)
def test_a_difference_exists_only_between_a_claim_and_a_fact(
    claimed: float | None, observed: float | None, comparable: bool, delta: float
):
    claim = A if claimed is None else present_signal(claimed)
    fact = A if observed is None else present_signal(observed)
    pair = IntegrityObservation(signal="scope", role="impl", claimed=claim, observed=fact)
    assert (pair.comparable, pair.delta) == (comparable, near(delta))


@pytest.mark.parametrize(
    ("schema", "role"), [pytest.param(2, "verifier", id="row-65"), pytest.param(1, "impl", id="row-66")]
)
def test_schema_1_knows_one_role_only(schema: int, role: str):
    assert claiming_role("verifier", schema) == role


CLAIMS = {
    "landed_claimed": present_signal(1.0),
    "verifier_claimed": present_signal(1.0),
    "verifier": present_signal(0.5),
    "tests_claimed": present_signal(1.0),
    "scope_claimed": present_signal(1.0),
}


@pytest.mark.parametrize(
    ("schema", "roles"),
    [
        pytest.param(2, ["impl", "verifier", "impl", "impl"], id="row-67"),
        pytest.param(1, ["impl", "impl", "impl", "impl"], id="row-68"),
    ],
)
def test_every_claim_is_paired_with_its_fact_and_with_who_claimed(schema: int, roles: list[str]):
    pairs = assembled(CLAIMS, landed=present_signal(1.0), schema=schema).integrity
    assert [pair.signal for pair in pairs] == ["landed", "verifier", "tests", "scope"]
    assert [pair.role for pair in pairs] == roles
    assert [pair.comparable for pair in pairs] == [True, True, True, False]


def test_a_claim_never_stands_in_for_landing_tokens_or_hooks():
    """Landing, token efficiency and hook outcomes are facts only: a claim without a fact leaves them absent."""
    signals = assembled(CLAIMS)
    assert [found(value) for value in (signals.landed, signals.token_efficiency, signals.hook_outcomes)] == [None] * 3
    assert found(signals.scope) == 1.0  # of the others the claim may vote


def test_claimed_tests_stand_beside_the_verdict_of_the_verifiers():
    tests = assembled(CLAIMS).integrity[2]
    assert (tests.claimed.sub_score, tests.observed.sub_score, tests.delta) == (1.0, 0.5, -0.5)


@pytest.mark.parametrize("module", [signals_module, profiles, reading, compat_reading], ids=lambda one: one.__name__)
def test_putting_the_parts_together_reads_no_files_and_asks_no_process(module: ModuleType):
    """Joining the parts is pure: the modules import nothing that could reach the disk, git or the network."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(module))))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    pure = {"collections.abc", "dataclasses", "functools", "gnomon.model.outcome", "gnomon.outcome.record"}
    assert modules <= pure | {f"gnomon.outcome.{name}" for name in ("profiles", "reading", "compat.reading")}
    assert {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names} <= {"re"}
    assert not any(isinstance(node, ast.Name) and node.id in ("open", "__import__") for node in nodes)


@pytest.mark.parametrize("pairs", [pytest.param((), id="row-69")])
def test_where_nothing_is_known_no_pair_exists_and_correction_pressure_is_one(pairs: tuple[()]):
    signals = assembled()
    assert signals.integrity == pairs
    assert found(signals.correction_pressure) == 1.0


@pytest.mark.parametrize(("retries", "expected"), [pytest.param(1, 0.5, id="row-70")])
def test_one_retry_halves_correction_pressure(retries: int, expected: float):
    assert found(assembled({"retries": retries}).correction_pressure) == expected
