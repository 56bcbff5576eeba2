# Everything from a fresh clone, with nothing but Python (3.11 or newer) and pip on the machine.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PORT   ?= 8321

.PHONY: help demo test quick hunt check bench lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY) ## Install, and start Gnomon with demo data on one SQLite file
	@GNOMON_HOME=$${GNOMON_HOME:-$(CURDIR)/.gnomon-demo} $(BIN)/gnomon demo --port $(PORT)

test: check ## Install, and run all tests (SQLite, PostgreSQL, real servers)
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder tests

quick: check ## Run the tests that need no server and no database, in under a minute
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile tests/model tests/scorers tests/stats tests/agentlogs tests/interop \
		tests/report tests/test_floor_plan.py tests/test_weight.py

hunt: $(READY) ## Run the tests of laws on examples that no run before has met
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --hypothesis-profile=hunt tests

check: $(READY) ## Style, types, spelling
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q . && $(BIN)/mypy && $(BIN)/codespell

bench: $(READY) ## Measure speed, side by side, as ratios
	@$(BIN)/python -m bench.speed.all

lock: $(READY) ## Renew requirements.lock from pyproject.toml
	@$(BIN)/python -m pip install -q uv
	@$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade -q -o requirements.lock

clean: ## Remove what make made
	rm -rf $(VENV) .gnomon-demo

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "gnomon needs Python 3.11 or newer; run: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@echo "Installing into $(VENV) (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)
