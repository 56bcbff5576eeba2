"""Item response: what the fit says of benchmarks whose truth is known, and laws that hold for any."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.stats.itemresponse import fit, informative_order
from gnomon.stats.subset import smallest_subset


def drawn(seed: int, agents: int, items: int, trials: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Solved counts, true abilities and true discriminations."""
    random = np.random.default_rng(seed)
    abilities, slopes = random.normal(size=agents), np.exp(random.normal(0, 0.5, items))
    chances = 1 / (1 + np.exp(-slopes * (abilities[:, None] - random.normal(0, 1.2, items))))
    return random.binomial(trials, chances).astype(float), abilities, slopes


def test_abilities_and_discriminations_follow_the_truth():
    solved, abilities, slopes = drawn(1, agents=30, items=80, trials=4)
    found = fit(solved, np.full(solved.shape, 4.0))
    assert np.corrcoef(found.abilities, abilities)[0, 1] > 0.98
    held = [item.discrimination_interval[0] <= slope <= item.discrimination_interval[1]
            for item, slope in zip(found.items, slopes, strict=True)]  # fmt: skip
    assert np.mean(held) > 0.88  # 95 % are expected; of 80, 88 % is beyond the 1 % quantile


def test_an_item_that_weak_agents_solve_and_strong_ones_miss_ranks_against_the_rest():
    solved, abilities, _ = drawn(2, agents=20, items=40)
    solved[:, 7] = abilities < np.median(abilities)
    found = fit(solved, np.ones(solved.shape))
    assert [at for at, item in enumerate(found.items) if item.ranks_against] == [7]
    assert found.items[7].difficulty is None


def test_items_that_all_solve_or_nobody_tell_less_than_others():
    solved, *_ = drawn(3, agents=12, items=30)
    solved[:, 0], solved[:, 1] = 1, 0
    solved[:, 2] = np.arange(12) >= 6
    information = [item.information for item in fit(solved, np.ones(solved.shape)).items]
    others = [information[at] for at in range(2, 30) if 2 < solved[:, at].sum() < 10]
    assert max(information[:2]) < min(others)


def test_an_item_that_an_agent_has_not_tried_changes_nothing_for_it():
    solved, *_ = drawn(4, agents=8, items=20)
    trials = np.ones(solved.shape)
    trials[3, 5] = solved[3, 5] = 0
    without = fit(np.delete(solved, 5, axis=1), np.delete(trials, 5, axis=1))
    assert fit(solved, trials).abilities[3] == pytest.approx(without.abilities[3], abs=0.2)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 9), st.integers(3, 12))
def test_every_item_has_an_interval_around_its_figure_and_the_order_of_items_does_not_matter(seed, agents, items):
    solved = np.random.default_rng(seed).integers(0, 2, (agents, items)).astype(float)
    trials = np.ones(solved.shape)
    found, turned = fit(solved, trials), fit(solved[:, ::-1], trials)
    for item, same in zip(found.items, reversed(turned.items), strict=True):
        low, high = item.discrimination_interval
        assert low < item.discrimination < high
        assert item.discrimination == pytest.approx(same.discrimination, abs=1e-6)
        assert item.difficulty is None or item.difficulty_interval[0] < item.difficulty < item.difficulty_interval[1]
    assert sorted(informative_order(found, items)) == list(range(items))


def test_few_items_keep_the_order_where_abilities_lie_far_apart():
    chances = np.linspace(0.05, 0.95, 12)[:, None] * np.ones(60)
    solved = np.random.default_rng(5).binomial(20, chances).astype(float)
    search = smallest_subset(solved, np.full(solved.shape, 20.0))
    assert search.smallest is not None
    assert search.smallest <= 12
    assert len(set(search.items)) == search.smallest
    assert all(trial.interval[0] <= trial.interval[1] <= 1 for trial in search.trials)


def test_no_subset_keeps_an_order_that_is_chance():
    solved = np.random.default_rng(6).integers(0, 2, (12, 40)).astype(float)
    search = smallest_subset(solved, np.ones(solved.shape))
    assert (search.smallest, search.items) == (None, [])


GOLDEN = Path(__file__).parents[1] / "golden" / "itemresponse.json"


def test_a_fit_says_what_it_has_always_said():
    """Ways to compute it faster may differ in the last digits only; GNOMON_RENEW_GOLDEN=1 renews the file."""
    solved, *_ = drawn(11, agents=12, items=25, trials=3)
    solved[:, 0], solved[:, 1] = 3, 0
    trials = np.full(solved.shape, 3.0)
    trials[2, 4] = solved[2, 4] = 0
    fitted = fit(solved, trials)
    search = smallest_subset(solved, trials)
    figures = {
        "abilities": fitted.abilities.tolist(),
        "items": [
            [
                item.discrimination,
                *item.discrimination_interval,
                item.difficulty or 0,
                item.ranks_against,
                item.information,
            ]
            for item in fitted.items
        ],
        "subset": [[trial.size, trial.rank_correlation, *trial.interval, trial.at_random] for trial in search.trials],
        "chosen": search.items,
    }
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        GOLDEN.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    golden = json.loads(GOLDEN.read_bytes())
    assert figures["chosen"] == golden["chosen"]
    assert figures["abilities"] == pytest.approx(golden["abilities"], abs=1e-12)
    for name in ("items", "subset"):
        for row, golden_row in zip(figures[name], golden[name], strict=True):
            assert row == pytest.approx(golden_row, rel=1e-11, abs=1e-12)
