"""What schemathesis must be told before it can read and send everything that the document names."""

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Write a pair of numbers as two equal items: schemathesis 4 trips over `prefixItems` in answers."""
    pending: list[Any] = [raw_schema]
    while pending:
        found = pending.pop()
        if isinstance(found, dict):
            first, *others = found.get("prefixItems", [None])
            if first is not None and all(other == first for other in others):
                del found["prefixItems"]
                found["items"] = first
        pending += found.values() if isinstance(found, dict) else found if isinstance(found, list) else []
