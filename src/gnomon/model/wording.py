"""Codes in plain words: one dictionary for commands, reports and the web application."""

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.reasons import COUNTED


class AbsenceReason(Noun):
    """Why there is no score: reasons that begin with `prefix` mean this, and this helps."""

    prefix: str
    meaning: str
    remedy: str


class Words(Noun):
    """Codes that answers hold → a sentence for people."""

    ci_methods: dict[str, str]
    flags: dict[str, str]
    verdicts: dict[str, str]
    decisions: dict[str, str]
    missing_policies: dict[str, str]
    states: dict[str, str] = Field(description="Why a target has no score, by the state of its scoring")
    absence_reasons: list[AbsenceReason] = Field(description="The first whose prefix fits holds")
    counted_reasons: dict[str, tuple[str, str]] = Field(
        description="Code with which a reason begins → what it is called, once and several times: `unreadable answers`"
    )


CI_METHODS = {
    "wilson": "Wilson's interval of a share: for scores of 0 and 1, one per item",
    "cluster_wilson": "Wilson's interval for scores of 0 and 1 with several trials per item: items are what varies",
    "beta_moments": "a Beta interval from the mean and the spread of the items: for all other scores",
    "clopper_pearson": "the exact interval of a share, which is never too narrow and mostly a little wide",
    "jeffreys": "the middle 95 % of what a share may be, by Jeffreys' prior",
    "t_clipped": "Student's t interval, cut at 0 and 1: too sure where rare large values have not shown up yet",
    "bca": "a bootstrap interval, corrected for bias and skew",
    "betting_mixture": "an interval that holds at every look, so that one may stop when it has decided",
    "beta_mixture": "an interval that holds at every look, for scores of 0 and 1",
    "empirical_bernstein": "an interval that holds at every look, from the mean and the spread seen so far",
    "t": "Student's t interval, for amounts that have no upper end",
    "poisson": "the exact interval of a mean count, for events that happen independently of each other",
    "tango": "Tango's interval of the difference of two shares, item by item",
    "mover": "the intervals of two groups' means put together, with sessions or tasks as what varies",
    "ppi_beta": "the judge's mean corrected by people's labels, as a Beta interval",
    "ppi_normal": "the judge's mean corrected by people's labels, as a normal interval",
    "lang_reiczigel": "the judge's share corrected by its measured errors (Lang and Reiczigel)",
    "double_sampling": "the judge's share corrected by the labels of people on a part of the targets",
}
FLAGS = {
    "small_n": "fewer than 15 items, so the interval stands on little",
    "other_method": "the interval that was asked for does not fit these scores; the default was used",
    "one_item": "one item only, so this says little about others",
    "single_run": "one run only",
    "bracketed": "the interval holds whatever the missing scores would have been",
    "items_fixed": "the interval is about the same items tried again; it says nothing about others",
    "equal_differences": "every item moved by the same amount, so the interval comes from counting them",
    "equal_counts": "every run has the same count, so the interval comes from the number of events",
    "drifting": "scores changed while they came in, so earlier looks no longer fit; start anew",
    "stopped_early": "stopped early, so the interval is one that holds at every look",
    "could_stop_early": "could stop early, so the interval is one that holds at every look",
    "tests_disagree": "the t test and flipping signs disagree about this few items; do not lean on either",
    "few_labels": "fewer than 100 labels of people, or 10 of a kind, so do not lean on it",
    "runs_pooled": "runs were pooled over scenarios, so the interval leaves out how scenarios differ",
    "few_clusters": "a group has fewer than 15 sessions or tasks, so the interval stands on little",
    "shared_clusters": "some sessions or tasks are in both groups, so the interval is wider than it would have to be",
    "clipped": "the correction left the range from 0 to 1 and was cut there",
}
VERDICTS = {
    "improved": "better: the test is significant and the whole interval of the difference is above 0",
    "regressed": "worse: the test is significant and the whole interval of the difference is below 0",
    "equivalent": "as good: the whole interval of the difference is too small to matter",
    "inconclusive": "cannot tell: the interval of the difference leaves more than one answer open",
}
DECISIONS = {
    "pass": "passed",
    "fail": "FAILED",
    "undecided": "UNDECIDED",
    "cannot": "CANNOT BE DECIDED",
}
MISSING_POLICIES = {
    "drop": "left out of the means",
    "zero": "counted as 0",
    "bracket": "taken as anything from 0 to 1: the intervals reach over all of it",
}
STATES = {
    "queued": "a job is still to score it",
    "running": "it is being scored",
    "scored": "it has a score",
    "absent": "there was nothing to score",
    "failed": "scoring it failed",
    "sampled_out": "it is not in the sample that is scored",
    "cancelled": "its job was cancelled",
}


