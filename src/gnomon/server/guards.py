"""Security headers: what a browser may do with an answer.

JSON is shown and nothing else, in no other site's frame. A page brings its own policy, which takes the place of this
one: the web application's is here, and pages without scripts name the hash of their style (`report.policy`).
"""

from starlette.types import Message

CONTENT_POLICY = b"content-security-policy"
GUARDS = (
    (CONTENT_POLICY, b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_OTHER_GUARDS = GUARDS[1:]
_NOT_KEPT = (b"cache-control", b"no-store")

APP_GUARDS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""For the page and its assets, beside the guards of every answer."""


def guarded(message: Message, *, is_api: bool) -> list[tuple[bytes, bytes]]:
    """The headers to add to the start of an answer. Traces are private, so that no proxy may keep a copy."""
    has_policy = any(name == CONTENT_POLICY for name, _ in message["headers"])
    guards = _OTHER_GUARDS if has_policy else GUARDS
    return [*guards, _NOT_KEPT] if is_api else [*guards]
