"""What `gnomon bench score` does: transcripts read, scored by rules, judged if wished, written and shown."""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli import show
from gnomon.cli.bench_foreign import are_foreign, show_carried
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
    """Refuse at once what would make every question to the judge fail."""
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
    scores = benchscore.score_file(
        path, scenario, scenarios, kind=kind, expect=expect, settings=settings, judged=judge is not None
    )
    scores = _judged(scores, judge, concurrency)
    written = [] if no_write else benchscore.write_beside(path, scores)
    if as_json:
        show.json([_score_json(score) for score in scores])
    else:
        file_scores(path.name, scores, written)
        if any(score.carried for score in scores) and are_foreign([path]):
            show_carried([path])
    return _judge_answered([score.opinion for score in scores if score.opinion]) and any(
        score.scored for score in scores
    )


def stored(
    backend: "Backend", trace_id: str, project: str | None, *, scenario: Path | None, expect: Path | None,
    settings: dict[str, Any], model: str | None, concurrency: int, as_json: bool, **options: Any,
) -> bool:  # fmt: skip
    """Score a stored trace; true when it could be scored."""
    judge = None if model is None else _judge(model, **options)
    trace = backend.trace(trace_id, project)
    scores = benchscore.score_trace(trace, scenario, expect=expect, settings=settings, judged=judge is not None)
    scores = _judged(scores, judge, concurrency)
    show.json([_score_json(score) for score in scores]) if as_json else file_scores(f"trace {trace_id}", scores, [])
    return _judge_answered([score.opinion for score in scores if score.opinion]) and any(
        score.scored for score in scores
    )


def _judged(scores: list[benchscore.FileScore], judge: JudgeOf | None, concurrency: int) -> list[benchscore.FileScore]:
    return scores if judge is None else asyncio.run(_run_judge(benchscore.judge_files(scores, judge, concurrency)))


def folder(
    out: Path, *, scenario: Path | None, scenarios: Sequence[Path], kind: str | None, expect: Path | None,
    settings: dict[str, Any], model: str | None, concurrency: int, no_write: bool, as_json: bool, **options: Any,
) -> bool:  # fmt: skip
    """Score every run below a folder; true when something could be scored."""
    for flag, value in (("format", kind), ("expect", expect)):
        if value is not None:
            raise InvalidInput.of(flag, f"--{flag} goes with --transcript; name one file")
    if are_foreign([out]):
        if model is not None:
            words = f"{out} holds files of other tools, and a judge is asked about one at a time"
            raise InvalidInput.of("judge", f"--judge: {words}; name one transcript with --transcript")
        return bool(show_carried([out], as_json=as_json).scores)
    packages = [*scenarios, *([scenario] if scenario else [])]
    judge = None if model is None else _judge(model, **options)
    with show.progress("scoring", quiet=as_json) as done:
        scored, notes = score_runs(out, packages, settings=settings, write=not no_write, on_done=done)
    opinions: list[RubricOpinion] = []
    folders = [run.folder for run in scored if run.score.scorable]
    if judge is not None:
        with show.progress("judging", len(folders), quiet=as_json) as done:
            opinions = asyncio.run(_run_judge(benchscore.judge_folders(
                folders, packages, judge, concurrency=concurrency, settings=settings, write=not no_write, on_done=done
            )))  # fmt: skip
    if as_json:
        runs = [{"folder": str(run.folder), **run.score.model_dump(mode="json")} for run in scored]
        judged = zip(folders, opinions, strict=False)
        opinions_json = [{"folder": str(path), **opinion.model_dump(mode="json")} for path, opinion in judged]
        show.json({"runs": runs, "opinions": opinions_json, "notes": notes})
    else:
        folder_scores(out, scored, opinions, notes, written=not no_write)
    return _judge_answered(opinions) and any(run.score.scorable for run in scored)


def _judge_answered(opinions: "Sequence[RubricOpinion]") -> bool:
    """False, and said, when a judge was asked and failed on every run: its part of the command did not happen."""
    if not opinions or any(opinion.state != "failed" for opinion in opinions):
        return True
    [(reason, count)] = Counter(opinion.reason or "no reason was given" for opinion in opinions).most_common(1)
    runs = "the only run" if len(opinions) == 1 else f"all {len(opinions)} runs"
    share = "" if count == len(opinions) else f" ({count} of them)"
    show.problem(f"the judge failed on {runs}: {reason}{share}; scores by rules stand, ask --judge again")
    return False


def _judge(model: str, rubric: Path | None, passes: int, temperature: float | None) -> JudgeOf:
    return judges(rubric, model, passes=passes, temperature=temperature)


async def _run_judge(asking: Any) -> Any:
    try:
        return await asking
    finally:
        await close()


def _score_json(score: benchscore.FileScore) -> dict[str, Any]:
    """A score as JSON: the run's, or the calls'; and the judge's opinion."""
    fields: dict[str, Any] = {"scenario_id": score.transcript.scenario_id, "run_id": score.transcript.run_id}
    if score.run is not None:
        fields |= score.run.model_dump(mode="json")
    if score.calls is not None:
        fields["tool_calls"] = benchscore.measured(score.calls)
    fields |= {
        name: score.transcript.metadata[name] for name in ("reported", "notes") if score.transcript.metadata.get(name)
    }
    if score.opinion is not None:
        fields["opinion"] = score.opinion.model_dump(mode="json")
    return fields
