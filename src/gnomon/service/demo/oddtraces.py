"""Traces that are hard to show: one that is very deep, one of two thousand spans, one without a root."""

from collections.abc import Iterator
from random import Random

from gnomon.model.moment import from_ms
from gnomon.model.trace import MAX_BATCH, SpanDraft, SpanError
from gnomon.service.demo import agentturns
from gnomon.service.demo.answering import stack
from gnomon.service.demo.context import DAY, HOUR, PROJECT, Context
from gnomon.service.traces import ingest

LEVELS = 36
SECTIONS, PAGES = 27, 73
"""With the root and a last check these are 2,000 spans."""
EMBEDDING = "text-embedding-3-small"


def make_odd_traces(context: Context) -> None:
    random = context.random("odd traces")
    _send(context, 3 * DAY + 4 * HOUR, list(_deep(random, context.now - 3 * DAY - 4 * HOUR)))
    _send(context, 26 * HOUR, list(_wide(random, context.now - 26 * HOUR)))
    agentturns.send_without_root(context.at(9 * HOUR), random, context.now - 9 * HOUR)


def _send(context: Context, age: int, spans: list[SpanDraft]) -> None:
    for start in range(0, len(spans), MAX_BATCH):
        batch = dict(enumerate(spans[start : start + MAX_BATCH]))
        ingest.ingest(context.at(age), PROJECT, batch)


def _deep(random: Random, ended: int) -> Iterator[SpanDraft]:
    """An agent that hands every task on to another agent, until one of them fails."""
    trace_id, parent = f"{random.getrandbits(128):032x}", None
    began = ended - LEVELS * 400
    error = SpanError(message=f"maximum of {LEVELS} hand-overs reached", type="RecursionError")
    error = error.model_copy(update={"stack": stack("planner", "hand_over", "return await hand_over(task)", error)})
    for level in range(1, LEVELS + 1):
        id, last = f"{random.getrandbits(64):016x}", level == LEVELS
        yield SpanDraft(
            id=id, trace_id=trace_id, parent_span_id=parent, name=f"hand over {level}" if parent else "plan a refund",
            input={"task": "refund order 1042", "level": level}, output=None if last else {"handed_on": True},
            start_time=from_ms(began + 150 * (level - 1)), end_time=from_ms(ended - 40 * (level - 1)),
            error=error if last else None, metadata={"source": "production", "topic": "returns", "level": level},
            model="claude-haiku-4-5" if level % 4 == 0 else None,
            tokens_input=600 + 40 * level if level % 4 == 0 else None, tokens_output=35 if level % 4 == 0 else None,
        )  # fmt: skip
        parent = id


def _wide(random: Random, ended: int) -> Iterator[SpanDraft]:
    """The nightly rebuild of the search index: every page of every section is embedded."""
    trace_id, root, began = f"{random.getrandbits(128):032x}", f"{random.getrandbits(64):016x}", ended - 41_000
    yield SpanDraft(
        id=root, trace_id=trace_id, name="rebuild search index", input={"sections": SECTIONS},
        output={"pages": SECTIONS * PAGES, "failed": 3}, start_time=from_ms(began), end_time=from_ms(ended),
        metadata={"source": "nightly"},
    )  # fmt: skip
    broken = set(random.sample(range(SECTIONS * PAGES), 3))
    for section in range(SECTIONS):
        id, start = f"{random.getrandbits(64):016x}", began + 1_500 * section
        yield SpanDraft(
            id=id, trace_id=trace_id, parent_span_id=root, name=f"index section {section + 1}",
            start_time=from_ms(start), end_time=from_ms(start + 1_490), metadata={"pages": PAGES},
        )  # fmt: skip
        for page in range(PAGES):
            failed = section * PAGES + page in broken
            yield _page(random, trace_id, id, f"help/{section + 1}/{page + 1}", start + 20 * page, failed=failed)
    check = f"{random.getrandbits(64):016x}"
    yield SpanDraft(
        id=check, trace_id=trace_id, parent_span_id=root, name="check index", output={"ok": True},
        start_time=from_ms(ended - 400), end_time=from_ms(ended - 20),
    )  # fmt: skip


def _page(random: Random, trace_id: str, parent: str, path: str, start: int, *, failed: bool) -> SpanDraft:
    error = SpanError(message="the page is not UTF-8", type="UnicodeDecodeError")
    error = error.model_copy(update={"stack": stack("indexing", "embed_page", "text = page.read_text()", error)})
    return SpanDraft(
        id=f"{random.getrandbits(64):016x}", trace_id=trace_id, parent_span_id=parent, name="embed page",
        input=path, output=None if failed else {"dimensions": 1536}, error=error if failed else None,
        start_time=from_ms(start), end_time=from_ms(start + random.randint(8, 19)),
        model=None if failed else EMBEDDING, tokens_input=None if failed else random.randint(80, 700),
    )  # fmt: skip
