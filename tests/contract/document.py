"""What the served OpenAPI document promises, held against every answer as it arrives.

The client of a server that `start_server` has started calls `check` on each answer, so an answer that the document does
not know fails the very test that saw it, in whichever process and order the tests run.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any

import httpx2

UNKNOWN_ADDRESS = {401, 404, 405, 413}
"""What may be answered where the document has no operation: the key and the size are looked at first."""

HOLDS_SLASHES = {"scorer_name"}
_PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Operation:
    """One method on one path, and each status that it may answer with the media types that this status comes in."""

    method: str
    path: str
    answers: dict[int, set[str]]

    def is_meant(self, method: str, path: str) -> bool:
        return method == self.method and self._pattern.fullmatch(path) is not None

    @functools.cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = _PARAMETER.split(self.path)  # text, name, text, name, …, text
        return re.compile(
            "".join(
                re.escape(piece) if at % 2 == 0 else ".+" if piece in HOLDS_SLASHES else "[^/]+"
                for at, piece in enumerate(pieces)
            )
        )

    @property
    def parameters(self) -> int:
        return len(_PARAMETER.findall(self.path))


@dataclass(frozen=True)
class Document:
    operations: list[Operation]

    @classmethod
    def of(cls, served: dict[str, Any]) -> "Document":
        operations = [
            Operation(
                verb.upper(),
                path,
                {int(status): set(answer.get("content", {})) for status, answer in operation["responses"].items()},
            )
            for path, operations in served["paths"].items()
            for verb, operation in operations.items()
        ]
        # An address that is spelled out goes before one with a parameter in its place.
        return cls(sorted(operations, key=lambda operation: operation.parameters))

    def operation(self, method: str, path: str) -> Operation | None:
        return next((operation for operation in self.operations if operation.is_meant(method, path)), None)

    def check(self, answer: httpx2.Response) -> None:
        """Fail when the document does not know this answer. Pages beside the API are not in the document."""
        method, status = answer.request.method, answer.status_code
        path = answer.request.url.raw_path.partition(b"?")[0].decode()  # with `/` in an id as %2F
        if not path.startswith("/v1"):
            return
        operation = self.operation(method, path)
        if operation is None:
            assert status in UNKNOWN_ADDRESS, f"{method} {path} answered {status}, and is not in the document"
            return
        named = f"{operation.method} {operation.path}"
        assert status in operation.answers, f"{named} answered {status}; the document lists {sorted(operation.answers)}"
        media = answer.headers["content-type"].partition(";")[0]
        assert media in operation.answers[status], (
            f"{named} answered {status} as {media}; the document lists {sorted(operation.answers[status])}"
        )
