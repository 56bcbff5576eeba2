"""A judge's agreement with human labels, from the scores of a project or from a file of ratings."""

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gnomon.errors import InvalidInput, NotFound, Refused
from gnomon.interop.rows import BadLines, delimiter_of, refuse_unreadable
from gnomon.model import jsonvalue
from gnomon.model.calibration import BaseRate, Calibration, ConfusionTable, Estimate, Scale
from gnomon.model.jsonvalue import JsonValue
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import JsonObject
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call, project_in_scope
from gnomon.shorten import list_some
from gnomon.stats import agreement, correct
from gnomon.stats.agreement import Rating, RatingPair
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import interval_over, wilson
from gnomon.store import calibration as store

MOST_GRADES = 20
_TOO_FINE = f"more than {MOST_GRADES} different numbers: being equal is chance, see Spearman's ρ and α"
_LISTED = 10


TargetKey = tuple[str, str, str]
"""A target's type, its trace (empty for a run) and its id; in a file only what it is called."""


class RatingsOfTarget(NamedTuple):
    """A target's numbers, or one of its labels: how many scores, and their sum (None for a label)."""

    target: TargetKey
    item: str | None
    label: str | None
    n: int
    total: float | None


@dataclass
class Ratings:
    """What one rater said of each target. Several scores of one target become their mean, or majority label."""

    name: str
    by_target: dict[TargetKey, Rating] = field(default_factory=dict)
    items: dict[TargetKey, str | None] = field(default_factory=dict)
    repeated: int = 0

    @classmethod
    def of(cls, name: str, rows: Iterable[RatingsOfTarget]) -> "Ratings":
        ratings = cls(name)
        labels: dict[TargetKey, Counter[str]] = {}
        scores: Counter[TargetKey] = Counter()
        for target, item, label, n, total in rows:
            ratings.items[target] = item
            scores[target] += n
            if label is None:
                ratings.by_target[target] = (total or 0.0) / n
            else:
                labels.setdefault(target, Counter())[label] += n
        if ratings.by_target and labels:
            message = f"{name!r} gave numbers and labels; keep the two under different scorer names"
            raise Refused(message, code="INCOMPATIBLE_SCORES")
        for target, counted in labels.items():
            ratings.by_target[target] = min(counted, key=lambda label: (-counted[label], label))
        ratings.repeated = sum(n > 1 for n in scores.values())
        return ratings

    @property
    def kind(self) -> str:
        return "labels" if any(isinstance(rating, str) for rating in self.by_target.values()) else "numbers"


def calibrate(call: Call, project_id: str | None, judge: str, human: str, config_hash: str | None) -> Calibration:
    if judge == human:
        raise InvalidInput.of("human", f"judge and human are both {judge!r}; name two scorers")
    scope = project_in_scope(call.principal, project_id)
    judge_ratings = _some_ratings(call, scope, judge, config_hash)
    human_ratings = _some_ratings(call, scope, human, None)
    hashes = store.config_hashes(call.db, scope, judge) if config_hash is None else []
    return compared(judge_ratings, human_ratings, config_hash, hashes)


def calibrate_file(path: Path, bad_lines: BadLines | None = None) -> Calibration:
    """Calibrate from a .csv or .jsonl file with `judge`, `human` and perhaps `target`; `human` may be empty."""
    rows = list(_rows(path, bad_lines or BadLines(path)))
    columns = dict.fromkeys(name for _, row in rows for name in row)
    if rows and path.suffix.lower() != ".csv" and not columns.keys() & {"judge", "human"}:
        names = list_some(columns, _LISTED)
        raise InvalidInput.of("file", f"{path.name} has no judge and no human, it has {names}; rename them")
    judge_ratings = Ratings.of("judge", _column(rows, "judge", path))
    human_ratings = Ratings.of("human", _column(rows, "human", path))
    if not judge_ratings.by_target:
        raise InvalidInput.of("file", f"{path.name} has no rating of a judge; fill the column judge")
    return compared(judge_ratings, human_ratings)


