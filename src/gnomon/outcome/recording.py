"""An entry of a session or of a commit, made from what is there: the session's file, the work tree, its rules files.

Called by hooks at the end of each turn and after each commit, so it may be called for the same session any number of
times: there is one entry per session, which is brought up to date.
"""

import os
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gnomon.agentlogs import WindowFacts, session_files, session_folders, timeline
from gnomon.agentlogs.homes import began_in, is_inside
from gnomon.agentlogs.words import SessionWords, words_of
from gnomon.errors import Refused
from gnomon.model.iterationfacts import IterationFacts
from gnomon.outcome import costs, rulesfiles
from gnomon.outcome.entries import EntryDraft, EntryFolder, Recording
from gnomon.outcome.fromgit import iterations_from
from gnomon.outcome.moments import epoch_seconds
from gnomon.outcome.record import IterationRecord, TokenUsage
from gnomon.outcome.worktree import MadeCommit, WorkTree

ACTIVE_SECONDS = 3600
"""So long after a session's last line a commit in its work tree is still taken for its work."""
_EVER = 2**62
_SESSION_VARIABLES = ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID")
"""Where agents name their session to the commands that they run."""


@dataclass(frozen=True, slots=True)
class RecordingPlan:
    """Where to write, and what besides. `folder` is the agent's own, in a repository of many parts."""

    folder: Path
    log: Path
    prompts: bool = False
    every_commit: bool = False
    impl: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


