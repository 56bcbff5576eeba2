"""The result of a model call: an answer, or trouble with its kind.

Clients and providers report the same fault in many ways; here each becomes one of six kinds, with the
provider's own words in one line and no key in it. Nothing is asked from here.
"""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from gnomon.llm.providers import BASE_URL, variables
from gnomon.llm.spent import total
from gnomon.shorten import shorten

TroubleKind = Literal["rate_limited", "overloaded", "timeout", "connection", "refused", "unreadable"]

LONGEST_MESSAGE = 300
LONGEST_EVIDENCE = 65_536
OUT_OF_MONEY = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a model and its usage. Tokens and cost are None where they are not reported."""

    text: str
    model: str
    tokens_input: int | None
    tokens_output: int | None
    cost_usd: float | None
    latency_ms: float


class Trouble(Exception):
    """There is no answer. `spent` is what the tries that did come back have taken, `evidence` their last text."""

    def __init__(
        self,
        kind: TroubleKind,
        message: str,
        *,
        retry_after: float | None = None,
        evidence: str | None = None,
        spent: Answer | None = None,
    ) -> None:
        self.kind: TroubleKind = kind
        self.message = one_line(message)
        self.retry_after = retry_after
        self.evidence = evidence if evidence is None else evidence[:LONGEST_EVIDENCE]
        self.spent = spent
        super().__init__(self.message)

    @property
    def retryable(self) -> bool:
        """Whether the same request may be answered another time."""
        return self.kind != "refused"

    @property
    def was_answered(self) -> bool:
        """Whether the model answered, was told what was wrong with its answer, and failed again."""
        return self.kind == "unreadable" and self.evidence is not None


def together(answers: Sequence[Answer]) -> Answer | None:
    """The last of several answers, with what all of them took. A part that is not known makes the sum not known."""
    if not answers:
        return None
    last = answers[-1]
    return Answer(
        last.text,
        last.model,
        total(answer.tokens_input for answer in answers),
        total(answer.tokens_output for answer in answers),
        total(answer.cost_usd for answer in answers),
        sum(answer.latency_ms for answer in answers),
    )


def by_status(status: int, headers: Mapping[str, str], body: str, code: str | None, provider: str) -> Trouble:
    """What an answer with another status than 200 means."""
    if 300 <= status < 400:
        where = headers.get("location") or "nowhere"
        elsewhere = f"{provider} answered {status} and points to {where[:100]}; no redirect is followed"
        return Trouble("refused", f"{elsewhere}: name the address itself in the server's environment")
    message = f"{provider} answered {status}: {body}"
    wait = retry_after(headers.get("retry-after"), datetime.now(UTC))
    if status == 429 and code not in OUT_OF_MONEY:
        return Trouble("rate_limited", message, retry_after=wait)
    if status == 408:
        return Trouble("timeout", message, retry_after=wait)
    if status in (409, 425) or status >= 500:
        return Trouble("overloaded", message, retry_after=wait)
    return Trouble("refused", message + _remedy(status, provider))


def _remedy(status: int, provider: str) -> str:
    names = " and ".join(variables(provider)) or f"the key of {provider}"
    if status in (401, 403):
        return f" (check {names} in the server's environment)"
    if status == 404:
        where = f", or {BASE_URL} in the server's environment" if provider == "openai" else ""
        return f" (check the name of the model{where})"
    return " (check the quota of the account)" if status == 429 else ""


def retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds to wait, from a header that holds seconds or a moment; None when it holds neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header).astimezone(UTC) - now).total_seconds()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|AUTHORIZATION|COOKIE)$")
_SECRET_LOOK = re.compile(r"\b(?:sk|pk|gsk|xai|key)-[\w*.-]{6,}|\bAIza[\w-]{10,}|(?<=Bearer )\S+")
SHORTEST_SECRET = 6


def one_line(text: str) -> str:
    """A message fit for a log and a page: on one line, not long, and without this process's keys in it."""
    return shorten(without_keys(text), LONGEST_MESSAGE)


def without_keys(text: str, more: Iterable[str] = ()) -> str:
    """The text on one line, without this process's keys and without the secrets in `more`."""
    secrets = (value for name, value in os.environ.items() if is_secret_name(name))
    for secret in (*secrets, *more):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "[key]")
    return " ".join(_SECRET_LOOK.sub("[key]", text).split())


def is_secret_name(name: str) -> bool:
    """Whether a variable or a header of this name holds a secret, such as OPENAI_API_KEY and Authorization."""
    return _SECRET_NAME.search(name.upper()) is not None
