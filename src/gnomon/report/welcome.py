"""The page at `/` of a server without the web application: where to go from here."""

from gnomon.report.policy import served_policy
from gnomon.report.rendering import render, stylesheet


def page(version: str, url: str) -> str:
    """Links, and commands to try on the server at `url`."""
    return render("welcome.html", title="Gnomon", version=version, url=url.rstrip("/"))


def policy() -> str:
    """The policy to send with the page."""
    return served_policy(stylesheet())
