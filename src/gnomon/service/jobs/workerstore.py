"""The store as a worker uses it: with an admin's rights, and in threads while its event loop goes on."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from gnomon.model.access import Principal
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.scoring.measuring import KnownMeasurements
from gnomon.store.engine import Store, Transaction

T = TypeVar("T")


class WorkerStore:
    """Each read and each write is a transaction of its own."""

    def __init__(self, database: Store, clock: Clock) -> None:
        self.database, self.clock = database, clock

    def call(self, db: Transaction, measured: KnownMeasurements | None = None) -> Call:
        return Call(db, Principal("worker", "admin"), self.clock, measured or KnownMeasurements(), self.database.spans)

    async def read(self, work: Callable[[Call], T]) -> T:
        return await asyncio.to_thread(self.database.read, lambda db: work(self.call(db)))

    async def write(self, work: Callable[[Call], T]) -> T:
        return await asyncio.to_thread(self.database.write, lambda db: work(self.call(db)))
