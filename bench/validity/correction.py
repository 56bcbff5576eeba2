"""Does the interval of a corrected mean hold what it says? Judges of known quality, labels drawn at random.

`python -m bench.validity.correction` draws labels and judges of known quality, counts how often each 95 % interval
contained the true mean and how wide it was, prints two tables and renews them in docs/review/judges-and-people.md.

`double_sampling` (scores of 0 and 1) and `ppi_beta` (any numbers) are what Gnomon uses. Beside them: PPI++ with
Student's t and n − 1 (`ppi_t`) and as published (`ppi_normal`), Rogan–Gladen with the interval of Lang and Reiczigel
(`lang_reiczigel`), and people's labels alone (`labels_alone`).
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from bench.validity.table import Cell, Table, markdown, rewritten

from gnomon.stats.correct import Check, PairedMoments, corrected_share_from, rogan_gladen_mean
from gnomon.stats.interval import Z95, wilson
from gnomon.stats.tails import t_critical

PAGE = Path(__file__).parents[2] / "docs" / "review" / "judges-and-people.md"
OURS = ("double_sampling", "ppi_beta")
JUDGES = {
    "good": (0.95, 0.95), "fair": (0.90, 0.80), "generous": (0.99, 0.70), "weak": (0.70, 0.60), "blind": (0.50, 0.50),
}  # fmt: skip
"""Name → (share of the ones that it finds, share of the zeros)."""
BASE_RATES = (0.05, 0.5, 0.8, 0.95)
LABELS = (20, 50, 100, 200, 400)
OTHERS = (200, 2000)
NOISE = {"close": 0.1, "noisy": 0.3}
NUMBERS = 400
"""Targets without a label, for judges of numbers"""

Ends = tuple[float, float]
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
PEOPLE: dict[str, tuple[float, Draw]] = {
    "Beta(1, 1)": (0.5, lambda random, shape: random.beta(1, 1, shape)),
    "Beta(1.6, 0.4)": (0.8, lambda random, shape: random.beta(1.6, 0.4, shape)),
    "Beta(9, 0.5)": (9 / 9.5, lambda random, shape: random.beta(9, 0.5, shape)),
    "0.9, or 0 in 5 %": (0.855, lambda random, shape: np.where(random.random(shape) < 0.05, 0.0, 0.9)),
}
"""How people's scores are distributed: the mean, and how to draw."""


@dataclass(frozen=True)
class Row:
    method: str
    judge: str
    people: str
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
        drawn: dict[str, list[Ends | None]] = {}
        for p, tp, tn, count in np.column_stack([positives, found, spared, ones]).tolist():
            for method, ends in _of_counts(Check(tp, p, tn, labels - p), count, others):
                drawn.setdefault(method, []).append(ends)
        for method, intervals in drawn.items():
            # Rogan–Gladen divides by how much better than chance a judge is: it is not made for one that is not.
            if (method, judge) != ("lang_reiczigel", "blind"):
                yield _row(method, judge, f"{rate:g}", rate, labels, others, intervals)


def _of_counts(check: Check, ones: int, others: int) -> Iterator[tuple[str, Ends | None]]:
    n = check.labels
    yield "double_sampling", corrected_share_from(check, ones, others).interval
    judge, human, elsewhere = check.judged_ones / n, check.positives / n, ones / others
    spreads = human * (1 - human), judge * (1 - judge), check.true_positives / n - judge * human
    yield from _powered(PairedMoments(n, others, human, judge, *spreads, elsewhere, elsewhere * (1 - elsewhere)))
    yield "lang_reiczigel", rogan_gladen_mean(ones, others, check).interval
    alone = wilson(check.positives, n)
    yield "labels_alone", (alone.low, alone.high)


def _powered(moments: PairedMoments) -> Iterator[tuple[str, Ends]]:
    """PPI++ as Gnomon has it, and around the estimate by t and by the normal distribution."""
    n, more, power = moments.labels, moments.others, moments.tuned_power
    value, rest, elsewhere = moments.corrected(power), moments.rest_variance(power), power**2 * moments.others_variance
    yield "ppi_beta", moments.ends(power)
    for method, reach in (
        ("ppi_t", t_critical(n - 1) * math.sqrt(rest / (n - 1) + elsewhere / (more - 1))),
        ("ppi_normal", Z95 * math.sqrt(rest / n + elsewhere / more)),
    ):
        alone = wilson(moments.human_mean * n, n)
        sure = reach <= 1e-9
        yield method, (alone.low, alone.high) if sure else (max(0.0, value - reach), min(1.0, value + reach))


