"""Outcome scores of iterations that were pushed: kept, listed, and said together by session and by role.

Scores are made where the repository is; here they are only checked for contradictions and kept. A push is an upsert:
the same iteration by the same rubric version is brought up to date. Numbers of two rubric versions are never mixed.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from gnomon.errors import Conflict, GnomonError, Problem, Refused
from gnomon.model.outcome import (
    BAND_PROVISIONAL,
    BAND_UNSCORED,
    DEFAULT_PROFILE,
    Honesty,
    IntegrityObservation,
    Iteration,
    IterationBatchDraft,
    IterationDraft,
    IterationsAccepted,
    OutcomeSession,
    SessionIteration,
    SignalContribution,
    why_provisional,
)
from gnomon.outcome import integrity
from gnomon.outcome.rubric import SHIPPED, load_rubric, profile_of_version
from gnomon.service.call import Call, Listing, listing, project_for_writing, project_in_scope, visible
from gnomon.service.outcome import groups, iterationscores
from gnomon.shorten import count_more
from gnomon.stats.describe import SAME, round_shown
from gnomon.stats.interval import interval_over
from gnomon.store import iterations as store
from gnomon.store.iterations import ALL, Filter, IterationInBrief
from gnomon.store.pages import Slice
from gnomon.store.rows import IterationRow

NOT_SCORED = "no iteration of it was scored"
NOT_FIRM = "all of its scores are provisional"
ONE_SCORED = "only one iteration of it was scored; a spread needs two"
DRAWN = 300
"""Iterations on the trend page, the newest."""
SESSIONS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Trend:
    """What the trend page shows: one source by one rubric version. `notes` say what is left out."""

    iterations: list[Iteration]
    sessions: list[OutcomeSession]
    honesty: Honesty
    notes: list[str]


def push(call: Call, batch: IterationBatchDraft) -> IterationsAccepted:
    """Keep these iterations, all of them or none."""
    problems = list(_contradictions(batch.iterations))
    if problems:
        raise _refusal(problems)
    project_id = project_for_writing(call, batch.project_id)
    # Sorted, so that ids grow with the numbers whatever the order they came in.
    drafts = sorted(batch.iterations, key=lambda draft: (draft.iteration, draft.rubric_version))
    now, ids = call.clock.now(), call.clock.new_ids(len(drafts))
    rows = [_row(id, project_id, batch, sent, now) for id, sent in zip(ids, drafts, strict=True)]
    stored = store.put(call.db, rows)
    iterationscores.replace(call, stored)
    created = sum(new.id == kept.id for new, kept in zip(rows, stored, strict=True))
    return IterationsAccepted(accepted=len(drafts), created=created, updated=len(drafts) - created)


def get(call: Call, id: str) -> Iteration:
    return _noun(visible(call.principal, store.get(call.db, id), f"iteration {id!r}"))


def all_of(call: Call, project_id: str | None, only: Filter, wanted: Slice) -> Listing[Iteration]:
    rows = store.page(call.db, project_in_scope(call.principal, project_id), only, wanted)
    return listing(rows, wanted, _noun, lambda row: (row.iteration, row.id))


def sessions(call: Call, project_id: str | None, only: Filter, wanted: Slice) -> Listing[OutcomeSession]:
    """One for each source, session and rubric version. Iterations that name no session are in none."""
    project_id = project_in_scope(call.principal, project_id)
    rows = store.sessions(call.db, project_id, only, wanted)
    members: dict[tuple[str, str, str], list[IterationInBrief]] = {}
    for row in store.in_sessions(call.db, project_id, only, {row.session_id for row in rows}):
        members.setdefault((row.source, row.session_id, row.rubric_version), []).append(row)
    return listing(
        rows,
        wanted,
        lambda row: session_noun(members[row.source, row.session_id, row.rubric_version]),
        lambda row: (row.first_id,),
    )


def honesty(call: Call, project_id: str | None, only: Filter = ALL) -> Honesty:
    """Claims against facts by role and signal, under one rubric version: see `groups.of_one_rubric`."""
    project_id = project_in_scope(call.principal, project_id)
    only, versions = groups.of_one_rubric(call, project_id, only)
    observed = store.integrity(call.db, project_id, only)
    result = integrity.honesty(
        ([IntegrityObservation(**observation) for observation in observations] for observations in observed),
        only.rubric_version,
    )
    return result.model_copy(update={"rubric_versions": versions})


def trend(call: Call, project_id: str | None, source: str | None, rubric_version: str | None) -> Trend:
    """One source by one rubric version: those that are asked for, else those last stored."""
    project_id = project_in_scope(call.principal, project_id)
    kinds = store.stored(call.db, project_id, Filter(source, rubric_version))
    if not kinds:
        requested = {"source": source, "rubric version": rubric_version}
        missing = [f"{name} {value!r}" for name, value in requested.items() if value is not None]
        notes = [f"nothing is stored under {' and '.join(missing)}"] if missing else []
        return Trend([], [], integrity.honesty([]), notes)
    only = Filter(kinds[0].source, kinds[0].rubric_version)
    newest = all_of(call, project_id, only, Slice(DRAWN)).items
    listed = sessions(call, project_id, only, Slice(SESSIONS_SHOWN))
    notes = list(_left_out(call, project_id, only, listed))
    return Trend(newest[::-1], listed.items, honesty(call, project_id, only), notes)


# --- what is refused -----


def _contradictions(drafts: Sequence[IterationDraft]) -> Iterator[Problem]:
    seen: dict[tuple[int, str], int] = {}
    for index, draft in enumerate(drafts):
        first = seen.setdefault((draft.iteration, draft.rubric_version), index)
        if first != index:
            repeated = f"iteration {draft.iteration} by rubric {draft.rubric_version!r} is in this batch twice"
            yield Problem(
                "iteration", "DUPLICATE_ITERATION", f"{repeated}, first at index {first}; send it once", index
            )
        for name, message in _contradictions_in(draft):
            yield Problem(name, "INVALID_ITERATION", message, index)


def _contradictions_in(draft: IterationDraft) -> Iterator[tuple[str, str]]:
    """Pairs of field and sentence."""
    present = [row for row in draft.breakdown if row.present]
    total = math.fsum(row.contribution for row in present)
    if draft.scored and draft.value is None:
        yield "value", "scored is true but value is missing; send the value, or scored: false"
    elif not draft.scored and draft.value is not None:
        yield "value", f"scored is false but value is {draft.value}; leave the value out, or send scored: true"
    elif draft.value is not None and abs(total - draft.value) > SAME:
        sums = f"the present signals' contributions add up to {total:.12g}, not to the value {draft.value:.12g}"
        yield "value", f"{sums}; send the score as it was computed"
    if draft.scored and not present:
        yield "breakdown", "scored is true but no signal is present; send the present ones, or scored: false"
    elif not draft.scored and present:
        yield "breakdown", f"scored is false but signal {present[0].signal!r} is present; score it, or send it absent"
    signals = Counter(row.signal for row in draft.breakdown)
    for signal, times in signals.items():
        if times > 1:
            yield "breakdown", f"signal {signal!r} is in the breakdown {times} times; send one row per signal"
        if len(signal) > iterationscores.LONGEST_SIGNAL:
            words = f"signal {signal[:20]!r}… has a name of {len(signal)} characters"
            yield "breakdown", f"{words}; {iterationscores.LONGEST_SIGNAL} are the most"
    claims = [(observation.role, observation.signal) for observation in draft.integrity]
    for role, signal in sorted({claim for claim in claims if claims.count(claim) > 1}):
        yield "integrity", f"role {role!r} is held against signal {signal!r} more than once; send one pair"


def _refusal(problems: Sequence[Problem]) -> GnomonError:
    """The answer's code is that of the lowest index."""
    first = problems[0]
    family = Conflict if first.code == "DUPLICATE_ITERATION" else Refused
    message = count_more(f"iterations[{first.index}].{first.field}: {first.message}", len(problems))
    return family(message, code=first.code, problems=problems)


