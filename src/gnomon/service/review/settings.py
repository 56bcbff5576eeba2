"""How a project reviews: its label set, how many reviews a card needs, and whether reviewers see each other's."""

from gnomon.model.review import (
    DEFAULT_LABELS,
    HUMAN_LABEL,
    LabelOfSet,
    ReviewLabel,
    ReviewSettings,
    ReviewSettingsDraft,
)
from gnomon.service.access import projects
from gnomon.service.call import Call, just_written
from gnomon.store import reviewcards as store
from gnomon.store.engine import Transaction
from gnomon.store.rows import ReviewSettingsRow


def get(call: Call, project_id: str) -> ReviewSettings:
    projects.get(call, project_id)
    return of_project(call.db, project_id)


def put(call: Call, project_id: str, draft: ReviewSettingsDraft) -> ReviewSettings:
    """Set all of them: what the draft leaves out gets its default. Scores that are stored already stay."""
    projects.get(call, project_id)
    wanted = draft.reviews_wanted or 1
    row = ReviewSettingsRow(
        project_id=project_id,
        labels=[label.model_dump() for label in draft.labels or DEFAULT_LABELS],
        scorer_name=draft.scorer_name or HUMAN_LABEL,
        free_labels=int(draft.free_labels is not False),
        reviews_wanted=wanted,
        blind=int(wanted > 1 if draft.blind is None else draft.blind),
        updated_at=call.clock.now(),
    )
    store.put_settings(call.db, row)
    return _noun(just_written(store.get_settings(call.db, project_id)))


def of_project(db: Transaction, project_id: str) -> ReviewSettings:
    row = store.get_settings(db, project_id)
    if row is not None:
        return _noun(row)
    return ReviewSettings(
        labels=[_label(label) for label in DEFAULT_LABELS], scorer_name=HUMAN_LABEL, free_labels=True,
        reviews_wanted=1, blind=False, updated_at=None,
    )  # fmt: skip


def _label(label: ReviewLabel) -> LabelOfSet:
    return LabelOfSet(label=label.label, value=label.value, hint=label.hint)


def _noun(row: ReviewSettingsRow) -> ReviewSettings:
    return ReviewSettings(
        labels=[LabelOfSet(**label) for label in row.labels], scorer_name=row.scorer_name,
        free_labels=bool(row.free_labels), reviews_wanted=row.reviews_wanted, blind=bool(row.blind),
        updated_at=row.updated_at,
    )  # fmt: skip
