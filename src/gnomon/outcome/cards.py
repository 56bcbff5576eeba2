"""The iterations that a pull request brings, as cards; where no log has them, its commits as one iteration."""

from collections.abc import Sequence
from dataclasses import replace

from gnomon.errors import InvalidInput
from gnomon.model.iterationcard import IterationCard
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.pipeline import OnProgress, score_commits, score_log
from gnomon.outcome.walk import ScoredIteration, ScorePlan
from gnomon.outcome.workreport import title_of


def cards_of(plan: ScorePlan, numbers: Sequence[int], on_progress: OnProgress | None = None) -> list[IterationCard]:
    """The cards of these iterations of the log."""
    if len(numbers) == 1:
        return [
            _card(scored)
            for scored in score_log(replace(plan, iteration=numbers[0]), on_progress=on_progress).iterations
        ]
    scored = {iteration.iteration: iteration for iteration in score_log(plan, on_progress=on_progress).iterations}
    unknown = [number for number in numbers if number not in scored]
    if unknown:
        raise InvalidInput.of("iteration", f"iter-{unknown[0]} is not in the log {plan.log}")
    return [_card(scored[number]) for number in numbers]


def cards_between(plan: ScorePlan, base: str, head: str, on_progress: OnProgress | None = None) -> list[IterationCard]:
    """The cards of iterations with a commit that `head` has and `base` has not; else those commits as one card."""
    shas = commits_between(Repository(plan.repo), base, head)
    if plan.log.is_dir():
        scored = score_log(plan, on_progress=on_progress).iterations
        brought = set(shas)
        cards = [
            _card(iteration) for iteration in scored if not brought.isdisjoint(iteration.inputs.get("commits", ()))
        ]
        if cards:
            return cards
    if not shas:
        return []
    return [
        replace(_card(iteration), iteration=None)
        for iteration in score_commits(plan, shas, on_progress=on_progress).iterations
    ]


def commits_between(repository: Repository, base: str, head: str) -> list[str]:
    """The newest first, without merges of the base into the branch."""
    resolved = repository.resolve([base, head])
    for name, sha in zip((base, head), resolved, strict=True):
        if sha is None:
            words = f"--range names {name!r}, which is not a commit here; fetch the whole history (fetch-depth: 0)"
            raise InvalidInput.of("range", words)
    listed = repository.run("rev-list", "--topo-order", "--no-merges", str(resolved[1]), f"^{resolved[0]}")
    return listed.decode().split()


def _card(scored: ScoredIteration) -> IterationCard:
    commits = scored.inputs.get("commits", ())
    return IterationCard(
        iteration=scored.iteration, title=title_of(scored), score=scored.score, integrity=scored.signals.integrity,
        facts=scored.facts, commits=tuple(commits),
    )  # fmt: skip