class Recorder:
    def __init__(self, plan: RecordingPlan, environ: Mapping[str, str] = os.environ) -> None:
        self.plan = plan
        self.environ = environ
        self.tree = WorkTree(plan.folder)
        self.entries = EntryFolder(plan.log)

    # ── a session ───────────────────────────────────────────────────────────────────────────────────────────

    def session(self, path: Path, also: MadeCommit | None = None) -> Recording:
        """The entry of a session, with the commits that were made while it was at work. `also`: one that is its own
        for another reason."""
        facts = _facts_of_file(path)
        if not facts.harnesses:
            return Recording("nothing", f"no line of {path.name} is an agent's")
        if facts.began is None or facts.ended is None or not facts.turns:
            return Recording("nothing", f"session {path.name} has no answer of a model yet")
        session_id = _session_id(facts, path)
        commits = self._commits_of(session_id, facts, also)
        return self.entries.write(self._session_draft(path, session_id, facts, commits))

    def _commits_of(self, session_id: str, facts: WindowFacts, also: MadeCommit | None) -> list[MadeCommit]:
        """The commits that were made in this work tree at most an hour after an answer of the session, and that no
        other entry has; and those that its entry had before."""
        answered = [answer.at // 1_000_000 for answer in facts.answers]
        near = [commit for commit in self.own_commits if _soon_after(commit.time, answered) or commit == also]
        others = self._owned_by_others(session_id, [commit.sha for commit in near])
        had = self._recorded_for(session_id)
        own = {commit.sha for commit in near if commit.sha not in others} | set(had)
        return [commit for commit in self.own_commits if commit.sha in own]

    @cached_property
    def own_commits(self) -> list[MadeCommit]:
        return self.tree.made_here()

    def _owned_by_others(self, session_id: str, shas: Iterable[str]) -> set[str]:
        wanted = set(shas)
        others = [entry for entry in self.entries.mentioning(*wanted) if entry.record.agent.session_id != session_id]
        return {sha for entry in others for sha in (entry.record.commit, *_recorded_commits(entry.record.recorded))}

    def _recorded_for(self, session_id: str) -> tuple[str, ...]:
        """Commits that were added to the session's entry after its last line, by a person."""
        entries = [entry for entry in self.entries.mentioning(session_id) if entry.is_ours]
        return next((_recorded_commits(entry.record.recorded) for entry in entries
                     if entry.record.agent.session_id == session_id), ())  # fmt: skip

    def _session_draft(self, path: Path, session_id: str, facts: WindowFacts, commits: list[MadeCommit]) -> EntryDraft:
        commits = sorted(commits, key=lambda commit: -commit.time)
        shas = [commit.sha for commit in commits]
        known = self._facts(path, facts, words_of(path), shas)
        assert facts.began is not None
        assert facts.ended is not None
        ended = max([-(-facts.ended // 1_000_000), *(commit.time for commit in commits)])
        return EntryDraft(
            began=facts.began // 1_000_000,
            checkpoint=ended,
            facts=known,
            session_id=session_id,
            tokens=_tokens(facts, known.agent),
            changes=self.tree.changes(shas),
            subjects=tuple(commit.subject for commit in commits),
            impl=self.plan.impl,
            more=self.plan.more,
        )

    def _facts(self, path: Path, facts: WindowFacts, words: SessionWords, shas: list[str]) -> IterationFacts:
        spent = costs.spent(facts.answers)
        cost, why = costs.total(spent)
        named = [agent for sha in shas for agent in self.tree.agents(sha)]
        session = f"session file {path.name}"
        known = IterationFacts(
            agent=next(iter(sorted(facts.harnesses)), ""),
            agent_version=words.version,
            model=spent[0].model if spent else "",
            models=spent,
            cost_usd=cost,
            why_no_cost=why,
            co_authors=tuple(dict.fromkeys(agent.agent for agent in named)),
            branch=self.tree.branch,
            commits=tuple(shas),
            rules_files=rulesfiles.in_work_tree(self.tree.top, self.plan.folder),
            skills=words.skills,
            prompts=words.prompts if self.plan.prompts else (),
        )
        sources = {
            "agent": session, "agent_version": session, "model": session, "models": session,
            "cost_usd": "list prices, session file", "co_authors": "commits", "branch": "the work tree",
            "commits": "made in the work tree while the session was at work", "rules_files": "the work tree",
            "skills": session, "prompts": session,
        }  # fmt: skip
        return replace(known, sources=_of_known(known, sources))

    # ── a commit ────────────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> Recording:
        """The entry of the newest commit: of the session that is at work here, else of the agent that it names."""
        if self.tree.rebasing:
            return Recording("nothing", "commits are being made anew by a rebase; their entries are those from before")
        newest = next(iter(self.own_commits), None)
        if newest is None:
            return Recording("nothing", f"{self.tree.top} has no commits yet")
        if self._is_bookkeeping(newest):
            return Recording("nothing", f"commit {newest.sha[:12]} holds nothing but the log")
        if not self._is_inside(newest):
            return Recording("nothing", f"commit {newest.sha[:12]} touches nothing in {self.plan.folder.name}")
        path = self._active_session(newest)
        if path is not None:
            recording = self.session(path, also=newest)
            if recording.state != "nothing":
                return recording
        return self.lone_commit(newest)

    def newest_commit(self) -> Recording:
        """The entry of the newest commit alone, whatever session it was made in."""
        newest = next(iter(self.own_commits), None)
        if newest is None:
            raise Refused(f"{self.tree.top} has no commits yet; commit something first")
        return self.lone_commit(newest)

    def lone_commit(self, newest: MadeCommit, brought: Sequence[str] = ()) -> Recording:
        """The entry of a commit whose session nobody knows, with the commits that it brought as a merge."""
        shas = (newest.sha, *brought)
        agents = [agent for sha in shas for agent in self.tree.agents(sha)]
        if not agents and not self.plan.every_commit:
            words = "names no agent and belongs to no session; --every-commit records it too"
            return Recording("nothing", f"commit {newest.sha[:12]} {words}")
        rules = rulesfiles.at_commits(self.tree.repository, [newest.sha]).get(newest.sha)
        facts = IterationFacts(
            agent=next((agent.agent for agent in agents), ""),
            model=next((agent.model for agent in agents if agent.model), ""),
            why_no_cost="no tokens were counted",
            co_authors=tuple(dict.fromkeys(agent.agent for agent in agents)),
            branch=self.tree.branch,
            commits=shas,
            rules_files=rules,
        )
        named = "the commit names its agent"
        sources = {
            "agent": named, "model": named, "co_authors": named, "branch": "the work tree", "commits": "the work tree",
            "rules_files": "the tree of the commit",
        }  # fmt: skip
        draft = EntryDraft(
            began=newest.time, checkpoint=newest.time, facts=replace(facts, sources=_of_known(facts, sources)),
            changes=self.tree.changes(brought or [newest.sha]), subjects=(newest.subject,), impl=self.plan.impl,
            more=self.plan.more,
        )  # fmt: skip
        amended = self.entries.mentioning(newest.replaced) if newest.replaced else []
        return self.entries.write(draft, instead=next((entry for entry in amended if entry.is_ours), None))

    def since(self, sha: str | None) -> list[Recording]:
        """Entries of the commits on this line after another one, a merge with its branch; those that some entry has
        already are left out. Without such a commit, or where it is not here: the newest commit."""
        head = self.tree.head
        if head is None:
            return []
        known = self.tree.repository.resolve([sha])[0] if sha and set(sha) != {"0"} else None
        history = self.tree.repository.log([head], without=[known or f"{head}^@"])
        records, owned = iterations_from(history, head)
        return [self._of_line(record, owned[record.iteration]) for record in records]

    def _of_line(self, record: IterationRecord, shas: tuple[str, ...]) -> Recording:
        newest = MadeCommit(record.commit, epoch_seconds(record.checkpoint_at) or 0, record.impl.summary)
        if entries := self.entries.mentioning(*shas):
            return Recording(
                "unchanged", f"{entries[0].path.name} has commit {newest.sha[:12]} already", entries[0].path
            )
        return self.lone_commit(newest, shas[1:])

    def _is_bookkeeping(self, newest: MadeCommit) -> bool:
        files, log = self.tree.files(newest.sha), self._path_in_tree(self.plan.log)
        return bool(files) and log is not None and all(name.startswith(f"{log}/") for name in files)

    def _is_inside(self, newest: MadeCommit) -> bool:
        """Whether a commit touches the part of the repository that this is about."""
        part = self._path_in_tree(self.plan.folder)
        return part in (None, ".") or any(name.startswith(f"{part}/") for name in self.tree.files(newest.sha))

    def _path_in_tree(self, path: Path) -> str | None:
        """Where a path lies in the repository; None for one outside."""
        try:
            return path.resolve().relative_to(self.tree.top.resolve()).as_posix()
        except ValueError:
            return None

    def _active_session(self, newest: MadeCommit) -> Path | None:
        """The session that made a commit, or that was at work here at last: the one that its environment names, else
        the one whose file was written last, unless that was too long ago."""
        named = {value for name in _SESSION_VARIABLES if (value := self.environ.get(name))}
        files = sorted(((_written(path), path) for path in self._sessions()), reverse=True)
        by_name = next((path for _, path in files if any(id in path.name for id in named)), None)
        if by_name is not None:
            return by_name
        recent = (path for written, path in files if written >= newest.time - ACTIVE_SECONDS)
        return next((path for path in recent if is_inside(began_in(path), [self.tree.top])), None)

    # ── many sessions ───────────────────────────────────────────────────────────────────────────────────────

    def past(self, since: int) -> list[Recording]:
        """Entries of the sessions of this work tree that were at work after that moment, the oldest first."""
        files = sorted((_written(path), path) for path in self._sessions())
        recent = [path for written, path in files if written >= since]
        return [self.session(path) for path in recent if is_inside(began_in(path), [self.tree.top])]

    def newest(self, session_id: str = "") -> Path:
        """The file of that session, or of the one that was at work here at last."""
        for _, path in sorted(((_written(path), path) for path in self._sessions()), reverse=True):
            if session_id in path.name if session_id else is_inside(began_in(path), [self.tree.top]):
                return path
        raise Refused(f"no session of {self.tree.top} was found; name a session file, or --commit for a commit alone")

    def _sessions(self) -> list[Path]:
        folders = session_folders([self.tree.top], self.environ)
        return [path for path in session_files(folders, on_problem=_unheard) if not is_side_chain(path)]


def is_side_chain(path: Path) -> bool:
    """Whether a file holds a sub-agent's part of a session, which is read together with the session's own file."""
    return path.name.startswith("agent-") or path.parent.name == "subagents"


def _soon_after(moment: int, answered: Sequence[int]) -> bool:
    """Whether something was answered in the time before that moment. Answers are in the order of time."""
    index = bisect_right(answered, moment + 1)
    return index > 0 and moment - answered[index - 1] <= ACTIVE_SECONDS


def _facts_of_file(path: Path) -> WindowFacts:
    """What a session comes to, with its sub-agents' files: Claude Code keeps them in a folder of the session's name."""
    beside = session_files([path.with_suffix("")], on_problem=_unheard)
    return timeline([path, *beside], on_problem=_unheard).window(None, _EVER)


def _session_id(facts: WindowFacts, path: Path) -> str:
    """The file's own session: a resumed one may hold lines of the session that it continues."""
    named = [id for id in facts.sessions if id and id in path.name]
    return next(iter(sorted(named, key=len, reverse=True)), "") or next(iter(sorted(facts.sessions)), "") or path.stem


def _tokens(facts: WindowFacts, agent: str) -> TokenUsage:
    """Tokens as the agent itself counts them: Codex counts cached input as input."""
    usage = facts.usage
    inside = usage.cache_read if agent == "codex" else 0
    return TokenUsage(usage.input + inside, usage.output, usage.cache_read, usage.cache_creation)


def _recorded_commits(facts: IterationFacts | None) -> tuple[str, ...]:
    return facts.commits if facts else ()


def _of_known(facts: IterationFacts, sources: Mapping[str, str]) -> dict[str, str]:
    """The sources of those facts that are there."""
    return {name: source for name, source in sources.items() if getattr(facts, name) not in ("", (), None)}


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _unheard(problem: str) -> None:
    """`gnomon outcome score` tells what is wrong with a session; an entry is made from what can be read."""
