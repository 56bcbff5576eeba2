"""Examples of bodies for the OpenAPI document, where the required fields alone would not make a sensible request.

A test holds each against the schema of its operation.
"""

from typing import Any

_PLAYGROUND = {
    "project_id": "support",
    "candidates": [
        {
            "messages": [
                {"role": "system", "content": "Answer customers in one sentence."},
                {"role": "user", "content": "{{input}}"},
            ],
            "model": "openai/gpt-4o-mini",
            "params": {"temperature": 0},
        }
    ],
    "dataset_id": "DATASET_ID",
    "first_items": 10,
    "scorers": [{"scorer_name": "exact_match"}],
}

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
    ("put", "/v1/annotations/{id}"): {"label": "incomplete", "notes": "The delivery time is missing."},
    ("post", "/v1/traces/{id}/queue"): {"reason": "to check the judge against people"},
    ("post", "/v1/runs/{id}/queue"): {"reason": "worse than before"},
    ("post", "/v1/queue"): {
        "project_id": "support",
        "targets": [{"target_type": "trace", "target_id": "TRACE_ID"}, {"target_type": "run", "target_id": "RUN_ID"}],
        "reason": "what to label next",
    },
    ("post", "/v1/queue/{target_type}/{target_id}/claim"): {"annotator": "ana"},
    ("put", "/v1/projects/{id}/review-settings"): {
        "labels": [{"label": "right", "value": 1}, {"label": "wrong", "value": 0, "hint": "Any false statement."}],
        "free_labels": False,
        "reviews_wanted": 2,
    },
    ("post", "/v1/review-links"): {"project_id": "support", "name": "ana", "days": 7},
    ("post", "/v1/shares"): {
        "path": "/projects/support/compare/0195309c-bc80-7000-8000-000000000001/0195309c-bc80-7000-8000-000000000002",
        "expires_in_days": 14,
    },
    ("post", "/v1/playground"): _PLAYGROUND,
    ("post", "/v1/playground/preview"): _PLAYGROUND,
    ("post", "/v1/keys"): {"name": "ci", "role": "write", "project_id": "support"},
}
