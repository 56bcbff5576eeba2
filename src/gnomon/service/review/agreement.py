"""Do reviewers agree with each other? Of each card and reviewer the newest label and the newest number count."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from gnomon.model.review import (
    CardType,
    Disagreement,
    ReviewAgreement,
    ReviewerAlpha,
    ReviewerPair,
    ReviewerRating,
    ReviewerShare,
)
from gnomon.service.analysis.aggregate import shown_ends
from gnomon.service.call import Call, project_in_scope
from gnomon.service.review import settings
from gnomon.stats.agreement import Level, Rating, krippendorff_alpha
from gnomon.stats.describe import round_shown
from gnomon.store import reviews

_MOST_DISAGREEMENTS = 50
_MOST_PAIRS = 200
NOBODY_TWICE = "no card has two reviewers"
Ratings = dict[tuple[CardType, str], dict[str, Rating]]
"""Card → reviewer → what they said."""


def of_project(call: Call, project_id: str | None, scorer_name: str | None) -> ReviewAgreement:
    scope = project_in_scope(call.principal, project_id)
    name = scorer_name or settings.of_project(call.db, scope).scorer_name
    labels: Ratings = defaultdict(dict)
    for row in reviews.labels_of_project(call.db, scope):
        labels[row.target_type, row.target_id][row.annotator] = row.label
    numbers: Ratings = defaultdict(dict)
    for number in reviews.numbers_by_author(call.db, scope, name):
        numbers[number.target_type, number.target_id][number.author] = number.value
    return ReviewAgreement(
        scorer_name=name,
        labels=_alpha(labels.values(), "nominal"),
        numbers=_alpha(numbers.values(), "interval"),
        pairs=_pairs(labels),
        reviewers=_shares(labels),
        disagreements=_disagreements(labels, numbers),
    )


def _alpha(rated: Iterable[Mapping[str, Rating]], level: Level) -> ReviewerAlpha:
    units = [list(by.values()) for by in rated if len(by) > 1]
    if not units:
        return ReviewerAlpha(alpha=None, ci_95=None, n=0, reason=NOBODY_TWICE)
    estimate = krippendorff_alpha(units, level)
    return ReviewerAlpha(
        alpha=round_shown(estimate.value), ci_95=shown_ends(estimate.interval), n=len(units), reason=estimate.reason
    )


def _pairs(labels: Ratings) -> list[ReviewerPair]:
    """Pairs of reviewers, those with the most common cards first."""
    together: dict[tuple[str, str], list[tuple[Rating, Rating]]] = defaultdict(list)
    for by in labels.values():
        for first, second in combinations(sorted(by), 2):
            together[first, second].append((by[first], by[second]))
    ordered = sorted(together.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [_pair(names, rated) for names, rated in ordered[:_MOST_PAIRS]]


def _pair(names: tuple[str, str], rated: Sequence[tuple[Rating, Rating]]) -> ReviewerPair:
    estimate = krippendorff_alpha(rated, "nominal")
    same = sum(first == second for first, second in rated) / len(rated)
    return ReviewerPair(
        reviewers=names, n=len(rated), agreement=round_shown(same), alpha=round_shown(estimate.value),
        ci_95=shown_ends(estimate.interval), reason=estimate.reason,
    )  # fmt: skip


def _shares(labels: Ratings) -> list[ReviewerShare]:
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for by in labels.values():
        for annotator, label in by.items():
            counted[annotator][str(label)] += 1
    return [
        ReviewerShare(
            annotator=annotator, n=counts.total(),
            labels={label: round_shown(count / counts.total()) for label, count in counts.most_common()},
        )
        for annotator, counts in sorted(counted.items())
    ]  # fmt: skip


def _disagreements(labels: Ratings, numbers: Ratings) -> list[Disagreement]:
    disputed = []
    for (kind, id), by in labels.items():
        pairs = list(combinations(by.values(), 2))
        share = sum(first != second for first, second in pairs) / len(pairs) if pairs else 0.0
        if share:
            ratings = [
                ReviewerRating(annotator=annotator, label=str(label), value=_number(numbers, (kind, id), annotator))
                for annotator, label in sorted(by.items())
            ]
            disputed.append(
                Disagreement(target_type=kind, target_id=id, disagreement=round_shown(share), ratings=ratings)
            )
    disputed.sort(key=lambda target: (-target.disagreement, -len(target.ratings), target.target_type, target.target_id))
    return disputed[:_MOST_DISAGREEMENTS]


def _number(numbers: Ratings, card: tuple[CardType, str], annotator: str) -> float | None:
    value = numbers.get(card, {}).get(annotator)
    return value if isinstance(value, float) else None
