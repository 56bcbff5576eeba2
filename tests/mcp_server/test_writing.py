"""The tools that change something: there with --write only, and what they say is what is stored then."""

import time
from pathlib import Path

from mcp import Client

from gnomon.mcp.server import TOOLS
from gnomon.mcp.writing import ANNOTATOR
from gnomon.service.embedded import Embedded
from mcp_server.conftest import PROJECT, Said, ask, session

SECONDS = 600
SCORE = {"target": "root-1", "target_type": "span", "scorer": "polite"}


async def _names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def test_tools_that_write_are_listed_with_write_only(filled: Path) -> None:
    names = {write: session(_names, "--db", str(filled), *["--write"] * write) for write in (False, True)}
    assert names[False] == [tool.name for tool in TOOLS if not tool.writes]
    assert set(names[True]) - set(names[False]) == {
        "add_score", "annotate", "add_dataset_item", "run_scorer", "job_status",
    }  # fmt: skip


def test_scores_annotations_and_items_are_stored(copied: Path) -> None:
    scored, noted, added, refused, empty = ask(
        [
            ("add_score", {**SCORE, "value": 0.25, "rationale": "r"}),
            ("annotate", {"trace": "trace-1", "label": "wrong", "correction": {"city": "Town 1"}}),
            ("add_dataset_item", {"dataset": "cities", "input": "Capital of land 99?", "expected_output": "Town 99"}),
            ("add_score", {**SCORE, "value": 7}),
            ("annotate", {"trace": "trace-1"}),
        ],
        "--db", str(copied), "--write",
    )  # fmt: skip
    assert refused == Said("value: score 7.0 is outside [0, 1]; divide by your scale first", is_error=True)
    assert empty == Said("label: provide at least a label, a correction, notes or scores", is_error=True)
    with Embedded(f"sqlite:///{copied}") as backend:
        (score,) = backend.scores("root-1", "span", scorer_name="polite")
        assert (score.value, score.rationale) == (0.25, "r")
        assert scored.text == f"stored as score {score.id}: polite 0.25 of span root-1"
        (annotation,) = backend.annotations("trace-1", project_id=PROJECT)
        assert (annotation.label, annotation.correction, annotation.annotator) == (
            "wrong",
            {"city": "Town 1"},
            ANNOTATOR,
        )
        assert noted.text == f"stored as annotation {annotation.id} of trace trace-1"
        (dataset,) = backend.datasets(PROJECT)
        (item,) = [item for item in backend.items(dataset.id) if item.expected_output == "Town 99"]
        assert added.text == f"stored as item {item.id} of dataset cities, which has 21 items now"


def test_a_built_in_scorer_is_run_and_its_job_is_followed_to_its_end(copied: Path) -> None:
    exact = {"scorer": "exact_match", "name": "exact", "experiment": "city-bot"}

    async def score(client: Client) -> tuple[str, str, str]:
        async def text(name: str, arguments: dict[str, object]) -> str:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
            return str(result.content[0].text)  # type: ignore[union-attr]

        preview = await text("run_scorer", {**exact, "preview": True})
        job = (await text("run_scorer", exact)).partition("queued as job ")[2].split()[0]
        deadline = time.monotonic() + SECONDS
        while "done" not in (status := await text("job_status", {"job": job})):
            assert time.monotonic() < deadline, status
        return preview, status, await text("experiment_summary", {"experiment": "city-bot"})

    preview, status, summary = session(score, "--db", str(copied), "--write")
    assert preview == "20 targets; nothing was stored\nexact: 20 to score, 0 have a score"
    assert status.endswith("(score_experiment): done (19 scored, 0 skipped, 1 failed)")
    assert "\nexact " in summary


def test_past_spans_are_scored_by_what_the_filter_says(copied: Path) -> None:
    spans = {"scorer": "regex", "config": {"pattern": "Town"}, "spans": {"name": "answer"}, "preview": True}
    chosen, neither, unknown = ask(
        [
            ("run_scorer", spans),
            ("run_scorer", {"scorer": "regex"}),
            ("run_scorer", {**spans, "spans": {"title": "answer"}}),
        ],
        "--db", str(copied), "--write",
    )  # fmt: skip
    assert chosen.text.startswith("4 targets; nothing was stored\nregex: ")
    assert neither == Said(
        "give one of `experiment` and `spans` ({} means all spans of the project)", is_error=True
    )  # fmt: skip
    assert unknown.is_error
    assert unknown.text.startswith("title: a filter has no such key")
