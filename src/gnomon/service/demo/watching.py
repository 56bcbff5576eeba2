"""Rules on what comes in, and jobs that people started."""

from gnomon.model.experiment import ScoreExperimentDraft
from gnomon.model.rule import RuleDraft, SpanFilter
from gnomon.model.score import ScorerSpec
from gnomon.service.demo.context import DAY, HOUR, MINUTE, PROJECT, Context
from gnomon.service.jobs import jobs
from gnomon.service.traces import rules

RULE_AGE = 30 * HOUR
_FIGURES = ScorerSpec(scorer_name="names_a_figure", scorer="regex", config={"pattern": r"\d+ \w+|\w+ > \w+"})
_LINKS = ScorerSpec(scorer_name="has_a_link", scorer="regex", config={"pattern": r"https?://\S+"})


def make_rules(context: Context) -> None:
    """One that scores answers to teams, and one that was switched off. Spans that come later meet them."""
    answers = SpanFilter(name="answer", root_only=True, metadata={"source": "production", "tier": "team"})
    links = SpanFilter(name="write answer")
    call = context.at(RULE_AGE)
    rules.create(call, RuleDraft(project_id=PROJECT, name="answers name a figure", filter=answers, scorer=_FIGURES))
    off = RuleDraft(
        project_id=PROJECT, name="answers have a link", filter=links, scorer=_LINKS, sampling_rate=0.1, enabled=False
    )
    rules.create(call, off)


def cancel_a_job(context: Context, experiment_id: str) -> None:
    """Somebody wanted another scorer over the first version's answers, and thought better of it."""
    draft = ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="similarity")])
    accepted = jobs.score_experiment(context.at(4 * DAY), experiment_id, draft)
    jobs.cancel(context.at(4 * DAY - MINUTE), accepted.job_id)
