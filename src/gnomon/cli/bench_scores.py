"""What `gnomon bench score` does: transcripts read, scored by rules, judged if wished, written and shown."""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli import show
from gnomon.cli.show.bench import file_scores, folder_scores
from gnomon.errors import InvalidInput, NotAvailable
from gnomon.llm.ask import close, silence, why_not
from gnomon.llm.providers import not_installed
from gnomon.service.bench import scoring as benchscore
from gnomon.service.bench.benchmark import score_runs
from gnomon.service.bench.judge import JudgeOf, judges

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.scorers.rubric import RubricOpinion


def check_judge(model: str | None, rubric: Path | None) -> None:
    """What would make every question fail is said before anything is done."""
    if model is None:
        if rubric is not None:
            raise InvalidInput.of("rubric", "--rubric goes with --judge; say which model to ask")
        return
    if missing := not_installed(model, os.environ):
        raise NotAvailable(missing)
    if refused := why_not(model, os.environ):
        raise InvalidInput.of("judge", refused)
    silence()


def one_file(
    path: Path, *, scenario: Path | None, scenarios: Sequence[Path], kind: str | None, expect: Path | None,
    settings: dict[str, Any], model: str | None, concurrency: int, no_write: bool, as_json: bool, **options: Any,
) -> bool:  # fmt: skip
    """Score the transcripts of a file; true when something could be scored."""
    judge = None if model is None else _judge(model, **options)
    found = benchscore.score_file(
        path, scenario, scenarios, kind=kind, expect=expect, settings=settings, judged=judge is not None
    )
    found = _judged(found, judge, concurrency)
    written = [] if no_write else benchscore.write_beside(path, found)
    show.json([_told(one) for one in found]) if as_json else file_scores(path.name, found, written)
    return _judge_answered([one.opinion for one in found if one.opinion]) and any(one.scored for one in found)


def stored(
    backend: "Backend", trace_id: str, project: str | None, *, scenario: Path | None, expect: Path | None,
    settings: dict[str, Any], model: str | None, concurrency: int, as_json: bool, **options: Any,
) -> bool:  # fmt: skip
    """Score a stored trace; true when it could be scored."""
    judge = None if model is None else _judge(model, **options)
    trace = backend.trace(trace_id, project)
    found = benchscore.score_trace(trace, scenario, expect=expect, settings=settings, judged=judge is not None)
    found = _judged(found, judge, concurrency)
    show.json([_told(one) for one in found]) if as_json else file_scores(f"trace {trace_id}", found, [])
    return _judge_answered([one.opinion for one in found if one.opinion]) and any(one.scored for one in found)


def _judged(found: list[benchscore.FileScore], judge: JudgeOf | None, concurrency: int) -> list[benchscore.FileScore]:
    return found if judge is None else asyncio.run(_asked(benchscore.judge_files(found, judge, concurrency)))


def folder(
    out: Path, *, scenario: Path | None, scenarios: Sequence[Path], kind: str | None, expect: Path | None,
    settings: dict[str, Any], model: str | None, concurrency: int, no_write: bool, as_json: bool, **options: Any,
) -> bool:  # fmt: skip
    """Score every run below a folder; true when something could be scored."""
    for flag, value in (("format", kind), ("expect", expect)):
        if value is not None:
            raise InvalidInput.of(flag, f"--{flag} goes with --transcript; name one file")
    packages = [*scenarios, *([scenario] if scenario else [])]
    judge = None if model is None else _judge(model, **options)
    with show.progress("scoring", quiet=as_json) as done:
        scored, notes = score_runs(out, packages, settings=settings, write=not no_write, on_done=done)
    opinions: list[RubricOpinion] = []
    folders = [one.folder for one in scored if one.score.scorable]
    if judge is not None:
        with show.progress("judging", len(folders), quiet=as_json) as done:
            opinions = asyncio.run(_asked(benchscore.judge_folders(
                folders, packages, judge, concurrency=concurrency, settings=settings, write=not no_write, on_done=done
            )))  # fmt: skip
    if as_json:
        runs = [{"folder": str(one.folder), **one.score.model_dump(mode="json")} for one in scored]
        judged = zip(folders, opinions, strict=False)
        told = [{"folder": str(one), **opinion.model_dump(mode="json")} for one, opinion in judged]
        show.json({"runs": runs, "opinions": told, "notes": notes})
    else:
        folder_scores(out, scored, opinions, notes, written=not no_write)
    return _judge_answered(opinions) and any(one.score.scorable for one in scored)


def _judge_answered(opinions: "Sequence[RubricOpinion]") -> bool:
    """False, and said, when a judge was asked and failed on every run: its part of the command did not happen."""
    if not opinions or any(opinion.state != "failed" for opinion in opinions):
        return True
    [(reason, count)] = Counter(opinion.reason or "no reason was told" for opinion in opinions).most_common(1)
    runs = "the only run" if len(opinions) == 1 else f"all {len(opinions)} runs"
    share = "" if count == len(opinions) else f" ({count} of them)"
    show.problem(f"the judge failed on {runs}: {reason}{share}; scores by rules stand, ask --judge again")
    return False


def _judge(model: str, rubric: Path | None, passes: int, temperature: float | None) -> JudgeOf:
    return judges(rubric, model, passes=passes, temperature=temperature)


async def _asked(asking: Any) -> Any:
    try:
        return await asking
    finally:
        await close()


def _told(one: benchscore.FileScore) -> dict[str, Any]:
    """A score as JSON: the run's, or the calls'; and the judge's opinion."""
    told: dict[str, Any] = {"scenario_id": one.transcript.scenario_id, "run_id": one.transcript.run_id}
    if one.run is not None:
        told |= one.run.model_dump(mode="json")
    if one.calls is not None:
        told["tool_calls"] = benchscore.measured(one.calls)
    told |= {name: one.transcript.metadata[name] for name in ("reported", "notes") if one.transcript.metadata.get(name)}
    if one.opinion is not None:
        told["opinion"] = one.opinion.model_dump(mode="json")
    return told
