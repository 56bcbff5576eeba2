"""`--share` of `eval` and `compare`: a read-only link for those who read a pull request and have no key."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.report.evaluation import EvalReport


def share_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flag `--share`."""
    return click.option(
        "--share", "share_days", type=click.IntRange(1, 90), is_flag=False, flag_value=14, metavar="DAYS",
        help="Create a read-only link to the page; it needs no key and works for DAYS days (default: 14).",
    )(command)  # fmt: skip


def check_share(share_days: int | None, server: str | None) -> None:
    """Refuse before anything runs what no server can show."""
    if share_days is not None and server is None:
        raise InvalidInput("--share makes a link to a page of a server; name one with --url or GNOMON_URL")


def shared(report: "EvalReport", backend: "Backend", server: str | None, share_days: int | None) -> "EvalReport":
    """The report with a link to its comparison, or to its experiment where nothing is compared."""
    from gnomon.model.share import ShareDraft
    from gnomon.model.weblinks import comparison_page, experiment_page
    from gnomon.report.evaluation import SharedLink

    if share_days is None or server is None or report.experiment is None:
        return report
    project_id, id = report.experiment.project_id, report.experiment.id
    page = experiment_page("", project_id, id)
    if report.base is not None:
        page = comparison_page("", project_id, report.base.id, id)
    assert page is not None  # there is a server
    share = backend.create_share(ShareDraft(path=urlsplit(page).path, expires_in_days=share_days))
    return replace(report, link=SharedLink(f"{server.rstrip('/')}{share.url_path}", share.expires_at))
