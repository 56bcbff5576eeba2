"""Examples of bodies for the OpenAPI document, where the required fields alone would not make a sensible request.

A test holds each against the schema of its operation.
"""

from typing import Any

EXAMPLES: dict[tuple[str, str], Any] = {
    ("post", "/v1/traces/ingest"): {
        "project_id": "support",
        "spans": [
            {
                "id": "span-1",
                "trace_id": "trace-1",
                "name": "answer",
                "start_time": "2026-01-31T12:00:00Z",
                "end_time": "2026-01-31T12:00:01Z",
                "input": "Where is my order?",
                "output": "It arrives on Monday.",
                "scores": [{"scorer_name": "contains", "config": {"expected_output": "Monday"}}],
            }
        ],
    },
    ("post", "/v1/scores"): {
        "target_type": "run",
        "target_id": "RUN_ID",
        "scorer_name": "correctness",
        "value": 0.9,
        "rationale": "names the right day",
    },
    ("post", "/v1/scores/batch"): {
        "scores": [{"target_type": "run", "target_id": "RUN_ID", "scorer_name": "correctness", "value": 0.9}]
    },
    ("post", "/v1/datasets"): {
        "project_id": "support",
        "name": "questions",
        "items": [{"input": "Where is my order?", "expected_output": "It arrives on Monday."}],
    },
    ("post", "/v1/datasets/{id}/items"): {"input": "Where is my order?", "expected_output": "It arrives on Monday."},
    ("post", "/v1/experiments"): {"dataset_id": "DATASET_ID", "name": "prompt-v2", "trials": 2},
    ("post", "/v1/experiments/{id}/runs"): {
        "runs": [
            {
                "dataset_item_id": "ITEM_ID",
                "output": "It arrives on Monday.",
                "scores": [{"scorer_name": "exact_match"}],
            }
        ]
    },
    ("post", "/v1/experiments/{id}/threshold"): {
        "scorer_name": "exact_match",
        "metric": "mean",
        "comparison": "gte",
        "threshold": 0.8,
        "bound": "ci",
    },
    ("post", "/v1/experiments/{id}/score"): {
        "scorers": [{"scorer_name": "helpfulness", "scorer": "llm_judge", "config": {"model": "openai/gpt-4o"}}]
    },
    ("post", "/v1/annotations"): {"trace_id": "TRACE_ID", "annotator": "ana", "label": "correct"},
    ("post", "/v1/keys"): {"name": "ci", "role": "write", "project_id": "support"},
}
