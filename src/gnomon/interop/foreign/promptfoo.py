"""Results of promptfoo (`promptfoo eval -o results.json`): an experiment for each prompt and provider.

A test case is an item, known by its content; `--repeat` makes trials of it. `score` is the weighted one of promptfoo,
`pass` whether the test case passed; metrics that assertions name stand beside them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.conversation import refused
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import (
    as_object,
    as_text,
    digest,
    joined,
    json_object,
    numbered,
    without_none,
)
from gnomon.interop.foreign.scores import score_of

SOURCE = "promptfoo"
_ERROR = 2
"""`failureReason` of a result for which there is no output; 1 means that an assertion failed."""


def detect(path: Path) -> bool:
    seen = look(path)
    has_results = seen.has("results", "results.results") or seen.has("results", "results.prompts")
    return has_results and bool(seen.keys & {"evalId", "results.version", "results.timestamp"})


def read(path: Path) -> Bundle:
    value = json_object(path, "what promptfoo eval -o writes")
    inner = as_object(value.get("results"))
    results = inner.get("results")
    if not isinstance(results, list):
        raise refused(path, "has no list results.results; write it with promptfoo eval -o results.json")
    bundle = Bundle(SOURCE)
    by_prompt: dict[tuple[int, str, str], list[dict[str, Any]]] = {}
    for result in results:
        if isinstance(result, dict):
            by_prompt.setdefault(_prompt_of(result), []).append(result)
        else:
            bundle.not_understood["result that is not an object"] += 1
    config = as_object(value.get("config"))
    dataset = as_text(config.get("description")) or path.stem
    about = {"source": SOURCE, "eval_id": value.get("evalId"), "created": inner.get("timestamp")}
    several = {provider for _, provider, _ in by_prompt}, {label for _, _, label in by_prompt}
    for (_, provider, label), its in sorted(by_prompt.items(), key=lambda pair: pair[0]):
        name = joined(dataset, provider, label[:100] if len(several[1]) > 1 else None)
        metadata = without_none(**about, provider=provider, prompt=label)
        bundle.experiments.append(ForeignExperiment(name, dataset, list(_runs(its)), metadata))
    return bundle


def _prompt_of(result: dict[str, Any]) -> tuple[int, str, str]:
    index, provider = result.get("promptIdx"), result.get("provider")
    about = as_object(provider)
    name = as_text(about.get("label")) or as_text(about.get("id")) or as_text(provider) or "provider"
    prompt = as_object(result.get("prompt"))
    return (
        index if isinstance(index, int) else 0,
        name,
        as_text(prompt.get("label")) or as_text(prompt.get("raw")) or "",
    )


def _runs(results: list[dict[str, Any]]) -> Iterator[ForeignRun]:
    results = sorted(results, key=lambda row: row["testIdx"] if isinstance(row.get("testIdx"), int) else 0)
    keys = [_key(result) for result in results]
    for result, key, trial in zip(results, keys, numbered(keys), strict=True):
        case, response = as_object(result.get("testCase")), as_object(result.get("response"))
        failed = result.get("failureReason") == _ERROR or (not response and bool(result.get("error")))
        variables = result.get("vars", case.get("vars"))
        yield ForeignRun(
            item_key=key,
            input=variables if variables not in (None, {}) else as_object(result.get("prompt")).get("raw"),
            output=response.get("output"),
            item_metadata=without_none(
                **{"description": case.get("description"), "assert": case.get("assert")},
                **as_object(case.get("metadata")),
            )
            or None,
            trial=trial,
            error=(as_text(result.get("error")) or "the provider failed") if failed else None,
            scores=() if failed else list(_scores(result)),
        )


def _key(result: dict[str, Any]) -> str:
    """What a test case is known by: its description and content, the same for all prompts, providers and repeats."""
    case = as_object(result.get("testCase"))
    content = digest(case.get("description"), case.get("vars", result.get("vars")), case.get("assert"))[:12]
    return joined(as_text(case.get("description")), content)


def _scores(result: dict[str, Any]) -> Iterator[ForeignScore]:
    grading = as_object(result.get("gradingResult"))
    reason = as_text(grading.get("reason"))
    yield score_of("score", result.get("score", grading.get("score")), rationale=reason)
    passed = result.get("success", grading.get("pass"))
    yield score_of("pass", passed if isinstance(passed, bool) else None, rationale=reason)
    for name, value in as_object(result.get("namedScores", grading.get("namedScores"))).items():
        yield score_of(name, value)
