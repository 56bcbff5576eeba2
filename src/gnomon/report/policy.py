"""What a page may do in a browser: show itself. It fetches nothing from other hosts, and runs no script of its own."""

from base64 import b64encode
from hashlib import sha256

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""For a page that is a file and comes without a server's headers. Styles are in the page, also in attributes, which
colour single marks of a plot."""
_SCRIPTS = {
    False: "script-src 'none'",
    True: "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
}


def served_policy(style: str, *, with_attributes: bool = False, with_scripts: bool = False) -> str:
    """The policy that a server sends with a page: only this one style element is accepted, known by its hash.

    `with_attributes` also accepts `style` attributes, which colour single marks of a plot. `with_scripts` accepts
    scripts that are files of the same server.
    """
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    attributes = "; style-src-attr 'unsafe-inline'" if with_attributes else ""
    return (
        f"default-src 'none'; {_SCRIPTS[with_scripts]}; style-src 'sha256-{hashed}'{attributes}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
