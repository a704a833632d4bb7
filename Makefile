# Every target works on a fresh machine: the first that needs it makes .venv and fills it by the lock.

.DEFAULT_GOAL := help
.PHONY: help run grown test lint audit picture format budgets screenshots bench balance puzzles soak coverage mutants translations lock clean
MAKEFLAGS += --no-print-directory

# The first Python on the PATH that is new enough; `make test PYTHON=/some/python` chooses another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCK := requirements-embedded.txt
SERVING := $(VENV)/.$(LOCK)
INSTALL := install -qq --disable-pip-version-check --no-input
INSTALL_PINNED := $(INSTALL) --require-hashes --no-deps

help: ## List what can be made
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

run: $(SERVING) ## Serve Chasqui on this machine (ARGS="--port 9000" for another port; LOCK=requirements.txt for PostgreSQL, Redis, DKIM)
	@exec $(BIN)/python -m workers $(ARGS)

grown: $(READY) ## Run the grown service on this machine, without containers, and play a smoke match (ARGS=--once)
	@exec $(BIN)/python -m tests.grown $(ARGS)

test: $(READY) ## Run the whole test suite (ARGS="-k pond" for a part of it)
	@$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(READY) ## Check style, formatting and types
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/python -m mypy

audit: $(READY) ## Look for known vulnerabilities in what we depend on; says so where nothing can be checked
	@$(BIN)/python -m tests.audit

picture: $(READY) ## Draw docs/architecture.svg from the imports
	@$(BIN)/python -m tests.architecture_picture

format: $(READY) ## Format the code and mend what can be mended
	@$(BIN)/python -m ruff check --fix --quiet || true
	@$(BIN)/python -m ruff format

budgets: $(READY) ## Measure what a turn costs a person: clicks, bytes, pixels, milliseconds
	@$(BIN)/python -m tests.browser.budgets

screenshots: $(READY) ## Take pictures of the pages, or with ARGS=mails of the mails, in sizes, themes and languages (build/screenshots); ARGS=readme: those of the README
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

bench: $(READY) ## Measure speed beside floors and peers (ARGS="acts pages --json build/bench.json" for some of it)
	@$(BIN)/python -m tests.bench $(ARGS)

balance: $(READY) ## Let bots play themselves and show how fair the games are (ARGS="inka --matches 400 --write")
	@$(BIN)/python -m tests.balance $(ARGS)

puzzles: $(READY) ## Look for puzzles in bots' matches (ARGS="find cuzco 0 40"), choose them (ARGS="choose cuzco") or search all through again
	@$(BIN)/python -m tests.puzzles $(or $(ARGS),verify)

soak: $(READY) ## Run the long campaigns behind our promises (ARGS="races oracle" for some of them)
	@$(BIN)/python -m tests.soak $(ARGS)

coverage: $(READY) ## Show which lines no test runs
	@$(BIN)/python -m pytest -n auto --cov --cov-report=term-missing $(ARGS)

mutants: $(READY) ## Plant small faults and show which of them no test notices (ARGS="app/moderation/undo_requests.py --minutes 10")
	@$(BIN)/python -m tests.mutants $(ARGS)

translations: $(READY) ## Bring the catalogs up to date; then fill in what is empty in app/translations
	@mkdir -p build
	@$(BIN)/pybabel -q extract -F babel.cfg --add-location=file --sort-by-file --project=Chasqui -o build/messages.pot .
	@for language in fr pt_BR; do $(BIN)/pybabel -q update --init-missing --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date -w 110 -i build/messages.pot -d app/translations -l $$language || exit 1; done
	@$(BIN)/python -m tests.french_spaces
	@$(BIN)/python -m pytest -q tests/app/platform/test_i18n.py

# A venv of its own, so that a broken lock file cannot keep us from mending it.
LOCK_VENV := build/lock-venv
COMPILE := $(LOCK_VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE) pyproject.toml

lock: $(LOCK_VENV)/.ready ## Compile the lock files from pyproject.toml (UPGRADE=--upgrade for newer pins)
	@$(COMPILE) --extra grown --output-file requirements.txt
	@$(COMPILE) --constraint requirements.txt --output-file requirements-embedded.txt
	@$(COMPILE) --extra grown --extra dev --constraint requirements.txt --output-file requirements-dev.txt
	@echo "Compiled requirements.txt, requirements-embedded.txt and requirements-dev.txt."

clean: ## Remove everything that was made
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Installed again only when what we depend on has changed. The stamp comes last: a broken install is retried.
# The lock names everything, so pip resolves nothing: with extras it would look at versions newer than the pins and refuse them.
# The pip of the machine spares making one for the venv; one that is older than 22.3 cannot, and makes way. Our own modules are
# compiled meanwhile, those of others when they are first needed: most never are.
$(SERVING): $(LOCK)
	@$(call require_python)
	@echo "Preparing $(VENV) with $$($(PYTHON) --version): what serving needs, once."
	@$(PYTHON) -m compileall -q engine app workers & \
	{ $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(VENV) $(INSTALL_PINNED) --no-compile -r $(LOCK) 2>/dev/null; } || \
	{ $(PYTHON) -m venv $(VENV) && $(BIN)/pip $(INSTALL_PINNED) --no-compile -r $(LOCK); } && wait
	@touch $@

$(READY): pyproject.toml requirements-dev.txt
	@$(call require_python)
	@echo "Preparing $(VENV) with $$($(PYTHON) --version); this takes a minute the first time."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip $(INSTALL_PINNED) -r requirements-dev.txt
	@$(BIN)/pip $(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(SERVING) $(VENV)/.requirements.txt

$(LOCK_VENV)/.ready:
	@$(call require_python)
	@echo "Preparing the lock file compiler."
	@$(PYTHON) -m venv $(LOCK_VENV)
	@$(LOCK_VENV)/bin/pip $(INSTALL) 'uv>=0.5'
	@touch $@

define require_python
if ! $(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	echo "Chasqui needs Python 3.11 or newer: put one on the PATH, or say make PYTHON=/path/to/it."; exit 1; fi; \
if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
	echo "This Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; fi
endef
