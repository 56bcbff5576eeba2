"""Datasets and their items."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from gnomon.model.dataset import Dataset, DatasetDraft, DatasetItem, Imported, ItemDraft, ItemsDraft, ItemsSynced
from gnomon.model.page import Page
from gnomon.model.trace import Deleted
from gnomon.server.desk import Here, ProjectQuery, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.server.ndjson import receive
from gnomon.service import datasets, syncing

router = APIRouter(prefix="/v1", tags=["datasets"])

_LINES = {"type": "string", "description": "One JSON object a line: input, expected_output, metadata, key"}


@router.post("/datasets", **gives(Dataset, 201, 409), **takes(DatasetDraft))
@needs("write")
def create_dataset(desk: Here) -> Response:
    """Make a dataset. It starts at version 1, without items."""
    draft = desk.body(DatasetDraft)
    return desk.write(lambda call: datasets.create(call, draft), status=201)


@router.get("/datasets", **gives(Page[Dataset]))
@needs("read")
def list_datasets(desk: Here, wanted: Wanted, project_id: ProjectQuery = None) -> Response:
    """A project's datasets, newest first."""
    return desk.page(
        "datasets", wanted, {"project_id": project_id}, lambda call, part: datasets.all_of(call, project_id, part)
    )


@router.get("/datasets/{id}", **gives(Dataset))
@needs("read")
def get_dataset(id: str, desk: Here) -> Response:
    """One dataset, without its items."""
    return desk.read(lambda call: datasets.get(call, id))


@router.delete("/datasets/{id}", **gives(Deleted))
@needs("write")
def delete_dataset(id: str, desk: Here) -> Response:
    """Delete a dataset with its items. Experiments, runs and scores stay."""
    return desk.write(lambda call: datasets.delete(call, id))


@router.get("/datasets/{id}/items", **gives(Page[DatasetItem]))
@needs("read")
def list_items(
    id: str, desk: Here, wanted: Wanted, version: Annotated[int | None, Query(ge=1, le=2**53 - 1)] = None
) -> Response:
    """The items of the newest version, or as they were at `version`."""
    filters = {"id": id, "version": version}
    return desk.page("items", wanted, filters, lambda call, part: datasets.items(call, id, version, part))


@router.post("/datasets/{id}/items", **gives(DatasetItem, 201, 409), **takes(ItemDraft))
@needs("write")
def add_item(id: str, desk: Here) -> Response:
    """Add one item; this makes a new version."""
    draft = desk.body(ItemDraft)
    return desk.write(lambda call: datasets.add_item(call, id, draft), status=201)


@router.put("/datasets/{id}/items", **gives(ItemsSynced), **takes(ItemsDraft))
@needs("write")
def sync_items(id: str, desk: Here) -> Response:
    """Make the dataset hold exactly these items, as one new version; none when nothing changed."""
    drafts = desk.body(ItemsDraft).items
    entries = syncing.entries_of(drafts)
    return desk.write(lambda call: syncing.sync(call, id, drafts, entries))


@router.post(
    "/datasets/{id}/items/import",
    **gives(Imported, 200, 409),
    **takes(_LINES, media="application/x-ndjson", plain=True),
)
@needs("write", body="streamed")
async def import_items(id: str, desk: Here, request: Request) -> Response:
    """Import items from NDJSON of any length. Bad lines are skipped and told."""
    with await receive(request) as upload:
        desk.ignore(upload.unknown)
        return await run_in_threadpool(lambda: desk.write(lambda call: upload.store(call, id), body_hash=upload.digest))


@router.delete("/datasets/{id}/items/{item_id}", **gives(Deleted))
@needs("write")
def delete_item(id: str, item_id: str, desk: Here) -> Response:
    """Remove an item from the newest version on."""
    return desk.write(lambda call: datasets.delete_item(call, id, item_id))
