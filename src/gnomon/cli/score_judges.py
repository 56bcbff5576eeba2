"""`gnomon score` with a judge: the file becomes an experiment, and its judges are asked as everywhere."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, OK
from gnomon.cli.score_report import by_name, file_report, summarized
from gnomon.errors import InvalidInput
from gnomon.model.aggregate import IntervalMethod
from gnomon.model.score import ScorerSpec

if TYPE_CHECKING:
    from gnomon.service.evaluation.judgedfile import JudgeCalls

_JUDGES = ("llm_judge", "rubric")


def asks_model(spec: ScorerSpec) -> bool:
    return (spec.scorer or spec.scorer_name) in _JUDGES


def with_judge_flags(spec: ScorerSpec, model: str | None, prompt: str | None) -> ScorerSpec:
    """The scorer with what `--model` and `--prompt` say, where it is a judge."""
    if not asks_model(spec):
        return spec
    if spec.scorer_name == "rubric":
        raise InvalidInput("--scorer rubric needs its file; write --rubric FILE instead")
    flags = {"model": model, "prompt_template": prompt}
    config = {**(spec.config or {}), **{key: value for key, value in flags.items() if value is not None}}
    for key, flag, example in (
        ("model", "--model", "openai/gpt-4o"),
        ("prompt_template", "--prompt", "'Is {{output}} right for {{input}}? Answer 0 or 1.'"),
    ):
        if key not in config:
            raise InvalidInput(f"llm_judge needs {flag}, as in {flag} {example}")
    return spec.model_copy(update={"config": config})


def rubric_spec(rubric_file: Path, model: str | None) -> ScorerSpec:
    from gnomon.sdk.scorers import rubric

    if model is None:
        raise InvalidInput("--rubric needs --model, the model that judges by it, as in --model openai/gpt-4o")
    return rubric(rubric_file, model=model)


def judge_file(
    file: Path, specs: Sequence[ScorerSpec], out: Path | None, columns: Mapping[str, str], concurrency: int | None,
    interval: IntervalMethod | None, as_json: bool,
) -> int:  # fmt: skip
    """Score, show, and give the exit code: 3 where every score of a judge failed."""
    from dataclasses import replace

    from gnomon.llm.ask import silence
    from gnomon.sdk.connection import close, connection
    from gnomon.sdk.evaluating import surroundings
    from gnomon.service.evaluation.judgedfile import JudgedColumns, score_with_judges

    silence()
    where = connection()
    try:
        around = surroundings(where, traces=False, progress=False if as_json else None)
        if concurrency is not None:
            around = replace(around, settings=replace(around.settings, judge_concurrency=concurrency))
        judged = score_with_judges(file, specs, out, JudgedColumns(**columns), around)
    finally:
        close()
    summaries = [summarized(tally, interval) for tally in judged.scores.tallies]
    report, spent = file_report(judged.scores), judged.spent
    if as_json:
        judge_usage = {"calls": spent.calls, "tokens": spent.tokens, "cost_usd": spent.usd}
        experiment = {"experiment": judged.experiment.name, "experiment_id": judged.experiment.id}
        show.json({**report, **experiment, "judge": judge_usage, "scores_by_scorer": by_name(summaries)})
    else:
        show.file_scores(report, summaries)
        show.line(_cost(spent))
        show.line(
            f"stored as the experiment {judged.experiment.name}; see it with: gnomon summary {judged.experiment.id}"
        )
    failed = [summary for summary in summaries if summary.n_failed and not summary.n_scored]
    return CANNOT_RUN if failed else OK


def _cost(spent: "JudgeCalls") -> str:
    if not spent.calls:
        return "judges: nothing was asked; all answers were known"
    calls = "1 call" if spent.calls == 1 else f"{spent.calls:,} calls"
    usd = "cost not known" if spent.usd is None else f"${spent.usd:.4g}"
    return f"judges: {calls}, {spent.tokens:,} tokens, {usd}"
