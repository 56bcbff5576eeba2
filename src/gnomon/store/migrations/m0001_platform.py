"""Step 1: projects, keys, traces, datasets, experiments, scores, review, jobs.

Times are milliseconds since 1970. JSON is kept as text, exactly as it came: both databases
give it back alike.
"""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL);
CREATE INDEX projects_by_age ON projects (created_at, id);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, name TEXT, role TEXT NOT NULL, project_id TEXT,
    secret_hash TEXT NOT NULL UNIQUE, created_at BIGINT NOT NULL
);

CREATE TABLE traces (
    id TEXT NOT NULL, project_id TEXT NOT NULL, root_span_id TEXT, span_count BIGINT NOT NULL,
    error_count BIGINT NOT NULL, tokens BIGINT NOT NULL, model TEXT, root_duration_ms DOUBLE PRECISION,
    annotation_count BIGINT NOT NULL DEFAULT 0, queued_at BIGINT, created_at BIGINT NOT NULL,
    PRIMARY KEY (id, project_id)
);
CREATE INDEX traces_by_age ON traces (project_id, created_at, id);
CREATE INDEX traces_with_errors ON traces (project_id, created_at, id) WHERE error_count > 0;
CREATE INDEX traces_queued_by_age ON traces (project_id, created_at, id) WHERE queued_at IS NOT NULL;
CREATE INDEX traces_queued ON traces (project_id, queued_at, id) WHERE queued_at IS NOT NULL;
CREATE INDEX traces_pending ON traces (project_id, queued_at, id) WHERE queued_at IS NOT NULL AND annotation_count = 0;
CREATE INDEX traces_annotated ON traces (project_id, queued_at, id)
    WHERE queued_at IS NOT NULL AND annotation_count > 0;

CREATE TABLE spans (
    id TEXT NOT NULL, project_id TEXT NOT NULL, trace_id TEXT NOT NULL, parent_span_id TEXT, name TEXT NOT NULL,
    input TEXT, output TEXT, start_time BIGINT NOT NULL, end_time BIGINT, duration_ms DOUBLE PRECISION,
    tokens_input BIGINT, tokens_output BIGINT, model TEXT, metadata TEXT, error TEXT,
    PRIMARY KEY (id, project_id, trace_id)
);
CREATE INDEX spans_by_trace ON spans (trace_id, project_id, start_time, id);

CREATE TABLE datasets (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT, version BIGINT NOT NULL,
    item_count BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE INDEX datasets_by_age ON datasets (project_id, id);

CREATE TABLE dataset_items (
    id TEXT PRIMARY KEY, dataset_id TEXT NOT NULL, input TEXT NOT NULL, expected_output TEXT, metadata TEXT,
    added_version BIGINT NOT NULL, removed_version BIGINT, created_at BIGINT NOT NULL
);
CREATE INDEX dataset_items_by_age ON dataset_items (dataset_id, id);

CREATE TABLE experiments (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, dataset_id TEXT NOT NULL,
    dataset_version BIGINT NOT NULL, trials BIGINT NOT NULL, auto_complete BIGINT NOT NULL, status TEXT NOT NULL,
    metadata TEXT, run_count BIGINT NOT NULL, failed_run_count BIGINT NOT NULL, pinned_run_count BIGINT NOT NULL,
    expected_run_count BIGINT NOT NULL, repeated_scorers TEXT,
    threshold_result TEXT, created_at BIGINT NOT NULL, completed_at BIGINT
);
CREATE INDEX experiments_by_age ON experiments (project_id, id);
CREATE INDEX experiments_completed ON experiments (project_id, completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX experiments_by_dataset ON experiments (dataset_id);

CREATE TABLE runs (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, experiment_id TEXT NOT NULL, dataset_item_id TEXT NOT NULL,
    trial BIGINT NOT NULL, output TEXT, error TEXT, trace_id TEXT, created_at BIGINT NOT NULL,
    UNIQUE (experiment_id, dataset_item_id, trial)
);
CREATE INDEX runs_by_age ON runs (experiment_id, id);

CREATE TABLE scores (
    id TEXT NOT NULL, project_id TEXT NOT NULL, target_type TEXT NOT NULL, target_id TEXT NOT NULL,
    trace_id TEXT, experiment_id TEXT, dataset_item_id TEXT, scorer_name TEXT NOT NULL, value DOUBLE PRECISION,
    label TEXT, rationale TEXT, source TEXT NOT NULL, scorer TEXT, config TEXT, config_hash TEXT, metadata TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (target_id, id),
    CHECK ((value IS NULL) <> (label IS NULL)), CHECK (value IS NULL OR value BETWEEN 0 AND 1)
) /* SQLite: WITHOUT ROWID */;
CREATE INDEX scores_by_experiment ON scores (experiment_id, scorer_name, dataset_item_id, target_id, value)
    WHERE experiment_id IS NOT NULL;

CREATE TABLE scoring_states (
    target_id TEXT NOT NULL, target_type TEXT NOT NULL, trace_id TEXT NOT NULL DEFAULT '', scorer_name TEXT NOT NULL,
    config_hash TEXT NOT NULL DEFAULT '', project_id TEXT NOT NULL, experiment_id TEXT, state TEXT NOT NULL,
    reason TEXT, job_id TEXT, updated_at BIGINT NOT NULL,
    PRIMARY KEY (target_id, target_type, trace_id, project_id, scorer_name, config_hash)
);
CREATE INDEX scoring_states_by_experiment
    ON scoring_states (experiment_id, updated_at, target_id, scorer_name, config_hash) WHERE experiment_id IS NOT NULL;

CREATE TABLE annotations (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, trace_id TEXT NOT NULL, span_id TEXT, annotator TEXT NOT NULL,
    label TEXT, correction TEXT, notes TEXT, created_at BIGINT NOT NULL
);
CREATE INDEX annotations_by_trace ON annotations (trace_id, project_id, id);

CREATE TABLE jobs (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, payload TEXT NOT NULL,
    experiment_id TEXT, score_id TEXT, reason TEXT, attempts BIGINT NOT NULL, total BIGINT NOT NULL,
    counts TEXT NOT NULL, position TEXT, due_at BIGINT NOT NULL, lease_owner TEXT, lease_until BIGINT,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL
);
CREATE INDEX jobs_by_age ON jobs (project_id, id);
CREATE INDEX jobs_by_status ON jobs (project_id, status, id);
CREATE INDEX jobs_open ON jobs (due_at, id) WHERE status IN ('queued', 'running');

CREATE TABLE remembered_answers (
    key_id TEXT NOT NULL, path TEXT NOT NULL, idempotency_key TEXT NOT NULL, body_hash TEXT NOT NULL,
    status BIGINT NOT NULL, answer TEXT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, path, idempotency_key)
);
CREATE INDEX remembered_answers_by_age ON remembered_answers (created_at);
"""


def apply(connection: Connection) -> None:
    # Scores are what there is most of. Kept in the order of their targets they need half the trees to write to.
    own = STATEMENTS.replace(
        "/* SQLite: WITHOUT ROWID */", "WITHOUT ROWID" if connection.dialect.name == "sqlite" else ""
    )
    for statement in own.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
