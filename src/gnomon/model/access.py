"""Who may do what: keys with a role, bound to one project or to none."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.fields import Draft, Name, Noun, ProjectId
from gnomon.model.moment import Moment
from gnomon.model.share import SharedView

Role = Literal["reviewer", "read", "write", "admin"]
_RANK: dict[Role, int] = {"reviewer": -1, "read": 0, "write": 1, "admin": 2}
"""Of `read` and up each role includes the one before. A reviewer is below all of them, and may call what says so."""


@dataclass(frozen=True, slots=True)
class Principal:
    """The holder of a key, for the length of one call."""

    key_id: str
    role: Role
    project_id: str | None = None
    name: str | None = None
    """The key's; a reviewer annotates under it."""
    share: SharedView | None = None
    """What this caller came to see, with the link of a share and no key: it may read that and nothing else."""

    @property
    def is_reviewer(self) -> bool:
        """Whether it sees the review queue and nothing else."""
        return self.role == "reviewer"

    def may(self, needed: Role) -> bool:
        return _RANK[self.role] >= _RANK[needed]

    def sees(self, project_id: str) -> bool:
        return self.project_id is None or self.project_id == project_id

    def sees_runs_of(self, experiment_id: str) -> bool:
        """Whether runs of this experiment are among what a share shows; without a share they all are."""
        return self.share is None or experiment_id in self.share.ids


class KeyDraft(Draft):
    name: Name | None = Field(default=None, description="A reviewer needs one: its annotations are stored under it")
    role: Role = Field(description="`reviewer` sees the review queue of its project, and annotates; nothing else")
    project_id: ProjectId | None = Field(default=None, description="The only project that the key sees")
    expires_at: Moment | None = Field(default=None, description="When the key ends by itself; null: never")

    @model_validator(mode="after")
    def _reviewer_is_named(self) -> "KeyDraft":
        if self.role == "reviewer" and self.name is None:
            raise PydanticCustomError(
                "INVALID_REQUEST", "a reviewer's key needs a `name`: its annotations are stored under it",
                {"field": "name"},
            )  # fmt: skip
        return self


class Key(Noun):
    id: str
    name: str | None
    role: Role
    project_id: str | None
    created_at: Moment
    expires_at: Moment | None = Field(default=None, description="When it ends by itself")


class NewKey(Key):
    key: str | None = Field(
        description="The secret. Shown once, only its hash is kept: a retry with the same Idempotency-Key gets null"
    )

    def without_secret(self) -> "NewKey":
        return self.model_copy(update={"key": None})


class ReviewLinkDraft(Draft):
    """A link for a reviewer."""

    project_id: ProjectId | None = None
    name: Name = Field(description="Who the link is for: the annotations are stored under this name")
    days: Annotated[int, Field(ge=1, le=365)] = Field(default=7, description="How long the link and its key are valid")


class ReviewLink(Noun):
    url_path: str = Field(description="`/login#code=…` on this server; it works once")
    key_id: str = Field(description="The reviewer's key, to be revoked when they should stop")
    expires_at: Moment
