"""What a page may do in a browser: show itself. No script runs in it and it fetches nothing, from nowhere."""

from base64 import b64encode
from hashlib import sha256

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Styles are in the page and colour single marks of a plot, so that inline ones are allowed."""

POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}">'
"""The same for a page that is a file and comes without a server's headers."""


def served_policy(style: str, *, with_attributes: bool = False) -> str:
    """The policy that a server sends with a page: only this one style element is taken, known by its hash.

    `with_attributes` also takes `style` attributes, which colour single marks of a plot.
    """
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    attributes = "; style-src-attr 'unsafe-inline'" if with_attributes else ""
    return (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{hashed}'{attributes}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
