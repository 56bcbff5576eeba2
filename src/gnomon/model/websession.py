"""Logging in from a browser: a key or the code of a login link is exchanged for a session."""

from pydantic import Field

from gnomon.model.access import Role
from gnomon.model.fields import Draft, Noun
from gnomon.model.moment import Moment
from gnomon.model.share import SharedSession


class SessionDraft(Draft):
    """One of the three."""

    key: str | None = Field(default=None, max_length=512, description="A key, as `gnomon key create` shows it")
    code: str | None = Field(default=None, max_length=512, description="The code of a login link; it works once")
    share: str | None = Field(default=None, max_length=512, description="The token of a share; works until it ends")


class Session(Noun):
    """Who is calling, and what they may do."""

    role: Role = Field(
        description="What the caller may do: `write` includes `read`, `admin` both; `reviewer`: the review queue"
    )
    project_id: str | None = Field(description="The only project that the caller sees; null: all projects")
    key_id: str = Field(
        description="The key that the session stands for, or that the call came with; or the share's id"
    )
    key_name: str | None = Field(description="That key's name")
    expires_at: Moment | None = Field(description="When the session ends; null for a call with a key")
    share: SharedSession | None = Field(default=None, description="The view that a share shows; null with a key")


class LoginCode(Noun):
    """The code after `/login#code=` in a login link."""

    code: str = Field(description="Works once")
    key_id: str = Field(description="The key that the session will stand for")
    expires_at: Moment = Field(description="Until when it works")
