"""Shares: read-only links to one view, each bound to the objects of that view."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.model.fields import Draft, Noun
from gnomon.model.moment import Moment
from gnomon.shorten import shorten_repr

SharedKind = Literal["compare", "experiment", "trace", "iteration", "leaderboard"]

_PART = r"([^/]+)"
_ADDRESSES: dict[SharedKind, re.Pattern[str]] = {
    "compare": re.compile(f"/projects/{_PART}/compare/{_PART}/{_PART}"),
    "experiment": re.compile(f"/projects/{_PART}/experiments/{_PART}"),
    "trace": re.compile(f"/projects/{_PART}/traces/{_PART}"),
    "iteration": re.compile(f"/projects/{_PART}/iterations/{_PART}"),
    "leaderboard": re.compile(f"/projects/{_PART}/leaderboard"),
}
_LONGEST_PATH = 4_000
_LONGEST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class SharedView:
    """What a share shows: a kind of view, and the ids of the objects that it is bound to."""

    kind: SharedKind
    project_id: str
    ids: tuple[str, ...]
    path: str
    """Its address in the page, with the parameters of the view."""


def read_path(path: str) -> SharedView:
    """The view at an address of the page, such as `/projects/p/compare/A/B?scorer=exact`."""
    parts = urlsplit(path)
    if not path.startswith("/projects/") or parts.fragment or any(character < " " for character in path):
        raise _not_shareable(path)
    for kind, pattern in _ADDRESSES.items():
        match = pattern.fullmatch(parts.path)
        if match is None:
            continue
        project_id, *ids = map(unquote, match.groups())
        if kind == "leaderboard":
            ids = parse_qs(parts.query).get("dataset", [])
            if len(ids) != 1:
                raise InvalidInput.of("path", f"{shorten_repr(path, _LONGEST_SHOWN)} names no dataset; add ?dataset=ID")
        return SharedView(kind, project_id, tuple(ids), path)
    raise _not_shareable(path)


def _not_shareable(path: str) -> InvalidInput:
    return InvalidInput.of(
        "path",
        f"{shorten_repr(path, _LONGEST_SHOWN)} is not the address of a view that can be shared; these can be:"
        " /projects/PROJECT/compare/BASE/OTHER, …/experiments/ID, …/traces/ID, …/iterations/ID and"
        " …/leaderboard?dataset=ID",
    )


class ShareDraft(Draft):
    """A view to share."""

    path: str = Field(
        max_length=_LONGEST_PATH,
        description="The view's address in the page: `/projects/PROJECT/compare/BASE/OTHER`, `…/experiments/ID`,"
        " `…/traces/ID`, `…/iterations/ID` or `…/leaderboard?dataset=ID`, with the view's parameters",
    )
    expires_in_days: Annotated[int, Field(ge=1, le=90)] = Field(default=14, description="How long the link works")


class ViewShare(Noun):
    """A read-only link to one view. Its secret is shown once, when it is made."""

    id: str
    project_id: str
    kind: SharedKind = Field(description="What kind of view it shows")
    path: str = Field(description="The view's address in the page")
    created_at: Moment
    expires_at: Moment = Field(description="When the link ends by itself")


class NewShare(ViewShare):
    url_path: str = Field(description="`/share#token=…` on this server. Shown once, only the hash of the token is kept")


class SharedSession(Noun):
    """What the caller of a share sees."""

    id: str
    kind: SharedKind
    path: str = Field(description="The view's address in the page")