# --- what is shown -----


def session_noun(rows: Sequence[IterationInBrief]) -> OutcomeSession:
    apart = profile_of_version(rows[0].rubric_version) == DEFAULT_PROFILE
    scored = [row for row in rows if row.value is not None]
    values = [_within(row.value) for row in scored if not (apart and row.provisional)]
    little = [_within(row.value) for row in scored if apart and row.provisional]
    if len(values) < 2:
        none_firm = NOT_FIRM if little else NOT_SCORED
        sure = integrity.no_interval(ONE_SCORED if values else none_firm)
    else:
        sure = integrity.with_interval(interval_over([[value] for value in values]))
    mean = math.fsum(values) / len(values) if values else None
    band = BAND_PROVISIONAL if little and not values else _band(rows[0].rubric_version, mean)
    return OutcomeSession(
        source=rows[0].source, session_id=rows[0].session_id, rubric_version=rows[0].rubric_version,
        iterations=[row.iteration for row in rows], n_scored=len(scored),
        n_provisional=sum(row.provisional for row in scored), value=round_shown(mean),
        provisional_value=round_shown(math.fsum(little) / len(little)) if little else None, **sure, band=band,
        per_iteration=[
            SessionIteration(
                iteration=row.iteration, value=row.value, band=row.band, coverage=round_shown(row.coverage),
                provisional=bool(row.provisional),
            )
            for row in rows
        ],
    )  # fmt: skip


