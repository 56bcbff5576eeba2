"""What a stream of events says: that something of a kind has changed in a project, never what is in it."""

from typing import Literal, get_args

from pydantic import Field

from gnomon.model.fields import Noun

ChangeKind = Literal["dataset", "experiment", "iteration", "job", "review", "run", "trace"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)


class ChangeEvent(Noun):
    """Things of this kind are new, changed or gone; their scores and annotations are part of them."""

    kind: ChangeKind
    project_id: str
    changes: int = Field(description="How many commits changed something of this kind since the event before")
