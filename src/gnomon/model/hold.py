"""Locking an experiment for a while, so that two processes do not evaluate into the same one."""

from typing import Annotated

from pydantic import Field, StringConstraints

from gnomon.model.fields import Draft, Noun
from gnomon.model.moment import Moment

LONGEST_HOLD = 300
Holder = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"\S")]


class HoldDraft(Draft):
    """Hold an experiment from now on, or hold it longer."""

    holder: Holder = Field(description="Who holds it: a text that no other process has")
    seconds: Annotated[float, Field(ge=0, le=LONGEST_HOLD, allow_inf_nan=False)] = Field(
        description="For how long, from now; 0 releases it"
    )
    instead_of: Holder | None = Field(default=None, description="A holder that is known to be gone: take over from it")


class Hold(Noun):
    holder: str | None = Field(description="Null when it is not held")
    held_until: Moment | None
