"""A judge's report card, from what is stored: its scores, its failed jobs, people's scores, the newest probe.

What it takes to probe a judge is in probing.py, which labels would tell more in labelling.py, the list of judges in
judgelist.py. `brief` is the card in a few numbers, cheap enough for every summary.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gnomon.errors import GnomonError, NotFound
from gnomon.llm.providers import family as family_of
from gnomon.model.calibration import Calibration
from gnomon.model.card import Figure, JudgeBrief, JudgeCard, Probe
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import JsonObject
from gnomon.service.analysis.aggregate import label_shares, shown
from gnomon.service.call import Call, project_in_scope
from gnomon.service.judges import calibration
from gnomon.service.judges.calibration import Ratings, TargetKey, listed, ratings
from gnomon.shorten import counted
from gnomon.stats import agreement
from gnomon.stats import card as numbers
from gnomon.stats.agreement import Rating
from gnomon.stats.card import MeasuredScore, Repeats
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import wilson
from gnomon.store import aggregates, experiments
from gnomon.store import calibration as rated
from gnomon.store import cards as store

MOST_READ = 20_000
_MOST_PEOPLE = 10
LABELS_HAVE_NO_MEAN = "labels have no mean"
NOT_PROBED = "it was never probed; run: gnomon judge card NAME --probe 50"
NO_PEOPLE = "no target of this judge has a score of people (source human)"
SENT = "its scores were sent: what the model was asked and answered is not known here"


# --- judges -----


def part_of(score: store.JudgeScore | store.FirstScore | None) -> str | None:
    """The scorer whose part this score is: a rubric's dimension is asked about with the whole rubric."""
    if score is None or score.config_hash is None or score.config is not None:  # a part has the hash alone
        return None
    whole = (score.metadata or {}).get("part_of")
    return whole if isinstance(whole, str) else None


def asked_as_model(call: Call, project_id: str, scorer_name: str, config_hash: str | None) -> tuple[str, str | None]:
    """Under which name the model was asked, and which model."""
    score = store.any_score(call.db, project_id, scorer_name, config_hash)
    whole = part_of(score)
    if whole is None:
        return scorer_name, _model(score)
    return whole, _model(store.any_score(call.db, project_id, whole, config_hash)) or _model(score)


def _model(score: store.JudgeScore | store.FirstScore | None) -> str | None:
    """The model that the configuration names; for scores that were sent, the one in their metadata."""
    for source in (score.config, score.metadata) if score is not None else ():
        if source and isinstance(source.get("model"), str):
            return str(source["model"])
    return None


def configuration(call: Call, project_id: str, scorer_name: str, config_hash: str | None) -> tuple[str | None, int]:
    """The configuration that is meant (the last used unless one is named), and how many there are.

    None stands for scores that were sent.
    """
    rows = store.judges(call.db, project_id, scorer_name)
    known = [row.config_hash for row in sorted(rows, key=lambda row: row.last_used, reverse=True)]
    if config_hash is not None and config_hash not in known:
        configurations = listed(known) if known else "no scores of a model that was asked here"
        raise NotFound(f"{scorer_name!r} has no scores with config_hash {config_hash!r}; it has {configurations}")
    if known:
        return config_hash or known[0], len(known)
    if store.any_score(call.db, project_id, scorer_name, None) is None:
        names = rated.scorer_names(call.db, project_id)
        configurations = f"the scorers there are {listed(names)}"
        if scorer_name in names:
            raise NotFound(f"{scorer_name!r} is a rule, not a judge in project {project_id!r}; {configurations}")
        near = did_you_mean(scorer_name, names, configurations)
        raise NotFound(f"{scorer_name!r} has no scores in project {project_id!r}; {near}")
    return None, 1


# --- people -----


def people(call: Call, project_id: str, judge: Ratings, human: str | None) -> tuple[Ratings | None, list[str]]:
    """People's ratings: of the scorer that is named, else of the one with most of the judge's targets.

    Also the names of the others that have some.
    """
    if human is not None:
        return ratings(call, project_id, human), []
    candidates = []
    for name in [name for name in store.people(call.db, project_id) if name != judge.name][:_MOST_PEOPLE]:
        human_ratings = ratings(call, project_id, name)
        shared = len(human_ratings.by_target.keys() & judge.by_target.keys())
        if shared:
            candidates.append((-shared, name, human_ratings))
    candidates.sort(key=lambda candidate: candidate[:2])
    return (candidates[0][2], [name for _, name, _ in candidates[1:]]) if candidates else (None, [])


