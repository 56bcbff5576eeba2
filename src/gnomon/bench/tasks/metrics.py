"""What a run of a task is measured by, as data: names, meanings, kinds, and the columns of leaderboards."""

from gnomon.bench.tasks.nouns import FAMILY
from gnomon.model.bench import FamilyMetrics, MetricDefinition, MetricGroup

RESULT, EFFORT, ACTIONS = "result", "effort", "actions"

METRICS = FamilyMetrics(
    family=FAMILY,
    success="the world is as expected on all paths that matter, every required call was made and every required phrase "
    "said, and nothing that is forbidden",
    groups=[
        MetricGroup(
            name=RESULT,
            label="Result",
            description="Shares are means over the runs, every task counting the same; tasks that require no call or "
            "no words do not count for that column.",
        ),
        MetricGroup(
            name=EFFORT,
            label="Effort",
            description="Per run. Fewer calls and steps are not better by themselves.",
        ),
        MetricGroup(
            name=ACTIONS,
            label="Actions",
            description="In how many percent of its runs an agent called the tool at least once.",
        ),
    ],
    metrics=[
        MetricDefinition(
            name="state_match", label="state", kind="figure", direction="higher", group=RESULT, headline=True,
            description="of the values that had to change or did change, the share that is as expected at the end",
        ),
        MetricDefinition(
            name="required_calls", label="required calls", kind="figure", direction="higher", group=RESULT,
            description="share of the required calls that were made",
        ),
        MetricDefinition(
            name="forbidden_calls", label="forbidden calls", kind="count", direction="lower", group=RESULT,
            headline=True, description="calls that the task forbids",
        ),
        MetricDefinition(
            name="required_words", label="required words", kind="figure", direction="higher", group=RESULT,
            description="share of the required phrases that the agent said to the user",
        ),
        MetricDefinition(
            name="forbidden_words", label="forbidden words", kind="count", direction="lower", group=RESULT,
            description="phrases that it said and that the task forbids",
        ),
        MetricDefinition(
            name="tool_errors", label="tool errors", kind="count", direction="lower", group=EFFORT, headline=True,
            description="calls that came back as an error",
        ),
        MetricDefinition(
            name="tool_calls", label="tool calls", kind="count", direction="neutral", group=EFFORT,
            description="calls of tools in all",
        ),
        MetricDefinition(
            name="steps", label="steps", kind="count", direction="neutral", group=EFFORT,
            description="messages to the agent until the run was over",
        ),
        MetricDefinition(
            name="tools", label="tools", kind="labels", direction="neutral", group=ACTIONS,
            description="share of runs that called the tool at least once",
        ),
    ],
)  # fmt: skip
