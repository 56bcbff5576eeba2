"""What changes in a project, as it happens."""

from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from gnomon.model.change import ChangeEvent
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, gives_events
from gnomon.service.call import project_in_scope

router = APIRouter(prefix="/v1", tags=["events"])


@router.get("/events", **gives_events(ChangeEvent, 429))
@needs("read", body="unread")
async def stream_events(
    context: Context,
    project_id: ProjectQuery = None,
    after: Annotated[
        str | None, Query(description="`id` of the last event seen, for those who cannot send `Last-Event-ID`")
    ] = None,
    last_event_id: Annotated[
        str | None,
        Header(alias="Last-Event-ID", description="`id` of the last event seen: the stream goes on there"),
    ] = None,
) -> Response:
    """Tells within about a second what kinds of things have changed in a project, as server-sent events.

    The first event is `ready`. Then `changed` comes for each kind (`trace`, `run`, `experiment`, `job`, `review`,
    `dataset`, `iteration`) of which something is new, changed or gone. However much has changed since the event before,
    it is one event; what has changed is asked of the lists.

    A stream that begins with the `id` of an event of an earlier one, of this server or of another one on the same
    database, leaves out nothing that was committed meanwhile. `reset` in place of `ready` says that this `id` is not
    known, so that everything is to be asked anew. A comment comes every 15 seconds. `end` says why the stream ends: the
    key was revoked or has expired, or the server is stopping. At most 100 streams per key and 500 per server: 429.
    """
    principal = context.principal
    session = getattr(context.request.state, "session", None)
    return context.app_state.feed.stream(
        principal,
        None if session is None else session.id,
        project_in_scope(principal, project_id),
        last_event_id or after,
    )