# --- the card -----


@dataclass(frozen=True, slots=True)
class _SeenScore:
    """One score, and what it is about."""

    target: TargetKey
    item: str
    rating: Rating
    length: int | None
    judged_model: str | None
    metadata: JsonObject

    def amount(self, name: str) -> float | None:
        """A number of the metadata, which may hold anything where scores were sent."""
        value = self.metadata.get(name)
        fine = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
        return float(value) if fine and value is not None else None


def card(
    call: Call, project_id: str | None, scorer_name: str, config_hash: str | None = None, human: str | None = None
) -> JudgeCard:
    scope = project_in_scope(call.principal, project_id)
    chosen, configurations = configuration(call, scope, scorer_name, config_hash)
    total = store.counted(call.db, scope, scorer_name, chosen)
    asked_as, model = asked_as_model(call, scope, scorer_name, chosen)
    seen = _seen(call, scope, scorer_name, chosen)
    # All of the judge's ratings are only needed to see which of several people's scorers shares most with it.
    somebody = human is None and store.people(call.db, scope)
    judge_ratings = ratings(call, scope, scorer_name, chosen) if somebody else Ratings(scorer_name)
    human_ratings, others = people(call, scope, judge_ratings, human)
    repeats, untold = _repeats(seen)
    compared, why_not = _compared(call, scope, scorer_name, chosen, human_ratings, human)
    probe = None if chosen is None else store.newest_probe(call.db, scope, scorer_name, chosen)
    return JudgeCard(
        project_id=scope,
        scorer_name=scorer_name,
        config_hash=chosen,
        model=model,
        family=None if model is None else family_of(model),
        scores=total.scores,
        read=len(seen),
        first_used=total.first_used,
        last_used=total.last_used,
        **_level(seen),
        **_failures(call, scope, asked_as, chosen, total.scores),
        failed_votes=_failed_votes(seen),
        **_repeated(repeats),
        **_length(seen, human_ratings),
        **_own_family(seen, model, human_ratings),
        addresses_judge=sum(score.metadata.get("addresses_judge") is True for score in seen),
        **_spent(seen),
        people=compared,
        people_reason=why_not,
        probe=None if probe is None else Probe(**{**probe.card, "made_at": probe.created_at}),
        probe_reason=None if probe is not None else _why_no_probe(chosen, scorer_name, asked_as),
        notes=[*_notes(total.scores, seen, chosen, configurations, untold), *_other_people(human_ratings, others)],
    )


def _why_no_probe(config_hash: str | None, scorer_name: str, asked_as: str) -> str:
    if config_hash is None:
        return SENT
    if asked_as != scorer_name:
        return f"it is a dimension of {asked_as!r}, and a probe asks the whole rubric; see the card of {asked_as!r}"
    return NOT_PROBED


def figure(estimate: agreement.AgreementEstimate, n: int) -> Figure:
    ends = estimate.interval
    return Figure(
        value=round_shown(estimate.value),
        confidence_interval_95=None if ends is None else (round_shown(ends[0]), round_shown(ends[1])),
        method=estimate.method,
        reason=estimate.reason,
        n=n,
    )


def _seen(call: Call, project_id: str, scorer_name: str, config_hash: str | None) -> list[_SeenScore]:
    rows = store.newest(call.db, project_id, scorer_name, config_hash, MOST_READ)
    about = store.experiment_metadata(call.db, sorted({row.experiment_id for row in rows if row.experiment_id}))
    scores = []
    for row in rows:
        model = (about.get(row.experiment_id or "") or {}).get("model")
        seen = _SeenScore(
            target=(row.target_type, row.trace_id or "", row.target_id),
            item=row.item,
            rating=row.rating,
            length=row.length,
            judged_model=row.judged_model or (model if isinstance(model, str) else None),
            metadata=row.metadata or {},
        )
        scores.append(seen)
    return scores


