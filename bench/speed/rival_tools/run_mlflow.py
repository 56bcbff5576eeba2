"""MLflow: `mlflow.genai.evaluate` with a tracking store in an SQLite file.

A trace and two assessments for each row are stored, and the metrics of the run. Its limit of ten calls a second is
switched off. It has one worker: with its usual ten, and with four, it was slower here, because SQLite takes one writer
at a time; with its usual number of connections some rows were then not logged at all.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

os.environ |= {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_GENAI_EVAL_PREDICT_RATE_LIMIT": "0",
    "MLFLOW_GENAI_EVAL_SCORER_RATE_LIMIT": "0",
    "MLFLOW_GENAI_EVAL_MAX_WORKERS": "1",
}

import common
import mlflow
from mlflow.genai.scorers import scorer


@scorer
def exact_match(outputs: Any, expectations: dict[str, Any]) -> float:
    return common.exact_match(outputs, expectations["expected_output"])


@scorer
def contains(outputs: Any, expectations: dict[str, Any]) -> float:
    return common.contains(outputs, expectations["expected_output"])


def task(input: str) -> str:
    return input


def evaluate(items: list[dict[str, str]]) -> float:
    data = [
        {"inputs": {"input": item["input"]}, "expectations": {"expected_output": item["expected_output"]}}
        for item in items
    ]
    found = mlflow.genai.evaluate(data=data, predict_fn=task, scorers=[exact_match, contains])
    return float(found.metrics["exact_match/mean"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # it writes artifacts beside itself
        mlflow.set_tracking_uri(f"sqlite:///{Path(folder)}/mlflow.db")
        mlflow.set_experiment("bench")
        common.report("mlflow", evaluate)
