"""An upload of lines, or of CSV: checked while it arrives, kept on disk, stored when it is complete.

The upload may be larger than memory and very slow, so neither a transaction nor
a list of items is held open for it. A connection that is cut leaves nothing behind.
"""

import csv
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from typing import IO

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from gnomon.errors import GnomonError, InvalidInput
from gnomon.interop.itemrows import check_header, item_of
from gnomon.interop.rows import first_delimiter
from gnomon.model import jsonvalue
from gnomon.model.dataset import MAX_LINE, MAX_LISTED, Imported, ItemDraft, SkippedLine
from gnomon.model.problems import from_pydantic
from gnomon.model.reading import NotADraft, Unknown, read_draft
from gnomon.service.call import Call
from gnomon.service.experiments import datasets

MEDIA_TYPES = ("application/x-ndjson", "application/jsonl")
CSV = "text/csv"
_IN_MEMORY = 4_000_000


async def receive(request: Request) -> "Upload":
    """Read the whole body line by line."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (*MEDIA_TYPES, CSV):
        words = f"the body is NDJSON or CSV; send it as {MEDIA_TYPES[0]} or {CSV} (got {kind or 'nothing'!r})"
        raise InvalidInput.of("Content-Type", words)
    upload = CsvUpload() if kind == CSV else Upload()
    try:
        async for chunk in request.stream():
            await run_in_threadpool(upload.take, chunk)
        await run_in_threadpool(upload.end)
    except ClientDisconnect:
        upload.close()
        raise InvalidInput("the connection was cut; nothing was stored") from None
    except BaseException:
        upload.close()
        raise
    return upload


class Upload:
    """Good lines in a temporary file, bad ones counted."""

    def __init__(self) -> None:
        self.count = 0
        self.unknown = Unknown()
        self._kept: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed in `close`)
        self._skipped: list[SkippedLine] = []
        self._skipped_count = 0
        self._hash = hashlib.sha256()
        self._rest = b""
        self._line = 0
        self._overlong = False

    def __enter__(self) -> "Upload":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._kept.close()

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def take(self, chunk: bytes) -> None:
        self._hash.update(chunk)
        first, *others = chunk.split(b"\n")
        self._extend(first)
        for piece in others:
            self._finish_line()
            self._extend(piece)

    def end(self) -> None:
        if self._rest or self._overlong:
            self._finish_line()

    def store(self, call: Call, dataset_id: str) -> Imported:
        """Everything that was good, as one new version."""
        datasets.import_items(call, dataset_id, self._drafts(), self.count)
        return Imported(imported_count=self.count, skipped_count=self._skipped_count, skipped=self._skipped)

    def _extend(self, piece: bytes) -> None:
        if len(self._rest) + len(piece) > MAX_LINE:
            self._rest, self._overlong = b"", True
        elif not self._overlong:
            self._rest += piece

    def _finish_line(self) -> None:
        line, overlong = self._rest.strip(), self._overlong
        self._rest, self._overlong = b"", False
        self._line += 1
        if overlong:
            self._skip(f"the line is longer than {MAX_LINE:,} bytes")
        elif line:
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        """Keep an item, or say why not."""
        try:
            _, unknown = _draft(line)
        except GnomonError as bad:
            self._skip(bad.message.replace("the body", "it", 1))
        else:
            self.unknown.extend(("lines", self._line), unknown)
            self._kept.write(line + b"\n")
            self.count += 1

    def _skip(self, reason: str) -> None:
        self._skipped_count += 1
        if len(self._skipped) < MAX_LISTED:
            self._skipped.append(SkippedLine(line=self._line, reason=reason))

    def _drafts(self) -> Iterator[ItemDraft]:
        self._kept.seek(0)
        return (_draft(line)[0] for line in self._kept)


class CsvUpload(Upload):
    """CSV, whose first line names the columns. Rows are kept as the lines of NDJSON that they mean."""

    def __init__(self) -> None:
        super().__init__()
        self._raw: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed in `close`)

    def close(self) -> None:
        self._raw.close()
        super().close()

    def take(self, chunk: bytes) -> None:
        self._hash.update(chunk)
        self._raw.write(chunk)

    def end(self) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE))
        self._raw.seek(0)
        delimiter = first_delimiter(self._raw.readline(MAX_LINE))
        self._raw.seek(0)
        # What is not UTF-8 becomes lone surrogates, so that the row that holds it is skipped and no other.
        text = TextIOWrapper(self._raw, "utf-8-sig", "surrogateescape", newline="")
        try:
            self._read_rows(text, delimiter)
        finally:
            text.detach()

    def _read_rows(self, text: Iterable[str], delimiter: str) -> None:
        reader = csv.reader(text, delimiter=delimiter)
        columns: list[str] | None = None
        while True:
            self._line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as bad:
                self._skip(f"it is not CSV ({bad})")
                continue
            if cells is None:
                break
            if not any(cells):
                continue
            if columns is None:
                check_header(columns := [cell.strip() for cell in cells])
            else:
                self._keep_row(columns, cells)
        if columns is None:
            raise InvalidInput("the body is empty; its first line names the columns, one of them 'input'")

    def _keep_row(self, columns: list[str], cells: list[str]) -> None:
        if sum(map(len, cells)) > MAX_LINE:
            self._skip(f"the row is longer than {MAX_LINE:,} characters")
            return
        try:
            line = jsonvalue.dump(item_of(columns, cells)).encode()
        except UnicodeEncodeError:
            self._skip("it is not UTF-8; save the file as UTF-8")
        except InvalidInput as bad:
            self._skip(bad.message.replace("the body", "it", 1))
        else:
            self._keep(line)


def _draft(line: bytes) -> tuple[ItemDraft, Unknown]:
    value = jsonvalue.read(line)
    if not isinstance(value, dict):
        raise InvalidInput("the line is JSON but not an object")
    try:
        return read_draft(ItemDraft, value)
    except NotADraft as bad:
        raise from_pydantic(bad.invalid) from None
