"""Step 19: runs are reviewed too, claims, label sets, scores that name their author, and keys that expire.

The queue is a table of cards. Those of the traces that wait already are made here, and annotations no longer need a
trace.
"""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE annotations_of_both (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, trace_id TEXT, run_id TEXT, span_id TEXT, annotator TEXT NOT NULL,
    label TEXT, correction TEXT, notes TEXT, created_at BIGINT NOT NULL, updated_at BIGINT, scores TEXT,
    score_target_id TEXT, CHECK ((trace_id IS NULL) <> (run_id IS NULL))
);
INSERT INTO annotations_of_both (id, project_id, trace_id, span_id, annotator, label, correction, notes, created_at)
    SELECT id, project_id, trace_id, span_id, annotator, label, correction, notes, created_at FROM annotations;
DROP TABLE annotations;
ALTER TABLE annotations_of_both RENAME TO annotations;
CREATE INDEX annotations_by_trace ON annotations (trace_id, project_id, id) WHERE trace_id IS NOT NULL;
CREATE INDEX annotations_by_run ON annotations (run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX annotations_by_annotator ON annotations (project_id, annotator, id);
CREATE INDEX annotations_by_label ON annotations (project_id, label, id) WHERE label IS NOT NULL;
CREATE TABLE review_cards (
    project_id TEXT NOT NULL, target_type TEXT NOT NULL, target_id TEXT NOT NULL, experiment_id TEXT,
    queued_at BIGINT NOT NULL, reason TEXT, annotation_count BIGINT NOT NULL, reviewer_count BIGINT NOT NULL,
    claimed_by TEXT, claimed_until BIGINT, PRIMARY KEY (project_id, target_type, target_id)
);
CREATE INDEX review_cards_by_age ON review_cards (project_id, queued_at, target_type, target_id, reviewer_count);
CREATE INDEX review_cards_of_experiment ON review_cards (experiment_id) WHERE experiment_id IS NOT NULL;
INSERT INTO review_cards (project_id, target_type, target_id, queued_at, annotation_count, reviewer_count)
    SELECT project_id, 'trace', id, queued_at, annotation_count, (
        SELECT count(DISTINCT annotations.annotator) FROM annotations
        WHERE annotations.trace_id = traces.id AND annotations.project_id = traces.project_id
    ) FROM traces WHERE queued_at IS NOT NULL;
DROP INDEX traces_queued;
DROP INDEX traces_pending;
DROP INDEX traces_annotated;
CREATE TABLE review_settings (
    project_id TEXT PRIMARY KEY, labels TEXT NOT NULL, scorer_name TEXT NOT NULL, free_labels BIGINT NOT NULL,
    reviews_wanted BIGINT NOT NULL, blind BIGINT NOT NULL, updated_at BIGINT NOT NULL
);
ALTER TABLE scores ADD COLUMN author TEXT;
ALTER TABLE api_keys ADD COLUMN expires_at BIGINT
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        connection.exec_driver_sql(statement)
