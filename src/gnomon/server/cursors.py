"""Cursors: opaque to callers, bound to one list with one set of filters, and signed.

The signature is made with a secret of this database, so a cursor of another list, another
filter or another server is refused instead of giving a page of nonsense.
"""

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from gnomon.errors import InvalidInput
from gnomon.model.jsonvalue import canonical
from gnomon.store.pages import Slice

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
_SIGNATURE = 12


@dataclass(frozen=True, slots=True)
class Cursors:
    secret: bytes

    def encode(self, list_name: str, filters: Mapping[str, Any], key: tuple[Any, ...] | None) -> str | None:
        if key is None:
            return None
        position = msgspec.json.encode(key)
        return base64.urlsafe_b64encode(self._sign(list_name, filters, position) + position).decode().rstrip("=")

    def decode(self, list_name: str, filters: Mapping[str, Any], cursor: str | None, limit: int) -> Slice:
        if cursor is None:
            return Slice(limit)
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        signature, position = raw[:_SIGNATURE], raw[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._sign(list_name, filters, position)):
            raise InvalidInput.of(
                "cursor", "this cursor was not issued for this list with these filters; start without one"
            )
        return Slice(limit, tuple(msgspec.json.decode(position)))

    def _sign(self, list_name: str, filters: Mapping[str, Any], position: bytes) -> bytes:
        about = canonical([list_name, {name: value for name, value in filters.items() if value is not None}])
        return hmac.new(self.secret, about.encode() + b"\n" + position, sha256).digest()[:_SIGNATURE]
