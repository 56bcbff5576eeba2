"""What became of an iteration's work, for reports: when it landed, what undid it and why, and where it waits."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.landing import Fate, GnomonGit
from gnomon.outcome.record import IterationRecord

State = Literal["landed", "partly undone", "undone", "superseded", "waiting", "not landed", "revert", "not known"]
_SAYS_WHAT = re.compile(r"^\s*(?:this reverts\b.*|reverts\b.*|co-authored-by:.*|signed-off-by:.*)$", re.IGNORECASE)
_A_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Undoing:
    """The commit that took work back. `why` is what its message says besides which commit it reverts."""

    sha: str
    at: int
    subject: str
    why: str
    after_days: int


@dataclass(frozen=True, slots=True)
class WorkFate:
    """`at` is when it came onto the trunk, or, while it has not, when its newest commit was made; in seconds."""

    state: State
    at: int | None = None
    undoing: Undoing | None = None
    waits: str = ""
    """The branch, and for how long."""
    folders: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierWork:
    """Work from before the time that is looked at, which was undone in it."""

    sha: str
    landed_at: int
    title: str
    undoing: Undoing


def work_fates(git: GnomonGit, records: Iterable[IterationRecord], *, authors: bool = False) -> dict[int, WorkFate]:
    """Iteration → what became of it. Who wrote it is asked only with `authors`."""
    chosen = list(records)
    shas = {sha for record in chosen for sha in git.owned[record.iteration].commits} if authors else set()
    names = git.repository.authors(sorted(shas)) if shas else {}
    return {record.iteration: _work_fate(git, record, names) for record in chosen}


def _work_fate(git: GnomonGit, record: IterationRecord, names: dict[str, str]) -> WorkFate:
    shas = git.owned[record.iteration].commits
    if not shas or git.trunk is None:
        return WorkFate("not known", git.commit_time(record))
    fates = [git.fates[sha] for sha in shas]
    reverts = git.taking_back(fates)
    # What a branch tried and dropped before it was merged never stood.
    work = [fate for fate in fates if fate not in reverts and not fate.withdrawn]
    undone = [fate for fate in work if fate.undone_by and fate.landed_as]
    return WorkFate(
        "revert" if reverts and not work else _state(work, undone), _time(git, fates),
        _undoing(git, undone[0]) if undone else None, git.waiting_words([fate for fate in work if fate.open]),
        tuple(sorted({_folder(name) for name in git.changed_files([sha for sha in shas if sha in git.graph.known])})),
        _authors(git, shas, names),
    )  # fmt: skip


def _state(work: Sequence[Fate], undone: Sequence[Fate]) -> State:
    landed = [fate for fate in work if fate.landed_as]
    if not landed:
        return "waiting" if any(fate.open for fate in work) else "not landed"
    if not undone:
        return "landed"
    if len(undone) < len(landed):
        return "partly undone"
    return "superseded" if all(fate.worth for fate in undone) else "undone"


def _time(git: GnomonGit, fates: Sequence[Fate]) -> int | None:
    known = git.graph.known
    landings = [git.graph.landed_with(fate.landed_as) or fate.landed_as for fate in fates if fate.landed_as]
    times = [known[sha].time for sha in landings or [fate.sha for fate in fates] if sha in known]
    return max(times, default=None)


def _undoing(git: GnomonGit, fate: Fate) -> Undoing:
    assert fate.undone_by is not None
    return undoing_of(git.graph.known[fate.undone_by], git.graph.known[fate.landed_as or fate.sha])


def undoing_of(by: Commit, target: Commit) -> Undoing:
    return Undoing(by.sha, by.time, by.subject, reason_given(by.message), max(0, by.time - target.time) // _A_DAY)


def reason_given(message: str) -> str:
    """The first paragraph of a revert's message that says more than what is reverted; empty where none does.

    >>> reason_given('Revert "Add a cart"\\n\\nThis reverts commit 1234567.\\n\\nIt broke the checkout.')
    'It broke the checkout.'
    """
    for paragraph in message.strip().split("\n\n")[1:]:
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not _SAYS_WHAT.match(line)]
        if lines:
            return " ".join(lines)
    return ""


def earlier_work(
    git: GnomonGit, records: Iterable[IterationRecord], title: Callable[[Commit], str]
) -> list[EarlierWork]:
    """What the commits of these iterations took back of work that is none of theirs, the newest first."""
    known, reverts = git.graph.known, git.reverts
    own = {sha for record in records for sha in git.owned[record.iteration].commits}
    pairs = sorted(
        ((by, target) for by in own for target in reverts.takes_back.get(by, ()) if target not in own),
        key=lambda pair: git.graph.position[pair[0]],
    )
    seen: set[str] = set()
    work = []
    for by, target in pairs:
        landing = git.graph.landed_with(target) or target
        if reverts.undone.get(target) == by and landing not in seen:
            seen.add(landing)
            commit = known[landing]
            work.append(EarlierWork(landing, commit.time, title(commit), undoing_of(known[by], commit)))
    return work


def _authors(git: GnomonGit, shas: Sequence[str], names: dict[str, str]) -> tuple[str, ...]:
    """Who wrote the commits; of a merge that brought some, the one who merged is not among them."""
    known = git.graph.known
    written = [sha for sha in shas if sha in known and len(known[sha].parents) < 2] or list(shas)
    return tuple(dict.fromkeys(names[sha] for sha in written if sha in names))


def _folder(path: str) -> str:
    """The first folder of a path; `.` for the repository's top."""
    folder, slash, _ = path.partition("/")
    return f"{folder}/" if slash else "."