def _within(value: float | None) -> float:
    """A sum of weights may end an ulp above 1, where no interval can follow."""
    return min(1.0, value or 0.0)


def _band(rubric_version: str, value: float | None) -> str | None:
    """What the rubric calls the value. A rubric that is not ours was never sent, only its version."""
    if value is None:
        return BAND_UNSCORED
    plain_version = rubric_version.partition("+")[0]
    return load_rubric(plain_version).band(value) if plain_version in SHIPPED else None


def _left_out(call: Call, project_id: str, shown: Filter, listed: Listing[OutcomeSession]) -> Iterator[str]:
    count = store.count(call.db, project_id, shown)
    if count > DRAWN:
        yield f"the newest {DRAWN} of {count:,} iterations are drawn; sessions and honesty are over all of them"
    if listed.next_key is not None:
        yield f"the newest {SESSIONS_SHOWN} sessions are listed; GET /v1/sessions has all of them"
    kinds = store.stored(call.db, project_id)
    versions = {row.rubric_version for row in kinds if row.source == shown.source} - {shown.rubric_version}
    yield from _also("rubric version", "rubric_version", versions)
    yield from _also("source", "source", {row.source for row in kinds} - {shown.source})


def _also(noun: str, parameter: str, others: Iterable[str | None]) -> Iterator[str]:
    names = sorted(name for name in others if name is not None)
    if names:
        yield f"there is more under another {noun} ({', '.join(names)}); name it with the parameter {parameter}"


def _row(id: str, project_id: str, batch: IterationBatchDraft, draft: IterationDraft, now: datetime) -> IterationRow:
    coverage = sum(row.nominal_weight for row in draft.breakdown if row.present)
    return IterationRow(
        id=id, project_id=project_id, source=batch.source, iteration=draft.iteration,
        rubric_version=draft.rubric_version, profile=draft.profile, value=draft.value, band=draft.band,
        coverage=coverage,
        provisional=int(why_provisional(draft.breakdown, draft.rubric_version) is not None),
        session_id=draft.session_id or None, date=draft.date,
        task_id=draft.task_id, commit_id=draft.commit, created_at=now, updated_at=now,
        integrity=[pair.model_dump() for pair in draft.integrity],
        objectives={name: signal.model_dump() for name, signal in draft.objectives.items()},
        breakdown=[row.model_dump() for row in draft.breakdown],
        agent=draft.agent or None, model=draft.model or None, labels=sorted(set(draft.labels)) or None,
        rules_files=None if draft.rules_files is None else sorted(set(draft.rules_files)),
        repository_url=batch.repository_url,
    )  # fmt: skip


def reason_provisional(row: IterationRow) -> str | None:
    """Why a stored score is not a verdict yet; None when it is one."""
    if not row.provisional:
        return None
    return why_provisional([SignalContribution(**signal) for signal in row.breakdown], row.rubric_version)


def _noun(row: IterationRow) -> Iteration:
    return Iteration(
        id=row.id, project_id=row.project_id, source=row.source, repository_url=row.repository_url,
        iteration=row.iteration, rubric_version=row.rubric_version, profile=row.profile,
        scored=row.value is not None, value=row.value,
        band=row.band, coverage=round_shown(row.coverage), provisional=bool(row.provisional),
        why_provisional=reason_provisional(row), breakdown=row.breakdown,
        integrity=row.integrity, objectives=row.objectives, session_id=row.session_id, date=row.date,
        task_id=row.task_id, commit=row.commit_id, agent=row.agent, model=row.model, labels=row.labels or [],
        rules_files=row.rules_files, created_at=row.created_at, updated_at=row.updated_at,
    )  # fmt: skip
