"""What type checkers see of results. mypy reads this file; nothing runs it."""

from collections.abc import Iterator

import gnomon as gn
from gnomon.model.dataset import DatasetItem
from gnomon.model.experiment import Run, ScorerSummary, Summary, Verdict


def a_result_has_typed_parts() -> tuple[Summary, Iterator[Run], ScorerSummary, str | None]:
    result: gn.EvaluationResult = gn.experiment("prompt-v3", at="~1")
    return result.summary, result.runs, result.score("exact_match"), result.url


def a_comparison_takes_names_and_results() -> Verdict:
    by_name: gn.ComparisonResult = gn.compare("prompt-v2", "prompt-v3", min_effect=0.02, missing="zero")
    by_name.assert_no_regression("exact_match", by=0.01)
    return gn.experiment("prompt-v3").compare(gn.experiment("prompt-v2")).verdict("exact_match")


def a_dataset_goes_where_its_name_goes() -> tuple[gn.LeaderboardResult, Iterator[DatasetItem]]:
    data: gn.DatasetHandle = gn.dataset([{"input": "France"}], name="capitals")
    return gn.leaderboard(data, "exact_match", k=3), data.items()


def wrong_types_are_noticed() -> None:
    gn.compare("prompt-v2", 3)  # type: ignore[arg-type]
    gn.compare("prompt-v2", "prompt-v3", missing="none")  # type: ignore[arg-type]
    gn.experiment("prompt-v3", "~1")  # type: ignore[call-arg]
