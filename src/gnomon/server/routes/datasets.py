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
from gnomon.model.page import CountedPage, Page
from gnomon.model.quality import DatasetQuality, QualityOrder, Solved
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.ndjson import CSV, MEDIA_TYPES, receive
from gnomon.server.requestcontext import Context, CountedWantedPage, ProjectQuery, WantedPage, gives, takes
from gnomon.server.routes.experiments import SearchText
from gnomon.service.experiments import datasets, itemuse, syncing

router = APIRouter(prefix="/v1", tags=["datasets"])

_ROWS = {"type": "string", "description": "CSV whose first line names the columns, one of them `input`"}
VersionNumber = Annotated[int | None, Query(ge=1, le=2**53 - 1)]
_LINES = {"type": "string", "description": "One JSON object per line: input, expected_output, metadata, key"}


def _gives_lines() -> dict[str, Any]:
    """NDJSON, for OpenAPI."""
    lines = {"description": "One JSON object per line", "content": {MEDIA_TYPES[0]: {"schema": {"type": "string"}}}}
    return {**gives(None, 200, also={200: lines}), "response_class": StreamingResponse}


def _takes_lines_or_csv() -> dict[str, Any]:
    """The body of an import, for OpenAPI."""
    described = takes(_LINES, media=MEDIA_TYPES[0], plain=True)
    described["openapi_extra"]["requestBody"]["content"][CSV] = {"schema": _ROWS}
    return described


@router.post("/datasets", **gives(Dataset, 201, 409), **takes(DatasetDraft))
@needs("write")
def create_dataset(context: Context) -> Response:
    """Make a dataset. It starts at version 1, without items."""
    draft = context.body(DatasetDraft)
    return context.write(lambda call: datasets.create(call, draft), status=201)


@router.get("/datasets", **gives(CountedPage[Dataset] | CountedPage[DatasetRow]))
@needs("read")
def list_datasets(
    context: Context,
    wanted: CountedWantedPage,
    project_id: ProjectQuery = None,
    q: SearchText = None,
    include: Annotated[
        Literal["experiments"] | None, Query(description="`experiments`: each with how many experiments are on it")
    ] = None,
) -> Response:
    """A project's datasets, newest first; with `q`, those whose name has this text in it."""
    filters = {"project_id": project_id, "q": q}
    list_all = datasets.rows if include == "experiments" else datasets.all_of
    return context.page("datasets", wanted, filters, lambda call, part: list_all(call, project_id, part, q))


@router.get("/datasets/{id}", **gives(Dataset))
@needs("read")
def get_dataset(id: str, context: Context) -> Response:
    """One dataset, without its items."""
    return context.read(lambda call: datasets.get(call, id))


@router.delete("/datasets/{id}", **gives(Deleted, 200, 409))
@needs("write")
def delete_dataset(
    id: str,
    context: Context,
    cascade: Annotated[
        bool | None,
        Query(description="`true`: delete the experiments on it too; `false`: refuse (409) while there are some"),
    ] = None,
) -> Response:
    """Delete a dataset with its items. Experiments, runs and scores stay, unless `cascade` says otherwise."""
    return context.delete(lambda call: datasets.delete(call, id, cascade))


