"""Student's t, the fair coin, and what happens without SciPy."""

import doctest
import importlib
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gnomon.stats
from gnomon.stats.tails import fair_coin_p_value, t_critical, t_p_value

ROOM = sorted(path.stem for path in Path(gnomon.stats.__file__).parent.glob("[a-z]*.py"))


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.706204736174694), (3, 3.182446305283708), (4, 2.7764451051977934), (49, 2.009575237129235)],
)
def test_the_critical_value_of_t_is_the_tabled_one(degrees, expected):
    assert t_critical(degrees) == pytest.approx(expected, rel=1e-12)


def test_the_critical_value_and_the_p_value_agree():
    assert t_p_value(t_critical(7), 7) == pytest.approx(0.05, rel=1e-12)


@given(st.integers(0, 150), st.integers(0, 150))
def test_the_fair_coin_test_is_the_sum_of_the_exact_tail(heads, tails):
    few, tosses = min(heads, tails), heads + tails
    tail = sum(comb(tosses, i) for i in range(few + 1))
    assert fair_coin_p_value(heads, tails) == pytest.approx(min(1.0, 2 * tail / 2**tosses), rel=1e-10)


def test_the_fair_coin_test_keeps_its_digits_over_thousands_of_tosses():
    tail = sum(comb(5000, i) for i in range(2401))
    assert fair_coin_p_value(2400, 2600) == pytest.approx(2 * tail / 2**5000, rel=1e-10)


def test_importing_the_room_loads_neither_numpy_nor_scipy():
    imports = "; ".join(f"import gnomon.stats.{name}" for name in ROOM)
    check = f"import sys; {imports}; print(sorted({{'numpy', 'scipy'}} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ROOM)
def test_the_examples_in_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(f"gnomon.stats.{name}")).failed == 0
