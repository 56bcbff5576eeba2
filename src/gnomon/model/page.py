"""One page of a list. `next_cursor` is null on the last one."""

from typing import Generic, TypeVar

from pydantic import Field

from gnomon.model.fields import Noun

T = TypeVar("T")


class Page(Noun, Generic[T]):
    items: list[T]
    next_cursor: str | None
    limit: int = Field(ge=1, le=200)


class CountedPage(Page[T], Generic[T]):
    """A page of a list that is counted with `count=estimate`. Without it, and after the first page, `total` is left
    out."""

    total: int | None = Field(
        default=None, ge=0, description="How many rows the list has; null where that would take a look at every row"
    )
    total_capped: bool = Field(default=False, description="Whether there may be more than `total`")
