"""Test results that CI left behind: JUnit files with a commit id in their path, like `results/1fbac479/unit.xml`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

from gnomon.model.outcome import SignalValue, present_signal
from gnomon.outcome.evidence import digest
from gnomon.outcome.regular import read_regular

_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{7,64}(?![0-9a-f])")
_LARGEST_FILE = 64 * 2**20
Tell = Callable[[str, str], None]  # which file, and why it cannot be read


@dataclass(frozen=True, slots=True)
class _Counted:
    """What one file says. A file that cannot be read says nothing."""

    digest: str = ""
    ran: int = 0
    failed: int = 0


@dataclass(slots=True)
class CiResults:
    """Result files by the ids in their paths, each read when a commit asks for it."""

    tell: Tell
    files: list[tuple[str, str, Path]] = field(default_factory=list)  # id in the path, shown name, path
    _read: dict[Path, _Counted] = field(default_factory=dict)

    @classmethod
    def under(cls, directories: Sequence[Path], tell: Tell) -> "CiResults":
        results = cls(tell)
        for directory in directories:
            for path in sorted(directory.rglob("*.xml")):
                name = path.relative_to(directory).as_posix()
                results.files += [(id, name, path) for id in dict.fromkeys(_ID.findall(name.lower()))]
        return results

    def of(self, commits: Sequence[str]) -> SignalValue | None:
        """The share of tests that passed on the newest of these commits that has results."""
        for sha in commits:
            counts = list(self._of(sha).values())
            ran, failed = sum(count.ran for count in counts), sum(count.failed for count in counts)
            if ran:
                return present_signal((ran - failed) / ran, f"CI: {ran - failed}/{ran} tests passed on {sha[:12]}")
        return None

    def digests(self, commits: Sequence[str]) -> dict[str, str]:
        """Name → digest of the files that speak of these commits."""
        return {name: count.digest for sha in commits for name, count in self._of(sha).items() if count.digest}

    def _of(self, sha: str) -> dict[str, _Counted]:
        return {name: self._counted(path) for id, name, path in self.files if sha.startswith(id)}

    def _counted(self, path: Path) -> _Counted:
        if path not in self._read:
            try:
                self._read[path] = _counts(read_regular(path, _LARGEST_FILE, within=path.parent))
            except (OSError, ElementTree.ParseError, ValueError, LookupError) as bad:
                words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else f"not JUnit XML: {bad}"
                self.tell(path.name, words)
                self._read[path] = _Counted()
        return self._read[path]


def _counts(data: bytes) -> _Counted:
    """Counted case by case: totals in the head are not always there."""
    ran = failed = 0
    for _, element in ElementTree.iterparse(BytesIO(data)):  # expat limits what entities can grow to
        if element.tag.rpartition("}")[2] == "testcase":
            kinds = {child.tag.rpartition("}")[2] for child in element}
            ran += "skipped" not in kinds
            failed += bool(kinds & {"failure", "error"})
            element.clear()
    return _Counted(digest(data), ran, failed)
