"""One page of a list. `next_cursor` is null on the last one."""

from typing import Generic, TypeVar

from pydantic import Field

from gnomon.model.fields import Noun

T = TypeVar("T")


class Page(Noun, Generic[T]):
    items: list[T]
    next_cursor: str | None
    limit: int = Field(ge=1, le=200)
