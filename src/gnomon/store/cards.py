"""What is stored about a judge: its scores with what they are about, its failed jobs, its probes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.job import JobStatus
from gnomon.model.score import JsonObject, Source, TargetType
from gnomon.store.fetch import fetch_all, fetch_first, fetch_one
from gnomon.store.rows import JudgeCardRow
from gnomon.store.schema import (
    experiments,
    is_any_of,
    iterations,
    jobs,
    judge_cards,
    runs,
    scores,
    scoring_states,
    spans,
    traces,
)
from gnomon.store.scores import ITEM, WITH_ITERATIONS

# Written out, not bound: SQLite uses a partial index only where the statement itself says its condition.
_BY_JUDGE = scores.c.source == sa.literal_column("'judge'")
_BY_PEOPLE = scores.c.source == sa.literal_column("'human'")


class JudgeInUse(NamedTuple):
    """One configuration of a judge, and how many scores it has."""

    scorer_name: str
    config_hash: str
    scores: int
    last_used: datetime


class ScoreCount(NamedTuple):
    """How many scores, and when the first and the last of them were made."""

    scores: int
    first_used: datetime | None
    last_used: datetime | None


class JudgeScore(NamedTuple):
    """What a score says of who made it."""

    scorer: str | None
    config_hash: str | None
    config: JsonObject | None
    metadata: JsonObject | None


class FirstScore(NamedTuple):
    source: Source
    config_hash: str | None
    config: JsonObject | None
    metadata: JsonObject | None


class JudgedScore(NamedTuple):
    """A score, with the length of the output it is about and the model that made the output."""

    target_type: TargetType
    target_id: str
    trace_id: str | None
    experiment_id: str | None
    item: str
    value: float | None
    label: str | None
    metadata: JsonObject | None
    length: int | None
    judged_model: str | None

    @property
    def rating(self) -> float | str:
        """The number or the label. The database refuses a score that has neither."""
        return self.value if self.value is not None else self.label or ""


class JudgedTarget(NamedTuple):
    target_type: TargetType
    target_id: str
    trace_id: str | None
    config: JsonObject | None
    item: str


class FailureCount(NamedTuple):
    """Why so many jobs failed, and whether there was an answer to read."""

    reason: str | None
    read: bool
    n: int


class JudgeWork(NamedTuple):
    """The number of jobs of a judge's configuration that ended alike, their cost, and for how many it is known."""

    scorer_name: str
    config_hash: str | None
    status: JobStatus
    reason: str | None
    read: bool
    n: int
    priced: int
    cost_usd: float | None


class RatingPair(NamedTuple):
    """How often one rating of the judge met one of people's."""

    judge: float | None
    judge_label: str | None
    human: float | None
    human_label: str | None
    n: int


def judges(db: Connection, project_id: str, scorer_name: str | None = None) -> list[JudgeInUse]:
    last = sa.func.max(sa.type_coerce(scores.c.created_at, sa.BigInteger))
    query = (
        sa.select(
            scores.c.scorer_name, scores.c.config_hash, sa.func.count().label("scores"),
            sa.type_coerce(last, scores.c.created_at.type).label("last_used"),
        )
        .where(scores.c.project_id == project_id, _BY_JUDGE)
        .group_by(scores.c.scorer_name, scores.c.config_hash)
    )  # fmt: skip
    if scorer_name is not None:
        query = query.where(scores.c.scorer_name == scorer_name)
    return fetch_all(db, JudgeInUse, query)


def people(db: Connection, project_id: str) -> list[str]:
    """Names of the scorers that people's scores have."""
    query = sa.select(scores.c.scorer_name).where(scores.c.project_id == project_id, _BY_PEOPLE).distinct()
    return sorted(db.execute(query).scalars())


def counted(db: Connection, project_id: str, scorer_name: str, config_hash: str | None) -> ScoreCount:
    created_ms = sa.type_coerce(scores.c.created_at, sa.BigInteger)
    moment = scores.c.created_at.type
    query = sa.select(
        sa.func.count().label("scores"), sa.type_coerce(sa.func.min(created_ms), moment).label("first_used"),
        sa.type_coerce(sa.func.max(created_ms), moment).label("last_used"),
    ).where(*_of(project_id, scorer_name, config_hash))  # fmt: skip
    return fetch_one(db, ScoreCount, query)


