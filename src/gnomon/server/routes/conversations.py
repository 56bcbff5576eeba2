"""Conversations: list, read, and their turns in order."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.conversation import Conversation, ConversationTurn
from gnomon.model.page import Page
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives
from gnomon.service.traces import conversations

router = APIRouter(prefix="/v1", tags=["conversations"])

OwnProject = Annotated[str | None, Query(description="Needed when several projects have this conversation")]


@router.get("/conversations", **gives(Page[Conversation]))
@needs("read")
def list_conversations(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    user_id: Annotated[str | None, Query(description="Those in which this user took part")] = None,
) -> Response:
    """Conversations, newest first.

    A conversation is the traces that name it as `gen_ai.conversation.id`, or as `session.id` where they name none.
    """
    filters = {"project_id": project_id, "user_id": user_id}
    return context.page(
        "conversations", wanted, filters, lambda call, part: conversations.all_of(call, project_id, user_id, part)
    )


@router.get("/conversations/{id:path}/turns", **gives(Page[ConversationTurn], 200, 409))
@needs("read")
def list_turns(id: str, context: Context, wanted: WantedPage, project_id: OwnProject = None) -> Response:
    """The traces of a conversation in the order in which they began, with the input and output of their roots."""
    filters = {"id": id, "project_id": project_id}
    return context.page("turns", wanted, filters, lambda call, part: conversations.turns(call, id, project_id, part))


@router.get("/conversations/{id:path}", **gives(Conversation, 200, 409))
@needs("read")
def get_conversation(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """One conversation: what its traces add up to."""
    return context.read(lambda call: conversations.get(call, id, project_id))
