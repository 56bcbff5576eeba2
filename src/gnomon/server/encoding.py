"""Answers compressed with gzip, for callers who take that."""

from starlette.datastructures import Headers

LEAST_BYTES = 1024
"""A smaller body gains less than it costs."""


def takes_gzip(headers: Headers) -> bool:
    """Whether `Accept-Encoding` has gzip, and not with a weight of 0."""
    for choice in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = choice.partition(";")
        if name.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").rstrip("0").rstrip(".") != "q="
    return False
