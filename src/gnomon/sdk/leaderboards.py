"""Who is ahead on a dataset, by one scorer."""

from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.backend import find_dataset
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.report import notebook
from gnomon.report.text import leaderboard as text
from gnomon.report.text.drawing import as_text, clean, number
from gnomon.sdk.connection import connection
from gnomon.sdk.finding import Identified


class LeaderboardResult:
    """Experiments over one dataset, ranked by one scorer. Print it, or show it in a notebook.

    >>> data = gn.dataset([{"input": n, "expected_output": n} for n in range(30)], name="few-numbers")
    >>> result = gn.evaluate(lambda n: n, data, [gn.exact_match()], name="same", progress=False)
    >>> gn.leaderboard("few-numbers", "exact_match").leaderboard.agents[0].overall_score
    1.0
    """

    def __init__(self, leaderboard: Leaderboard) -> None:
        self.leaderboard = leaderboard

    def __str__(self) -> str:
        return as_text(text.leaderboard(self.leaderboard))

    def __repr__(self) -> str:
        first = self.leaderboard.agents[0] if self.leaderboard.agents else None
        ahead = f"; first: {clean(first.agent_id)} {number(first.overall_score)}" if first else ""
        return f"<LeaderboardResult {text.headline(self.leaderboard)}{ahead}>"

    def _repr_html_(self) -> str:
        return notebook.leaderboard(self.leaderboard)


def leaderboard(
    dataset: str | Identified,
    scorer_name: str,
    *,
    missing: MissingPolicy = "drop",
    k: int | None = None,
    pass_threshold: float = 1.0,
    min_effect: float | None = None,
    interval: IntervalMethod | None = None,
) -> LeaderboardResult:
    """Rank the experiments over a dataset (a name, an id or what `dataset` returns) by a scorer.

    `missing` says what a missing score counts as, `k` how far pass@k and pass^k go, `pass_threshold` from which score
    on a run passes, `min_effect` the smallest difference that matters, `interval` how intervals are made.

    >>> data = gn.dataset([{"input": n, "expected_output": n} for n in range(30)], name="numbers")
    >>> ahead = gn.evaluate(lambda n: n, data, [gn.exact_match()], name="same", progress=False)
    >>> behind = gn.evaluate(lambda n: n // 2, data, [gn.exact_match()], name="half", progress=False)
    >>> [agent.agent_id for agent in gn.leaderboard(data, "exact_match").leaderboard.agents]
    ['same', 'half']
    """
    sdk = connection()
    id = dataset.id if not isinstance(dataset, str) else find_dataset(sdk.backend, dataset, sdk.project_id).id
    options = LeaderboardOptions(
        missing=missing, k=k, pass_threshold=pass_threshold, min_effect=min_effect, interval=interval
    )
    return LeaderboardResult(sdk.backend.leaderboard(id, scorer_name, options))
