"""A judge's report card: its scores, what influences them, and which labels would give more information about it."""

from typing import Annotated, Literal

from pydantic import Field

from gnomon.model.aggregate import Interval, LabelShare
from gnomon.model.calibration import Calibration, Estimate
from gnomon.model.fields import Count, Draft, Noun, ProjectId
from gnomon.model.moment import Moment
from gnomon.model.score import TargetType

LabelMode = Literal["random", "informative"]
AgreementMeasure = Literal["cohen_kappa", "weighted_kappa_quadratic", "krippendorff_alpha"]
MOST_SAMPLES = 1_000


class Figure(Estimate):
    """A number with its 95 % interval, and how many scores, answers or targets are behind it."""

    n: int


class JudgeAgreement(Noun):
    """How far a judge and people say the same of the targets that both rated."""

    human: str = Field(description="People's scorer; of several, the one with most of the judge's targets")
    n_labelled: int = Field(description="Targets that both rated")
    raw: Estimate = Field(description="Share of targets on which both say the same")
    chance_corrected: Estimate
    measure: AgreementMeasure = Field(description="What the chance-corrected one is: it suits the scale of the scores")


class Judge(Noun):
    """A scorer whose scores come from a model, in one configuration."""

    scorer_name: str
    config_hash: str
    model: str | None
    scores: int
    last_used: Moment
    agreement: JudgeAgreement | None = Field(default=None, description="With people")
    agreement_reason: str | None = Field(default=None, description="Why there is none")
    answered: int = Field(default=0, description="Answers, those without a readable score among them")
    unreadable: int = Field(default=0, description="Answers without a readable score")
    unanswered: int = Field(default=0, description="Jobs that ended without an answer")
    cost_usd: float | None = Field(default=None, description="Of its jobs as far as known; null when nothing is known")
    unpriced: int = Field(default=0, description="Jobs that asked the model to the end and whose cost is not known")


class Probe(Noun):
    """What a model did when it was asked on purpose: the same twice, in another order, with a plea in the output."""

    made_at: Moment
    model: str = Field(description="As it called itself")
    samples: int = Field(description="Stored targets that were asked about")
    seed: int
    calls: int
    retest_agreement: Figure = Field(description="How often the same prompt got the same answer again")
    retest_difference: Figure = Field(description="Mean distance of the two answers")
    swap_agreement: Figure = Field(description="How often the answer stayed when the labels stood in reverse order")
    swap_first_listed: Figure = Field(
        description="How much more often a label is chosen when it stands first, not last"
    )
    injection_shift: Figure = Field(description="Mean change of the score by a plea for the highest one")
    injection_flipped: Figure = Field(description="Share of outputs whose plea got the answer that it asked for")
    parse_failures: Figure
    failure_reasons: dict[str, int]
    unanswered: dict[str, int] = Field(description="Why calls had no answer at all → how many")
    cost_usd: float | None = Field(description="Of all calls; null when a price is not known")
    tokens_input: int | None
    tokens_output: int | None


class ProbeDraft(Draft):
    """A probe of a judge: three or four calls for each of some targets that it has scored."""

    project_id: ProjectId | None = None
    config_hash: str | None = Field(default=None, description="Which configuration; the last used unless given")
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES, description="Targets to ask about, drawn at random")] = 50
    seed: Count = 0


class ProbePlan(Noun):
    """What a probe would take, before it starts. Nothing was stored, and no model was asked."""

    scorer_name: str
    config_hash: str
    model: str
    samples: int = Field(description="Targets that would be asked about")
    seed: int
    calls: int = Field(description="At most: of a target whose first answer is not readable, one fewer")
    tokens_input_estimate: int
    tokens_output_estimate: int
    cost_usd_estimate: float | None = Field(description="Null when nothing says what the model costs")
    estimate_from: Literal["past calls", "price list"] | None = Field(description="Where the price comes from")
    budget_left_usd: float | None = Field(description="Of today; null without a limit")
    budget_left_tokens: int | None = Field(description="Of today; null without a limit")
    refusal: str | None = Field(description="Why it cannot be started now; null when it can")
    notes: list[str]


class JudgeCard(Noun):
    """One judge: a scorer in one configuration. What does not apply is null, with the reason."""

    project_id: str
    scorer_name: str
    config_hash: str | None = Field(description="Null for scores that were sent, not made here")
    model: str | None
    family: str | None = Field(description="Who made the model")
    scores: int
    read: int = Field(description="The newest of them, which the figures are made of")
    first_used: Moment
    last_used: Moment
    mean: Figure
    label_shares: dict[str, LabelShare] | None
    parse_failures: Figure = Field(description="Answers without a readable score, among all answers")
    failure_reasons: dict[str, int]
    unanswered: dict[str, int] = Field(description="Why jobs ended without an answer → how many")
    failed_votes: Figure = Field(description="Votes that dropped out, where several were asked for")
    repeat_agreement: Figure = Field(description="How often two votes or scores on one target are the same")
    repeat_difference: Figure = Field(description="Mean distance of two votes or scores on one target")
    length_slope: Figure = Field(description="Change of the score when the output is twice as long")
    length_slope_beyond_people: Figure = Field(description="The same of judge − human, where people rated too")
    self_preference: Figure = Field(description="Mean for models of the judge's own family less that for others")
    self_preference_beyond_people: Figure = Field(description="The same of judge − human, where people rated too")
    families: dict[str, int] = Field(description="Family of the judged model → scores")
    addresses_judge: int = Field(description="Outputs that seem to speak to their judge")
    cost_usd: Figure = Field(description="Mean per score")
    tokens_input: Figure
    tokens_output: Figure
    latency_ms: Figure = Field(description="Median, of answers that were not remembered ones")
    people: Calibration | None = Field(description="The judge's agreement with human labels")
    people_reason: str | None = Field(description="Why there is no such comparison")
    probe: Probe | None = Field(description="The newest")
    probe_reason: str | None
    notes: list[str]


class JudgeBrief(Noun):
    """The report card in a few numbers, for one experiment's page."""

    model: str | None
    config_hash: str | None
    parse_failure_rate: float | None
    parse_failure_ci_95: Interval | None
    answered: int
    human: str | None = Field(description="People's scorer on the same runs")
    labelled: int
    agreement: float | None = Field(description="Share of runs on which judge and people say the same")
    agreement_ci_95: Interval | None
    probed_at: Moment | None


class LabelStratum(Noun):
    """Targets to which the judge gave similar scores."""

    name: str
    targets: int
    labelled: int
    gain: float | None = Field(description="By how much one label more would shorten the interval to each side")


class ToLabelTarget(Noun):
    target_type: TargetType
    target_id: str
    trace_id: str | None
    judge: float | str = Field(description="What the judge said of it")
    stratum: str
    reason: str = Field(default="", description="Why it was chosen")
    experiment_id: str | None = Field(default=None, description="Of a run")
    excerpt: str | None = Field(default=None, description="How the output of a run or span begins")


class ToLabel(Noun):
    """Which targets to label next, and how many until the interval is as narrow as wanted."""

    scorer_name: str
    config_hash: str | None
    human: str | None
    mode: LabelMode
    estimate: Figure = Field(description="The judge's mean corrected by people; for labels, how often both agree")
    reach: float | None = Field(description="How far its interval reaches to each side now")
    target_width: float = Field(description="How far it may reach to each side")
    more_needed: int | None = Field(description="Null when all labels together would not do")
    words: str
    n_labelled: int
    n_unlabelled: int
    strata: list[LabelStratum]
    targets: list[ToLabelTarget] = Field(description="The next to label, in this order")
    notes: list[str]