def refuse_two_kinds(judge: Ratings, human: Ratings, remedy: str) -> None:
    """Numbers and labels cannot be compared."""
    if human.by_target and judge.kind != human.kind:
        message = f"{judge.name!r} gave {judge.kind} and {human.name!r} gave {human.kind}, which cannot be compared"
        raise Refused(f"{message}; {remedy}", code="INCOMPATIBLE_SCORES")


def compared(
    judge_ratings: Ratings, human_ratings: Ratings, config_hash: str | None = None, hashes: Iterable[str] = ()
) -> Calibration:
    """All measures of agreement between a judge and people."""
    remedy = "score both as numbers (1 for good, 0 for bad), or both with the same labels"
    refuse_two_kinds(judge_ratings, human_ratings, remedy)
    labelled = [
        (judge_ratings.by_target[target], human_ratings.by_target[target])
        for target in sorted(judge_ratings.by_target.keys() & human_ratings.by_target.keys())
    ]
    judge_only = sorted(
        rating for target, rating in judge_ratings.by_target.items() if target not in human_ratings.by_target
    )
    scale = _scale(judge_ratings.by_target.values(), (human for _, human in labelled))
    corrections = _Corrections.of(scale, labelled, judge_only)
    notes = _notes(judge_ratings, human_ratings, corrections, labelled, judge_only, list(hashes))
    return Calibration(
        judge=judge_ratings.name,
        human=human_ratings.name,
        config_hash=config_hash,
        scale=scale,
        n_labelled=len(labelled),
        n_judge_only=len(judge_only),
        n_human_only=len(human_ratings.by_target) - len(labelled),
        base_rates=None if scale == "numbers" else _base_rates(labelled),
        **_agreement(scale, labelled),
        confusion=None if scale == "numbers" or not labelled else _confusion(labelled),
        judge_mean=_mean(judge_ratings, judge_ratings.by_target),
        human_mean=_mean(
            human_ratings, [target for target in human_ratings.by_target if target in judge_ratings.by_target]
        ),
        bias=_noun(corrections.bias),
        prediction_powered_mean=_noun(corrections.powered),
        rogan_gladen_mean=_noun(corrections.share),
        corrected_mean=_noun(corrections.chosen),
        flags=list(notes),
        notes=[*(words for note in notes.values() for words in note), *corrections.remarks()],
    )


def ratings(call: Call, project_id: str, name: str, config_hash: str | None = None) -> Ratings:
    """What one scorer said of each target."""
    rows = store.ratings(call.db, project_id, name, config_hash)
    keyed = (
        RatingsOfTarget((row.target_type, row.trace_id or "", row.target_id), row.item, row.label, row.n, row.total)
        for row in rows
    )
    return Ratings.of(name, keyed)


def _some_ratings(call: Call, project_id: str, name: str, config_hash: str | None) -> Ratings:
    """The same, and a refusal where there are none."""
    rated = ratings(call, project_id, name, config_hash)
    if rated.by_target:
        return rated
    names = store.scorer_names(call.db, project_id)
    if name in names:
        known = store.config_hashes(call.db, project_id, name)
        raise NotFound(f"{name!r} has no scores with config_hash {config_hash!r}; it has {listed(known)}")
    near = did_you_mean(name, names, f"the scorers there are {listed(names)}")
    raise NotFound(f"project {project_id!r} has no scores of {name!r}; {near}")


def listed(names: list[str]) -> str:
    return list_some(names, _LISTED) or "none"


def _scale(judges: Iterable[Rating], humans: Iterable[Rating]) -> Scale:
    different = {*judges, *humans}
    if any(isinstance(rating, str) for rating in different):
        return "labels"
    if different <= {0, 1}:
        return "binary"
    return "grades" if len(different) <= MOST_GRADES else "numbers"


# --- agreement -----


