"""`evaluate`, `aevaluate` and `rescore`: run a task over data, score what it returns, and keep all of it."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from typing_extensions import Unpack

from gnomon.model.backend import find_experiment
from gnomon.sdk import progress as shown
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.sdk.result import EvaluationResult
from gnomon.sdk.runtraces import RunTraces
from gnomon.service.evaluation import engine, rescoring
from gnomon.service.evaluation.preparing import EvaluationRequest, Surroundings
from gnomon.service.evaluation.stopping import Decided

Scorers = Sequence[Any]
OnError = Literal["store", "raise"]


def evaluate(
    task: Any,
    data: Any,
    scorers: Scorers = (),
    *,
    name: str | None = None,
    dataset: str | None = None,
    trials: int = 1,
    concurrency: int = 16,
    timeout: float | None = None,
    on_error: OnError = "store",
    retry_failed: bool = False,
    cache: bool = False,
    version: str | None = None,
    experiment_scorers: Sequence[Callable[[list[Any]], Any]] = (),
    stop_when: Decided | None = None,
    traces: bool = True,
    wait: bool = True,
    progress: bool | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> EvaluationResult:
    """Run `task` over `data`, score its outputs, and store everything as an experiment.

    - `task`: a function of the input, plain or async, or `gn.model(…)`, `gn.http(…)`, `gn.command(…)`. Parameters named
      input, expected_output, metadata and item get these; a dict input is spread over parameters of its keys' names.
    - `data`: a file (.jsonl, .csv, .parquet, …), a list of dicts, a DataFrame, an Arrow table, or a dataset's name.
    - `scorers`: built-in ones such as `gn.exact_match()`, and functions of input, output, expected_output, metadata,
      trace or sample, which return a number in [0, 1], a bool, a label, `gn.Scored(…)`, a dict of these, or None.
    - `name`: the experiment's; the task's own unless given. The same call again continues what was not finished.
    - `trials`: how often each item is run; `concurrency`: how many runs at a time; `timeout`: seconds for each.
    - `on_error="raise"` stops at the first run that fails; else failures are stored, counted and shown.
    - `retry_failed`: run those again that failed before. `cache`: keep outputs, so that other scorers need no new runs;
      `version` then stands for the task's source.
    - `experiment_scorers`: functions of the list of all runs, for numbers that are no mean.
    - `stop_when=gn.decided(…)`: end as soon as a gate or a comparison is decided.
    - `traces=False`: no trace for each run. `wait=False`: do not wait for judges on a server.

    >>> data = [{"input": "France", "expected_output": "Paris"}, {"input": "Italy", "expected_output": "Rome"}]
    >>> capitals = {"France": "Paris", "Italy": "Milan"}
    >>> result = gn.evaluate(capitals.get, data, [gn.exact_match()], name="capitals", progress=False)
    >>> result.summary.scores_by_scorer["exact_match"].mean
    0.5
    """
    request = EvaluationRequest(
        task, data, scorers, name, dataset, trials, concurrency, timeout, on_error, retry_failed, cache, version,
        experiment_scorers, stop_when, wait, metadata,
    )  # fmt: skip
    return _evaluated(request, connection(), traces, progress)


class EvaluateOptions(TypedDict, total=False):
    """The options of `evaluate`, as `aevaluate` takes them."""

    name: str | None
    dataset: str | None
    trials: int
    concurrency: int
    timeout: float | None
    on_error: OnError
    retry_failed: bool
    cache: bool
    version: str | None
    experiment_scorers: Sequence[Callable[[list[Any]], Any]]
    stop_when: Decided | None
    traces: bool
    wait: bool
    progress: bool | None
    metadata: Mapping[str, Any] | None


async def aevaluate(
    task: Any, data: Any, scorers: Scorers = (), **options: Unpack[EvaluateOptions]
) -> EvaluationResult:
    """Like `evaluate`, for async code: the task runs in this event loop, with the clients that belong to it.

    It takes the same options. Cancelling it stores what has run and ends what is running.

    >>> async def shout(word):
    ...     return word.upper()
    >>> async def main():
    ...     data = [{"input": "hey", "expected_output": "HEY"}]
    ...     return await gn.aevaluate(shout, data, [gn.exact_match()], name="shouts", progress=False)
    >>> import asyncio
    >>> asyncio.run(main()).score("exact_match").mean
    1.0
    """
    traces, progress = options.pop("traces", True), options.pop("progress", None)
    request, stop = EvaluationRequest(task, data, scorers, **options), threading.Event()  # type: ignore[misc]
    where = await asyncio.to_thread(connection)
    work = asyncio.ensure_future(
        asyncio.to_thread(_evaluated, request, where, traces, progress, asyncio.get_running_loop(), stop)
    )
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        with contextlib.suppress(engine.EvaluationStopped):  # what has run is stored before anything else happens
            await work
        raise


def rescore(
    experiment: str | EvaluationResult,
    scorers: Scorers,
    *,
    at: str | None = None,
    concurrency: int = 16,
    progress: bool | None = None,
) -> EvaluationResult:
    """Score the stored outputs of an experiment, by name or id, without running its task.

    Runs that have a score of that scorer already are left as they are.

    >>> data = [{"input": "France", "expected_output": "Paris"}]
    >>> result = gn.evaluate({"France": "paris"}.get, data, [gn.exact_match()], name="capitals-2", progress=False)
    >>> again = gn.rescore("capitals-2", [gn.exact_match(case_sensitive=False, name="same_word")], progress=False)
    >>> {name: one.mean for name, one in again.summary.scores_by_scorer.items()}
    {'exact_match': 0.0, 'same_word': 1.0}
    """
    where = connection()
    name_or_id = experiment.id if isinstance(experiment, EvaluationResult) else experiment
    stored = find_experiment(where.backend, name_or_id, where.project_id, at=at)
    around = surroundings(where, traces=False, progress=progress)
    around.progress.begin(stored.name, stored.run_count, 0)
    try:
        notes = rescoring.rescore(stored, scorers, around, concurrency)
    finally:
        around.progress.end()
    return EvaluationResult(where, stored.id, notes=notes)


def _evaluated(
    request: EvaluationRequest,
    where: SdkConnection,
    traces: bool,
    progress: bool | None,
    loop: asyncio.AbstractEventLoop | None = None,
    stop: threading.Event | None = None,
) -> EvaluationResult:
    around = surroundings(where, traces=traces, progress=progress, loop=loop, stop=stop)
    evaluation = engine.evaluate(request, around)
    return EvaluationResult(
        where, evaluation.experiment.id, notes=evaluation.notes, ran=evaluation.ran, cached=evaluation.cached,
        seconds=evaluation.seconds,
    )  # fmt: skip


def surroundings(
    where: SdkConnection,
    *,
    traces: bool,
    progress: bool | None,
    loop: asyncio.AbstractEventLoop | None = None,
    stop: threading.Event | None = None,
) -> Surroundings:
    """Where an evaluation happens: this connection, this folder, this environment."""
    return Surroundings(
        where.backend, where.project_id, where.settings, shown.chosen(progress), Path.cwd(), os.environ,
        RunTraces() if traces else None, loop, stop or threading.Event(),
    )  # fmt: skip
