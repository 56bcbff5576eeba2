"""What a tool works with: a backend, a default project, limits, and a mark for what others wrote."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from gnomon.errors import InvalidInput, NotFound
from gnomon.mcp import text
from gnomon.model.backend import Backend, find_dataset, find_experiment, find_project
from gnomon.model.dataset import Dataset
from gnomon.model.experiment import Experiment

T = TypeVar("T")

MAX_ROWS, MAX_BYTES = 50, 24_000
LEAST_BYTES = 2_000
_COUNTED = 200
"""So many rows beyond those that are shown are counted."""
_LISTED = 10
_NEWEST = 200
"""Among so many experiments the newest with runs is looked for."""


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """How much an answer may hold."""

    rows: int = MAX_ROWS
    bytes: int = MAX_BYTES

    @property
    def value(self) -> int:
        """Bytes of one value, such as an input: so few that several examples fit."""
        return self.bytes // 24


@dataclass(frozen=True, slots=True)
class ToolContext:
    """One call of a tool. Its mark fences what others wrote."""

    backend: Backend
    default_project: str | None = None
    limits: AnswerLimits = AnswerLimits()
    mark: str = field(default_factory=lambda: secrets.token_hex(4))

    def project(self, name: str | None) -> str:
        """The project that is named, else the default, else the only one."""
        if chosen := name or self.default_project:
            return self._known(chosen)
        known = [project.id for project in islice(self.backend.projects(), _LISTED + 1)]
        if len(known) == 1:
            return known[0]
        if not known:
            raise NotFound("there is no project yet; trace or evaluate something first")
        more = ", …" if len(known) > _LISTED else ""
        raise InvalidInput.of("project", f"name the project with `project` ({', '.join(known[:_LISTED])}{more})")

    def _known(self, project: str) -> str:
        """Refuse a project that is not there: a list of nothing would say that it is empty."""
        try:
            return find_project(self.backend, project).id
        except NotFound as missing:
            raise NotFound(f"{missing.message} (list_projects shows all)") from None

    def experiment(
        self, name: str | None, project: str | None, at: str | None = None, other_than: str | None = None
    ) -> Experiment:
        """The experiment of this name or id; without either the newest one of the project that has runs."""
        if name is None:
            return self._newest(self.project(project), at)
        try:
            return find_experiment(
                self.backend, name, project or self.default_project, at=at, other_than=other_than
            )  # fmt: skip
        except NotFound as missing:
            raise NotFound(f"{missing.message} (list_experiments shows all)") from None
        except InvalidInput as bad:
            if bad.code != "PROJECT_REQUIRED":
                raise
            words = f"there are too many projects to look for {name!r}; name its project with `project`"
            raise InvalidInput.of("project", words) from None

    def dataset(self, name: str, project: str | None) -> Dataset:
        """The dataset of this name or id."""
        try:
            return find_dataset(self.backend, name, project or self.default_project)
        except NotFound as missing:
            raise NotFound(f"{missing.message} (list_datasets shows all)") from None

    def _newest(self, project: str, at: str | None) -> Experiment:
        if at is not None:
            raise InvalidInput.of("at", f"at {at!r} chooses among experiments of one name; give `experiment` too")
        newest = list(islice(self.backend.experiments(project), _NEWEST))
        if not newest:
            raise NotFound(f"project {project!r} has no experiment yet")
        return next((candidate for candidate in newest if candidate.run_count), newest[0])

    def page(self, rows: Iterable[T], limit: int, skip: int = 0) -> tuple[list[T], list[str]]:
        """The rows to show, and a line that says how many more there are."""
        left = iter(rows)
        shown = list(islice(left, skip, skip + min(limit, self.limits.rows)))
        more = sum(1 for _ in islice(left, _COUNTED + 1))
        if not more:
            return shown, []
        count = f"more than {_COUNTED}" if more > _COUNTED else f"{more}"
        return shown, [f"… {count} more (ask with skip={skip + len(shown)})"]

    def data(self, fields: Mapping[str, Any], *, times: int = 1) -> str:
        """What others wrote, fenced. `times`: how much longer than usual a value may be."""
        share = self.limits.bytes // (2 * max(len(fields), 1))
        return text.fenced(self.mark, fields, min(times * self.limits.value, share))

    def fitting(self, rows: Iterable[T], limit: int) -> Iterator[T]:
        """The number of rows that was asked for, at most the limit."""
        return islice(rows, min(limit, self.limits.rows))
