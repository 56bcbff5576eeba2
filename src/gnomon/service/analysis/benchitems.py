"""Is the benchmark any good? Its items over all agents: how hard, how telling, and how many of them are needed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from gnomon.errors import Refused
from gnomon.model.aggregate import Interval
from gnomon.model.benchitems import BenchmarkItem, BenchmarkItems, SubsetSize
from gnomon.service.analysis.leaderboard import Trials
from gnomon.shorten import counted, list_some
from gnomon.stats import subset
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import equal_weight_interval, interval_over
from gnomon.stats.itemresponse import FEWEST_AGENTS, ItemResponse, fit
from gnomon.stats.rank import reachable
from gnomon.stats.tails import numpy

if TYPE_CHECKING:
    from gnomon.stats.itemresponse import Floats

FEW_ITEMS = 3
SATURATED = 0.95
_NAMED = 5


def benchmark_items(
    agents: Mapping[str, Trials], pass_threshold: float = 1.0, notes: Sequence[str] = ()
) -> BenchmarkItems:
    """Every item over these agents. A trial without a value is left out."""
    counts = _Counts(agents, pass_threshold)
    if not counts.agents or len(counts.items) < FEW_ITEMS:
        agents_here = "1 agent" if len(counts.agents) == 1 else f"{len(counts.agents)} agents"
        values = f"{agents_here} with values on {counted(len(counts.items), 'item')}"
        message = f"there is nothing to compare: {values}; at least {FEW_ITEMS} items are needed"
        raise Refused(message, code="TOO_FEW_ITEMS")
    fitted = fit(counts.solved, counts.trials) if counts.can_tell and counts.can_be_fitted else None
    responses = {} if fitted is None else {
        at: response for at, response in enumerate(fitted.items) if counts.is_tried_enough(at)
    }  # fmt: skip
    total = sum(response.information for response in responses.values())
    items = [counts.item(at, responses.get(at), total) for at in range(len(counts.items))]
    search = subset.smallest_subset(counts.solved, counts.trials, fitted) if fitted and counts.can_be_cut else None
    best, score, ends = counts.best()
    report = BenchmarkItems(
        agent_count=len(counts.agents), item_count=len(items), pass_threshold=pass_threshold,
        never_solved_count=sum(item.never_solved for item in items),
        always_solved_count=sum(item.always_solved for item in items),
        ranks_against_count=sum(item.ranks_against for item in items),
        effective_item_count=_effective(list(responses.values())), best_agent=best, best_score=score,
        best_score_ci=ends, saturated=score >= SATURATED,
        subset_sizes=[] if search is None else [_size(trial) for trial in search.trials],
        smallest_subset=[counts.items[at] for at in search.items] if search and search.smallest else None,
        items=sorted(items, key=lambda item: (-(item.information_share or 0), _by_number(item.item))), notes=[],
    )  # fmt: skip
    return report.model_copy(update={"notes": [*notes, *_notes(report, counts)]})


def _by_number(name: str) -> list[tuple[int, str]]:
    """`task-2` before `task-10`: digits are ordered by their value, whatever stands around them."""
    parts = re.split(r"([0-9]+)", name)
    return [
        (len(part.lstrip("0")) if at % 2 else 0, part.lstrip("0") if at % 2 else part) for at, part in enumerate(parts)
    ]


class _Counts:
    """Solved trials and trials: one row per agent, one column per item."""

    def __init__(self, agents: Mapping[str, Trials], pass_threshold: float) -> None:
        np = numpy()
        values = {
            agent: {
                item: kept for item, all_of in trials.values.items() if (kept := [v for v in all_of if v is not None])
            }
            for agent, trials in sorted(agents.items())
        }
        self.values = {agent: by_item for agent, by_item in values.items() if by_item}
        self.agents = list(self.values)
        self.items = sorted({item for by_item in self.values.values() for item in by_item})
        columns = {item: at for at, item in enumerate(self.items)}
        self.solved: Floats = np.zeros((len(self.agents), len(self.items)))
        self.trials: Floats = np.zeros((len(self.agents), len(self.items)))
        for row, by_item in enumerate(self.values.values()):
            for item, kept in by_item.items():
                self.trials[row, columns[item]] = len(kept)
                self.solved[row, columns[item]] = sum(value >= pass_threshold for value in kept)

    @property
    def can_tell(self) -> bool:
        """Whether some item is solved in some trials and not in others: else no item says who is ahead."""
        share = self.solved.sum(axis=0) / self.trials.sum(axis=0)
        return bool(((share > 0) & (share < 1)).any())

    @property
    def can_be_fitted(self) -> bool:
        """Whether there are enough agents, all on one scale."""
        return len(self.agents) >= FEWEST_AGENTS and len(self.parts) == 1

    @property
    def can_be_cut(self) -> bool:
        return len(self.agents) >= subset.FEWEST_AGENTS

    def is_tried_enough(self, at: int) -> bool:
        """Whether enough agents have tried the item to say how well it tells them apart."""
        return bool((self.trials[:, at] > 0).sum() >= FEWEST_AGENTS)

    @cached_property
    def parts(self) -> list[list[str]]:
        """Agents that are linked by items that they share. Between two parts nothing says who is abler."""
        np = numpy()
        has_tried = (self.trials > 0).astype(float)
        linked = reachable((has_tried @ has_tried.T) > 0)
        firsts = np.unique(linked.argmax(axis=1))
        return [[self.agents[row] for row in np.flatnonzero(linked[first])] for first in firsts]

    def best(self) -> tuple[str, float, Interval]:
        """The agent with the highest mean share of solved trials."""
        means = (self.solved / numpy().maximum(self.trials, 1)).sum(axis=1) / (self.trials > 0).sum(axis=1)
        row = int(means.argmax())
        tried = [at for at in range(len(self.items)) if self.trials[row, at]]
        outcomes = [_outcomes(self.solved[row, at], self.trials[row, at]) for at in tried]
        ends = equal_weight_interval(outcomes)
        return self.agents[row], round_shown(float(means[row])), (round_shown(ends.low), round_shown(ends.high))

    def item(self, at: int, response: ItemResponse | None, total: float) -> BenchmarkItem:
        """One item; `total` is the information of all items."""
        tried = [row for row in range(len(self.agents)) if self.trials[row, at]]
        shares = [float(self.solved[row, at] / self.trials[row, at]) for row in tried]
        ends = interval_over([[share] for share in shares])
        trials, solved = int(self.trials[:, at].sum()), int(self.solved[:, at].sum())
        return BenchmarkItem(
            item=self.items[at], agents=len(tried), trials=trials, solved=solved,
            solved_share=round_shown(sum(shares) / len(shares)),
            solved_share_ci=(round_shown(ends.low), round_shown(ends.high)),
            never_solved=solved == 0, always_solved=solved == trials,
            information_share=None if response is None or not total else round_shown(response.information / total),
            discrimination=None if response is None else round_shown(response.discrimination),
            discrimination_ci=None if response is None else _rounded(response.discrimination_interval),
            difficulty=None if response is None or response.difficulty is None else round_shown(response.difficulty),
            difficulty_ci=None if response is None else _rounded(response.difficulty_interval),
            ranks_against=response is not None and response.ranks_against,
        )  # fmt: skip


def _outcomes(solved: float, trials: float) -> list[float]:
    return [1.0] * int(solved) + [0.0] * int(trials - solved)


def _rounded(ends: tuple[float, float] | None) -> Interval | None:
    return None if ends is None else (round_shown(ends[0]), round_shown(ends[1]))


def _effective(responses: Sequence[ItemResponse]) -> float | None:
    """Kish's effective number, of the items' information."""
    squares = sum(response.information**2 for response in responses)
    return round_shown(sum(response.information for response in responses) ** 2 / squares) if squares > 0 else None


def _size(trial: subset.SubsetTrial) -> SubsetSize:
    return SubsetSize(
        size=trial.size, rank_correlation=round_shown(trial.rank_correlation),
        rank_correlation_ci=(round_shown(trial.interval[0]), round_shown(trial.interval[1])),
        at_random=round_shown(trial.at_random),
    )  # fmt: skip


def _notes(report: BenchmarkItems, counts: _Counts) -> Iterator[str]:
    if report.never_solved_count + report.always_solved_count == report.item_count:
        yield "every item is always solved or never: nothing here tells agents apart"
        return
    if report.agent_count < FEWEST_AGENTS:
        count = "1 is here" if report.agent_count == 1 else f"{report.agent_count} are here"
        yield f"how well an item tells agents apart takes at least {FEWEST_AGENTS} agents; {count}"
    elif not counts.can_be_fitted:
        parts = "; ".join(list_some(map(repr, part), _NAMED) for part in counts.parts[:_NAMED])
        yield (
            f"these agents fall into {len(counts.parts)} groups that share no item ({parts}): no item can be compared "
            "over all of them; analyse one group at a time"
        )
    elif rare := sum(not counts.is_tried_enough(at) for at in range(report.item_count)):
        few = f"fewer than {FEWEST_AGENTS} agents have tried {counted(rare, 'item')} of {report.item_count:,}"
        yield f"{few}: how well such an item tells agents apart is not said"
    if not counts.can_be_cut:
        fewest = subset.FEWEST_AGENTS
        yield f"no smaller set of items is looked for: that takes at least {fewest} agents, some of them held out"
    elif report.subset_sizes and report.smallest_subset is None:
        yield f"no smaller set that was tried keeps a rank correlation of {subset.ENOUGH} on held-out agents"
    against = [repr(item.item) for item in report.items if item.ranks_against]
    if against:
        yield f"weak agents do better than strong ones on {list_some(against, _NAMED)}: check what is expected there"
    if report.saturated:
        yield f"the best agent, {report.best_agent!r}, leaves little room: harder items would tell the next ones apart"