def _reason(prefix: str, meaning: str, remedy: str) -> AbsenceReason:
    return AbsenceReason(prefix=prefix, meaning=meaning, remedy=remedy)


ABSENCE_REASONS = [
    _reason("no score was submitted", "no score of this name was sent for the run, and no job made one",
            "score the runs with a built-in scorer, or send the scores"),
    _reason("the run failed", "the run ended in an error, so there is no output to score",
            "see the run's error; run it again with replace_failed"),
    _reason("no output", "the target has no output, so there is nothing to score",
            "record the output, or score another target"),
    _reason("no expected_output", "the dataset item has no expected output to compare with",
            "add expected_output to the item, or use a scorer that needs none"),
    _reason("no tool calls are expected", "the item expects no tool calls, which this mode cannot compare",
            "use the mode exact or any_order"),
    _reason("no trace", "the judge's prompt asks for {{trace}}, which only a whole trace has",
            "score with target trace, or take {{trace}} out of the prompt"),
    _reason("the trace has no root span", "a trace's score sits on its root span, and none has arrived",
            "send the root span, or score single spans"),
    _reason("the value is missing", "the value that was given is empty", "give a number from 0 to 1 or a label"),
    _reason("the rule scores", "the rule scores only a share of what it matches", "raise the rule's sampling_rate"),
    _reason("the scorer returned None", "the scorer said that there is nothing to score",
            "nothing, if that is meant; else return a score"),
    _reason("the scorer returned no scores", "the scorer returned an empty dict",
            "nothing, if that is meant; else return a score"),
    _reason("the scorer returned", "the scorer returned something that is not a score",
            "return a number from 0 to 1, a label, or None"),
    _reason("the scorer broke", "the scorer raised an error", "repair the scorer, then score again"),
    _reason("too costly", "computing it would take longer than is allowed here",
            "shorten the texts, or score as a job, which has a larger bound"),
    _reason("budget: the price of", "the budget is in USD and the model's price is not known",
            "set the model's price, or limit tokens instead of USD"),
    _reason("budget:", "the project's budget of the day is spent", "raise the budget, or retry tomorrow"),
    _reason("rate_limited", "the model's provider took no more calls", "retry the job later"),
    _reason("timeout", "the model did not answer in time", "retry the job"),
    _reason("overloaded", "the model's provider was overloaded", "retry the job later"),
    _reason("connection", "the model's provider could not be reached", "check the network and the address, then retry"),
    _reason("refused", "the model's provider refused the call",
            "see the message: often the key, the model's name or the prompt"),
    _reason("unreadable", "what the provider sent was no answer", "retry the job"),
    _reason("empty", "the model answered with nothing", "retry the job, or change the prompt"),
    _reason("unparsable", "the model's answer holds no score that can be read",
            "look at the answer in the job; make the prompt ask for the score alone"),
    _reason("no_label", "the model's answer names none of the labels",
            "look at the answer in the job; make the prompt list the labels"),
    _reason("ambiguous_label", "the model's answer names several labels",
            "look at the answer in the job; make the prompt ask for one label"),
    _reason("label_too_long", "the model's label is too long to be one", "make the prompt ask for a label alone"),
    _reason("out_of_range", "the model's number is outside of the scale", "say the scale in the prompt"),
    _reason("tie", "the judge's votes are split evenly", "ask for an odd number of votes"),
    _reason("too_few_votes", "too many of the judge's votes could not be read", "retry the job, or change the prompt"),
    _reason("dimensions", "the answer does not rate all dimensions of the rubric",
            "retry the job, or use a stronger model"),
    _reason("gave up after", "every attempt at the job broke off", "see the worker's log, then retry the job"),
    _reason("crashed", "the worker met an error of its own", "see the worker's log, then retry the job"),
    _reason("the target is gone", "what was to be scored has been deleted", "nothing"),
    _reason("the job's", "the job's row cannot be read", "score again with a new job"),
    _reason("the target cannot be read", "what was to be scored cannot be read", "see the server's log"),
]  # fmt: skip

WORDS = Words(
    ci_methods=CI_METHODS, flags=FLAGS, verdicts=VERDICTS, decisions=DECISIONS, missing_policies=MISSING_POLICIES,
    states=STATES, absence_reasons=ABSENCE_REASONS, counted_reasons=dict(COUNTED),
)  # fmt: skip
