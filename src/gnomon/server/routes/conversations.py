"""Conversations: list, read, and their turns in order."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.conversation import Conversation, ConversationTurn, TurnContent
from gnomon.model.moment import Moment
from gnomon.model.page import Page
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives
from gnomon.service.traces import conversations
from gnomon.store.conversationrows import ConversationFilter

router = APIRouter(prefix="/v1", tags=["conversations"])

OwnProject = Annotated[str | None, Query(description="Needed when several projects have this conversation")]


@router.get("/conversations", **gives(Page[Conversation]))
@needs("read")
def list_conversations(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    user_id: Annotated[str | None, Query(description="Those in which this user took part")] = None,
    after: Annotated[Moment | None, Query(description="Created after this moment")] = None,
    before: Annotated[Moment | None, Query(description="Created before this moment")] = None,
    has_error: Annotated[
        Literal["true", "false"] | None, Query(description="With an error in some turn, or in none")
    ] = None,
    q: Annotated[
        str | None, Query(min_length=1, max_length=200, description="Words that the root span of some turn holds")
    ] = None,
) -> Response:
    """Conversations, newest first, each with its first words and the lowest number that each scorer gave in it.

    A conversation is the traces that name it as `gen_ai.conversation.id`, or as `session.id` where they name none.
    `q` leaves those of which one turn's root span holds every word of it, as in `GET /v1/traces`.
    """
    failed = None if has_error is None else has_error == "true"
    only = conversations.checked(ConversationFilter(user_id, after, before, failed, q))
    filters = {"project_id": project_id, **asdict(only)}
    return context.page(
        "conversations", wanted, filters, lambda call, part: conversations.all_of(call, project_id, part, only)
    )


@router.get("/conversations/{id:path}/turns", **gives(Page[ConversationTurn], 200, 409))
@needs("read")
def list_turns(
    id: str,
    context: Context,
    wanted: WantedPage,
    project_id: OwnProject = None,
    content: Annotated[
        TurnContent,
        Query(description="`readable`: `question` and `answer`, of at most 8,000 bytes each, in their place"),
    ] = "full",
) -> Response:
    """The traces of a conversation in the order in which they began, with the input and output of their roots.

    Each has the scores of its spans with their reasons, and the errors of its spans.
    """
    filters = {"id": id, "project_id": project_id, "content": content}
    return context.page(
        "turns", wanted, filters, lambda call, part: conversations.turns(call, id, project_id, part, content)
    )


@router.get("/conversations/{id:path}", **gives(Conversation, 200, 409))
@needs("read")
def get_conversation(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """One conversation: what its traces add up to."""
    return context.read(lambda call: conversations.get(call, id, project_id))
