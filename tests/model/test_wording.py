"""One dictionary for all codes: whatever an answer may hold has its words."""

import re
from pathlib import Path
from typing import get_args

import gnomon
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.experiment import Verdict
from gnomon.model.gates import GateDecision
from gnomon.model.score import State
from gnomon.model.wording import WORDS
from gnomon.scorers.protocol import NO_EXPECTED, NO_OUTPUT
from gnomon.service.judges import budgets, judging
from gnomon.service.scoring import standing, targets
from gnomon.stats.ends import MeanMethod, Method

SOURCES = Path(gnomon.__file__).parent


def test_every_method_of_an_interval_has_words():
    methods = {
        *get_args(IntervalMethod),
        *get_args(MeanMethod),
        *(m for kind in get_args(Method) for m in get_args(kind)),
    }
    assert methods <= set(WORDS.ci_methods)


def test_every_flag_that_statistics_set_has_words():
    """Flags are tuples of words in the sources: `flags=("small_n",)`, `("one_item",) if …`."""
    known = set(WORDS.flags)
    for path in [*SOURCES.glob("stats/*.py"), SOURCES / "service/analysis/compare.py", SOURCES / "model/stopping.py"]:
        for words in re.findall(r'flags(?:=|\.append\(|: .* = )\(?"([a-z_]+)"', path.read_text()):
            assert words in known, f"{path.name}: {words}"
    assert {"stopped_early", "could_stop_early", "small_n", "one_item", "single_run", "bracketed"} <= known


def test_verdicts_decisions_policies_and_states_are_all_there():
    assert set(WORDS.verdicts) == set(get_args(Verdict))
    assert set(WORDS.decisions) == set(get_args(GateDecision))
    assert set(WORDS.missing_policies) == set(get_args(MissingPolicy))
    assert set(WORDS.states) == set(get_args(State))


def test_reasons_that_we_give_are_explained():
    given = [
        standing.RUN_FAILED, standing.NEVER_ASKED, NO_OUTPUT.reason, NO_EXPECTED.reason, targets.NO_ROOT,
        judging.USED_UP, budgets.price_unknown("p", "m"), "timeout: openai did not answer in time",
        "the scorer returned NaN; return None where there is nothing to score",
    ]  # fmt: skip
    for reason in given:
        fitting = [row for row in WORDS.absence_reasons if reason.startswith(row.prefix)]
        assert fitting, reason
        assert fitting[0].meaning
        assert fitting[0].remedy


def test_no_reason_stands_behind_one_that_hides_it():
    prefixes = [row.prefix for row in WORDS.absence_reasons]
    for at, prefix in enumerate(prefixes):
        assert not any(prefix.startswith(earlier) for earlier in prefixes[:at]), prefix