@router.get("/datasets/{id}/items", **gives(CountedPage[DatasetItem] | CountedPage[LeanItem]))
@needs("read")
def list_items(
    id: str,
    context: Context,
    wanted: CountedWantedPage,
    version: VersionNumber = None,
    q: SearchText = None,
    fields: Annotated[ItemFields, Query(description="`lean`: texts cut at 300 characters")] = "all",
) -> Response:
    """The items of the newest version, or as they were at `version`, newest first.

    With `q`, the items of which key, input, expected output or metadata has this text in it are looked for, so many
    items per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {"id": id, "version": version, "q": q}
    list_all = datasets.lean_items if fields == "lean" else datasets.items
    return context.page("items", wanted, filters, lambda call, part: list_all(call, id, version, part, q))


@router.post("/datasets/{id}/items", **gives(DatasetItem, 201, 409), **takes(ItemDraft))
@needs("write")
def add_item(id: str, context: Context) -> Response:
    """Add one item; this makes a new version."""
    draft = context.body(ItemDraft)
    return context.write(lambda call: datasets.add_item(call, id, draft), status=201)


@router.put("/datasets/{id}/items", **gives(ItemsSynced), **takes(ItemsDraft))
@needs("write")
def sync_items(id: str, context: Context) -> Response:
    """Make the dataset contain exactly these items, as one new version; none if nothing changed."""
    drafts = context.body(ItemsDraft).items
    entries = syncing.entries_of(drafts)
    return context.write(lambda call: syncing.sync(call, id, drafts, entries))


@router.post(
    "/datasets/{id}/items/import",
    **gives(Imported, 200, 409),
    **_takes_lines_or_csv(),
)
@needs("write", body="streamed")
async def import_items(id: str, context: Context, request: Request) -> Response:
    """Import items from NDJSON or CSV of any length. Bad lines are skipped and reported.

    The first line of CSV names the columns: `input`, and as wanted `expected_output`, `key` (or `id`) and `metadata` (a
    JSON object). All other columns become keys of the metadata. Cells are text; an empty one is as absent.
    """
    with await receive(request) as upload:
        context.ignore(upload.unknown)
        return await run_in_threadpool(
            lambda: context.write(lambda call: upload.store(call, id), body_hash=upload.digest)
        )


@router.get("/datasets/{id}/items/export", **_gives_lines())
@needs("read")
def export_items(id: str, context: Context, version: VersionNumber = None) -> Response:
    """The items of a version as NDJSON, oldest first: what `import` reads, with the item's id beside it."""
    pinned = context.look(lambda call: datasets.pinned(call, id, version))

    def piece(position: str) -> datasets.ExportedPart:  # a transaction of its own, so that a slow reader holds none
        return context.look(lambda call: datasets.piece(pinned, position, call))

    return StreamingResponse(datasets.lines(piece), media_type=MEDIA_TYPES[0])


@router.get("/datasets/{id}/versions", **gives(Page[DatasetVersion]))
@needs("read")
def list_versions(id: str, context: Context, wanted: WantedPage) -> Response:
    """The versions of a dataset with what changed in each, newest first."""
    return context.page("versions", wanted, {"id": id}, lambda call, part: datasets.versions(call, id, part))


@router.get("/datasets/{id}/quality", **gives(DatasetQuality, 200))
@needs("read")
def get_quality(
    id: str,
    context: Context,
    scorer_name: Annotated[str, Query(description="By whose numbers")],
    pass_threshold: Annotated[
        float, Query(ge=0, le=1, allow_inf_nan=False, description="From which score on an item is solved")
    ] = 1.0,
    sort: Annotated[QualityOrder, Query(description="Which items come first")] = "hardest",
    most: Annotated[int, Query(ge=1, le=1000, description="How many items to list")] = 200,
    solved: Annotated[Solved | None, Query(description="List only items that were never, or always, solved")] = None,
) -> Response:
    """How hard each item is and how well it separates experiments, over all experiments on the dataset."""
    return context.read(lambda call: itemuse.quality(call, id, scorer_name, pass_threshold, sort, most, solved))


@router.get("/datasets/{id}/items/{item_id}", **gives(DatasetItem))
@needs("read")
def get_item(id: str, item_id: str, context: Context) -> Response:
    """One item, also one that has left the newest version."""
    return context.read(lambda call: datasets.item(call, id, item_id))


@router.put("/datasets/{id}/items/{item_id}", **gives(DatasetItem, 200, 409), **takes(ItemDraft))
@needs("write")
def change_item(id: str, item_id: str, context: Context) -> Response:
    """Replace an item's content, as a new version: the answer is a new item with an id of its own.

    Experiments that are pinned to an older version keep the old one. Without `key` the new item keeps the old one's
    key. With the same content nothing changes, and the answer is the old item.
    """
    draft = context.body(ItemDraft)
    return context.write(lambda call: datasets.change_item(call, id, item_id, draft))


@router.get("/datasets/{id}/items/{item_id}/runs", **gives(Page[ItemRun]))
@needs("read")
def list_item_runs(id: str, item_id: str, context: Context, wanted: WantedPage) -> Response:
    """The runs on an item with their scores, over all experiments, newest first."""
    filters = {"id": id, "item_id": item_id}
    return context.page("item_runs", wanted, filters, lambda call, part: itemuse.runs(call, id, item_id, part))


@router.delete("/datasets/{id}/items/{item_id}", **gives(Deleted))
@needs("write")
def delete_item(id: str, item_id: str, context: Context) -> Response:
    """Remove an item from the newest version on."""
    return context.write(lambda call: datasets.delete_item(call, id, item_id))
