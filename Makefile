# The two commands of the README do all their set-up in this folder.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help play test soak coverage lowest check lint python kernels collect browser bench docs format dist clean always

VENV := .venv
BIN := $(VENV)/bin
# uv installs in a fraction of pip's time. Where it cannot (its own index settings, say), pip does.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
INSTALL = install() { $(BIN)/python -m uv pip install --quiet --python $(BIN)/python --constraint constraints.txt "$$@" 2>/dev/null \
	|| $(PIP) "$$@"; }; install
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)

# Bytecode is written even where the environment says otherwise: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
# NumPy's linear algebra would start threads in each of them, which nothing here needs.
export OPENBLAS_NUM_THREADS := 1

# Two test processes more than there are cores: many tests wait for clocks and browsers.
WORKERS = $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)')
KERNELS := $(CURDIR)/.pytest_cache/kernels
PYTEST = QUADRIGA_ALL_EXTRAS=1 QUADRIGA_TEST_CACHE='$(KERNELS)' $(BIN)/python $(MEASURED) -m pytest -n $(WORKERS) --dist worksteal -q

PAGE := src/quadriga/server/page/index.html
PACKAGES := web/node_modules/.package-lock.json

help:  ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/'

play: $(VENV)/.play $(PAGE)  ## play tonight, in the browser
	@$(BIN)/quadriga serve

# Less optimized kernels give the same results and compile in half of the time. `make soak` runs the others.
test: export NUMBA_OPT := 1
test: export NUMBA_LOOP_VECTORIZE := 0
test:  ## run all checks and tests
	@$(MAKE) --no-print-directory $(VENV)/.dev
	@$(MAKE) --no-print-directory -j4 check $(PAGE) kernels collect browser
	@$(PYTEST)

soak:  ## run every test in its long form: hours
	@$(MAKE) --no-print-directory $(VENV)/.dev
	@$(MAKE) --no-print-directory -j4 check $(PAGE) kernels collect browser
	@QUADRIGA_SOAK=1 $(PYTEST)

coverage: export NUMBA_OPT := 1
coverage: export NUMBA_LOOP_VECTORIZE := 0
coverage: MEASURED := -m coverage run
coverage: $(VENV)/.dev $(PAGE) kernels browser  ## say which lines no test runs, in .coverage/report; TESTS=... runs some tests only
	@rm -rf .coverage
	@mkdir .coverage
	@status=0; $(PYTEST) $(TESTS) || status=$$?; $(BIN)/coverage combine --quiet; $(BIN)/coverage html --quiet; \
		$(BIN)/coverage xml --quiet; $(BIN)/coverage report; exit $$status

lowest: $(VENV)/.dev $(PAGE)  ## try out the lowest allowed version of every dependency
	@$(BIN)/python tests/lowest.py

check: lint python  ## format, lint, types, import rules

python: $(VENV)/.dev  # its checks; `make test` runs them while the packages of the page are installed
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

lint: $(PACKAGES)  # of the page; its types are checked by `npm run check`, which a test runs
	@$(BIN)/python scripts/page.py lint

kernels: $(VENV)/.dev  # compiled once, before several test processes need them at the same time
	@echo "Compiling the games for the tests (once, about a minute) ..."
	@QUADRIGA_CACHE='$(KERNELS)' $(BIN)/python tests/kernels.py

collect: $(VENV)/.dev  # so that bytecode is written once, before several test processes read all tests
	@said=$$(QUADRIGA_ALL_EXTRAS=1 $(BIN)/python -m pytest --collect-only -qq 2>&1) || { tail -n 50 <<<"$$said"; exit 1; }

browser: $(VENV)/.dev | $(PAGE)  ## get a browser for the tests of the page into .tools, if there is none
	@$(BIN)/python scripts/chromium.py

bench: $(VENV)/.bench  ## measure, and write docs/benchmarks.md; goes on with an interrupted round, unless ANEW=1
	@$(BIN)/python benchmarks/run.py $(if $(ANEW),--anew)

format: $(VENV)/.dev $(PACKAGES)  ## put the code into shape
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/python scripts/page.py format

docs: $(VENV)/.dev  ## build the documentation site into site/
	@$(BIN)/zensical build --clean --strict
	@echo "Read it at http://127.0.0.1:8080 with: $(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8080"

dist: $(VENV)/.dev $(PAGE)  ## build the wheel and the source distribution into dist/
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation

clean:  ## remove all that was set up here
	rm -rf $(VENV) $(VENV)-lowest .tools web/node_modules $(dir $(PAGE)) dist .hypothesis .pytest_cache .mypy_cache .ruff_cache .coverage .cache site

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Quadriga needs Python 3.11 or newer, and found none." >&2; exit 2; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing (on Debian: apt install python3-venv)." >&2; rm -rf $(VENV); exit 2; }
	@$(PIP) uv 2>/dev/null || true

$(VENV)/.play: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Quadriga (once, about a minute) ..."
	@$(INSTALL) --editable '.[fast,server,lab]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Quadriga and its test tools (once, a minute or two) ..."
	@$(INSTALL) --editable '.[fast,server,dev]'
	@touch $@ $(VENV)/.play

$(PAGE): always | $(PACKAGES)
	@$(BIN)/python scripts/page.py build

$(PACKAGES): web/package-lock.json | $(BIN)/python
	@$(BIN)/python scripts/page.py install

$(VENV)/.bench: $(VENV)/.dev
	@echo "Installing what Quadriga is measured against (once) ..."
	@$(INSTALL) --editable '.[bench]' || echo "Some of it cannot be had here; the bench says what it leaves out."
	@touch $@
