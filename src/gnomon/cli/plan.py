"""`gnomon plan`: how many items and trials a difference takes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, find, open_backend
from gnomon.cli.flags import as_json, at, in_project
from gnomon.errors import InvalidInput
from gnomon.model.plan import Variance

if TYPE_CHECKING:
    from gnomon.model.backend import Backend


@click.command()
@click.option("--effect", type=float, required=True, help="Difference to detect, e.g. 0.05.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Probability of detecting it.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Probability of a false detection.")
@click.option("--trials", type=int, help="Runs per item (default: as measured, else 1).")
@click.option("--votes", type=int, help="Judge scores per run (default: as measured, else 1).")
@click.option("--from", "experiment", help="Estimate variances from this experiment (a name or an id).")
@click.option("--scorer", "scorer_name", help="With --from: scorer to use.")
@click.option(
    "--file", type=click.Path(path_type=Path), help="Estimate variances from this table: agent,item,trial,value."
)
@click.option("--agent", help="With --file: agent to use.")
@click.option("--against", help="Second experiment, or second agent of --file.")
@click.option(
    "--correlation",
    type=float,
    help="Correlation between the item scores of the two agents, where only one is measured (default: 0).",
)
@click.option("--between", type=float, help="Variance of item-level differences, where it is known.")
@click.option("--within", type=float, help="With --between: variance that one run adds.")
@click.option("--item-cost", type=float, default=1.0, show_default=True, help="Cost of one more item.")
@click.option("--trial-cost", type=float, default=1.0, show_default=True, help="Cost of one more run.")
@click.option("--vote-cost", type=float, default=0.1, show_default=True, help="Cost of one more judge vote.")
@in_project
@at
@backend_flags
@as_json
def plan(
    effect: float, power: float, alpha: float, trials: int | None, votes: int | None, experiment: str | None,
    scorer_name: str | None, file: Path | None, agent: str | None, against: str | None, correlation: float | None,
    between: float | None, within: float | None, item_cost: float, trial_cost: float, vote_cost: float,
    project: str | None, at: str | None, url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Plan how many items a comparison of two agents needs, and whether to spend on items, runs or votes."""
    from gnomon.service.experiments.plan import PlanOptions
    from gnomon.service.experiments.plan import plan as planned
    from gnomon.stats.plan import UnitCosts

    if experiment and file:
        raise InvalidInput("--from and --file are two sources; give one of them")
    if against and not (experiment or file):
        raise InvalidInput("--against needs --from or --file to compare with; give one")
    if between is not None and (experiment or file):
        raise InvalidInput("--between gives what --from and --file would measure; give one of them")
    if at and not experiment:
        raise InvalidInput("--at needs --from; name the experiment")
    costs = UnitCosts(item_cost, trial_cost, vote_cost)
    options = PlanOptions(effect, power, alpha, trials, votes, correlation, costs, between, within)
    measured = None
    if experiment:
        measured = _from_experiment(experiment, at, scorer_name, against, project, (url, key, db))
    elif file:
        measured = _from_file(file, agent, against)
    result = planned(options, measured)
    show.json(result) if as_json else show.planned(result)


def _from_experiment(
    experiment: str, at: str | None, scorer: str | None, against: str | None, project: str | None,
    where: tuple[str | None, str | None, str | None],
) -> Variance:  # fmt: skip
    with open_backend(*where) as backend:
        base = find(backend, experiment, project, at).id
        other = None if against is None else find(backend, against, project, other_than=base).id
        return backend.variance(base, scorer or _only_scorer(backend, base), other)


def _only_scorer(backend: "Backend", experiment_id: str) -> str:
    known = [
        name for name, summary in backend.summary(experiment_id).scores_by_scorer.items() if summary.mean is not None
    ]
    if len(known) == 1:
        return known[0]
    raise InvalidInput(f"--from needs --scorer to measure; name one (stored are: {', '.join(known) or 'none'})")


def _from_file(file: Path, agent: str | None, against: str | None) -> Variance:
    from gnomon.interop.resulttables import LongTable, read_table
    from gnomon.service.experiments.plan import table_variance

    table = read_table(file)
    if not isinstance(table, LongTable):
        raise InvalidInput(f"{file.name} holds no scores; --file takes agent,item,trial,value")
    return table_variance(table, agent, against)