def any_score(db: Connection, project_id: str, scorer_name: str, config_hash: str | None) -> JudgeScore | None:
    """One score; all of a configuration have the same model in them."""
    query = sa.select(scores.c.scorer, scores.c.config_hash, scores.c.config, scores.c.metadata).where(
        *_of(project_id, scorer_name, config_hash)
    )
    return fetch_first(db, JudgeScore, query.limit(1))


def newest(db: Connection, project_id: str, scorer_name: str, config_hash: str | None, most: int) -> list[JudgedScore]:
    """The newest scores, with what they are about.

    The length is that of the stored JSON, without the quotes of a string: near enough for a slope on its
    logarithm, and no output has to be read.
    """
    output = sa.func.coalesce(sa.type_coerce(runs.c.output, sa.Text), sa.type_coerce(spans.c.output, sa.Text))
    quotes = sa.case((sa.func.substr(output, 1, 1) == '"', 2), else_=0)
    run = sa.and_(runs.c.id == scores.c.target_id, scores.c.target_type == "run")
    span = sa.and_(
        spans.c.id == scores.c.target_id, scores.c.target_type == "span", spans.c.project_id == scores.c.project_id,
        spans.c.trace_id == scores.c.trace_id,
    )  # fmt: skip
    trace = sa.and_(
        traces.c.id == sa.func.coalesce(scores.c.trace_id, runs.c.trace_id), traces.c.project_id == scores.c.project_id
    )
    query = (
        sa.select(
            scores.c.target_type, scores.c.target_id, scores.c.trace_id, scores.c.experiment_id,
            ITEM.label("item"), scores.c.value, scores.c.label,
            scores.c.metadata, (sa.func.length(output) - quotes).label("length"),
            sa.func.coalesce(spans.c.model, traces.c.model, iterations.c.model).label("judged_model"),
        )
        .select_from(WITH_ITERATIONS.outerjoin(runs, run).outerjoin(spans, span).outerjoin(traces, trace))
        .where(*_of(project_id, scorer_name, config_hash))
        .order_by(scores.c.id.desc())
        .limit(most)
    )  # fmt: skip
    return fetch_all(db, JudgedScore, query)


def targets(db: Connection, project_id: str, scorer_name: str, config_hash: str, most: int) -> list[JudgedTarget]:
    """What the judge has scored, the newest first."""
    about = (scores.c.target_type, scores.c.target_id, scores.c.trace_id, scores.c.config, ITEM.label("item"))
    query = sa.select(*about).select_from(WITH_ITERATIONS)
    query = query.where(*_of(project_id, scorer_name, config_hash)).order_by(scores.c.id.desc()).limit(most)
    return fetch_all(db, JudgedTarget, query)


def experiment_metadata(db: Connection, ids: Sequence[str]) -> dict[str, JsonObject | None]:
    query = sa.select(experiments.c.id, experiments.c.metadata).where(is_any_of(db, experiments.c.id, ids))
    return {row.id: row.metadata for row in db.execute(query)}


def failures(db: Connection, project_id: str, scorer_name: str, config_hash: str | None) -> list[FailureCount]:
    """Why jobs of this judge failed."""
    return _failures(db, scorer_name, jobs.c.project_id == project_id, jobs.c.config_hash == config_hash)


def judge_work(db: Connection, project_id: str) -> list[JudgeWork]:
    """The results of a project's judge jobs."""
    failed = jobs.c.status == "failed"
    reason = sa.case((failed, jobs.c.reason)).label("reason")
    read = sa.and_(failed, jobs.c.evidence.is_not(None)).label("read")
    query = sa.select(
        jobs.c.scorer_name, jobs.c.config_hash, jobs.c.status, reason, read, sa.func.count().label("n"),
        sa.func.count(jobs.c.cost_usd).label("priced"), sa.func.sum(jobs.c.cost_usd).label("cost_usd"),
    ).where(jobs.c.project_id == project_id, jobs.c.kind == "judge")  # fmt: skip
    return fetch_all(db, JudgeWork, query.group_by(jobs.c.scorer_name, jobs.c.config_hash, jobs.c.status, reason, read))