def _agreement(scale: Scale, labelled: list[RatingPair]) -> dict[str, Estimate]:
    """Every number of agreement, or why it does not suit this scale."""
    level: agreement.Level = "ordinal" if scale == "grades" else "interval" if scale == "numbers" else "nominal"
    no_order = "labels have no order" if scale == "labels" else None
    no_table = _TOO_FINE if scale == "numbers" else None
    no_weights = no_order or no_table or ("with two classes it is the same as κ" if scale == "binary" else None)
    classes = (0.0, 1.0) if scale == "binary" else ()
    measures: dict[str, tuple[str | None, Callable[[], agreement.AgreementEstimate]]] = {
        "accuracy": (no_table, lambda: agreement.accuracy(labelled)),
        "cohen_kappa": (no_table, lambda: agreement.cohen_kappa(labelled)),
        "weighted_kappa_linear": (no_weights, lambda: agreement.cohen_kappa(labelled, "linear")),
        "weighted_kappa_quadratic": (no_weights, lambda: agreement.cohen_kappa(labelled, "quadratic")),
        "gwet_ac1": (no_table, lambda: agreement.gwet_ac1(labelled, classes)),
        "krippendorff_alpha": (None, lambda: agreement.krippendorff_alpha(labelled, level)),
        "spearman_rho": (no_order, lambda: agreement.spearman_rho(_as_numbers(labelled))),
    }
    return {
        name: _noun(measure() if reason is None else agreement.AgreementEstimate(None, reason=reason))
        for name, (reason, measure) in measures.items()
    }


def _base_rates(labelled: list[RatingPair]) -> list[BaseRate]:
    judges, humans = Counter(judge for judge, _ in labelled), Counter(human for _, human in labelled)
    n = len(labelled)
    return [
        BaseRate(
            rating=_text(rating),
            judge=round_shown(judges[rating] / n),
            judge_ci_95=shown(wilson(judges[rating], n)),
            human=round_shown(humans[rating] / n),
            human_ci_95=shown(wilson(humans[rating], n)),
        )
        for rating in sorted({*judges, *humans})
    ]


def _confusion(labelled: list[RatingPair]) -> ConfusionTable | None:
    confusion = agreement.confusion(labelled)
    if len(confusion.ratings) > agreement.MOST_CATEGORIES:
        return None
    return ConfusionTable(
        ratings=[_text(rating) for rating in confusion.ratings], counts=[list(row) for row in confusion.counts]
    )


def _as_numbers(labelled: list[RatingPair]) -> list[tuple[float, float]]:
    """The ratings as numbers, for scales that are not labels."""
    return [(float(judge), float(human)) for judge, human in labelled]


def _text(rating: Rating) -> str:
    return rating if isinstance(rating, str) else f"{rating:.12g}"


# --- correction -----


@dataclass(frozen=True)
class _Corrections:
    scale: Scale
    bias: agreement.AgreementEstimate
    powered: agreement.AgreementEstimate
    share: agreement.AgreementEstimate
    not_random: float | None
    few: bool
    chance: str | None = None
    """Where the judge is no better than chance: in words"""

    @classmethod
    def of(cls, scale: Scale, labelled: list[RatingPair], judge_only: list[Rating]) -> "_Corrections":
        if scale == "labels":
            nothing = agreement.AgreementEstimate(
                None, reason="labels have no mean; send 1 and 0 to have a share corrected"
            )
            rarest = min(Counter(human for _, human in labelled).values(), default=0)
            few = len(labelled) < correct.ENOUGH_LABELS or rarest < correct.ENOUGH_OF_A_CLASS
            return cls(scale, nothing, nothing, nothing, None, few)
        pairs = _as_numbers(labelled)
        rest = [float(rating) for rating in judge_only]
        powered = correct.prediction_powered_mean(pairs, rest)
        share = agreement.AgreementEstimate(None, reason="double sampling is for scores of 0 and 1")
        chance = None
        if scale == "binary":
            share = correct.corrected_share(pairs, rest)
            chance = correct.no_better_than_chance(correct.Check.of(pairs))
        few = not labelled or "few_labels" in powered.flags
        not_random = correct.labels_not_random(pairs, rest)
        return cls(scale, correct.judge_bias(pairs), powered, share, not_random, few, chance)

    @property
    def chosen(self) -> agreement.AgreementEstimate:
        return self.powered if self.share.value is None else self.share

    def remarks(self) -> Iterator[str]:
        value, ends, other = self.powered.value, self.powered.interval, self.share.interval
        if value is not None and ends and other and ends[1] - ends[0] < other[1] - other[0]:
            figures = f"{value:z.3f} ({ends[0]:z.3f} to {ends[1]:z.3f})"
            yield f"PPI++ with the same labels gives {figures}, a narrower interval"


