"""Test runs of DeepEval (`DEEPEVAL_RESULTS_FOLDER`, `.deepeval/.latest_test_run.json`): a run for each test case."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, digest, json_object, numbered, without_none
from gnomon.interop.foreign.scores import score_of

SOURCE = "deepeval"
_CONTEXT = ("context", "retrievalContext", "toolsCalled", "expectedTools", "additionalMetadata", "comments", "tags")


def detect(path: Path) -> bool:
    keys = look(path).keys
    for prefix in ("", "testRunData."):
        if f"{prefix}testCases" in keys and keys & {
            f"{prefix}testCases[].metricsData", f"{prefix}conversationalTestCases", f"{prefix}metricsScores"
        }:  # fmt: skip
            return True
    return False


def read(path: Path) -> Bundle:
    value = json_object(path, "a test run of DeepEval")
    value = value["testRunData"] if isinstance(value.get("testRunData"), dict) else value
    bundle = Bundle(SOURCE)
    name = as_text(value.get("identifier")) or as_text(value.get("testFile")) or path.stem
    cases = [case for case in as_list(value.get("testCases")) if isinstance(case, dict)]
    chats = [case for case in as_list(value.get("conversationalTestCases")) if isinstance(case, dict)]
    bundle.not_understood["test case that is not an object"] += (
        len(as_list(value.get("testCases"))) + len(as_list(value.get("conversationalTestCases")))
    ) - (len(cases) + len(chats))
    dataset = as_text(value.get("datasetAlias")) or name
    runs = [*_runs(cases, _case), *_runs(chats, _chat)]
    metadata = without_none(
        source=SOURCE, identifier=value.get("identifier"), hyperparameters=value.get("hyperparameters"),
        test_file=value.get("testFile"), reported=_means(value),
    )  # fmt: skip
    bundle.experiments.append(ForeignExperiment(name, dataset, runs, metadata))
    bundle.not_understood = +bundle.not_understood
    return bundle


def _runs(cases: list[dict[str, Any]], content: Any) -> Iterator[ForeignRun]:
    contents = [content(case) for case in cases]
    keys = [_key(case, input, expected) for case, (input, _, expected) in zip(cases, contents, strict=True)]
    for case, (input, output, expected), key, trial in zip(cases, contents, keys, numbered(keys), strict=True):
        yield ForeignRun(
            item_key=key,
            input=input,
            output=output,
            expected_output=expected,
            item_metadata=without_none(**{name: case.get(name) for name in _CONTEXT}) or None,
            trial=trial,
            scores=list(_scores(case)),
        )


def _case(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    return case.get("input"), case.get("actualOutput"), case.get("expectedOutput")


def _chat(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    """A conversation: what it was about, what was said, and what should have come of it."""
    turns = [
        without_none(role=turn.get("role"), content=turn.get("content"))
        for turn in map(as_object, as_list(case.get("turns")))
    ]
    return case.get("scenario") or turns[:1], turns or None, case.get("expectedOutcome")


def _key(case: dict[str, Any], input: Any, expected: Any) -> str:
    """Test cases have no id; their names are often counters, so content decides."""
    name = as_text(case.get("name")) or "case"
    return f"{name}@{digest(input, expected, case.get('context'))[:12]}"


def _scores(case: dict[str, Any]) -> Iterator[ForeignScore]:
    seen: Counter[str] = Counter()
    for data in map(as_object, as_list(case.get("metricsData"))):
        name = as_text(data.get("name"))
        if name is None:
            continue
        seen[name] += 1
        name = name if seen[name] == 1 else f"{name} ({seen[name]})"
        error = as_text(data.get("error"))
        about = without_none(
            threshold=data.get("threshold"), success=data.get("success"), model=data.get("evaluationModel"),
            strict=data.get("strictMode") or None,
        )  # fmt: skip
        if error is not None and data.get("score") is None:
            yield ForeignScore(name, failed=error, metadata=about)
        else:
            yield score_of(name, data.get("score"), rationale=as_text(data.get("reason")), metadata=about or None)


def _means(value: dict[str, Any]) -> dict[str, float]:
    means: dict[str, float] = {}
    for metric in map(as_object, as_list(value.get("metricsScores"))):
        numbers = [score for score in as_list(metric.get("scores")) if isinstance(score, int | float)]
        if numbers and as_text(metric.get("metric")):
            means[str(metric["metric"])] = sum(numbers) / len(numbers)
    return means
