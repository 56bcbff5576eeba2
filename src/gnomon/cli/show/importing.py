"""What an import came to."""

from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line
from gnomon.report.text.drawing import clean
from gnomon.shorten import and_more, counted

if TYPE_CHECKING:
    from gnomon.model.importing import ImportReport

_WORDS = {
    "experiments": ("experiment", "experiments"),
    "runs": ("run", "runs"),
    "scores": ("score", "scores"),
    "absent_scores": ("score without a value", "scores without a value"),
    "datasets": ("dataset", "datasets"),
    "items": ("dataset item", "dataset items"),
    "traces": ("trace", "traces"),
    "spans": ("span", "spans"),
    "annotations": ("annotation", "annotations"),
}
_SHOWN = 20


def imported(report: "ImportReport") -> None:
    """Counts by kind first; then what was not read, and what was left out."""
    verb = "Would import" if report.dry_run else "Imported"
    tallies = {kind: getattr(report, kind) for kind in _WORDS}
    added = [_counted(kind, tally.added) for kind, tally in tallies.items() if tally.added]
    known_counts = [_counted(kind, tally.there_already) for kind, tally in tallies.items() if tally.there_already]
    line(f"{verb} into {clean(report.project_id or '')}: {', '.join(added) or 'nothing new'}")
    if known_counts:
        line(f"There already: {', '.join(known_counts)}")
    _files(report)
    if report.not_understood:
        line("Not understood, left out:")
        for note in report.not_understood[:_SHOWN]:
            line(f"  {note.count:,} × {clean(note.what)}")
        _more(len(report.not_understood))


def _files(report: "ImportReport") -> None:
    names = [name for file in report.files for name in file.experiments]
    for name in names[:_SHOWN]:
        line(f"  experiment {clean(name)}")
    _more(len(names))
    for note in sorted({note for file in report.files for note in file.notes})[:_SHOWN]:
        line(f"  note: {clean(note)}")
    for file in [file for file in report.files if file.status == "unreadable"][:_SHOWN]:
        line(f"  cannot be read: {clean(file.path)}: {clean(file.reason or '')}")
    strange = [file for file in report.files if file.status == "unknown"]
    for file in strange[:_SHOWN]:
        line(f"  no reader knows: {clean(file.path)}")
    _more(len(strange))


def _more(count: int) -> None:
    if count > _SHOWN:
        line(f" {and_more(count - _SHOWN)}")


def _counted(kind: str, count: int) -> str:
    return counted(count, *_WORDS[kind])
