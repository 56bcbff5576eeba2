"""The whole walk as the original takes it."""

from typing import Any

from gnomon.outcome.claims import extract_iterlog_signals
from gnomon.outcome.compat.git import TRUNK, CompatGit
from gnomon.outcome.compat.reading import COMPAT
from gnomon.outcome.compat.transcripts import CompatScan
from gnomon.outcome.compat.windows import compat_windows
from gnomon.outcome.evidence import file_digests
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.hooks import hook_path
from gnomon.outcome.iterlog import IterationLog
from gnomon.outcome.labels import labels_path
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.rubric import Rubric
from gnomon.outcome.signals import assemble_signal_set
from gnomon.outcome.walk import ScoredIteration, ScorePlan, Walk, step
from gnomon.outcome.windows import IterationWindow


class CompatWalk(Walk):
    def __init__(self, plan: ScorePlan, log: IterationLog, rubric: Rubric) -> None:
        super().__init__(plan, log, rubric)
        if not log.records:
            return
        with step("build signal sets"):
            self.git = CompatGit(Repository(plan.repo), log.records, plan.trunk or TRUNK)
            self.windows = compat_windows(log.records, self.git.commit_time)
            self.scan = CompatScan(plan.transcripts if self.windows else ())

    def scored(self, record: IterationRecord) -> ScoredIteration:
        hooks, label, more = self.sidecar_signals(record.iteration)
        window = self.windows.get(record.iteration)
        signals = assemble_signal_set(
            record,
            extract_iterlog_signals(record, self.plan.repo, profile=COMPAT),
            self.git.signals(record),
            self.scan.backfill(record, window),
            self.scan.objectives(window),
            hooks,
            label,
            profile=COMPAT,
            more=more,
        )
        return ScoredIteration(record, self.rubric.score(signals), signals, self._inputs(record, window))

    def _inputs(self, record: IterationRecord, window: IterationWindow | None) -> dict[str, Any]:
        log, n, sha = self.plan.log, record.iteration, self.git.resolved.get(record.commit.strip())
        lines = self.scan.within(window) if window else []
        return {
            "rubric_version": self.rubric.version,
            "rubric_digest": self.rubric_digest,
            "profile": COMPAT,
            "trunk": {"name": self.git.trunk, "tips": [self.git.tip] if self.git.tip else []},
            "commits": [sha] if sha else [],
            "files": file_digests([self.log.read[n], hook_path(log, n), labels_path(log, n)]),
            "transcripts": {
                "covered": any(line.covers for line in lines),
                "turns": sum(line.usage is not None for line in lines),
                "tool_calls": sum(line.tool_calls for line in lines),
                "tool_errors": sum(line.tool_errors for line in lines),
            },
        }
