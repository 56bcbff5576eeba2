# Everything from a fresh clone, with nothing but Python (3.11 or newer) and pip on the machine.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PORT   ?= 8321

.PHONY: help demo test all-tests quick coverage hunt check bench lock clean web web-dev web-types web-check

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: web ## Install, and start Gnomon with demo data on one SQLite file
	@GNOMON_HOME=$${GNOMON_HOME:-$(CURDIR)/.gnomon-demo} $(BIN)/gnomon demo --port $(PORT)

PYTEST := $(BIN)/python -m pytest -q
IN_PROCESS := agentlogs bench interop model report scorers stats

# Style and types are looked at while the tests run: they take one core, and the tests often wait.
test: web ## Install, and run all tests (SQLite, PostgreSQL, real servers, a real browser)
	@$(BIN)/python hatch_build.py install
	@$(MAKE) --no-print-directory -j2 all-tests check web-check

all-tests: $(READY)
	@GNOMON_COVERAGE=part $(PYTEST) --processes 4 tests

quick: $(READY) ## Style, and the tests that need no server and no database, with ten examples per law: under a minute
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q .
	@$(PYTEST) --processes 2 --hypothesis-profile=quick -m "not slow" tests/test_layers.py $(addprefix tests/,$(IN_PROCESS))
	@echo "Tested without a server: style, layers, $(IN_PROCESS)."
	@echo "Not tested: types and spelling (make check); store, service, server, cli, sdk, outcome, web (make test)."

coverage: $(READY) web ## Run all tests and measure the lines that they run, servers included (much slower)
	@GNOMON_COVERAGE=all $(PYTEST) --processes 4 tests

hunt: $(READY) ## Run the tests of laws on examples that no run before has met
	@$(PYTEST) --processes 4 --hypothesis-profile=hunt tests

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
	@NO_COLOR=1 $(BIN)/python hatch_build.py run node_modules/vitest/vitest.mjs run --reporter=dot --testTimeout=600000 --hookTimeout=600000

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
