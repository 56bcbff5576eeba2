"""Datasets and their items."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from gnomon.model.dataset import (
    Dataset,
    DatasetDraft,
    DatasetItem,
    DatasetRow,
    DatasetVersion,
    Imported,
    ItemDraft,
    ItemFields,
    ItemRun,
    ItemsDraft,
    ItemsSynced,
    LeanItem,
)
from gnomon.model.page import Page
from gnomon.model.quality import DatasetQuality, QualityOrder, Solved
from gnomon.model.trace import Deleted
from gnomon.server.desk import Here, ProjectQuery, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.server.ndjson import CSV, MEDIA_TYPES, receive
from gnomon.server.routes.experiments import Text
from gnomon.service import datasets, itemuse, syncing

router = APIRouter(prefix="/v1", tags=["datasets"])

_ROWS = {"type": "string", "description": "CSV whose first line names the columns, one of them `input`"}
Version = Annotated[int | None, Query(ge=1, le=2**53 - 1)]
_LINES = {"type": "string", "description": "One JSON object a line: input, expected_output, metadata, key"}


def _gives_lines() -> dict[str, Any]:
    """NDJSON, for OpenAPI."""
    lines = {"description": "One JSON object a line", "content": {MEDIA_TYPES[0]: {"schema": {"type": "string"}}}}
    return {**gives(None, 200, also={200: lines}), "response_class": StreamingResponse}


def _takes_lines_or_csv() -> dict[str, Any]:
    """The body of an import, for OpenAPI."""
    described = takes(_LINES, media=MEDIA_TYPES[0], plain=True)
    described["openapi_extra"]["requestBody"]["content"][CSV] = {"schema": _ROWS}
    return described


@router.post("/datasets", **gives(Dataset, 201, 409), **takes(DatasetDraft))
@needs("write")
def create_dataset(desk: Here) -> Response:
    """Make a dataset. It starts at version 1, without items."""
    draft = desk.body(DatasetDraft)
    return desk.write(lambda call: datasets.create(call, draft), status=201)


@router.get("/datasets", **gives(Page[Dataset] | Page[DatasetRow]))
@needs("read")
def list_datasets(
    desk: Here,
    wanted: Wanted,
    project_id: ProjectQuery = None,
    q: Text = None,
    include: Annotated[
        Literal["experiments"] | None, Query(description="`experiments`: each with how many experiments are on it")
    ] = None,
) -> Response:
    """A project's datasets, newest first; with `q`, those whose name has this text in it."""
    filters = {"project_id": project_id, "q": q}
    list_all = datasets.rows if include == "experiments" else datasets.all_of
    return desk.page("datasets", wanted, filters, lambda call, part: list_all(call, project_id, part, q))


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


@router.get("/datasets/{id}/items", **gives(Page[DatasetItem] | Page[LeanItem]))
@needs("read")
def list_items(
    id: str,
    desk: Here,
    wanted: Wanted,
    version: Version = None,
    q: Text = None,
    fields: Annotated[ItemFields, Query(description="`lean`: texts cut at 300 characters")] = "all",
) -> Response:
    """The items of the newest version, or as they were at `version`, newest first.

    With `q`, the items of which key, input, expected output or metadata has this text in it are looked for, so many
    items per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {"id": id, "version": version, "q": q}
    list_all = datasets.lean_items if fields == "lean" else datasets.items
    return desk.page("items", wanted, filters, lambda call, part: list_all(call, id, version, part, q))


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
    **_takes_lines_or_csv(),
)
@needs("write", body="streamed")
async def import_items(id: str, desk: Here, request: Request) -> Response:
    """Import items from NDJSON or CSV of any length. Bad lines are skipped and told.

    The first line of CSV names the columns: `input`, and as wanted `expected_output`, `key` (or `id`) and `metadata` (a
    JSON object). All other columns become keys of the metadata. Cells are text; an empty one is as absent.
    """
    with await receive(request) as upload:
        desk.ignore(upload.unknown)
        return await run_in_threadpool(lambda: desk.write(lambda call: upload.store(call, id), body_hash=upload.digest))


@router.get("/datasets/{id}/items/export", **_gives_lines())
@needs("read")
def export_items(id: str, desk: Here, version: Version = None) -> Response:
    """The items of a version as NDJSON, oldest first: what `import` reads, with the item's id beside it."""
    pinned = desk.look(lambda call: datasets.pinned(call, id, version))

    def piece(position: str) -> datasets.ExportedPart:  # a transaction of its own, so that a slow reader holds none
        return desk.look(lambda call: datasets.piece(pinned, position, call))

    return StreamingResponse(datasets.lines(piece), media_type=MEDIA_TYPES[0])


@router.get("/datasets/{id}/versions", **gives(Page[DatasetVersion]))
@needs("read")
def list_versions(id: str, desk: Here, wanted: Wanted) -> Response:
    """The versions of a dataset with what changed in each, newest first."""
    return desk.page("versions", wanted, {"id": id}, lambda call, part: datasets.versions(call, id, part))


@router.get("/datasets/{id}/quality", **gives(DatasetQuality, 200))
@needs("read")
def get_quality(
    id: str,
    desk: Here,
    scorer_name: Annotated[str, Query(description="By whose numbers")],
    pass_threshold: Annotated[
        float, Query(ge=0, le=1, allow_inf_nan=False, description="From which score on an item is solved")
    ] = 1.0,
    sort: Annotated[QualityOrder, Query(description="Which items come first")] = "hardest",
    most: Annotated[int, Query(ge=1, le=1000, description="How many items to list")] = 200,
    solved: Annotated[Solved | None, Query(description="List only items that were never, or always, solved")] = None,
) -> Response:
    """How hard each item is and how well it tells experiments apart, over all experiments on the dataset."""
    return desk.read(lambda call: itemuse.quality(call, id, scorer_name, pass_threshold, sort, most, solved))


@router.get("/datasets/{id}/items/{item_id}", **gives(DatasetItem))
@needs("read")
def get_item(id: str, item_id: str, desk: Here) -> Response:
    """One item, also one that has left the newest version."""
    return desk.read(lambda call: datasets.item(call, id, item_id))


@router.put("/datasets/{id}/items/{item_id}", **gives(DatasetItem, 200, 409), **takes(ItemDraft))
@needs("write")
def change_item(id: str, item_id: str, desk: Here) -> Response:
    """Replace an item's content, as a new version: the answer is a new item with an id of its own.

    Experiments that are pinned to an older version keep the old one. Without `key` the new item keeps the old one's
    key. With the same content nothing changes, and the answer is the old item.
    """
    draft = desk.body(ItemDraft)
    return desk.write(lambda call: datasets.change_item(call, id, item_id, draft))


@router.get("/datasets/{id}/items/{item_id}/runs", **gives(Page[ItemRun]))
@needs("read")
def list_item_runs(id: str, item_id: str, desk: Here, wanted: Wanted) -> Response:
    """The runs on an item with their scores, over all experiments, newest first."""
    filters = {"id": id, "item_id": item_id}
    return desk.page("item_runs", wanted, filters, lambda call, part: itemuse.runs(call, id, item_id, part))


@router.delete("/datasets/{id}/items/{item_id}", **gives(Deleted))
@needs("write")
def delete_item(id: str, item_id: str, desk: Here) -> Response:
    """Remove an item from the newest version on."""
    return desk.write(lambda call: datasets.delete_item(call, id, item_id))
