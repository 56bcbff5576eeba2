"""The tables as queries see them. Their history is in `migrations`; a test compares the two."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.types import TypeDecorator

from gnomon.model import jsonvalue, moment

metadata = sa.MetaData()

_ROWS_TOGETHER = 32  # measured: with fewer or many more rows per statement each row takes longer


class Json(TypeDecorator[Any]):
    """Any JSON value, kept as text. SQL NULL and JSON null are both stored as NULL."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> str | None:
        return None if value is None else jsonvalue.dump(value)

    def process_result_value(self, value: Any, dialect: Any) -> Any:
        return None if value is None else msgspec.json.decode(value)


class Moment(TypeDecorator[Any]):
    """A point in time, kept as milliseconds since 1970."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> int | None:
        return None if value is None else moment.to_ms(value)

    def process_result_value(self, value: Any, dialect: Any) -> Any:
        return None if value is None else moment.from_ms(value)


class WordList(TypeDecorator[Any]):
    """Words with blanks between them: a `tsvector` on PostgreSQL."""

    impl = sa.Text
    cache_ok = True


def _table(table: str, /, **columns: Any) -> sa.Table:
    return sa.Table(table, metadata, *(sa.Column(column, kind) for column, kind in columns.items()))


_text, _count, _real, _bytes = sa.Text, sa.BigInteger, sa.Double, sa.LargeBinary

settings = _table("settings", name=_text, value=_text)
projects = _table("projects", id=_text, name=_text, created_at=Moment)
api_keys = _table(
    "api_keys",
    id=_text, name=_text, role=_text, project_id=_text, secret_hash=_text, created_at=Moment, expires_at=Moment,
)  # fmt: skip
web_sessions = _table("web_sessions", token_hash=_text, id=_text, key_id=_text, created_at=Moment, expires_at=Moment)
login_codes = _table("login_codes", code_hash=_text, key_id=_text, expires_at=Moment)
shares = _table(
    "shares",
    id=_text, project_id=_text, kind=_text, object_ids=Json, path=_text, token_hash=_text, created_at=Moment,
    expires_at=Moment,
)  # fmt: skip
traces = _table(
    "traces",
    id=_text, project_id=_text, root_span_id=_text, span_count=_count, error_count=_count, tokens=_count,
    model=_text, root_duration_ms=_real, annotation_count=_count, queued_at=Moment, created_at=Moment,
    started_at=Moment, started_ns=_count, updated_at=Moment, root_start=_count, model_start=_count,
    conversation_id=_text, conversation_rank=_count, cost_usd=_real, unpriced=_count,
)  # fmt: skip
spans = _table(
    "spans",
    project_id=_text, trace_id=_text, id=_text, parent_span_id=_text, name=_text, input=Json, output=Json,
    start_time=Moment, end_time=Moment, duration_ms=_real, tokens_input=_count, tokens_output=_count, model=_text,
    metadata=Json, error=Json, operation=_text, cost_usd=_real, source_id=_text, otlp=_bytes, start_ns=_count,
)  # fmt: skip
span_ids = _table("span_ids", id=_text, project_id=_text, trace_id=_text)
span_sources = _table("span_sources", project_id=_text, id=_text, body=_bytes)
span_logs = _table(
    "span_logs",
    project_id=_text, trace_id=_text, span_id=_text, id=_text, record=_bytes, source_id=_text, created_at=Moment,
)  # fmt: skip
trace_values = _table("trace_values", project_id=_text, key=_text, value=_text, created_at=Moment, trace_id=_text)
trace_texts = _table(
    "trace_texts", doc=_count, project_id=_text, created_at=_count, trace_id=_text, span_id=_text, words=WordList
)
pending_texts = _table("pending_texts", project_id=_text, created_at=_count, trace_id=_text, span_id=_text)
text_search = _table("text_search", project_id=_text, enabled=_count, ready=_count, job_id=_text)
indexed_keys = _table("indexed_keys", project_id=_text, key=_text, ready=_count, created_at=Moment)
conversations = _table("conversations", project_id=_text, id=_text, created_at=Moment, updated_at=Moment)
quiet_targets = _table("quiet_targets", rule_id=_text, target_id=_text, project_id=_text, due_at=Moment)
datasets = _table(
    "datasets",
    id=_text, project_id=_text, name=_text, description=_text, version=_count, item_count=_count,
    created_at=Moment, updated_at=Moment,
)  # fmt: skip
dataset_items = _table(
    "dataset_items",
    id=_text, dataset_id=_text, input=Json, expected_output=Json, metadata=Json, added_version=_count,
    removed_version=_count, created_at=Moment, key=_text,
)  # fmt: skip
dataset_versions = _table(
    "dataset_versions",
    dataset_id=_text, version=_count, created_at=Moment, item_count=_count, added=_count, removed=_count,
    changed=_count,
)  # fmt: skip
experiments = _table(
    "experiments",
    id=_text, project_id=_text, name=_text, dataset_id=_text, dataset_version=_count, trials=_count,
    auto_complete=_count, status=_text, metadata=Json, run_count=_count, failed_run_count=_count,
    pinned_run_count=_count, expected_run_count=_count, repeated_scorers=Json, threshold_result=Json,
    created_at=Moment, completed_at=Moment, stopping=Json, metrics=Json, holder=_text, held_until=Moment,
)  # fmt: skip
threshold_results = _table("threshold_results", id=_text, experiment_id=_text, result=Json, created_at=Moment)
runs = _table(
    "runs",
    id=_text, project_id=_text, experiment_id=_text, dataset_item_id=_text, trial=_count, output=Json, error=Json,
    trace_id=_text, created_at=Moment, attempts=_count,
)  # fmt: skip
scores = _table(
    "scores",
    id=_text, project_id=_text, target_type=_text, target_id=_text, trace_id=_text, experiment_id=_text,
    dataset_item_id=_text, scorer_name=_text, value=_real, label=_text, rationale=_text, source=_text, scorer=_text,
    config=Json, config_hash=_text, metadata=Json, created_at=Moment, author=_text,
)  # fmt: skip
scoring_states = _table(
    "scoring_states",
    target_id=_text, target_type=_text, trace_id=_text, scorer_name=_text, config_hash=_text, project_id=_text,
    experiment_id=_text, state=_text, reason=_text, job_id=_text, updated_at=Moment,
)  # fmt: skip
annotations = _table(
    "annotations",
    id=_text, project_id=_text, trace_id=_text, run_id=_text, span_id=_text, annotator=_text, label=_text,
    correction=Json, notes=_text, created_at=Moment, updated_at=Moment, scores=Json, score_target_id=_text,
)  # fmt: skip
review_cards = _table(
    "review_cards",
    project_id=_text, target_type=_text, target_id=_text, experiment_id=_text, queued_at=Moment, reason=_text,
    annotation_count=_count, reviewer_count=_count, claimed_by=_text, claimed_until=Moment,
)  # fmt: skip
review_settings = _table(
    "review_settings",
    project_id=_text, labels=Json, scorer_name=_text, free_labels=_count, reviews_wanted=_count, blind=_count,
    updated_at=Moment,
)  # fmt: skip
jobs = _table(
    "jobs",
    id=_text, project_id=_text, kind=_text, status=_text, payload=Json, experiment_id=_text, score_id=_text,
    reason=_text, attempts=_count, total=_count, counts=Json, position=_text, due_at=Moment, lease_owner=_text,
    lease_until=Moment, created_at=Moment, updated_at=Moment, parent_id=_text, model=_text, target_type=_text,
    target_id=_text, trace_id=_text, scorer_name=_text, config_hash=_text, evidence=_text, cost_usd=_real,
    patient_until=Moment,
)  # fmt: skip
model_answers = _table(
    "model_answers",
    cache_key=_text, project_id=_text, model=_text, answer=_text, tokens_input=_count, tokens_output=_count,
    cost_usd=_real, created_at=Moment,
)  # fmt: skip
model_limits = _table(
    "model_limits",
    model=_text, per_second=_real, permits=_real, failures=_count, open_until=Moment, updated_at=Moment,
)  # fmt: skip
budgets = _table("budgets", project_id=_text, usd_per_day=_real, tokens_per_day=_count, updated_at=Moment)
model_prices = _table(
    "model_prices",
    project_id=_text, model=_text, input_usd_per_million=_real, output_usd_per_million=_real,
    cached_input_usd_per_million=_real, updated_at=Moment, since=_text,
)  # fmt: skip
spending = _table("spending", project_id=_text, day=_text, model=_text, calls=_count, tokens=_count, usd=_real)
scoring_rules = _table(
    "scoring_rules",
    id=_text, project_id=_text, name=_text, span_filter=Json, scorer=Json, sampling_rate=_real, enabled=_count,
    created_at=Moment, updated_at=Moment, target=_text,
)  # fmt: skip
judge_cards = _table(
    "judge_cards", id=_text, project_id=_text, scorer_name=_text, config_hash=_text, card=Json, created_at=Moment
)
iterations = _table(
    "iterations",
    id=_text, project_id=_text, source=_text, iteration=_count, rubric_version=_text, profile=_text, value=_real,
    band=_text, coverage=_real, provisional=_count, session_id=_text, date=_text, task_id=_text, commit_id=_text,
    created_at=Moment, updated_at=Moment, integrity=Json, objectives=Json, breakdown=Json,
    agent=_text, model=_text, labels=Json, rules_files=Json, repository_url=_text,
)  # fmt: skip
score_days = _table(
    "score_days",
    project_id=_text, scorer_name=_text, config_hash=_text, model=_text, day=_count, n=_count, total=_real,
    squares=_real, lowest=_real, highest=_real,
)  # fmt: skip
retention = _table("retention", project_id=_text, days=_count, keep_scored=_count, due_at=Moment, position=_text)
change_counts = _table("change_counts", project_id=_text, kind=_text, slot=_count, changes=_count)
removals = _table("removals", kind=_text, id=_text, project_id=_text, created_at=Moment)
remembered_answers = _table(
    "remembered_answers",
    key_id=_text, path=_text, idempotency_key=_text, body_hash=_text, status=_count, answer=_text, created_at=Moment,
)  # fmt: skip


def insert_rows(
    connection: Connection, table: sa.Table, rows: Sequence[tuple[object, ...]], *, or_ignore: bool = False
) -> None:
    """Insert many rows at once. Values are as the database keeps them, in the table's column order.

    This is the fast lane of ingest: the drivers' own bulk calls, without a statement a row. With `or_ignore`, a row
    whose key is there already is left out.
    """
    if not rows:
        return
    names = ", ".join(column.name for column in table.columns)
    if connection.dialect.name == "postgresql" and not or_ignore:
        _copy(connection, f"COPY {table.name} ({names}) FROM STDIN", rows)
    else:
        on_conflict = " ON CONFLICT DO NOTHING" if or_ignore else ""
        insert_values(connection, f"INSERT INTO {table.name} ({names}) VALUES ", rows, on_conflict)


def insert_values(connection: Connection, into: str, rows: Sequence[tuple[object, ...]], on_conflict: str) -> None:
    """Insert many rows by a statement that begins and ends so, with their values in between."""
    if connection.dialect.name != "postgresql" and len(rows) >= _ROWS_TOGETHER:
        _insert_together(connection, into, rows, on_conflict)
        return
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    marks = ", ".join([mark] * len(rows[0]))
    connection.exec_driver_sql(f"{into}({marks}){on_conflict}", list(rows))


def _insert_together(connection: Connection, into: str, rows: Sequence[tuple[object, ...]], on_conflict: str) -> None:
    """Many rows a statement, and what all of them share (the project, the experiment, nulls) bound only once.

    Handing values over is most of what a small row costs in SQLite: this halves it.
    """
    cursor: Any = connection.connection.cursor()  # as SQLAlchemy would, without its look at every statement
    columns = list(zip(*rows, strict=True))
    shared = tuple(index for index, column in enumerate(columns) if _are_alike(column))
    own = [column for index, column in enumerate(columns) if index not in shared]
    if not own:  # rows that are all alike: let the table's keys refuse them
        own, shared = [columns[0]], shared[1:]
    values = list(chain.from_iterable(zip(*own, strict=True)))
    first = [columns[index][0] for index in shared]
    size = _ROWS_TOGETHER * len(own)
    for start in range(0, len(values), size):
        part = values[start : start + size]
        statement = into + _numbered_marks(len(columns), shared, len(part) // len(own)) + on_conflict
        try:
            cursor.execute(statement, (*first, *part))
        except Exception as fault:
            raise _as_sqlalchemy(connection, statement, fault) from fault


def _are_alike(values: tuple[object, ...]) -> bool:
    first = values[0]
    return first == values[-1] and values.count(first) == len(values)  # few columns need to be counted


@lru_cache(maxsize=256)
def _numbered_marks(columns: int, shared: tuple[int, ...], rows: int) -> str:
    """(?1, ?3, ?4), (?1, ?5, ?6), …: the first numbers are the shared values."""
    number = count(len(shared) + 1)
    bound = {index: f"?{1 + shared.index(index)}" for index in shared}
    tuples = (", ".join(bound.get(index) or f"?{next(number)}" for index in range(columns)) for _ in range(rows))
    return ", ".join(f"({marks})" for marks in tuples)


def _copy(connection: Connection, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    cursor: Any = connection.connection.cursor()
    try:
        with cursor, cursor.copy(statement) as lane:
            for row in rows:
                lane.write_row(row)
    except Exception as fault:
        raise _as_sqlalchemy(connection, statement, fault) from fault


def _as_sqlalchemy(connection: Connection, statement: str, fault: Exception) -> BaseException:
    driver = connection.dialect.loaded_dbapi
    if not isinstance(fault, driver.Error):
        return fault
    return sa.exc.DBAPIError.instance(statement, None, fault, driver.Error, dialect=connection.dialect)


def is_any_of(connection: Connection, column: sa.ColumnElement[Any], values: Iterable[str]) -> sa.ColumnElement[bool]:
    """`column IN values` with one parameter, however many values: no new statement for every length."""
    dialect = connection.dialect.name
    return _is_any_of(dialect, column, sa.bindparam(None, as_list(dialect, values), type_=_list_type(dialect)))


def is_any_given(dialect: str, column: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[bool]:
    """Like `is_any_of`, for a prepared statement: the values come by this name, as `as_list` makes them."""
    return _is_any_of(dialect, column, sa.bindparam(name, type_=_list_type(dialect)))


def as_list(dialect: str, values: Iterable[str]) -> list[str] | str:
    """Many values as one parameter."""
    return list(values) if dialect == "postgresql" else jsonvalue.dump(list(values))


def _is_any_of(dialect: str, column: sa.ColumnElement[Any], listed: sa.BindParameter[Any]) -> sa.ColumnElement[bool]:
    if dialect == "postgresql":
        return column == sa.any_(listed)
    return column.in_(sa.select(sa.func.json_each(listed).table_valued("value").c.value))


def _list_type(dialect: str) -> sa.types.TypeEngine[Any]:
    return sa.ARRAY(sa.Text) if dialect == "postgresql" else sa.Text()


def for_update(connection: Connection, statement: sa.Select[Any], *, skip_locked: bool = False) -> sa.Select[Any]:
    """Hold the rows until the end of the transaction. SQLite has one writer, which holds everything."""
    return statement.with_for_update(skip_locked=skip_locked) if connection.dialect.name == "postgresql" else statement