def _mean(rater: Ratings, targets: Iterable[TargetKey]) -> Estimate:
    """The mean over these targets; those of one item are a cluster."""
    clusters: dict[str | None, list[float]] = {}
    for target in targets:
        rating = rater.by_target[target]
        if isinstance(rating, str):
            return Estimate(value=None, confidence_interval_95=None, method=None, reason="labels have no mean")
        clusters.setdefault(rater.items.get(target), []).append(rating)
    if not clusters:
        return _noun(agreement.AgreementEstimate(None, reason=agreement.NO_PAIRS))
    values = [rating for cluster in clusters.values() for rating in cluster]
    interval = interval_over([sorted(cluster) for cluster in clusters.values()])
    mean = math.fsum(values) / len(values)
    return _noun(agreement.AgreementEstimate(mean, (interval.low, interval.high), interval.method))


def _noun(estimate: agreement.AgreementEstimate) -> Estimate:
    ends = estimate.interval
    return Estimate(
        value=round_shown(estimate.value),
        confidence_interval_95=None if ends is None else (round_shown(ends[0]), round_shown(ends[1])),
        method=estimate.method,
        reason=estimate.reason,
    )


# --- what a reader should know -----


def _notes(
    judge_ratings: Ratings,
    human_ratings: Ratings,
    corrections: _Corrections,
    labelled: list[RatingPair],
    judge_only: list[Rating],
    hashes: list[str],
) -> dict[str, list[str]]:
    """Flag → sentences."""
    notes: dict[str, list[str]] = {}
    if corrections.few:
        notes["few_labels"] = [_few_words(corrections.scale, labelled)]
    if corrections.not_random is not None:
        inside, outside = (
            math.fsum(judge for judge, _ in _as_numbers(labelled)) / len(labelled),
            math.fsum(float(rating) for rating in judge_only) / len(judge_only),
        )
        notes["labels_not_random"] = [
            f"the judge's mean is {inside:.3f} where there are labels and {outside:.3f} elsewhere (Mann–Whitney "
            f"p = {corrections.not_random:.2g}): the labelled are hardly a random part, so the corrected mean may "
            "be off"
        ]
    if "clipped" in corrections.chosen.flags:
        notes["clipped"] = ["the corrected mean reached beyond 0 or 1 and was cut there"]
    if corrections.chance is not None:
        notes["no_better_than_chance"] = [f"{corrections.chance}; it adds little to the labels, so use another judge"]
    if len(set(judge_ratings.items.values())) < len(judge_ratings.items):
        notes["repeated_items"] = ["several targets belong to one item; agreement takes them as independent"]
    if len(hashes) > 1:
        notes["mixed_configs"] = [
            f"the judge's scores are of {len(hashes)} configurations; name one of {listed(hashes)}"
        ]
    for rater in (judge_ratings, human_ratings):
        if rater.repeated:
            notes.setdefault("repeated_scores", []).append(
                f"{rater.repeated} targets have several scores of {rater.name!r}: "
                "their mean, or most frequent label, is taken"
            )
    return notes


def _few_words(scale: Scale, labelled: list[RatingPair]) -> str:
    """What is missing, and how many labels more would do."""
    words = (
        f"{len(labelled)} targets are labelled; below {correct.ENOUGH_LABELS}, or with fewer than "
        f"{correct.ENOUGH_OF_A_CLASS} of the rarer class, little is known of the judge's errors"
    )
    counts = Counter(human for _, human in labelled)
    rarer = correct.ENOUGH_OF_A_CLASS
    if scale == "binary":
        rarer = min(counts[0], counts[1])
    elif scale == "labels":
        rarer = min(counts.values(), default=0)
    more = correct.labels_until_enough(len(labelled), rarer)
    return f"{words}; label about {more:,} more, chosen at random" if more else words


