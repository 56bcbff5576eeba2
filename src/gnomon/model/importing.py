"""What an import of another tool's results came to."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun

FileStatus = Literal["imported", "there already", "unknown", "unreadable"]


class Tally(Noun):
    """How many of one kind were added, or would be, and how many were there before."""

    added: int = 0
    there_already: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(added=self.added + other.added, there_already=self.there_already + other.there_already)


class NotUnderstood(Noun):
    """Something that was left out."""

    what: str
    count: int


class ImportedFile(Noun):
    """One file, or a folder that is read as a whole."""

    path: str
    format: str | None = Field(description="None where no reader knows it")
    status: FileStatus
    reason: str | None = Field(default=None, description="Why it could not be read")
    experiments: list[str] = Field(default_factory=list, description="Names of its experiments")
    notes: list[str] = Field(default_factory=list)


class ImportReport(Noun):
    """The result of an import, or with `dry_run` what it would be."""

    project_id: str | None
    dry_run: bool
    files: list[ImportedFile]
    datasets: Tally = Tally()
    items: Tally = Tally()
    experiments: Tally = Tally()
    runs: Tally = Tally()
    scores: Tally = Tally()
    absent_scores: Tally = Field(default=Tally(), description="Scores without a value, stored with their reason")
    traces: Tally = Tally()
    spans: Tally = Tally()
    annotations: Tally = Tally()
    not_understood: list[NotUnderstood] = Field(default_factory=list)
