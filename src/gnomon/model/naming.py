"""Which experiment a name means, where several have it: the newest with runs, an earlier one, or that of a commit."""

import re
from collections.abc import Iterable

from gnomon.errors import Conflict, InvalidInput, NotFound
from gnomon.model.experiment import Experiment
from gnomon.shorten import counted

_BEFORE = re.compile(r"~(\d{1,9})|(\d{1,6})")  # a number of 7 digits may be a commit
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


def check_at(at: str | None) -> None:
    """Refuse an `at` that `choose` does not know."""
    if at is not None and not (_BEFORE.fullmatch(at) or _COMMIT.fullmatch(at.lower())):
        words = f"at {at!r} is neither ~1 (the one before the newest) nor 7 or more hex digits of a commit"
        raise InvalidInput.of("at", words)


def choose(named: Iterable[Experiment], name: str, at: str | None) -> Experiment:
    """One of the experiments that have this name, which come newest first."""
    before = _BEFORE.fullmatch(at or "~0")
    if before is not None:
        return _before(named, name, int(before[1] or before[2]))
    digits = (at or "").lower()
    of_commit = [experiment for experiment in named if _commit(experiment).startswith(digits)]
    commits = sorted({_commit(experiment) for experiment in of_commit})
    if len(commits) > 1:
        words = f"{digits} may be the commit {' or '.join(commits)} of experiments named {name!r}; give more digits"
        raise Conflict(words, code="AMBIGUOUS_TARGET")
    if not of_commit:
        raise NotFound(f"no experiment named {name!r} was made at the commit {digits}")
    return _before(of_commit, name, 0)


def choose_other(named: Iterable[Experiment], name: str, other_than: str) -> Experiment:
    """Choose another experiment than this one: the newest with runs, else the newest."""
    seen, newest = False, None
    for experiment in named:
        if experiment.id == other_than:
            seen = True
        elif experiment.run_count:
            return experiment
        else:
            newest = newest or experiment
    if newest is None:
        words = f"there is no other experiment named {name!r}" if seen else f"experiment {name!r} does not exist"
        raise NotFound(words)
    return newest


def _before(named: Iterable[Experiment], name: str, steps: int) -> Experiment:
    """The experiment so many steps before the newest with runs; if none has runs, the newest."""
    newest: Experiment | None = None
    with_runs = 0
    for experiment in named:
        newest = newest or experiment
        if experiment.run_count and with_runs == steps:
            return experiment
        with_runs += experiment.run_count > 0
    if newest is None:
        raise NotFound(f"experiment {name!r} does not exist")
    if steps or with_runs:
        raise NotFound(
            f"{counted(with_runs, 'experiment')} named {name!r} {'has' if with_runs == 1 else 'have'} runs, "
            f"so there is none at ~{steps}"
        )
    return newest


def _commit(experiment: Experiment) -> str:
    """The commit that the experiment was made at, as its metadata says; empty when it does not."""
    value: object = experiment.metadata
    for name in ("gnomon", "git", "commit"):
        value = value.get(name) if isinstance(value, dict) else None
    return value.lower() if isinstance(value, str) else ""
