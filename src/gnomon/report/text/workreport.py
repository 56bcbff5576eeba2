"""The team's report as lines and tables for a terminal."""

from collections.abc import Iterator

from gnomon.model.workreport import WorkReport
from gnomon.report.text.drawing import Part, clean, shortened, table
from gnomon.report.worksections import cut, opening, sections, title

_ROWS = 15
_LONGEST = {"what": 48, "why": 90, "by": 40, "fact": 60}


def lines(report: WorkReport) -> Iterator[Part]:
    yield clean(title(report))
    yield from (clean(words) for words in opening(report))
    for section in sections(report):
        rows, more = cut(section, _ROWS)
        yield ""
        yield section.title.upper()
        yield from (clean(words) for words in section.sentences)
        if rows:
            drawn = table(*section.columns, right=[name for name in section.columns if name not in section.text])
            for row in rows:
                cells = zip(section.columns, row, strict=True)
                drawn.add_row(*(shortened(clean(cell), _LONGEST.get(name, 200)) for name, cell in cells))
            yield drawn
        yield from more
