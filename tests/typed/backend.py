"""What type checkers see of the clients. mypy reads this file; nothing runs it.

A line with `type: ignore` is one that mypy must refuse: it reports an ignore that is not needed.
"""

from collections.abc import AsyncIterator, Iterator
from typing import assert_type

from gnomon import AsyncClient, Client
from gnomon.model.backend import Backend
from gnomon.model.dataset import Dataset
from gnomon.model.experiment import Summary
from gnomon.model.job import JobAccepted
from gnomon.model.score import Score, ScoreDraft
from gnomon.service.embedded import Embedded


def both_are_backends(client: Client, embedded: Embedded) -> list[Backend]:
    return [client, embedded]


def answers_have_their_types(client: Client, draft: ScoreDraft) -> None:
    assert_type(client.summary("id", missing="zero"), Summary)
    assert_type(client.datasets("project"), Iterator[Dataset])
    assert_type(client.add_score(draft), Score | JobAccepted | None)


async def awaited_ones_too(client: AsyncClient, draft: ScoreDraft) -> None:
    assert_type(await client.summary("id", missing="zero"), Summary)
    assert_type(client.datasets("project"), AsyncIterator[Dataset])
    assert_type(await client.add_score(draft), Score | JobAccepted | None)


def wrong_arguments_are_seen(client: Client, waiting: AsyncClient) -> None:
    client.summary()  # type: ignore[call-arg]
    client.summary("id", missing="guess")  # type: ignore[arg-type]
    client.runs("id", scorer="quality")  # type: ignore[call-arg]
    waiting.summary("id")  # type: ignore[unused-coroutine]


def an_async_client_is_no_backend(client: AsyncClient) -> Backend:
    return client  # type: ignore[return-value]
