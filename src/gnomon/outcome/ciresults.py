"""Test results that CI left behind: JUnit files with a commit id in their path, like `results/1fbac479/unit.xml`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from gnomon.model.outcome import SignalValue, present_signal
from gnomon.outcome.diagnostics import Diagnostic

_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{7,40}(?![0-9a-f])")
_LARGEST_FILE = 64 * 2**20


@dataclass(slots=True)
class CiResults:
    """Result files by the ids in their paths. `diagnostics` tell the files that cannot be read."""

    files: list[tuple[str, Path]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @classmethod
    def under(cls, directories: Sequence[Path]) -> "CiResults":
        found = cls()
        for directory in directories:
            for path in sorted(directory.rglob("*.xml")):
                name = path.relative_to(directory).as_posix().lower()
                found.files += [(id, path) for id in dict.fromkeys(_ID.findall(name))]
        return found

    def of(self, commits: Sequence[str]) -> SignalValue | None:
        """The share of tests that passed on the newest of these commits that has results."""
        for sha in commits:
            paths = dict.fromkeys(path for id, path in self.files if sha.startswith(id))
            counts = [count for path in paths if (count := self._counts(path))]
            ran, failed = sum(ran for ran, _ in counts), sum(failed for _, failed in counts)
            if ran:
                return present_signal((ran - failed) / ran, f"CI: {ran - failed}/{ran} tests passed on {sha[:12]}")
        return None

    def _counts(self, path: Path) -> tuple[int, int] | None:
        """(tests that ran, tests that failed), counted case by case: totals in the head are not always there."""
        ran = failed = 0
        try:
            if path.stat().st_size > _LARGEST_FILE:
                raise OSError(None, f"is larger than {_LARGEST_FILE} bytes")
            for _, element in ElementTree.iterparse(path):  # noqa: S314: expat limits what entities can grow to
                if element.tag.rpartition("}")[2] == "testcase":
                    kinds = {child.tag.rpartition("}")[2] for child in element}
                    ran += "skipped" not in kinds
                    failed += bool(kinds & {"failure", "error"})
                    element.clear()
        except (OSError, ElementTree.ParseError) as bad:
            words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else f"not JUnit XML: {bad}"
            self.diagnostics.append(Diagnostic(path.name, "ci", words))
            return None
        return ran, failed
