"""Two versions of an application over the same questions: which one is better, and how surely?

Needs a server: `gnomon demo` prints an address and a key; set GNOMON_URL and GNOMON_API_KEY to them.
"""

import gnomon as gn
from gnomon.model.experiment import ExperimentDraft, RunDraft, ThresholdDraft
from gnomon.model.score import InlineScoreDraft

PROJECT = "examples"


def terse(a: int, b: int) -> str:
    """The first version forgets to carry."""
    return str(a + b if a % 10 + b % 10 < 10 else a + b - 10)


def careful(a: int, b: int) -> str:
    return f"The sum is {a + b}."


def main() -> None:
    sums = [(3 * n, 7 * n + 1) for n in range(1, 31)]
    gn.configure(project=PROJECT)
    with gn.Client() as client:
        # The first run makes the dataset; as long as its data stays the same, the next ones find it as it is.
        dataset = gn.dataset([{"input": [a, b], "expected_output": str(a + b)} for a, b in sums], name="sums")
        made = {}
        for application in (terse, careful):
            draft = ExperimentDraft(project_id=PROJECT, name=application.__name__, dataset_id=dataset.id)
            made[application] = client.create_experiment(draft).id
            client.add_runs(
                made[application],
                [
                    # A score without a value is computed by the server.
                    RunDraft(
                        dataset_item_id=item.id,
                        output=application(*item.input),
                        scores=[InlineScoreDraft(scorer_name="contains")],
                    )
                    for item in client.items(dataset.id)
                ],
            )
            found = client.summary(made[application]).scores_by_scorer["contains"]
            print(f"{application.__name__}: mean {found.mean:.2f}, 95 % interval {found.confidence_interval_95}")
        (difference,) = client.compare(made[terse], made[careful]).scorer_comparisons
        print(f"careful is {difference.verdict}: {difference.paired_delta:+.2f}, {difference.delta_ci_95}")
        bar = ThresholdDraft(scorer_name="contains", metric="ci_low", threshold=0.8)
        print("gate:", "passed" if client.threshold(made[careful], bar).passed else "failed")


if __name__ == "__main__":
    main()
