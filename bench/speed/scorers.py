"""How fast columns are scored, beside the plain Python loop that gives the same answers.

    python bench/speed/scorers.py [--rows N] [--repeat K] [--json]

Both sides start from what they like best: the loop from Python lists, Gnomon from Arrow columns. They take
turns in one process, the best of K turns counts, and their answers are compared before any ratio is printed.
"""

import argparse
import json
import platform
import random
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from gnomon.scorers import RuleScorer, build, score_columns

LENGTH = 200
PATTERN = r"[A-Z]+-\d+"


@dataclass(frozen=True)
class Case:
    name: str
    loop: Callable[[], list[float]]
    columns: Callable[[], Any]
    target: float | None


@dataclass(frozen=True)
class Result:
    case: str
    loop_ms: float
    gnomon_ms: float
    ratio: float
    target: float | None


def made_up(rows: int) -> tuple[list[str], list[str], list[str]]:
    """Outputs of 200 characters, half of them with an order number; a text to find in each; a text to equal."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
    outputs, parts, twins = [], [], []
    for row in range(rows):
        prose = " ".join(chance.choices(words, k=60))[: LENGTH - 12]
        output = f"{prose} {'ABC-' if row % 2 else 'abc '}{row % 10_000_000:07d}"
        at = chance.randrange(LENGTH - 20)
        outputs.append(output)
        parts.append(output[at : at + 15] if row % 3 else "zq" + output[at : at + 13])
        twins.append(output if row % 2 else output[:-1] + "~")
    return outputs, parts, twins


def cases(rows: int) -> list[Case]:
    outputs, parts, twins = made_up(rows)
    said, wanted, same = pa.array(outputs), pa.array(parts), pa.array(twins)
    search, search_insensitive = re.compile(PATTERN).search, re.compile(PATTERN, re.IGNORECASE | re.ASCII).search

    def scored(name: str, expected: Any = None, **config: Any) -> Callable[[], Any]:
        scorer = build(name, config)
        assert isinstance(scorer, RuleScorer)
        return lambda: score_columns(scorer, said, expected).values

    return [
        Case(
            "exact_match",
            lambda: [1.0 if o.strip() == e.strip() else 0.0 for o, e in zip(outputs, twins, strict=True)],
            scored("exact_match", same),
            1.0,
        ),
        Case(
            "exact_match, one expected text",
            lambda: [1.0 if o.strip() == "paris" else 0.0 for o in outputs],
            scored("exact_match", expected_output="paris"),
            None,
        ),
        Case(
            "exact_match, any case",
            lambda: [
                1.0 if o.strip().casefold() == e.strip().casefold() else 0.0
                for o, e in zip(outputs, twins, strict=True)
            ],
            scored("exact_match", same, case_sensitive=False),
            None,
        ),
        Case(
            "contains",
            lambda: [1.0 if e in o else 0.0 for o, e in zip(outputs, parts, strict=True)],
            scored("contains", wanted),
            3.0,
        ),
        Case(
            "contains, one expected text",
            lambda: [1.0 if "ABC-00" in o else 0.0 for o in outputs],
            scored("contains", expected_output="ABC-00"),
            3.0,
        ),
        Case(
            "contains, any case",
            lambda: [1.0 if e.casefold() in o.casefold() else 0.0 for o, e in zip(outputs, parts, strict=True)],
            scored("contains", wanted, case_sensitive=False),
            None,
        ),
        Case(
            f"regex {PATTERN}",
            lambda: [1.0 if search(o) else 0.0 for o in outputs],
            scored("regex", pattern=PATTERN),
            5.0,
        ),
        Case(
            f"regex {PATTERN}, flag i",
            lambda: [1.0 if search_insensitive(o) else 0.0 for o in outputs],
            scored("regex", pattern=PATTERN, flags="i"),
            None,
        ),
    ]


def measured(case: Case, repeat: int) -> Result:
    if case.columns().to_pylist() != case.loop():
        raise SystemExit(f"{case.name}: the two sides do not agree")
    best = {"loop": float("inf"), "columns": float("inf")}
    for _ in range(repeat):
        for side, run in (("loop", case.loop), ("columns", case.columns)):
            started = time.perf_counter()
            run()
            best[side] = min(best[side], time.perf_counter() - started)
    loop_ms, gnomon_ms = best["loop"] * 1000, best["columns"] * 1000
    return Result(case.name, round(loop_ms, 1), round(gnomon_ms, 1), round(loop_ms / gnomon_ms, 2), case.target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    results = [measured(case, wanted.repeat) for case in cases(wanted.rows)]
    if wanted.json:
        print(json.dumps({"rows": wanted.rows, "length": LENGTH, "results": [asdict(result) for result in results]}))
        return
    print(
        f"{wanted.rows:,} outputs of {LENGTH} characters, best of {wanted.repeat}, Python {platform.python_version()}"
    )
    print(f"{'':<34}{'loop':>10}{'gnomon':>10}{'ratio':>8}{'target':>8}")
    for result in results:
        target = "" if result.target is None else f"≥ {result.target:g}"
        print(f"{result.case:<34}{result.loop_ms:>7.1f} ms{result.gnomon_ms:>7.1f} ms{result.ratio:>8.1f}{target:>8}")


if __name__ == "__main__":
    main()
