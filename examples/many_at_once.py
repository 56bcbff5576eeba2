"""Many requests at once: an async client puts twenty items into a dataset and reads each of them back.

Run again, it finds the same dataset at the same version.
Needs a server: `gnomon demo` prints an address and a key; set GNOMON_URL and GNOMON_API_KEY to them.
"""

import asyncio

import gnomon as gn

PROJECT = "examples"


async def main() -> None:
    gn.configure(project=PROJECT)
    async with gn.AsyncClient() as client:
        squares = gn.dataset([{"input": n, "expected_output": n * n} for n in range(20)], name="squares")
        ids = [item.id async for item in client.items(squares.id)]
        items = await asyncio.gather(*(client.item(squares.id, item_id) for item_id in ids))
        total = sum(item.expected_output for item in items)
        print(f"{squares.name} (version {squares.version}): {len(items)} items, their sum is {total}")


if __name__ == "__main__":
    asyncio.run(main())