def _numbers(repeats: int, seed: int) -> Iterator[Row]:
    """The judge's scores are people's plus a push upwards and noise, kept in [0, 1]."""
    random = np.random.default_rng(seed)
    for (judge, noise), (people, (mean, draw)), labels in product(NOISE.items(), PEOPLE.items(), LABELS):
        drawn: dict[str, list[Ends | None]] = {}
        for _ in range(repeats):
            theirs = draw(random, (1, labels + NUMBERS))[0]
            ours = np.clip(theirs + 0.1 + noise * random.standard_normal(theirs.shape), 0, 1)
            for method, ends in _powered(_moments(theirs[:labels], ours[:labels], ours[labels:])):
                drawn.setdefault(method, []).append(ends)
        for method, intervals in drawn.items():
            yield _row(method, judge, people, mean, labels, NUMBERS, intervals)


def _moments(theirs: np.ndarray, ours: np.ndarray, elsewhere: np.ndarray) -> PairedMoments:
    human, judge = float(theirs.mean()), float(ours.mean())
    spreads = float(theirs.var()), float(ours.var()), float(theirs @ ours) / len(ours) - judge * human
    others = float(elsewhere.mean()), float(elsewhere.var())
    return PairedMoments(len(ours), len(elsewhere), human, judge, *spreads, *others)


def _row(
    method: str, judge: str, people: str, truth: float, labels: int, others: int, ends: Sequence[Ends | None]
) -> Row:
    known = [both for both in ends if both is not None]
    held = sum(low <= truth <= high for low, high in known) / len(ends)
    width = math.fsum(high - low for low, high in known) / max(1, len(known))
    return Row(method, judge, people, labels, others, len(ends), held, width, len(ends) - len(known))


def tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Coverage is the lowest over judges and numbers of other targets, widths are means over them."""
    shares = [f"{rate:g}" for rate in BASE_RATES]
    methods = ("double_sampling", "ppi_beta", "ppi_t", "ppi_normal", "lang_reiczigel")
    widths = ("double_sampling", "ppi_beta", "lang_reiczigel", "labels_alone")
    yield _table("corrected_shares", "base rate", [row for row in rows if row.people in shares], methods, widths)
    numeric = ("ppi_beta", "ppi_t", "ppi_normal")
    yield _table(
        "corrected_numbers", "people's scores", [row for row in rows if row.people in PEOPLE], numeric, numeric
    )


def _table(name: str, people: str, rows: Sequence[Row], methods: Sequence[str], widths: Sequence[str]) -> Table:
    undefined = [method for method in methods if any(row.undefined for row in rows if row.method == method)]
    lines: list[list[Cell]] = []
    for labels, one in dict.fromkeys((row.labels, row.people) for row in sorted(rows, key=lambda row: row.labels)):
        here = [row for row in rows if (row.labels, row.people) == (labels, one)]
        by = {method: [row for row in here if row.method == method] for method in {*methods, *widths}}
        line: list[Cell] = [labels, one]
        line += [min(row.coverage for row in by[method]) for method in methods]
        line += [
            1 - sum(row.undefined for row in by[method]) / sum(row.repeats for row in by[method])
            for method in undefined
        ]
        line += [sum(row.width for row in by[method]) / len(by[method]) for method in widths]
        lines.append(line)
    answers, lengths = [f"answers: {method}" for method in undefined], [f"width: {method}" for method in widths]
    columns = ("labels", people, *methods, *answers, *lengths)
    return Table(name, columns, lines, [method for method in methods if method in OURS], lengths, answers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=PAGE, help=f"page to renew (default {PAGE.name})")
    wanted = parser.parse_args()
    started = time.perf_counter()
    found = list(tables(run(wanted.repeats, wanted.seed)))
    for table in found:
        print(f"\n{table.name}\n\n{markdown(table.as_json())}")
        for line, column, coverage in table.below_target():
            print(f"below 93 %: {column} {coverage:.1%} with {line[0]} labels, {line[1]}")
    page = rewritten(wanted.out.read_text("utf-8"), {table.name: table.as_json() for table in found})
    wanted.out.write_text(page, encoding="utf-8")
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
