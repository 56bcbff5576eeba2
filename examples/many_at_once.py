"""Many requests at once: an async client puts twenty items into a dataset and reads them back.

Needs a server: `gnomon demo` prints an address and a key; set GNOMON_URL and GNOMON_API_KEY to them.
"""

import asyncio
import time

from gnomon import AsyncClient
from gnomon.model.dataset import DatasetDraft, ItemDraft

PROJECT = "examples"


async def main() -> None:
    async with AsyncClient() as client:
        dataset = await client.create_dataset(DatasetDraft(project_id=PROJECT, name=f"squares {time.time_ns()}"))
        drafts = [ItemDraft(input=n, expected_output=n * n) for n in range(20)]
        await asyncio.gather(*(client.add_item(dataset.id, draft) for draft in drafts))
        total = sum([item.expected_output async for item in client.items(dataset.id)])
        print(f"{(await client.dataset(dataset.id)).name.split()[0]}: 20 items, their sum is {total}")


if __name__ == "__main__":
    asyncio.run(main())
