"""Keys: for admins."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.access import Key, KeyDraft, NewKey
from gnomon.model.page import Page
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, WantedPage, gives, takes
from gnomon.service.access import keys

router = APIRouter(prefix="/v1", tags=["keys"])


@router.post("/keys", **gives(NewKey, 201), **takes(KeyDraft))
@needs("admin")
def create_key(context: Context) -> Response:
    """The answer shows the secret, once."""
    draft = context.body(KeyDraft)
    return context.write(lambda call: keys.create(call, draft), status=201)


@router.get("/keys", **gives(Page[Key], 200, 403))
@needs("admin")
def list_keys(context: Context, wanted: WantedPage) -> Response:
    """Keys without their secrets, newest first."""
    return context.page("keys", wanted, {}, keys.all_of)


@router.delete("/keys/{id}", **gives(Deleted))
@needs("admin")
def revoke_key(id: str, context: Context) -> Response:
    """Revoke a key."""
    answer = context.write(lambda call: keys.delete(call, id))
    context.app_state.forget_keys()
    return answer
