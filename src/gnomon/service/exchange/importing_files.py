"""Files and folders of other tools: found, read one after the other, and stored."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.interop.foreign import table
from gnomon.interop.foreign.bundle import Bundle, ForeignScore
from gnomon.interop.foreign.formats import AUTO, READERS, FoundFile, find_files, read_any, unknown
from gnomon.interop.foreign.reading import content_hash, digest
from gnomon.interop.foreign.scores import BetterDirection, scaled, with_scores
from gnomon.interop.rows import BadLines
from gnomon.model.backend import Backend
from gnomon.model.importing import ImportedFile, ImportReport
from gnomon.service.exchange.importing import Importer, Origin

_RANGE = re.compile(r"(?P<name>.+)=(?P<first>-?[\d.]+)\.\.(?P<last>-?[\d.]+)")
_MOST_LISTED = 1000


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to read: the format, what a table's columns are, and ranges of scores that files do not say."""

    format: str = AUTO
    columns: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Score → its worst and its best value."""
    name: str | None = None
    skip_bad_lines: bool = False
    """Of tables; other tools' files are read as a whole."""

    @classmethod
    def of(
        cls, format: str, columns: str | None, ranges: Sequence[str], name: str | None, skip_bad_lines: bool = False
    ) -> "ImportOptions":
        mapping = table.parse_table_columns(columns) if columns else {}
        if mapping and format not in (AUTO, table.SOURCE):
            raise InvalidInput.of("columns", f"--columns is for tables, not for the format {format!r}; leave it out")
        if name is not None and not name.strip():
            raise InvalidInput.of("name", "--name is empty; name the experiment, or leave it out")
        return cls(table.SOURCE if mapping else format, mapping, dict(map(parse_range, ranges)), name, skip_bad_lines)


def parse_range(text: str) -> tuple[str, tuple[float, float]]:
    """`rating=1..5` as the score and its worst and best value."""
    match = _RANGE.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        worst, best = float(match["first"]), float(match["last"])
    except ValueError:
        raise InvalidInput.of("range", f"--range {text!r} is not NAME=WORST..BEST, as in rating=1..5") from None
    if worst == best:
        raise InvalidInput.of("range", f"--range {text!r} has no width; its two ends are WORST and BEST")
    return match["name"].strip(), (worst, best)


def prepare(path: Path, options: ImportOptions) -> list[FoundFile]:
    """What is to be read. A single file that no reader knows is refused."""
    files = list(find_files(path, options.format))
    if path.is_file() and files[0].format is None:
        raise unknown(path)
    if not any(file.format for file in files):
        raise InvalidInput.of("path", f"{path} has no file of a known format; known are {', '.join(READERS)}")
    return files


def import_files(
    backend: Backend,
    project_id: str,
    files: Sequence[FoundFile],
    options: ImportOptions,
    *,
    dry_run: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportReport:
    """Store what is in these files, one after the other. One that cannot be read does not hold up the others.

    `on_progress` receives how many bytes of the files are stored, of how many.
    """
    progress = _FileProgress([_size(file.path) for file in files], on_progress)
    importer = Importer(backend, project_id, dry_run=dry_run, name=options.name, on_run=progress.stored)
    listed = []
    for file in files:
        listed.append(_import_one(importer, file, options, progress, alone=len(files) == 1))
        progress.end_file()
    return ImportReport(
        project_id=project_id, dry_run=dry_run, files=listed[:_MOST_LISTED],
        not_understood=importer.counts.left_out(), **importer.counts.tallies(),
    )  # fmt: skip


class _FileProgress:
    """Bytes of files: those that are done, and of the present one as large a part as of its runs are stored."""

    def __init__(self, sizes: Sequence[int], tell: Callable[[int, int], None]) -> None:
        self._sizes, self._tell = list(sizes), tell
        self._total, self._before, self._runs, self._stored = sum(sizes), 0, 0, 0

    def begin_file(self, bundle: Bundle) -> None:
        self._runs, self._stored = sum(len(experiment.runs) for experiment in bundle.experiments), 0

    def stored(self, runs: int) -> None:
        self._stored += runs
        if self._runs:
            self._tell(self._before + self._sizes[0] * min(self._stored, self._runs) // self._runs, self._total)

    def end_file(self) -> None:
        self._before += self._sizes.pop(0)
        self._tell(self._before, self._total)


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _import_one(
    importer: Importer, file: FoundFile, options: ImportOptions, progress: _FileProgress, *, alone: bool
) -> ImportedFile:
    path = str(file.path)
    if file.format is None:
        return ImportedFile(path=path, format=None, status="unknown")
    try:
        bundle = _read(file, options)
    except (GnomonError, OSError) as bad:
        refusal = bad if isinstance(bad, GnomonError) else Refused(f"{path}: {bad.strerror or bad}; look at the file")
        if alone:
            raise refusal from None
        return ImportedFile(path=path, format=file.format, status="unreadable", reason=refusal.message)
    progress.begin_file(bundle)
    before = importer.counts.added.total()
    names = importer.store(bundle, _origin(file.path, options))
    is_new = importer.counts.added.total() > before
    return ImportedFile(
        path=path, format=file.format, status="imported" if is_new else "there already", experiments=names,
        notes=bundle.notes,
    )  # fmt: skip


def _read(file: FoundFile, options: ImportOptions) -> Bundle:
    assert file.format is not None
    bundle = read_any(file.path, file.format, options.columns, BadLines(file.path, options.skip_bad_lines))
    return _with_ranges(bundle, options.ranges) if options.ranges else bundle


def _origin(path: Path, options: ImportOptions) -> Origin:
    """The same file with other columns is another import."""
    whole = content_hash(path)
    chosen = [sorted(options.columns.items()), sorted(options.ranges.items())]
    return Origin(path.name, digest(whole, chosen) if any(chosen) else whole)


def _with_ranges(bundle: Bundle, ranges: dict[str, tuple[float, float]]) -> Bundle:
    """Scores of these names, made anew from what the tool wrote."""

    def ranged(score: ForeignScore) -> ForeignScore:
        raw = score.raw if score.raw is not None else score.value
        if score.name not in ranges or isinstance(raw, bool) or not isinstance(raw, int | float):
            return score
        worst, best = ranges[score.name]
        direction: BetterDirection = "higher" if worst < best else "lower"
        foreign_score = scaled(score.name, raw, min(worst, best), max(worst, best), direction)
        return replace(foreign_score, rationale=score.rationale, source=score.source, metadata=score.metadata)

    return with_scores(bundle, ranged)
