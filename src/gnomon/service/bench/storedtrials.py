"""The experiments over a dataset as trials of agents, read through a backend."""

from collections import Counter

from gnomon.errors import Refused
from gnomon.model.backend import Backend
from gnomon.model.dataset import Dataset
from gnomon.model.nearest import did_you_mean
from gnomon.model.run import LeanRun
from gnomon.service.analysis.leaderboard import Trials
from gnomon.shorten import list_some, shorten

_LONGEST_NAME = 50
_NAMED = 5


def stored_trials(backend: Backend, dataset: Dataset, scorer_name: str) -> tuple[dict[str, Trials], list[str]]:
    """Agent → its values on each item by one scorer; and the experiments that have none.

    An agent is the experiment's `metadata.agent`, else its name. Items are called by the beginning of their input,
    where that is enough to tell them apart.
    """
    agents: dict[str, Trials] = {}
    inputs: dict[str, str] = {}
    scorers: set[str] = set()
    left_out: list[str] = []
    for experiment in backend.experiments(dataset.project_id, dataset.id):
        runs = list(backend.lean_runs(experiment.id))
        scorers |= {score.scorer_name for run in runs for score in run.scores}
        inputs |= {run.dataset_item_id: run.input or "" for run in runs}
        if not any(score.scorer_name == scorer_name for run in runs for score in run.scores):
            left_out.append(experiment.name)
            continue
        named = (experiment.metadata or {}).get("agent")
        trials = agents.setdefault(named if isinstance(named, str) and named.strip() else experiment.name, Trials())
        for run in runs:
            trials.add(run.dataset_item_id, _value(run, scorer_name))
    if not agents:
        near = did_you_mean(scorer_name, scorers, f"there are {', '.join(sorted(scorers)) or 'none'}")
        raise Refused(
            f"no experiment over dataset {dataset.name!r} has a score of {scorer_name!r}; {near}", code="NO_SCORES"
        )
    notes = [f"left out, for {scorer_name!r} was never asked there: {list_some(left_out, _NAMED)}"] if left_out else []
    names = _item_names(inputs)
    for trials in agents.values():
        trials.values = {names[item]: values for item, values in trials.values.items()}
    return agents, notes


def _value(run: LeanRun, scorer_name: str) -> float | None:
    """The newest score; scores come newest first."""
    value = next((score.value for score in run.scores if score.scorer_name == scorer_name), None)
    return None if isinstance(value, str) else value


def _item_names(inputs: dict[str, str]) -> dict[str, str]:
    short = {item: shorten(" ".join(text.split()), _LONGEST_NAME) for item, text in inputs.items()}
    counts = Counter(short.values())
    return {item: name if name and counts[name] == 1 else item for item, name in short.items()}
