"""Step 2: the judge. Jobs for one target each, what a model answered, limits, budgets, rules for new spans."""

from sqlalchemy.engine import Connection

STATEMENTS = """
ALTER TABLE jobs ADD COLUMN parent_id TEXT;
ALTER TABLE jobs ADD COLUMN model TEXT;
ALTER TABLE jobs ADD COLUMN target_type TEXT;
ALTER TABLE jobs ADD COLUMN target_id TEXT;
ALTER TABLE jobs ADD COLUMN trace_id TEXT;
ALTER TABLE jobs ADD COLUMN scorer_name TEXT;
ALTER TABLE jobs ADD COLUMN config_hash TEXT;
ALTER TABLE jobs ADD COLUMN evidence TEXT;
ALTER TABLE jobs ADD COLUMN cost_usd DOUBLE PRECISION;
ALTER TABLE jobs ADD COLUMN patient_until BIGINT;
CREATE INDEX jobs_by_parent ON jobs (parent_id, status) WHERE parent_id IS NOT NULL;
CREATE INDEX jobs_by_target ON jobs (target_id, scorer_name) WHERE target_id IS NOT NULL;
CREATE INDEX jobs_by_experiment ON jobs (experiment_id, status) WHERE experiment_id IS NOT NULL;

CREATE INDEX scores_of_judges ON scores (project_id, scorer_name, config_hash) WHERE source = 'judge';
CREATE INDEX scores_of_people ON scores (project_id, scorer_name) WHERE source = 'human';

CREATE TABLE model_answers (
    cache_key TEXT PRIMARY KEY, project_id TEXT NOT NULL, model TEXT NOT NULL, answer TEXT NOT NULL,
    tokens_input BIGINT, tokens_output BIGINT, cost_usd DOUBLE PRECISION, created_at BIGINT NOT NULL
);

CREATE TABLE model_limits (
    model TEXT PRIMARY KEY, per_second DOUBLE PRECISION, permits DOUBLE PRECISION NOT NULL, failures BIGINT NOT NULL,
    open_until BIGINT NOT NULL, updated_at BIGINT NOT NULL
);

CREATE TABLE budgets (
    project_id TEXT PRIMARY KEY, usd_per_day DOUBLE PRECISION, tokens_per_day BIGINT, updated_at BIGINT NOT NULL
);

CREATE TABLE spending (
    project_id TEXT NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, calls BIGINT NOT NULL, tokens BIGINT NOT NULL,
    usd DOUBLE PRECISION NOT NULL, PRIMARY KEY (project_id, day, model)
);

CREATE TABLE scoring_rules (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, span_filter TEXT NOT NULL, scorer TEXT NOT NULL,
    sampling_rate DOUBLE PRECISION NOT NULL, enabled BIGINT NOT NULL, created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL, UNIQUE (project_id, name)
);

CREATE TABLE judge_cards (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, scorer_name TEXT NOT NULL, config_hash TEXT NOT NULL,
    card TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE INDEX judge_cards_by_judge ON judge_cards (project_id, scorer_name, config_hash, id);
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
