"""Who may do what: keys with a role, bound to one project or to none."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from gnomon.model.fields import Draft, Name, Noun, ProjectId
from gnomon.model.moment import Moment

Role = Literal["read", "write", "admin"]
_RANK: dict[Role, int] = {"read": 0, "write": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class Principal:
    """The holder of a key, for the length of one call."""

    key_id: str
    role: Role
    project_id: str | None = None

    def may(self, needed: Role) -> bool:
        return _RANK[self.role] >= _RANK[needed]

    def sees(self, project_id: str) -> bool:
        return self.project_id is None or self.project_id == project_id


class KeyDraft(Draft):
    name: Name | None = None
    role: Role
    project_id: ProjectId | None = None


class Key(Noun):
    id: str
    name: str | None
    role: Role
    project_id: str | None
    created_at: Moment


class NewKey(Key):
    key: str | None = Field(
        description="The secret. Shown once, only its hash is kept: a retry with the same Idempotency-Key gets null"
    )

    def without_secret(self) -> "NewKey":
        return self.model_copy(update={"key": None})
