"""What became of entries that were to be written, for people."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line
from gnomon.report.text.drawing import clean
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.iterationfacts import IterationFacts
    from gnomon.outcome.entries import Recording
    from gnomon.outcome.installing.installer import FileChange
    from gnomon.outcome.installing.program import HookProgram
    from gnomon.outcome.installing.targets import Target

_SHOWN = 8


def recorded(recordings: "Sequence[Recording]") -> None:
    if not recordings:
        line("no session was at work here since then; nothing is written")
        return
    for recording in recordings[-_SHOWN:]:
        line(clean(recording.words) + (f": {about(recording.facts)}" if recording.facts else ""))
    if len(recordings) > _SHOWN:
        states = Counter(recording.state for recording in recordings)
        line(f"in all: {', '.join(f'{count} {state}' for state, count in states.items())}")


def about(facts: "IterationFacts") -> str:
    """Who did it, with what and for how much, on one line."""
    agent = " with ".join(clean(name) for name in (facts.agent, facts.model) if name)
    count = len(facts.commits)
    parts = [agent or "no agent is known", f"{count} commit{'' if count == 1 else 's'}"]
    if facts.tokens is not None:
        parts.append(f"{facts.tokens:,} tokens")
    unknown = f"cost unknown ({clean(facts.why_no_cost)})"
    parts.append(unknown if facts.cost_usd is None else dollars(facts.cost_usd))
    if facts.rules_files:
        parts.append(f"rules {', '.join(clean(file.name) for file in facts.rules_files)}")
    if facts.pull_requests:
        parts.append(f"pull request {', '.join(f'#{request.number}' for request in facts.pull_requests)}")
    return ", ".join(parts)


def dollars(cost: float | None) -> str:
    if cost is None:
        return "–"
    return f"${cost:,.2f}" if cost >= 0.1 or cost == 0 else f"${cost:.4f}"


_DONE = {
    "install": "put a hook into {}",
    "keep": "the hook is in {}",
    "restore": "{} is as it was before",
    "remove": "removed {}",
    "clean": "took the hook out of {}",
}
_WOULD = {
    "install": "would put a hook into {}",
    "restore": "would restore {}",
    "remove": "would remove {}",
    "clean": "would take the hook out of {}",
}


def installed(
    changes: "Sequence[FileChange]", top: Path, program: "HookProgram", left_out: str | None,
    recordings: "Sequence[Recording] | None", *, dry_run: bool,
) -> None:  # fmt: skip
    _changes(changes, top, dry_run)
    if left_out:
        line(f"left git out: {clean(left_out)}")
    if changes and not program.on_path:
        line(f"note: `gnomon` is not on the PATH, so the hooks name {clean(str(program.path))} of this machine")

    if recordings is not None:
        recorded(recordings)
    if not changes:
        line(
            "no hook is installed, since no agent is used here; name one, such as `gnomon outcome install claude-code`"
        )
    elif not dry_run:
        line(f"an entry is written {_when({change.target for change in changes})}; `gnomon outcome trend` shows them")


def _when(targets: "set[Target]") -> str:
    if targets & {"claude-code", "codex"}:
        return "at the end of each session"
    return "after each commit of an agent" + ("" if "git" in targets else ", once it is pushed to the trunk")


def uninstalled(changes: "Sequence[FileChange]", top: Path, removed: int | None, *, dry_run: bool) -> None:
    if not changes:
        line("no hook of ours is here")
    _changes(changes, top, dry_run)
    if removed is not None:
        line(f"{'would remove' if dry_run else 'removed'} {counted(removed, 'file')} of the log")


def _changes(changes: "Sequence[FileChange]", top: Path, dry_run: bool) -> None:
    from gnomon.outcome.installing.installer import shown

    for change in changes:
        words = (_WOULD if dry_run else _DONE).get(change.action, _DONE[change.action])
        note = f" ({clean(change.note)})" if change.note else ""
        line(f"{change.target}: {words.format(clean(shown(change.path, top)))}{note}")