def _level(seen: Sequence[_SeenScore]) -> dict[str, object]:
    """The mean, or each label's share; items are what varies."""
    values: dict[str, list[float]] = {}
    labels: Counter[str] = Counter()
    by_item: list[tuple[str, str, int]] = []
    for score in seen:
        if isinstance(score.rating, str):
            labels[score.rating] += 1
            by_item.append((str(score.item), score.rating, 1))
        else:
            values.setdefault(score.item, []).append(score.rating)
    return {
        "mean": figure(numbers.mean_over(list(values.values()), LABELS_HAVE_NO_MEAN), sum(map(len, values.values()))),
        "label_shares": label_shares(labels, by_item),
    }


def _failures(call: Call, project_id: str, scorer_name: str, config_hash: str | None, scored: int) -> dict[str, object]:
    if config_hash is None:
        return {"parse_failures": figure(agreement.AgreementEstimate(None, reason=SENT), 0), "failure_reasons": {},
                "unanswered": {}}  # fmt: skip
    unread, unanswered = failures_by_kind(store.failures(call.db, project_id, scorer_name, config_hash))
    answered = scored + unread.total()
    return {
        "parse_failures": figure(numbers.share(unread.total(), answered, "there is no answer yet"), answered),
        "failure_reasons": dict(unread.most_common()),
        "unanswered": dict(unanswered.most_common()),
    }


def failures_by_kind(rows: Sequence[store.FailureCount]) -> tuple[Counter[str], Counter[str]]:
    """Why answers could not be read, and why there were none, each without what a provider said in detail."""
    unread: Counter[str] = Counter()
    unanswered: Counter[str] = Counter()
    for reason, read, n in rows:
        kind = str(reason or "unknown").partition(":")[0]
        # A structured answer of another shape is an answer, also where its text was not kept.
        (unread if read or kind == "unreadable" else unanswered)[kind] += n
    return unread, unanswered


def _failed_votes(seen: Sequence[_SeenScore]) -> Figure:
    votes_asked: Counter[object] = Counter()
    lost: Counter[object] = Counter()
    for score in seen:
        votes, valid = score.amount("votes"), score.amount("valid_votes")
        if votes is not None and valid is not None and valid <= votes:
            votes_asked[score.item] += int(votes)
            lost[score.item] += int(votes) - int(valid)
    estimate = numbers.share_over(lost, votes_asked, "one vote is asked for, so none can drop out")
    return figure(estimate, votes_asked.total())


# --- asked again -----


def _repeats(seen: Sequence[_SeenScore]) -> tuple[list[Repeats], int]:
    """The answers to each target that was asked about more than once; and how many tell too little of theirs.

    Remembered answers are copies and prove nothing.
    """
    answers: dict[TargetKey, list[Rating]] = {}
    items: dict[TargetKey, str] = {}
    untold = 0
    for score in seen:
        if score.metadata.get("cached") is True:
            continue
        votes = _votes(score)
        if votes is None:
            untold += 1
            continue
        answers.setdefault(score.target, []).extend(votes)
        items[score.target] = score.item
    return [Repeats(items[target], votes_of) for target, votes_of in answers.items() if len(votes_of) > 1], untold


def _votes(score: _SeenScore) -> list[Rating] | None:
    """The votes behind a score. None where only a spread is left, which tells up to three numbers but no more."""
    values = score.metadata.get("vote_values")
    if isinstance(values, list) and values and all(_is_rating(vote, score.rating) for vote in values):
        return list(values)
    spread = score.metadata.get("spread")
    if not isinstance(spread, dict):
        return [score.rating]
    if isinstance(score.rating, str):
        counts = [(label, n) for label, n in spread.items() if isinstance(n, int) and 0 < n <= 1000]
        return [label for label, n in counts for _ in range(n)]
    low, high, n = (spread.get(name) for name in ("min", "max", "n"))
    if not (_is_rating(low, 0.0) and _is_rating(high, 0.0) and n in (1, 2, 3)):
        return None
    assert low is not None
    assert high is not None
    return [score.rating] if n == 1 else [low, high] if n == 2 else [low, 3 * score.rating - low - high, high]


