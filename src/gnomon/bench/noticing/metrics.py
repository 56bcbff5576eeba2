"""What a run of a day is measured by, as data: names, meanings, kinds, and the columns of leaderboards."""

from typing import get_args

from gnomon.bench.noticing.package import FAMILY
from gnomon.bench.noticing.result import ActionType
from gnomon.model.bench import FamilyMetrics, MetricDefinition, MetricGroup

ACTING, ALARMS, ACTIONS = "acting", "alarms", "actions"

METRICS = FamilyMetrics(
    family=FAMILY,
    success="on a day with an anomaly: an emergency call or a contact that is not weak within the window, and no "
    "alarm before the onset; on any other day: no alarm",
    groups=[
        MetricGroup(
            name=ACTING,
            label="Noticing and acting",
            description="In percent of the runs, every scenario counting the same; days without an anomaly count for "
            "false alarms only. Beats are those from the onset to the first action; in their mean a run that never "
            "acts counts as one more than the window.",
        ),
        MetricGroup(
            name=ACTIONS,
            label="Actions",
            description="In how many of its runs an agent called, contacted somebody, did both, or neither; of single "
            "actions, in how many percent of its runs it took them at least once.",
        ),
        MetricGroup(
            name=ALARMS,
            label="Alarms",
            description="How many alarms runs raised without a reason, how often the most repeated one was raised, "
            "and how many people were told.",
        ),
    ],
    metrics=[
        MetricDefinition(
            name="detection", label="noticed", kind="rate", direction="higher", group=ACTING, headline=True,
            description="share of runs that noticed the anomaly: acted, noted it in memory or said it",
        ),
        MetricDefinition(
            name="detection_in_memory", label="in memory", kind="rate", direction="neutral", group=ACTING,
            description="share of runs that wrote about the anomaly in memory",
        ),
        MetricDefinition(
            name="called_911", label="called", kind="rate", direction="higher", group=ACTING,
            description="share of runs that called a number that the answer key lists, alone or besides",
        ),
        MetricDefinition(
            name="contacted_someone", label="told somebody", kind="rate", direction="higher", group=ACTING,
            description="share of runs that told somebody of the anomaly, alone or besides",
        ),
        MetricDefinition(
            name="false_alarm", label="false alarms", kind="rate", direction="lower", group=ACTING, headline=True,
            description="share of runs with an alarm before the onset, or at any time of a day without an anomaly",
        ),
        MetricDefinition(
            name="time_to_action", label="beats to action", kind="time", direction="lower", group=ACTING, unit="beats",
            headline=True,
            description="beats from the onset to the first action; a run that never acts is censored at the window's "
            "end",
        ),
        MetricDefinition(
            name="composite", label="composite", kind="figure", direction="higher", group=ACTING,
            description="0 unless the run succeeds, else 0.6 / (1 + beats) + 0.2 for the call + 0.2 for both; "
            "reported, never ranked",
        ),
        MetricDefinition(
            name="action_type", label="kind of action", kind="label", direction="neutral", group=ACTIONS,
            labels=list(get_args(ActionType)), description="runs by what kind of action they took",
        ),
        MetricDefinition(
            name="actions", label="actions", kind="labels", direction="neutral", group=ACTIONS,
            description="share of runs that contain the action at least once",
        ),
        MetricDefinition(
            name="false_alarms", label="false alarms in all", kind="count", direction="lower", group=ALARMS,
            description="alarms before the onset, or at any time of a day without an anomaly",
        ),
        MetricDefinition(
            name="repeat_count", label="repeats", kind="count", direction="lower", group=ALARMS,
            description="how often the most repeated alarm was raised",
        ),
        MetricDefinition(
            name="recipients", label="people told", kind="count", direction="neutral", group=ALARMS,
            description="how many people were told",
        ),
    ],
)  # fmt: skip
