"""Keys of metadata that a project has an index of."""

from typing import Annotated

from pydantic import AfterValidator, Field

from gnomon.model.fields import Draft, Noun

MOST_KEYS = 20


def _usable(key: str) -> str:
    if not key or key[0] in ",:":
        raise ValueError(f"key {key!r} is empty or begins with ',' or ':', so that no filter could name it")
    return key


class MetadataKeysDraft(Draft):
    """The whole list: a key that is left out has no index any more."""

    keys: Annotated[list[Annotated[str, Field(max_length=200), AfterValidator(_usable)]], Field(max_length=MOST_KEYS)]


class MetadataKey(Noun):
    key: str
    ready: bool = Field(description="False while spans that were there before are being indexed")
    always: bool = Field(description="Every project has it")


class MetadataKeys(Noun):
    project_id: str
    keys: list[MetadataKey]
    job_id: str | None = Field(default=None, description="The job that indexes what is stored, when one was started")
