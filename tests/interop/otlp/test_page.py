"""The page about OTLP tells the limits and codes that the code has."""

import re
from pathlib import Path

from gnomon.interop.otlp import records
from gnomon.interop.otlp.answers import Code, grpc_code_of

PAGE = (Path(__file__).parents[3] / "docs" / "tracing" / "otlp.md").read_text("utf-8")


def test_the_limits_on_the_page_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| ([\d,]+)(?: bytes| levels)? \|$", PAGE, re.MULTILINE))
    assert {name: int(limit.replace(",", "")) for name, limit in rows.items()} == {
        "a span or log record that is too large, as protobuf": records.MAX_SPAN_BYTES,
        "attributes of one span, event, link or log record": records.MAX_ATTRIBUTES,
        "events of one span": records.MAX_EVENTS,
        "links of one span": records.MAX_LINKS,
        "lists and maps inside each other in one value": records.MAX_VALUE_DEPTH,
    }
    assert f"more than {records.MAX_VALUES:,}\nvalues" in PAGE


def test_the_codes_on_the_page_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \| `([A-Z_]+)`", PAGE, re.MULTILINE)
    assert len(rows) == 6
    for statuses, name in rows:
        assert {Code(grpc_code_of(int(status))).name for status in statuses.split(", ")} == {name}
