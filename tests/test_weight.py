"""Import is cheap: what the light doors must not load. Times are measured in `bench/speed`, not here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "fastapi", "starlette", "uvicorn", "numpy", "scipy", "polars", "pyarrow", "litellm", "instructor", "openai",
    "sqlalchemy", "psycopg", "rich", "jsonschema", "rapidfuzz", "re2", "httpx2", "opentelemetry", "mcp",
    "jinja2", "markupsafe",
}  # fmt: skip


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_gnomon_loads_nothing_heavy() -> None:
    assert not modules_after("import gnomon") & (HEAVY | {"pydantic", "click"})


def test_help_loads_nothing_heavy() -> None:
    code = "from gnomon.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    assert not modules_after(code) & (HEAVY | {"pydantic"})


def test_the_models_of_a_benchmark_load_nothing_heavy() -> None:
    assert not modules_after("from gnomon.bench import AggregatedScore") & HEAVY


@pytest.mark.parametrize("room", ["gnomon.model.backend", "gnomon.client"])
def test_the_backend_and_its_clients_load_no_database_and_no_numerics(room: str) -> None:
    assert not modules_after(f"import {room}") & (HEAVY - {"httpx2", "rich"})


@pytest.mark.parametrize(
    "room",
    [
        "gnomon.service.analysis.summarize",
        "gnomon.service.analysis.compare",
        "gnomon.service.embedded",
        "gnomon.store.engine",
    ],
)
def test_services_load_no_numerics_before_they_are_needed(room: str) -> None:
    assert not modules_after(f"import {room}") & {"numpy", "scipy", "polars", "pyarrow", "fastapi", "litellm"}


def test_naming_scorers_and_binding_functions_loads_no_database_and_no_numerics() -> None:
    code = "import gnomon\ngnomon.exact_match()\nfrom gnomon.service.evaluation import data, identity, measured"
    assert not modules_after(code) & {"numpy", "scipy", "polars", "pyarrow", "fastapi", "litellm", "sqlalchemy", "rich"}


def test_results_load_no_numerics_and_no_tables_before_they_are_looked_at() -> None:
    code = "import gnomon\ngnomon.EvaluationResult, gnomon.compare, gnomon.leaderboard, gnomon.dataset"
    assert not modules_after(code) & {"numpy", "scipy", "polars", "pyarrow", "pandas", "fastapi", "litellm", "rich"}


EXTRAS = (
    "fastapi", "starlette", "uvicorn", "polars", "pyarrow", "pandas", "litellm", "instructor", "openai", "aiohttp",
    "psycopg", "google.rpc", "grpc",
)  # fmt: skip


def test_the_first_lines_of_the_readme_run_with_the_core_alone(tmp_path: Path) -> None:
    """`pip install gnomon`, without any extra, runs the ten lines."""
    readme = Path(__file__).parents[1] / "README.md"
    lines = readme.read_text(encoding="utf-8").split("```python\n", 1)[1].split("```", 1)[0]
    without = f"import sys\nsys.modules.update(dict.fromkeys({EXTRAS}))\n"
    own = {**os.environ, "GNOMON_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", without + lines], capture_output=True, text=True, env=own, check=False)
    assert done.returncode == 0, done.stderr
    assert "95 % interval" in done.stdout


def test_tracing_to_a_server_loads_no_database_and_no_numerics() -> None:
    code = (
        "import gnomon as gn\ngn.configure(url='http://127.0.0.1:9', api_key='none')\n"
        "@gn.trace\ndef answer(question):\n    return question\nanswer('x')"
    )
    assert not modules_after(code) & {"numpy", "scipy", "polars", "pyarrow", "fastapi", "litellm", "sqlalchemy"}


def test_the_server_starts_without_numerics_or_models() -> None:
    assert not modules_after("import gnomon.server.app") & {
        "numpy",
        "scipy",
        "polars",
        "pyarrow",
        "litellm",
        "instructor",
    }
