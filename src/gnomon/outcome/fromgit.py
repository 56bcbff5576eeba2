"""A plain repository as iterations: each commit on the trunk's first-parent line; a merge is its whole branch.

Whoever wrote a commit is not looked at, and no name leaves this file.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.record import ImplBlock, IterationRecord
from gnomon.outcome.yamlout import flow_free

_PULL_REQUEST = re.compile(r"Merge pull request #(\d+) from \S+|Merged in \S+ \(pull request #(\d+)\)")
_MERGE = re.compile(r"Merge (?:remote-tracking )?(?:branch(?:es)?|tag|commit)\b")
_OWNER = re.compile(r"(?<=')[^']*/(?=[^'/]+')")
_WHERE = re.compile(r" of (?!')\S+")


def iterations_from(history: Sequence[Commit], tip: str) -> tuple[list[IterationRecord], dict[int, tuple[str, ...]]]:
    """Records from the root on, numbered from 1, and the commits that each of them stands for."""
    known = {commit.sha: commit for commit in history}
    line = _own_line(known, tip)
    taken = {commit.sha for commit in line}
    records, owned = [], {}
    for number, commit in enumerate(line, start=1):
        records.append(record_of(number, commit))
        owned[number] = (commit.sha, *_brought(known, commit.parents[1:], taken))
    return records, owned


def _own_line(known: dict[str, Commit], tip: str) -> list[Commit]:
    line = []
    sha: str | None = tip
    while sha is not None and sha in known:
        commit = known[sha]
        line.append(commit)
        sha = commit.parents[0] if commit.parents else None
    return line[::-1]


def _brought(known: dict[str, Commit], heads: Sequence[str], taken: set[str]) -> list[str]:
    """The commits that a merge brought and none before it. Its merges of the trunk into itself are no work."""
    brought, ahead = [], list(heads)
    while ahead:
        sha = ahead.pop()
        if sha in taken or sha not in known:
            continue
        taken.add(sha)
        if len(known[sha].parents) == 1:
            brought.append(sha)
        ahead += known[sha].parents
    return brought


def record_of(number: int, commit: Commit) -> IterationRecord:
    """A commit as an iteration."""
    committed_at = datetime.fromtimestamp(commit.time, UTC)
    return IterationRecord(
        schema_version=2,
        iteration=number,
        date=committed_at.date().isoformat(),
        commit=commit.sha,
        checkpoint_at=committed_at.isoformat().replace("+00:00", "Z"),
        impl=ImplBlock(summary=title(commit)),
    )


def title(commit: Commit) -> str:
    """What the commit is about: a pull request by its title, a branch without its owner."""
    subject = commit.subject
    pull_request = _PULL_REQUEST.match(subject)
    if pull_request:
        number = pull_request[1] or pull_request[2]
        rest = [line for line in commit.message.strip().splitlines()[1:] if line.strip()]
        return f"{rest[0].strip()} (#{number})" if rest else f"pull request #{number}"
    return _WHERE.sub("", _OWNER.sub("", subject)) if _MERGE.match(subject) else subject


def entry_text(record: IterationRecord) -> str:
    """Such a record as an entry of a log, schema 2."""
    about = {"schema_version": 2, "iteration": record.iteration, "date": record.date, "wave": "", "task_id": ""}
    more = {"commit": record.commit, "checkpoint_at": record.checkpoint_at, "impl": {"summary": record.impl.summary}}
    return flow_free({**about, **more, "verifiers": [], "review": {"overall_decision": ""}})
