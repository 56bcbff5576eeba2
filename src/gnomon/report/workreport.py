"""The team's report as a page and as Markdown. Its words and rows are those of the terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gnomon.model.workreport import WorkReport
from gnomon.report.gate import plain
from gnomon.report.rendering import Table, columns, render
from gnomon.report.text.drawing import clean, shortened
from gnomon.report.worksections import WorkSection, cut, opening, sections, title

_ROWS_OF_PAGE = 500
_ROWS_OF_MARKDOWN = 20
_LONGEST_CELL = 300


@dataclass(frozen=True, slots=True)
class _PageSection:
    title: str
    sentences: Sequence[str]
    table: Table | None


def page(report: WorkReport) -> str:
    """The whole page. Everything is in the file and nothing runs in it."""
    return render(
        "work.html", title=title(report), opening=opening(report), origin=_origin(report),
        sections=[_on_page(section) for section in sections(report)],
    )  # fmt: skip


def _origin(report: WorkReport) -> str:
    return f"As of {report.as_of.strftime('%Y-%m-%d %H:%M')} UTC, by rubric {report.rubric_version}."


def _on_page(section: WorkSection) -> _PageSection:
    rows, more = cut(section, _ROWS_OF_PAGE)
    cells = [[shortened(clean(cell), _LONGEST_CELL) for cell in row] for row in rows]
    table = Table(columns(*section.columns, text=section.text), cells, section.title) if rows else None
    return _PageSection(section.title, [*section.sentences, *more], table)


def markdown(report: WorkReport) -> str:
    """Names and messages are not trusted: they are shown as plain text."""
    lines = [f"## {plain(title(report))}", "", " ".join(plain(words) for words in opening(report)), ""]
    for section in sections(report):
        lines += [*_in_markdown(section), ""]
    return "\n".join([*lines, f"<sub>{plain(_origin(report))}</sub>"]) + "\n"


def _in_markdown(section: WorkSection) -> Iterator[str]:
    rows, more = cut(section, _ROWS_OF_MARKDOWN)
    yield f"### {section.title}"
    yield ""
    for words in section.sentences:
        yield f"{plain(words)}  "
    if section.sentences and rows:
        yield ""
    if rows:
        yield f"| {' | '.join(section.columns)} |"
        yield "|" + "|".join("---" if name in section.text else "---:" for name in section.columns) + "|"
        for row in rows:
            yield f"| {' | '.join(plain(shortened(clean(cell), _LONGEST_CELL)) for cell in row)} |"
    for words in more:
        yield ""
        yield words