def _is_rating(value: object, like: Rating) -> bool:
    if isinstance(like, str):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _repeated(repeats: Sequence[Repeats]) -> dict[str, Figure]:
    none = "no target has two answers of its own"
    labels = any(isinstance(ratings_given[0], str) for _, ratings_given in repeats)
    apart = agreement.AgreementEstimate(None, reason="labels have no distance")
    return {
        "repeat_agreement": figure(numbers.agreement_of_repeats(repeats, none), len(repeats)),
        "repeat_difference": figure(apart if labels else numbers.difference_of_repeats(repeats, none), len(repeats)),
    }


# --- what else moves a score -----


def _length(seen: Sequence[_SeenScore], human_ratings: Ratings | None) -> dict[str, Figure]:
    if any(isinstance(score.rating, str) for score in seen):
        nothing = figure(agreement.AgreementEstimate(None, reason=LABELS_HAVE_NO_MEAN), 0)
        return {"length_slope": nothing, "length_slope_beyond_people": nothing}
    measured_scores = [
        MeasuredScore(score.item, score.length, float(score.rating)) for score in seen if score.length is not None
    ]
    beyond = [
        MeasuredScore(score.item, score.length, value)
        for score, value in _beyond(seen, human_ratings)
        if score.length is not None
    ]
    return {
        "length_slope": figure(numbers.length_slope(measured_scores, "no output has a length"), len(measured_scores)),
        "length_slope_beyond_people": figure(numbers.length_slope(beyond, agreement.NO_PAIRS), len(beyond)),
    }


def _beyond(seen: Sequence[_SeenScore], human_ratings: Ratings | None) -> list[tuple[_SeenScore, float]]:
    """How much more the judge gave than people did, where both gave numbers."""
    differences = []
    for score in seen:
        human = None if human_ratings is None else human_ratings.by_target.get(score.target)
        if human is not None and not isinstance(human, str) and not isinstance(score.rating, str):
            differences.append((score, score.rating - human))
    return differences


def _own_family(seen: Sequence[_SeenScore], model: str | None, human_ratings: Ratings | None) -> dict[str, object]:
    families = Counter(family_of(score.judged_model) for score in seen if score.judged_model is not None)
    reason = None
    if any(isinstance(score.rating, str) for score in seen):
        reason = LABELS_HAVE_NO_MEAN
    elif model is None:
        reason = "the judge's model is not known"
    elif not families:
        reason = "which model made the outputs is not known; give traces a model, or experiments metadata.model"
    plain = [(score, float(score.rating)) for score in seen if reason is None]
    beyond = _beyond(seen, human_ratings) if reason is None else []
    return {
        "self_preference": _preference(plain, model, reason, signed=False),
        "self_preference_beyond_people": _preference(beyond, model, reason, signed=True),
        "families": dict(families.most_common()),
    }


def _preference(
    rows: Sequence[tuple[_SeenScore, float]], model: str | None, reason: str | None, *, signed: bool
) -> Figure:
    if reason is not None or model is None:
        return figure(agreement.AgreementEstimate(None, reason=reason), 0)
    own_family: dict[object, list[float]] = {}
    others: dict[object, list[float]] = {}
    for score, value in rows:
        if score.judged_model is not None:
            group = own_family if family_of(score.judged_model) == family_of(model) else others
            group.setdefault(score.item, []).append(value)
    estimate = numbers.difference_of_groups(own_family, others, signed=signed)
    return figure(estimate, sum(map(len, (*own_family.values(), *others.values()))))


# --- what it takes -----


def _spent(seen: Sequence[_SeenScore]) -> dict[str, Figure]:
    figures = {}
    for name in ("cost_usd", "tokens_input", "tokens_output"):
        amounts = [amount for score in seen if (amount := score.amount(name)) is not None]
        figures[name] = figure(numbers.mean_amount(amounts, "no score tells it"), len(amounts))
    waits = [wait for score in seen if not score.metadata.get("cached") and (wait := score.amount("latency_ms"))]
    return {**figures, "latency_ms": figure(numbers.median(waits, "no score tells it"), len(waits))}


# --- people, and what a reader should know -----


