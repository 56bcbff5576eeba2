"""What an application did, as a trace with two spans and a score.

Needs a server: `gnomon demo` prints an address and a key; set GNOMON_URL and GNOMON_API_KEY to them.
"""

import uuid
from datetime import UTC, datetime

from gnomon import Client
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft

PROJECT = "examples"


def main() -> None:
    trace_id, root, began = uuid.uuid4().hex, uuid.uuid4().hex[:16], datetime.now(UTC)
    answer = "Plenty of rain, bring a coat."
    ended = datetime.now(UTC)
    spans = [
        SpanDraft(
            id=root, trace_id=trace_id, name="answer", input="How is the weather?", output=answer, start_time=began,
            end_time=ended, scores=[InlineScoreDraft(scorer_name="polite", value=1.0)],
        ),
        SpanDraft(
            id=uuid.uuid4().hex[:16], trace_id=trace_id, parent_span_id=root, name="ask the model", output=answer,
            start_time=began, end_time=ended, model="demo-model-a", tokens_input=12, tokens_output=7,
        ),
    ]  # fmt: skip
    with Client() as client:
        print("accepted", client.ingest(spans, PROJECT).accepted, "spans")
        newest = next(client.traces(PROJECT))
        print(f"{newest.name}: {newest.span_count} spans, {newest.tokens} tokens, error: {newest.has_error}")


if __name__ == "__main__":
    main()
