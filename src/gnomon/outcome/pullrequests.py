"""Which pull requests brought an iteration's work: from the messages of merges, and from a file that lists them.

Nothing is fetched. The file is JSON as `gh pr list --state merged --json number,title,url,mergeCommit,commits` prints
it; fields that are not there are not used.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gnomon.errors import Refused
from gnomon.model.iterationfacts import PullRequest
from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.regular import read_regular

_MERGED = re.compile(
    r"Merge pull request #(\d+) from |Merged in \S+ \(pull request #(\d+)\)|Merged PR (\d+):|.*\(#(\d+)\)\s*$"
    r"|.*\(!(\d+)\)\s*$"
)
_SEE = re.compile(r"^See merge request (?:\S*)!(\d+)\s*$", re.MULTILINE)
_LARGEST_FILE = 64 * 2**20
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class PullRequestFile:
    """Pull requests as a file lists them, by number and by the commits that they are made of or were merged as."""

    by_number: Mapping[int, PullRequest] = field(default_factory=dict)
    by_commit: Mapping[str, PullRequest] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "PullRequestFile":
        try:
            rows = json.loads(read_regular(path, _LARGEST_FILE, within=path.parent))
        except OSError as bad:
            raise Refused(f"--pull-requests {path}: {bad.strerror or bad}") from None
        except (ValueError, RecursionError) as bad:
            raise Refused(f"--pull-requests {path} is not JSON: {bad}") from None
        if not isinstance(rows, list) or not all(isinstance(row, dict) and _number(row) for row in rows):
            words = (
                "is not a list of pull requests with a `number` each; `gh pr list --json number,title,url` prints one"
            )
            raise Refused(f"--pull-requests {path} {words}")
        by_number: dict[int, PullRequest] = {}
        by_commit: dict[str, PullRequest] = {}
        for row in rows:
            request = PullRequest(_number(row) or 0, _text(row.get("url")), _text(row.get("title")))
            by_number[request.number] = request
            by_commit |= dict.fromkeys(_commits_of(row), request)
        return cls(by_number, by_commit)

    def named(self, number: int) -> PullRequest:
        return self.by_number.get(number) or PullRequest(number)


def number_in_message(message: str) -> int | None:
    """The number of the pull request that such a commit merged, whole or squashed; None where it names none."""
    subject = message.lstrip("\n").partition("\n")[0]
    numbers = _MERGED.match(subject) or _SEE.search(message)
    return next((int(number) for number in numbers.groups() if number), None) if numbers else None


def pull_requests_of(commits: Iterable[Commit], listed: PullRequestFile) -> tuple[PullRequest, ...]:
    """The pull requests of an iteration's commits and of the merges that brought them, each once."""
    requests: dict[int, PullRequest] = {}
    for commit in commits:
        request = listed.by_commit.get(commit.sha)
        if request is None and (number := number_in_message(commit.message)) is not None:
            request = listed.named(number)
        if request is not None:
            requests[request.number] = request
    return tuple(requests.values())


def _number(row: Mapping[str, Any]) -> int | None:
    number = row.get("number")
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None


def _text(value: Any) -> str:
    return value[:1000] if isinstance(value, str) else ""


def _commits_of(row: Mapping[str, Any]) -> list[str]:
    """Ids as GitHub's tools write them: the merge, the head, and a list of commits."""
    merge, listed = row.get("mergeCommit"), row.get("commits")
    names = [merge.get("oid") if isinstance(merge, dict) else merge, row.get("headRefOid"), row.get("merge_commit_sha")]
    names += [commit.get("oid") for commit in listed if isinstance(commit, dict)] if isinstance(listed, list) else []
    return [name for name in names if isinstance(name, str) and _SHA.fullmatch(name)]
