# Everything from a fresh clone, with nothing but Python (3.11 or newer) and pip on the machine.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PORT   ?= 8321

.PHONY: help demo test quick hunt check bench lock clean web web-dev web-types web-check

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: web ## Install, and start Gnomon with demo data on one SQLite file
	@GNOMON_HOME=$${GNOMON_HOME:-$(CURDIR)/.gnomon-demo} $(BIN)/gnomon demo --port $(PORT)

test: check web web-check ## Install, and run all tests (SQLite, PostgreSQL, real servers, a real browser)
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder tests

quick: check ## Run the tests that need no server and no database, in under a minute
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile tests/model tests/scorers tests/stats tests/agentlogs tests/interop \
		tests/report tests/test_floor_plan.py tests/test_weight.py

hunt: $(READY) ## Run the tests of laws on examples that no run before has met
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --hypothesis-profile=hunt tests

check: $(READY) ## Style, types, spelling
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q . && $(BIN)/mypy && $(BIN)/codespell

web: $(READY) ## Build the web page, if its sources changed
	@$(BIN)/python hatch_build.py

web-dev: $(READY) ## Serve the page while it is changed; GNOMON_URL names the server (default http://127.0.0.1:8321)
	@$(BIN)/python hatch_build.py install && $(BIN)/python hatch_build.py run node_modules/vite/bin/vite.js

web-types: $(READY) ## Renew the page's types from the OpenAPI document
	@$(BIN)/python web/tools/make_types.py

web-check: $(READY) ## Types and unit tests of the page
	@$(BIN)/python hatch_build.py install
	@$(BIN)/python hatch_build.py run node_modules/typescript/bin/tsc --noEmit
	@$(BIN)/python hatch_build.py run node_modules/vitest/vitest.mjs run --reporter=dot

bench: $(READY) ## Measure speed, side by side, as ratios
	@$(BIN)/python -m bench.speed.all

lock: $(READY) ## Renew requirements.lock from pyproject.toml
	@$(BIN)/python -m pip install -q uv
	@$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade -q -o requirements.lock

clean: ## Remove what make made
	rm -rf $(VENV) .gnomon-demo src/gnomon/server/static web/node_modules web/tools/node_modules web/test-results

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "gnomon needs Python 3.11 or newer; run: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@echo "Installing into $(VENV) (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)
