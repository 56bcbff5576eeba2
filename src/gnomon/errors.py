"""The errors that Gnomon raises, as one tree.

GnomonError
├── InvalidInput   the caller sent something malformed        (HTTP 400)
├── Unauthorized   no key, or not a valid one                 (HTTP 401)
├── Forbidden      the key's role does not allow it           (HTTP 403)
├── NotFound       the named thing does not exist             (HTTP 404)
├── Conflict       it exists already, or is ambiguous         (HTTP 409)
├── TooLarge       more than the limit                        (HTTP 413)
├── WrongMedia     a body of a kind that is not read here     (HTTP 415)
├── Refused        well formed, but not possible              (HTTP 422)
├── Misdirected    a Host that is not this server's           (HTTP 421)
├── TooMany        too often; later it works                  (HTTP 429)
├── NotAvailable   not built or not configured                (HTTP 501)
├── Busy           too much at once; later it works           (HTTP 503)
└── StoreTrouble   the database cannot do it now              (HTTP 503)
    └── OutcomeUnknown  it may or may not be stored           (HTTP 500)

A message is one sentence that names the field, the value and the remedy. `problems`
lists what is wrong field by field; doors show it as `details.errors`. `written` lists the
files that were written before it, where several were to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with the input: where it is (field, and the index in a batch), which rule, and a message."""

    field: str
    code: str
    message: str
    index: int | None = None

    def as_json(self) -> dict[str, Any]:
        position: dict[str, Any] = {} if self.index is None else {"index": self.index}
        return {**position, "field": self.field, "code": self.code, "message": self.message}


class GnomonError(Exception):
    """The base of all errors. `code` is for programs, the message for people."""

    status: ClassVar[int] = 500
    default_code: ClassVar[str] = "INTERNAL"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        problems: Sequence[Problem] = (),
        written: Sequence[Path] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.problems = tuple(problems)
        self.written = list(written)

    @property
    def details(self) -> dict[str, Any] | None:
        return {"errors": [problem.as_json() for problem in self.problems]} if self.problems else None


class InvalidInput(GnomonError):
    status = 400
    default_code = "INVALID_REQUEST"

    @classmethod
    def of(cls, field: str, message: str, *, code: str = "INVALID_REQUEST") -> "InvalidInput":
        """The common case: one field is wrong."""
        return cls(message, code=code, problems=[Problem(field, code, message)])


class Unauthorized(GnomonError):
    status = 401
    default_code = "UNAUTHORIZED"


class Forbidden(GnomonError):
    status = 403
    default_code = "FORBIDDEN"


class NotFound(GnomonError):
    status = 404
    default_code = "NOT_FOUND"


class Conflict(GnomonError):
    status = 409
    default_code = "CONFLICT"


class TooLarge(GnomonError):
    status = 413
    default_code = "PAYLOAD_TOO_LARGE"


class WrongMedia(GnomonError):
    status = 415
    default_code = "UNSUPPORTED_MEDIA_TYPE"


class Refused(GnomonError):
    status = 422
    default_code = "UNPROCESSABLE"


class Misdirected(GnomonError):
    status = 421
    default_code = "MISDIRECTED"


class TooMany(GnomonError):
    """`retry_after` is how many seconds to wait."""

    status = 429
    default_code = "TOO_MANY_REQUESTS"

    def __init__(self, message: str, *, retry_after: int = 1, **more: Any) -> None:
        super().__init__(message, **more)
        self.retry_after = retry_after


class NotAvailable(GnomonError):
    status = 501
    default_code = "NOT_AVAILABLE"


class Busy(GnomonError):
    status = 503
    default_code = "BUSY"


class StoreTrouble(GnomonError):
    status = 503
    default_code = "UNAVAILABLE"


class OutcomeUnknown(StoreTrouble):
    """Not a 503: clients and proxies repeat those by themselves, and the work might then be stored twice."""

    status = 500
    default_code = "OUTCOME_UNKNOWN"
