"""The web address of a repository, from the address of its remote: only on forges whose pages are known.

Credentials never leave: the address is put together anew from the host and the names of owner and repository. What
is odd in any way (another port, a query, an escaped character) has no web address.
"""

import re
from urllib.parse import urlsplit

FORGES = ("github.com", "gitlab.com", "codeberg.org", "bitbucket.org")
_PORTS = {"https": 443, "ssh": 22}
_SCHEME = "https"
_PLAIN = re.compile(r"[A-Za-z0-9@:/._~+%=-]+")
_BY_SSH = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]+):(?P<path>[^/:][^:]*)", re.ASCII)
"""git@github.com:owner/name.git"""
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9_-])?", re.ASCII)
_MOST_GROUPS = 6  # GitLab has groups in groups


def web_address(remote: str) -> str | None:
    """`https://github.com/owner/name`, or None where the remote is on no forge that is known."""
    if _PLAIN.fullmatch(remote) is None:
        return None
    host, path = _host_and_path(remote)
    names = path.removeprefix("/").removesuffix("/").removesuffix(".git").split("/")
    most = _MOST_GROUPS if host == "gitlab.com" else 2
    if host not in FORGES or not 2 <= len(names) <= most or not all(map(_NAME.fullmatch, names)):
        return None
    return f"{_SCHEME}://{'/'.join([host, *names])}"


def _host_and_path(remote: str) -> tuple[str, str]:
    """Empty texts where the address is of another kind."""
    if "://" not in remote:
        parts = _BY_SSH.fullmatch(remote)
        return ("", "") if parts is None else (parts["host"].lower(), parts["path"])
    try:
        address = urlsplit(remote)
        port = address.port
    except ValueError:  # a port that is not a number
        return "", ""
    if address.scheme not in _PORTS or port not in (None, _PORTS[address.scheme]):
        return "", ""
    return address.hostname or "", address.path
