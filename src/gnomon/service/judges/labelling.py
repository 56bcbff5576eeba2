"""What to label next: targets of a judge that people have not rated, and how many of them it still takes.

Two ways to choose, with their price (stats/labels.py says why):

* `random`: at random. Every correction of the judge's mean holds. The lot is drawn by a hash of the target, so that
  the order stays as labels come in, and those given so far are always a random part.
* `informative`: where a label shortens the interval most, at random among targets of which the judge said much the
  same. Fewer labels for the same interval where some of the judge's answers are surer than others; but the labels
  are no random part of all targets, so only the mean over strata is honest, not the corrected mean of a calibration.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gnomon.model.card import LabelMode, LabelStratum, ToLabel, ToLabelTarget
from gnomon.scorers.protocol import text
from gnomon.service.call import Call, project_in_scope
from gnomon.service.judges.calibration import Ratings, TargetKey, ratings, refuse_two_kinds
from gnomon.service.judges.cards import configuration, figure, people
from gnomon.shorten import counted, shorten
from gnomon.stats import agreement, correct, labels
from gnomon.stats.agreement import AgreementEstimate, Rating
from gnomon.stats.describe import round_shown
from gnomon.stats.labels import Cuts, Stratum
from gnomon.store import experiments

DEFAULT_REACH = 0.05
_EXCERPT = 160


@dataclass(frozen=True, slots=True)
class LabellingOptions:
    """How to choose, how many to show, and how far the interval may reach to each side."""

    mode: LabelMode = "random"
    limit: int = 20
    target_width: float = DEFAULT_REACH


PLAIN = LabellingOptions()


def to_label(
    call: Call, project_id: str | None, scorer_name: str, config_hash: str | None = None, human: str | None = None,
    options: LabellingOptions = PLAIN,
) -> ToLabel:  # fmt: skip
    scope = project_in_scope(call.principal, project_id)
    chosen, _ = configuration(call, scope, scorer_name, config_hash)
    judge_ratings = ratings(call, scope, scorer_name, chosen)
    human_ratings, _ = people(call, scope, judge_ratings, human)
    human_ratings = human_ratings or Ratings(human or "")
    refuse_two_kinds(judge_ratings, human_ratings, "name another scorer with human")
    work = _Work.of(judge_ratings, human_ratings)
    now, more = work.by_strata(options) if options.mode == "informative" else work.by_lot(options)
    return ToLabel(
        scorer_name=scorer_name,
        config_hash=chosen,
        human=human_ratings.name or None,
        mode=options.mode,
        estimate=figure(now, len(work.labelled)),
        reach=round_shown(labels.reach_of(now)),
        target_width=options.target_width,
        more_needed=more,
        words=_words(work, now, more, options.target_width),
        n_labelled=len(work.labelled),
        n_unlabelled=len(work.open),
        strata=_strata(work.strata),
        targets=_targets(call, scope, work, options),
        notes=_notes(work, more, options),
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """The judge's targets, as far as people rated them and as far as not."""

    labelled: Sequence[tuple[Rating, Rating]]
    """(judge, human)"""
    open: Mapping[TargetKey, Rating]
    cuts: Cuts
    strata: Sequence[Stratum]
    are_labels: bool

    @classmethod
    def of(cls, judge_ratings: Ratings, human_ratings: Ratings) -> "_Work":
        cuts = Cuts.of(judge_ratings.by_target.values())
        sizes: dict[str, int] = {}
        outcomes: dict[str, list[float]] = {}
        for target, rating in judge_ratings.by_target.items():
            name = cuts.name(rating)
            sizes[name] = sizes.get(name, 0) + 1
            human = human_ratings.by_target.get(target)
            if human is not None:
                outcome = float(human == rating) if isinstance(human, str) else human
                outcomes.setdefault(name, []).append(outcome)
        shared = sorted(judge_ratings.by_target.keys() & human_ratings.by_target.keys())
        return cls(
            [(judge_ratings.by_target[target], human_ratings.by_target[target]) for target in shared],
            {
                target: rating
                for target, rating in judge_ratings.by_target.items()
                if target not in human_ratings.by_target
            },
            cuts,
            [Stratum(name, sizes[name], tuple(sorted(outcomes.get(name, ())))) for name in sorted(sizes)],
            judge_ratings.kind == "labels",
        )

    @property
    def judge_only(self) -> list[Rating]:
        return sorted(self.open.values())

    def by_lot(self, options: LabellingOptions) -> tuple[AgreementEstimate, int | None]:
        """The corrected mean that a calibration shows; for labels, how often both agree."""
        if self.are_labels:
            now = agreement.accuracy(self.labelled)
            return now, labels.more_for_share(now, len(self.labelled), len(self.open), options.target_width)
        binary = {*self.judge_only, *(score for pair in self.labelled for score in pair)} <= {0, 1}
        corrected = correct.corrected_share if binary else correct.prediction_powered_mean
        now = corrected(self._pairs, self._rest)
        return now, labels.more_by_lot(self._pairs, self._rest, now, options.target_width)

    def by_strata(self, options: LabellingOptions) -> tuple[AgreementEstimate, int | None]:
        return labels.stratified_mean(self.strata), labels.more_by_strata(self.strata, options.target_width)

    def not_random(self) -> bool:
        return not self.are_labels and correct.labels_not_random(self._pairs, self._rest) is not None

    @property
    def _pairs(self) -> list[tuple[float, float]]:
        """The pairs as numbers, for scores that are not labels; so is `_rest`."""
        return [(float(judge), float(human)) for judge, human in self.labelled]

    @property
    def _rest(self) -> list[float]:
        return [float(rating) for rating in self.judge_only]

    def order(self, options: LabellingOptions) -> list[TargetKey]:
        """The next targets, best first."""
        drawn = sorted(self.open, key=_random_order)
        if options.mode == "random":
            return drawn[: options.limit]
        waiting: dict[str, list[TargetKey]] = {}
        for target in reversed(drawn):
            waiting.setdefault(self.cuts.name(self.open[target]), []).append(target)
        return [waiting[self.strata[at].name].pop() for at in labels.best_order(self.strata, options.limit)]


