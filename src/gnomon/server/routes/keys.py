"""Keys: for admins."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.access import Key, KeyDraft, NewKey
from gnomon.model.page import Page
from gnomon.model.trace import Deleted
from gnomon.server.desk import Here, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.service import keys

router = APIRouter(prefix="/v1", tags=["keys"])


@router.post("/keys", **gives(NewKey, 201), **takes(KeyDraft))
@needs("admin")
def create_key(desk: Here) -> Response:
    """The answer shows the secret, once."""
    draft = desk.body(KeyDraft)
    return desk.write(lambda call: keys.create(call, draft), status=201)


@router.get("/keys", **gives(Page[Key], 200, 403))
@needs("admin")
def list_keys(desk: Here, wanted: Wanted) -> Response:
    """Keys without their secrets, newest first."""
    return desk.page("keys", wanted, {}, keys.all_of)


@router.delete("/keys/{id}", **gives(Deleted))
@needs("admin")
def revoke_key(id: str, desk: Here) -> Response:
    """Revoke a key."""
    answer = desk.write(lambda call: keys.delete(call, id))
    desk.house.forget_keys()
    return answer