def _compared(
    call: Call,
    project_id: str,
    scorer_name: str,
    config_hash: str | None,
    human_ratings: Ratings | None,
    human: str | None,
) -> tuple[Calibration | None, str | None]:
    name = human or (None if human_ratings is None else human_ratings.name)
    if name is None:
        return None, NO_PEOPLE
    try:
        return calibration.calibrate(call, project_id, scorer_name, name, config_hash), None
    except GnomonError as refused:
        if human is not None and isinstance(refused, NotFound):
            raise
        return None, refused.message


def _notes(
    total: int, seen: Sequence[_SeenScore], config_hash: str | None, configurations: int, untold: int
) -> list[str]:
    notes = []
    if total > len(seen):
        notes.append(f"the figures are of the newest {len(seen):,} of {counted(total, 'score')}")
    if config_hash is None:
        notes.append(SENT)
    if configurations > 1:
        notes.append(f"{configurations} configurations have scores; this one was named, or is the last used")
    if untold:
        notes.append(f"{untold} scores keep only the spread of their votes, which does not tell how often two agree")
    return notes


def _other_people(human_ratings: Ratings | None, others: list[str]) -> list[str]:
    if human_ratings is None or not others:
        return []
    return [f"{human_ratings.name!r} rated most of the targets; people's scores are also under {listed(others)}"]


# --- in a few numbers -----


def brief(call: Call, experiment_id: str, scorer_name: str, scores: int | None = None) -> JudgeBrief | None:
    """The card in a few numbers, of one experiment; None for a scorer that is not a judge.

    Only the index over experiments and single rows are read; `scores` saves counting them once more.
    """
    first = store.first_of_experiment(call.db, experiment_id, scorer_name)
    if first is not None and first.source != "judge":
        return None
    asked_as = part_of(first) or scorer_name
    if first is None:  # nothing is scored; its jobs may say why
        asked_as = store.asked_in_experiment(call.db, experiment_id, scorer_name) or scorer_name
    failures = store.failures_of_experiment(call.db, experiment_id, asked_as)
    if first is None and not failures:
        return None
    unread, _ = failures_by_kind(failures)
    scored = store.count_in_experiment(call.db, experiment_id, scorer_name) if scores is None else scores
    sent = first is not None and first.config_hash is None  # then what could not be read is not known here
    answered = 0 if sent else scored + unread.total()
    human, same, labelled = _agreement_in(call, experiment_id, scorer_name)
    return JudgeBrief(
        model=_model(first),
        config_hash=None if first is None else first.config_hash,
        parse_failure_rate=round_shown(unread.total() / answered) if answered else None,
        parse_failure_ci_95=shown(wilson(unread.total(), answered)) if answered else None,
        answered=answered,
        human=human,
        labelled=labelled,
        agreement=None if same is None else round_shown(same / labelled),
        agreement_ci_95=None if same is None else shown(wilson(same, labelled)),
        probed_at=_probed_at(call, experiment_id, scorer_name, first),
    )


def _agreement_in(call: Call, experiment_id: str, judge: str) -> tuple[str | None, int | None, int]:
    """People's scorer with most scores on the judge's runs, on how many both say the same, and how many these are."""
    best: tuple[str | None, int | None, int] = (None, None, 0)
    for name in sorted(aggregates.scorer_names(call.db, experiment_id)):
        first = store.first_of_experiment(call.db, experiment_id, name)
        if name == judge or first is None or first.source != "human":
            continue
        rows = store.pairs_in_experiment(call.db, experiment_id, judge, name)
        n = sum(row.n for row in rows)
        if n > best[2]:
            too_fine = len({rating for row in rows for rating in (row.judge, row.human)}) > calibration.MOST_GRADES
            same = sum(row.n for row in rows if (row.judge, row.judge_label) == (row.human, row.human_label))
            best = (name, None if too_fine else same, n)
    return best


def _probed_at(call: Call, experiment_id: str, scorer_name: str, first: store.FirstScore | None) -> datetime | None:
    experiment = experiments.get(call.db, experiment_id)
    if experiment is None or first is None or first.config_hash is None:
        return None
    probe = store.newest_probe(call.db, experiment.project_id, scorer_name, first.config_hash)
    return None if probe is None else probe.created_at
