"""What an evaluation returns, and what a stored experiment is in Python: figures, runs, failures, comparisons."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gnomon.errors import GnomonError, InvalidInput
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.experiment import Experiment, Run, ScorerSummary, Summary
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import ScoringState
from gnomon.model.weblinks import experiment_page
from gnomon.report import notebook
from gnomon.report.evaluation import ErrorGroup, EvaluationReport
from gnomon.report.text import experiments as text
from gnomon.report.text.drawing import as_text, clean, interval, number
from gnomon.sdk.comparing import ComparisonResult, compare_with
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.sdk.finding import Identified, find
from gnomon.sdk.frames import as_arrow, as_pandas, as_polars, columns_of
from gnomon.service.analysis.gates import GateResults, check_all
from gnomon.shorten import counted

if TYPE_CHECKING:
    import polars

_IN_ONE_LINE = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """A run whose task failed, or a score that a scorer failed to make."""

    item_id: str
    trial: int
    input: Any
    scorer_name: str | None
    """Whose score is missing; None where the task itself failed."""
    error_type: str | None
    """Of the task's error; None for a scorer, whose message begins with it where it raised one."""
    message: str
    run_id: str
    trace_id: str | None


class EvaluationResult:
    """A stored experiment: what `evaluate` and `experiment` return. Print it, or show it in a notebook.

    Everything is fetched when it is first asked for and then kept; `refresh` forgets it.

    >>> data = [{"input": {"a": 8, "b": 2}, "expected_output": 4}, {"input": {"a": 1, "b": 0}}]
    >>> def divide(a, b):
    ...     return a // b
    >>> result = gn.evaluate(divide, data, [gn.exact_match()], name="divisions", progress=False)
    >>> result.score("exact_match").n_scored, result.summary.failed_run_count
    (1, 1)
    >>> [(failure.input, failure.error_type) for failure in result.failures]
    [({'a': 1, 'b': 0}, 'ZeroDivisionError')]
    >>> [run.output for run in result.runs]
    [4, None]
    """

    def __init__(
        self,
        connection: SdkConnection,
        experiment_id: str,
        *,
        notes: Sequence[str] = (),
        ran: int | None = None,
        cached: int | None = None,
        seconds: float | None = None,
    ) -> None:
        """`ran`, `cached` and `seconds`: runs of this evaluation, those taken from the cache, and how long it took."""
        self._connection = connection
        self.id = experiment_id
        self.notes = list(notes)
        self.ran = ran
        self.cached = cached
        self.seconds = seconds

    @cached_property
    def experiment(self) -> Experiment:
        """The stored experiment: its dataset and version, trials, status, metadata and counts of runs."""
        return self._connection.opened().experiment(self.id)

    @cached_property
    def summary(self) -> Summary:
        """Every scorer's mean with its interval, and what is missing."""
        return self._connection.opened().summary(self.id)

    @cached_property
    def failures(self) -> list[Failure]:
        """Failed runs, and scores that failed in runs that did not, in the order of the runs."""
        states = self._connection.opened().scoring_states(experiment_id=self.id, state="failed")
        failed_scores: dict[str, list[ScoringState]] = {}
        for state in states:
            failed_scores.setdefault(state.target_id, []).append(state)
        return list(_failures(self.runs, self.summary.failed_run_count, failed_scores))

    @property
    def runs(self) -> Iterator[Run]:
        """The runs with their scores, oldest first; pages are fetched while they are read."""
        return self._connection.opened().runs(self.id, sort="created_at")

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def url(self) -> str | None:
        """The address of its page in the web application; None without a server."""
        return experiment_page(self._connection.url, self.experiment.project_id, self.id)

    def refresh(self) -> None:
        """Forget what was fetched, so that the next look sees what was stored meanwhile."""
        for name in ("experiment", "summary", "failures"):
            self.__dict__.pop(name, None)

    def score(self, scorer_name: str) -> ScorerSummary:
        """One scorer's figures, such as `result.score("exact_match").mean`."""
        scorers = self.summary.scores_by_scorer
        if scorer_name not in scorers:
            hint = did_you_mean(scorer_name, scorers, f"the scorers are {', '.join(scorers) or 'none'}")
            raise InvalidInput.of("scorer_name", f"{self.name!r} has no scores of {scorer_name!r}; {hint}")
        return scorers[scorer_name]

    def compare(
        self,
        base: str | Identified,
        *,
        min_effect: float | None = None,
        missing: MissingPolicy | None = None,
        at: str | None = None,
    ) -> ComparisonResult:
        """How this differs from `base`, item by item: `result.compare("prompt-v2").assert_no_regression()`.

        `base` is a name, an id or a result. Its own name means the newest other experiment of that name. `at` chooses
        by hand among those of a name: `~1` the one before the newest, or 7 or more hex digits of a commit.
        """
        return compare_with(self._connection, base, self.experiment, min_effect=min_effect, missing=missing, at=at)

    def gate(self, *texts: str) -> GateResults:
        """Check gates, such as `exact_match >= 0.8` or `exact_match not worse than prompt-v2 by 0.02`.

        What comes back is true when all passed, prints why not, and has `assert_passed`; `gn.gate` has the rules.
        """
        sdk = self._connection
        return check_all(sdk.opened(), self.experiment, texts, project_id=sdk.project_id)

    def to_polars(self) -> "polars.DataFrame":
        """A row per run: its item, trial, input, output, error and trace, and a column per scorer."""
        return as_polars(columns_of(self.runs))

    def to_pandas(self) -> Any:
        """The same as a DataFrame of pandas."""
        return as_pandas(columns_of(self.runs))

    def to_arrow(self) -> Any:
        """The same as a table of pyarrow."""
        return as_arrow(columns_of(self.runs))

    def __str__(self) -> str:
        return as_text(text.evaluation(self._report()))

    def __repr__(self) -> str:
        try:
            return f"<EvaluationResult {clean(self.name)!r}: {_in_one_line(self.summary)}; id {self.id}>"
        except GnomonError as refusal:  # a repr is also asked for where something is wrong already
            return f"<EvaluationResult {self.id}: {clean(refusal.message)}>"

    def _repr_html_(self) -> str:
        return notebook.evaluation(self._report())

    def _report(self) -> EvaluationReport:
        errors = _error_groups(self.failures) if self.summary.failed_run_count else []
        return EvaluationReport(self.summary, errors, [*self.notes, *self._work()], self.url)

    def _work(self) -> Iterator[str]:
        if self.ran is None:
            return
        cached = f", {self.cached:,} of them from the cache" if self.cached else ""
        seconds = "" if self.seconds is None else f" in {self.seconds:,.1f} s"
        yield f"{self.ran:,} {'run' if self.ran == 1 else 'runs'}{seconds}{cached}"