def failures_of_experiment(db: Connection, experiment_id: str, scorer_name: str) -> list[FailureCount]:
    return _failures(db, scorer_name, jobs.c.experiment_id == experiment_id)


def _failures(db: Connection, scorer_name: str, *where: sa.ColumnElement[bool]) -> list[FailureCount]:
    read = jobs.c.evidence.is_not(None)
    query = (
        sa.select(jobs.c.reason, read.label("read"), sa.func.count().label("n"))
        .where(*where, jobs.c.status == "failed", jobs.c.kind == "judge", jobs.c.scorer_name == scorer_name)
        .group_by(jobs.c.reason, read)
    )
    return fetch_all(db, FailureCount, query)


# --- in one experiment: by its index only -----


def first_of_experiment(db: Connection, experiment_id: str, scorer_name: str) -> FirstScore | None:
    query = sa.select(scores.c.source, scores.c.config_hash, scores.c.config, scores.c.metadata).where(
        scores.c.experiment_id == experiment_id, scores.c.scorer_name == scorer_name
    )
    return fetch_first(db, FirstScore, query.limit(1))


def asked_in_experiment(db: Connection, experiment_id: str, scorer_name: str) -> str | None:
    """The scorer of a job that is to say why something has no score of this name: another one for a part's score."""
    query = (
        sa.select(jobs.c.scorer_name)
        .join(scoring_states, scoring_states.c.job_id == jobs.c.id)
        .where(scoring_states.c.experiment_id == experiment_id, scoring_states.c.scorer_name == scorer_name)
        .where(jobs.c.kind == "judge")
    )
    return db.execute(query.limit(1)).scalar()


def count_in_experiment(db: Connection, experiment_id: str, scorer_name: str) -> int:
    query = sa.select(sa.func.count()).where(
        scores.c.experiment_id == experiment_id, scores.c.scorer_name == scorer_name
    )
    return int(db.execute(query).scalar_one())


def pairs_in_experiment(db: Connection, experiment_id: str, judge: str, human: str) -> list[RatingPair]:
    """How often which rating of the judge met which of people's on one run."""
    by_judge, by_human = scores.alias("ours"), scores.alias("theirs")
    same_run = sa.and_(
        by_human.c.experiment_id == by_judge.c.experiment_id, by_human.c.scorer_name == human,
        by_human.c.dataset_item_id == by_judge.c.dataset_item_id, by_human.c.target_id == by_judge.c.target_id,
    )  # fmt: skip
    columns = (by_judge.c.value.label("judge"), by_judge.c.label.label("judge_label"), by_human.c.value.label("human"),
               by_human.c.label.label("human_label"))  # fmt: skip
    query = (
        sa.select(*columns, sa.func.count().label("n"))
        .select_from(by_judge.join(by_human, same_run))
        .where(by_judge.c.experiment_id == experiment_id, by_judge.c.scorer_name == judge)
        .group_by(*columns)
    )
    return fetch_all(db, RatingPair, query)


# --- probes -----


def add_probe(db: Connection, row: JudgeCardRow) -> None:
    db.execute(sa.insert(judge_cards).values(row._asdict()))


def newest_probe(db: Connection, project_id: str, scorer_name: str, config_hash: str) -> JudgeCardRow | None:
    query = sa.select(judge_cards).where(
        judge_cards.c.project_id == project_id, judge_cards.c.scorer_name == scorer_name,
        judge_cards.c.config_hash == config_hash,
    )  # fmt: skip
    return fetch_first(db, JudgeCardRow, query.order_by(judge_cards.c.id.desc()).limit(1))


def _of(project_id: str, scorer_name: str, config_hash: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    """The scores of one configuration; those that were sent have none."""
    of_config = scores.c.config_hash.is_(None) if config_hash is None else scores.c.config_hash == config_hash
    made_here = () if config_hash is None else (_BY_JUDGE,)
    return (scores.c.project_id == project_id, scores.c.scorer_name == scorer_name, of_config, *made_here)