def _random_order(target: TargetKey) -> bytes:
    """A number that has nothing to do with what the target is, and is always the same."""
    return hashlib.sha256("\0".join(target).encode(errors="surrogatepass")).digest()


class _Shown(NamedTuple):
    """Where a target is found, and how its output begins."""

    experiment_id: str | None
    excerpt: str | None


def _targets(call: Call, project_id: str, work: _Work, options: LabellingOptions) -> list[ToLabelTarget]:
    order = work.order(options)
    shown = _shown(call, project_id, order)
    gains = {stratum.name: stratum.gain for stratum in _strata(work.strata)}
    chosen = []
    for target in order:
        (kind, trace_id, id), rating = target, work.open[target]
        name, where = work.cuts.name(rating), shown.get(target, _Shown(None, None))
        chosen.append(
            ToLabelTarget(
                target_type=kind,
                target_id=id,
                trace_id=trace_id or None,
                judge=rating,
                stratum=name,
                reason=_reason(options.mode, name, gains.get(name)),
                experiment_id=where.experiment_id,
                excerpt=where.excerpt,
            )
        )
    return chosen


def _reason(mode: LabelMode, stratum: str, gain: float | None) -> str:
    if mode == "random":
        return "drawn at random"
    if gain is None:
        return f"little is known of the group {stratum} yet"
    return f"one label more in the group {stratum} narrows the interval by ±{gain:.2g}"


def _shown(call: Call, project_id: str, order: Sequence[TargetKey]) -> dict[TargetKey, _Shown]:
    run_ids = [id for kind, _, id in order if kind == "run"]
    runs = {row.id: row for row in experiments.runs_by_id(call.db, run_ids)} if run_ids else {}
    addresses = {(project_id, trace_id, id) for kind, trace_id, id in order if kind == "span"}
    spans = call.spans.by_id(call.db, addresses) if addresses else {}
    shown: dict[TargetKey, _Shown] = {}
    for target in order:
        kind, trace_id, id = target
        if kind == "run" and id in runs:
            shown[target] = _Shown(runs[id].experiment_id, _excerpt(runs[id].output))
        elif kind == "span" and (span := spans.get((project_id, trace_id, id))) is not None:
            shown[target] = _Shown(None, _excerpt(span.output))
    return shown


def _excerpt(output: object) -> str | None:
    return None if output is None else shorten(" ".join(text(output).split()), _EXCERPT)


def _strata(strata: Sequence[Stratum]) -> list[LabelStratum]:
    return [
        LabelStratum(name=stratum.name, targets=stratum.targets, labelled=len(stratum.labels), gain=round_shown(gain))
        for stratum, gain in zip(strata, labels.gain_of_one(strata), strict=True)
    ]


def _points(reach: float) -> str:
    """A reach in hundredths of the scale."""
    points = 100 * reach
    return f"± {points:.0f} points" if abs(points - round(points)) < 0.05 else f"± {points:.1f} points"


def _words(work: _Work, now: AgreementEstimate, more: int | None, wanted: float) -> str:
    """The rule of when to stop, as a sentence."""
    reach = labels.reach_of(now)
    if more == 0:
        assert reach is not None
        return f"enough: {counted(len(work.labelled), 'label')} give {_points(reach)}"
    if more is None:
        everything = "even all of them labelled would not give" if work.open else "everything is labelled, which misses"
        return f"{everything} {_points(wanted)}; let the judge score more targets, or accept a wider interval"
    if len(work.labelled) + more <= labels.PILOT:
        return f"label {more} first: before {labels.PILOT} labels it is not known how many {_points(wanted)} take"
    return f"label {more} more for {_points(wanted)}"


def _notes(work: _Work, more: int | None, options: LabellingOptions) -> list[str]:
    if options.mode == "informative":
        notes = [
            "labels chosen like this are no random part of all targets: read the mean over strata given here; "
            "the corrected mean of a calibration does not hold for them"
        ]
    else:
        notes = ["drawn at random, so the labels stay a random part of all targets and every correction holds"]
        if work.not_random():
            notes.append(
                "the judge scores labelled targets differently from the others, so they were hardly drawn at random: "
                "the mean over strata (mode informative) bears that as long as each stratum's were"
            )
    if 0 < len(work.labelled) < correct.ENOUGH_LABELS and more == 0:
        notes.append(f"below {correct.ENOUGH_LABELS} labels little is known of the judge's rarer errors")
    return notes