def experiment(name_or_id: str, *, at: str | None = None) -> EvaluationResult:
    """A stored experiment: the newest of that name that has runs, or the one with that id.

    `at` chooses an earlier one of that name (`~1` the one before) or that of a commit (7 or more hex digits).

    >>> data = [{"input": "France", "expected_output": "Paris"}, {"input": "Italy", "expected_output": "Rome"}]
    >>> capitals = {"France": "Paris", "Italy": "Milan"}
    >>> done = gn.evaluate(capitals.get, data, [gn.exact_match()], name="capitals", progress=False)
    >>> result = gn.experiment("capitals")
    >>> result.score("exact_match").mean
    0.5
    >>> sorted(run.output for run in result.runs)
    ['Milan', 'Paris']
    """
    sdk = connection()
    return EvaluationResult(sdk, find(sdk, name_or_id, at=at).id)


def _failures(runs: Iterator[Run], failed_runs: int, failed_scores: dict[str, list[ScoringState]]) -> Iterator[Failure]:
    """Read runs only until every failure has been met."""
    for run in runs:
        if failed_runs <= 0 and not failed_scores:
            return
        states = failed_scores.pop(run.id, [])
        if run.error is not None:  # no scorer of it could do anything: that is one failure, not several
            failed_runs -= 1
            yield _failure(run, None, run.error.type, run.error.message)
        else:
            for state in states:
                yield _failure(run, state.scorer_name, None, state.reason or "no reason was given")


def _failure(run: Run, scorer_name: str | None, error_type: str | None, message: str) -> Failure:
    return Failure(
        run.dataset_item_id, run.trial, run.input, scorer_name, error_type, message, run.id, run.trace_id
    )  # fmt: skip


def _error_groups(failures: Sequence[Failure]) -> list[ErrorGroup]:
    errors = [
        (failure.error_type or "an error", failure.message) for failure in failures if failure.scorer_name is None
    ]
    example = dict(reversed(errors))  # the first of each type
    return [ErrorGroup(type, count, example[type]) for type, count in Counter(type for type, _ in errors).most_common()]


def _in_one_line(summary: Summary) -> str:
    scorers = list(summary.scores_by_scorer.values())
    means = [
        f"{clean(scorer.scorer_name)} {number(scorer.mean)} ({interval(scorer.confidence_interval_95)})"
        for scorer in scorers[:_IN_ONE_LINE]
    ]
    more = [f"{counted(len(scorers) - _IN_ONE_LINE, 'more scorer')}"] if len(scorers) > _IN_ONE_LINE else []
    return ", ".join([text.size(summary), *means, *more])