# --- files -----


def _rows(path: Path, bad_lines: BadLines) -> Iterator[tuple[int, JsonObject]]:
    """Line number and columns. What cannot be read is refused with its line, or skipped."""
    try:
        refuse_unreadable(path)
        if path.suffix.lower() == ".csv":
            yield from _csv_rows(path)
        elif path.suffix.lower() in (".jsonl", ".ndjson"):
            yield from _json_rows(path, bad_lines)
        else:
            raise InvalidInput.of("file", f"{path.name} is neither .csv nor .jsonl; convert it to one of them")
    except OSError as bad:
        raise InvalidInput.of("file", f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    except (UnicodeDecodeError, csv.Error) as bad:
        raise InvalidInput.of("file", f"{path.name} is not a readable UTF-8 file: {bad}") from None


def _csv_rows(path: Path) -> Iterator[tuple[int, JsonObject]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter=delimiter_of(path), strict=True)
        missing = {"judge", "human"} - set(reader.fieldnames or ())
        if missing:
            columns = ", ".join(reader.fieldnames or ()) or "no columns"
            raise InvalidInput.of(
                "file",
                f"{path.name} has no column {' and no '.join(sorted(missing))}, it has {columns}; rename them",
            )
        for row in reader:
            yield reader.line_num, {name: cell for name, cell in row.items() if isinstance(cell, str) and cell.strip()}


def _json_rows(path: Path, bad_lines: BadLines) -> Iterator[tuple[int, JsonObject]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = jsonvalue.read(line)
            except InvalidInput as bad:
                bad_lines.add(number, f"is not JSON ({bad.message.partition(': ')[2] or bad.message})")
                continue
            if isinstance(row, dict):
                yield number, {name: cell for name, cell in row.items() if cell is not None and cell != ""}
            else:
                bad_lines.add(number, "is not a JSON object with judge and human")


def _column(rows: list[tuple[int, JsonObject]], name: str, path: Path) -> Iterator[RatingsOfTarget]:
    """One column as `Ratings.of` takes it. In CSV all is text: a column of numbers is one whose every cell is."""
    cells = [row[name] for _, row in rows if name in row]
    numeric = path.suffix.lower() == ".csv" and all(_number(cell) is not None for cell in cells)
    counts: Counter[tuple[str, str]] = Counter()
    totals: dict[str, list[float]] = {}
    for number, row in rows:
        if "judge" not in row and "human" not in row:
            raise InvalidInput.of(
                "file", f"{path.name}, line {number}: judge and human are both empty; fill one or remove the line"
            )
        if name not in row:
            continue
        target = str(row["target"]) if "target" in row else f"line {number}"
        rating = _rating(row[name], numeric, f"{path.name}, line {number}: {name}")
        if isinstance(rating, str):
            counts[target, rating] += 1
        else:
            totals.setdefault(target, []).append(rating)
    for target, values in totals.items():
        yield RatingsOfTarget(("", "", target), target, None, len(values), math.fsum(values))
    for (target, label), n in counts.items():
        yield RatingsOfTarget(("", "", target), target, label, n, None)


def _rating(cell: JsonValue, numeric: bool, where: str) -> Rating:
    if isinstance(cell, str) and not numeric:
        return cell.strip()
    value = float(cell) if isinstance(cell, bool) else _number(cell)
    if value is None:
        raise InvalidInput.of("file", f"{where} is neither a number nor a label")
    if not math.isfinite(value):
        raise InvalidInput.of("file", f"{where} is {value:g}, not a finite number; leave the cell empty")
    if not 0 <= value <= 1:
        raise InvalidInput.of("file", f"{where} is {value:g}, outside [0, 1]; divide by your scale first")
    return value


def _number(cell: JsonValue) -> float | None:
    try:
        return float(cell) if isinstance(cell, str | int | float) else None
    except (ValueError, OverflowError):
        return None
