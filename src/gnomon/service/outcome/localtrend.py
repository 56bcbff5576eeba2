"""The trend of a log that was just scored: its page, as a server would have it, and its periods in words.

The scores are stored for a moment, so that all that a page asks of stored ones holds; nothing of it stays.
"""

import tempfile
from datetime import datetime

from gnomon.model.iterationfacts import TrendPeriod
from gnomon.model.outcome import EvidenceChange, IterationBatchDraft, evidence_changes
from gnomon.model.trace import ProjectDraft
from gnomon.outcome import OutcomeReport
from gnomon.outcome.scorelog import BATCH, draft
from gnomon.outcome.trendperiods import periods_of
from gnomon.report.outcomes import page
from gnomon.service.embedded import Embedded
from gnomon.service.upkeep.maintenance import make_ready

_PROJECT = "local"


def local_page(report: OutcomeReport, source: str, now: datetime) -> str:
    """The page of a scored log."""
    drafts = [draft(iteration.score, iteration.record, iteration.evidence(now)) for iteration in report.iterations]
    with tempfile.TemporaryDirectory(prefix="gnomon-") as folder:
        url = f"sqlite:///{folder}/trend.db"
        make_ready(url)
        with Embedded(url) as backend:
            backend.create_project(ProjectDraft(id=_PROJECT))
            for start in range(0, len(drafts), BATCH):
                batch = drafts[start : start + BATCH]
                backend.push_iterations(IterationBatchDraft(project_id=_PROJECT, source=source, iterations=batch))
            kept = (_PROJECT, source, report.rubric.version)
            known = sorted(backend.iterations(*kept), key=lambda iteration: iteration.iteration)
            return page(known, list(backend.outcome_sessions(*kept)), backend.honesty(*kept))


def local_changes(report: OutcomeReport) -> list[EvidenceChange]:
    """Where the facts behind the scores change."""
    scored = [iteration.score for iteration in report.iterations if iteration.score.scored]
    return list(evidence_changes((score.iteration, score.breakdown) for score in scored))


def local_periods(report: OutcomeReport) -> list[TrendPeriod]:
    return periods_of(report.iterations)
