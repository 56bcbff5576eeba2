"""Shares: read-only links to one view."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.page import Page
from gnomon.model.share import NewShare, ShareDraft, ViewShare
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, show, takes
from gnomon.service.access import shares

router = APIRouter(prefix="/v1", tags=["shares"])


@router.post("/shares", **gives(NewShare, 201, 404), **takes(ShareDraft))
@needs("write")
def create_share(context: Context) -> Response:
    """A read-only link to one view, for people without a key: a comparison, an experiment, a trace, an iteration, a
    leaderboard.

    It shows that view of those objects and nothing else, until it expires, is revoked, or an object is deleted.
    """
    draft = context.body(ShareDraft)
    # As with login codes: the answer holds a secret that is kept as its hash only.
    return show(context.app_state.written(context.principal, lambda call: shares.create(call, draft)), 201)


@router.get("/shares", **gives(Page[ViewShare], 200, 403))
@needs("read")
def list_shares(context: Context, wanted: WantedPage, project_id: ProjectQuery = None) -> Response:
    """Links that work still, without their tokens, newest first."""
    return context.page(
        "shares", wanted, {"project_id": project_id}, lambda call, part: shares.page(call, project_id, part)
    )


@router.delete("/shares/{id}", **gives(Deleted))
@needs("write")
def revoke_share(id: str, context: Context) -> Response:
    """Revoke a share: whoever has its link open sees nothing more."""
    answer = context.write(lambda call: shares.revoke(call, id))
    context.app_state.forget_keys()
    return answer
