"""Does the interval of a corrected mean hold what it says? Judges of known quality, labels drawn at random.

`python -m bench.validity.correction` prints, for each setting, how often the 95 % interval held the true mean and
how wide it was. Judges of 0 and 1 go through the function that Gnomon uses (`rogan_gladen`), its two plainer
relatives (`lang_reiczigel`, `delta_method`) and people's labels alone (`labels_alone`); judges of numbers, and
some of the others, through PPI++ (`ppi`).
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from gnomon.stats.correct import (
    Check,
    corrected_share_from,
    prediction_powered_mean,
    rogan_gladen,
    rogan_gladen_mean,
)
from gnomon.stats.interval import Z95, wilson

JUDGES = {"good": (0.95, 0.95), "fair": (0.90, 0.80), "generous": (0.99, 0.70), "weak": (0.70, 0.60)}
"""Name → (share of the ones that it finds, share of the zeros)."""
BASE_RATES = (0.5, 0.8)
LABELS = (200, 500)
OTHERS = (200, 1000, 5000)
NOISE = {"close": 0.1, "noisy": 0.3}
BINARY = ("rogan_gladen", "lang_reiczigel", "delta_method", "labels_alone", "ppi")
FEW_ENOUGH = 400
"""PPI++ is given every score, not counts, and is only run on so many."""

Ends = tuple[float, float]


@dataclass(frozen=True)
class Row:
    method: str
    judge: str
    base_rate: float
    labels: int
    judge_only: int
    repeats: int
    coverage: float
    width: float
    undefined: int
    """Repeats without an interval; they count as not covered."""


def run(repeats: int = 4_000, seed: int = 0) -> list[Row]:
    return [*_binary(repeats, seed), *_numbers(repeats, seed)]


def _binary(repeats: int, seed: int) -> Iterator[Row]:
    random = np.random.default_rng(seed)
    for (judge, (caught, cleared)), rate, labels, others in product(JUDGES.items(), BASE_RATES, LABELS, OTHERS):
        positives = random.binomial(labels, rate, repeats)
        found = random.binomial(positives, caught)
        spared = random.binomial(labels - positives, cleared)
        ones = random.binomial(others, rate * caught + (1 - rate) * (1 - cleared), repeats)
        drawn: dict[str, list[Ends | None]] = {name: [] for name in BINARY}
        for p, tp, tn, count in np.column_stack([positives, found, spared, ones]).tolist():
            check = Check(tp, p, tn, labels - p)
            drawn["rogan_gladen"].append(corrected_share_from(check, count, others).interval)
            plain = rogan_gladen_mean(count, others, check)
            drawn["lang_reiczigel"].append(plain.interval)
            drawn["delta_method"].append(_delta(count / others, check, plain.standard_error))
            alone = wilson(p, labels)
            drawn["labels_alone"].append((alone.low, alone.high))
            if labels + others <= FEW_ENOUGH:
                drawn["ppi"].append(_ppi(check, count, others))
        for method, ends in drawn.items():
            if ends:
                yield _row(method, judge, rate, labels, others, ends)


def _ppi(check: Check, ones: int, others: int) -> Ends | None:
    missed, alarms = check.positives - check.true_positives, check.negatives - check.true_negatives
    pairs = [(1.0, 1.0)] * check.true_positives + [(0.0, 1.0)] * missed
    pairs += [(0.0, 0.0)] * check.true_negatives + [(1.0, 0.0)] * alarms
    return prediction_powered_mean(pairs, [1.0] * ones + [0.0] * (others - ones)).interval


def _numbers(repeats: int, seed: int) -> Iterator[Row]:
    """People's scores are Beta; the judge's are those plus a push upwards and noise, kept in [0, 1]."""
    random = np.random.default_rng(seed)
    labels, others = 200, 400
    for (judge, noise), rate in product(NOISE.items(), BASE_RATES):
        people = random.beta(2 * rate, 2 * (1 - rate), (repeats, labels + others))
        judges = np.clip(people + 0.1 + noise * random.standard_normal(people.shape), 0, 1)
        ends = []
        for theirs, ours in zip(people.tolist(), judges.tolist(), strict=True):
            pairs = list(zip(ours[:labels], theirs[:labels], strict=True))
            ends.append(prediction_powered_mean(pairs, ours[labels:]).interval)
        yield _row("ppi", judge, rate, labels, others, ends)


def _delta(rate: float, check: Check, error: float | None) -> Ends | None:
    """The textbook's: estimate ± z standard errors, clipped."""
    value = rogan_gladen(rate, check.true_positive_rate, check.true_negative_rate)
    if value is None or error is None:
        return None
    return min(1.0, max(0.0, value - Z95 * error)), max(0.0, min(1.0, value + Z95 * error))


def _row(method: str, judge: str, rate: float, labels: int, others: int, ends: list[Ends | None]) -> Row:
    known = [both for both in ends if both is not None]
    held = sum(low <= rate <= high for low, high in known) / len(ends)
    width = math.fsum(high - low for low, high in known) / max(1, len(known))
    return Row(method, judge, rate, labels, others, len(ends), held, width, len(ends) - len(known))


def _print(rows: list[Row]) -> None:
    """One line a setting, one column a method: coverage, and the mean width in brackets."""
    methods = list(dict.fromkeys(row.method for row in rows))
    settings = list(dict.fromkeys((row.judge, row.base_rate, row.labels, row.judge_only) for row in rows))
    found = {(row.judge, row.base_rate, row.labels, row.judge_only, row.method): row for row in rows}
    print("| judge | base rate | labels | judge only | " + " | ".join(methods) + " |")
    print("|" + "---|" * (4 + len(methods)))
    for setting in settings:
        cells = [found.get((*setting, method)) for method in methods]
        shown = ["" if row is None else f"{100 * row.coverage:.1f} ({row.width:.3f})" for row in cells]
        print("| " + " | ".join([*map(str, setting), *shown]) + " |")
    for method in methods:
        held = [row.coverage for row in rows if row.method == method]
        print(f"{method}: {min(held):.1%} to {max(held):.1%}, mean {sum(held) / len(held):.1%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    started = time.perf_counter()
    _print(run(wanted.repeats, wanted.seed))
    print(f"{time.perf_counter() - started:.0f} s")
