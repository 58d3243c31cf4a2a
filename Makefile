# `make help` lists what is used often; CONTRIBUTING.md names the other targets.

VENV ?= .venv
PYTHON := $(VENV)/bin/python
# The distribution's own first: services run on it, and it is built to be fast, as those of version managers seldom are.
BASE_PYTHON ?= $(shell for each in /usr/bin/python3 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; exit; }; \
	done; echo python3)
# The address is fixed by what the environment says; see docs/settings.md.
PORT ?= 8000
# One more than there are processors: tests wait for browsers, servers and disks.
TEST_PROCESSES ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# In small portions: the browser tests, which are the longest, would all be one process's otherwise.
PYTEST := $(PYTHON) -m pytest -n $(TEST_PROCESSES) --maxschedchunk 16 --durations=30

.DEFAULT_GOAL := help
.PHONY: help demo demo-restart serve test test-all test-postgresql bench lighthouse fuzz consumers real-data recovery machines lint types format messages package install-test lock sbom audit clean

help: ## list these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# Compiled modules are kept, whatever the environment says: the suite starts hundreds of processes.
export PYTHONDONTWRITEBYTECODE =

# The checkout's own settings or none, whatever service is installed on this machine.
demo demo-restart: export FESTIVAL_ENV_FILE = $(wildcard .env)

demo: $(VENV)/ready ## make a demo festival around today and serve it on http://localhost:8000/
	@$(PYTHON) manage.py demo --port $(PORT)

demo-restart: $(VENV)/ready ## delete the demo festival, create it again and serve it
	@$(PYTHON) manage.py demo --port $(PORT) --start-over

# HOST from the command line only: some shells have a variable of that name.
serve: $(VENV)/ready ## serve the festival in production: docs/install.md
	@$(PYTHON) manage.py serve $(SERVE_ARGS) $(if $(filter-out file,$(origin PORT)),--port $(PORT)) $(if $(filter command,$(firstword $(origin HOST))),--host $(HOST))

test: $(VENV)/ready-dev tests/consumers/node_modules/.ready ## run the tests (PYTEST_ARGS), on SQLite unless DATABASE_URL says otherwise
	@$(PYTEST) -m "not thorough" $(PYTEST_ARGS)

test-all: $(VENV)/ready-dev tests/consumers/node_modules/.ready ## run the slow tests, then those of the database on PostgreSQL
	@$(PYTEST) -m thorough $(PYTEST_ARGS)
	@$(MAKE) --no-print-directory test-postgresql

test-postgresql: $(VENV)/ready-dev tests/consumers/node_modules/.ready # run the tests of the database on PostgreSQL (TEST_DATABASE_URL)
	@DATABASE_URL=$${TEST_DATABASE_URL:-postgres://postgres@127.0.0.1:5432/postgres} $(PYTEST) \
		-m "database and not browser and not thorough" $(PYTEST_ARGS)

bench: $(VENV)/ready-dev ## measure the speed (needs PostgreSQL: TEST_DATABASE_URL)
	@$(PYTHON) -m benchmarks $(BENCH_ARGS)

fuzz: $(VENV)/ready-dev # send 20,000 hostile requests to the application
	@FUZZ_EXAMPLES=20000 $(PYTHON) -m pytest tests/fuzz -o faulthandler_timeout=0 $(PYTEST_ARGS)

# The programs, the service and its database have one clock, which the tests move.
consumers: FAKETIME := $(firstword $(wildcard /usr/lib/*/faketime/libfaketime.so.1))
consumers: $(VENV)/ready-dev tests/consumers/node_modules/.ready # let programs that people have follow a programme that is edited: docs/consumers.md
	@moment=$$(mktemp) && echo +0 >$$moment && LD_PRELOAD=$(FAKETIME) FAKETIME_NO_CACHE=1 DONT_FAKE_MONOTONIC=1 \
		FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_TIMESTAMP_FILE=$$moment $(PYTHON) -m pytest \
		tests/consumers/polling.py tests/consumers/test_simplepie.py -rA -o faulthandler_timeout=0 $(PYTEST_ARGS); status=$$?; rm $$moment; exit $$status

# From the environment or the command line; without it, the folder that the tests look into.
real-data: $(VENV)/ready-dev # import programmes that others have written (REAL_DATA) and compare what is stored with the files
	@REAL_DATA="$(REAL_DATA)" $(PYTHON) -m tests.real_data $(REAL_DATA_ARGS)

lighthouse: $(VENV)/ready-dev # measure the public pages of a service at URL (or PATHS of it) with Lighthouse
	@npm ci --silent --prefix benchmarks/lighthouse
	@$(PYTHON) -m benchmarks.lighthouse $(URL) $(PATHS)

recovery: $(VENV)/ready-dev # upgrade, roll back, back up and recover a service under load (needs PostgreSQL's programs and git)
	@$(PYTHON) -m pytest tests/recovery/upgrading.py tests/recovery/recovering.py -rA -o faulthandler_timeout=0 $(PYTEST_ARGS)

machines: $(VENV)/ready-dev # lose each of two application servers, a primary and a replica behind nginx: docs/scaling.md (needs root)
	@$(PYTHON) -m pytest tests/machines/losing.py -rA -o faulthandler_timeout=0 $(PYTEST_ARGS)

lint: $(VENV)/ready-dev node_modules/.ready ## check style, imports, templates, JavaScript and CSS
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .
	@$(VENV)/bin/lint-imports --no-cache
	@$(PYTHON) -m djlint --lint --quiet templates
	@if command -v npm >/dev/null 2>&1; then npm run --silent lint; \
		else echo "JavaScript and CSS are not linted: npm is not installed."; fi

types: $(VENV)/ready-dev ## check the types with mypy
	@$(PYTHON) -m mypy

format: $(VENV)/ready-dev node_modules/.ready ## format the source
	@$(PYTHON) -m ruff check --fix-only .
	@$(PYTHON) -m ruff format .
	@if command -v npm >/dev/null 2>&1; then npm run --silent format; fi

messages: $(VENV)/ready-dev ## compile the catalogues of translations
	@$(PYTHON) manage.py compilemessages --ignore .venv --ignore node_modules
	@chmod 644 locale/*/LC_MESSAGES/*.mo locale/django-overrides/*/LC_MESSAGES/*.mo pages/locale/*/LC_MESSAGES/*.mo

package: $(VENV)/ready-dev ## build the wheel and the source archive in dist/: docs/install.md
	@rm -rf dist
	@$(PYTHON) -m build --no-isolation --outdir dist .
	@cp requirements/runtime.lock dist/

install-test: package # follow docs/install.md and the Containerfile in a fresh Debian (needs root, debootstrap and slirp4netns)
	@$(PYTHON) -m tests.install $(INSTALL_TEST_ARGS)

lock: ## pin the dependencies again, with hashes
	@$(BASE_PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	@for part in runtime dev; do .venv-lock/bin/uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		--no-emit-find-links requirements/$$part.in --output-file requirements/$$part.lock; done
	@rm -rf .venv-lock

sbom: $(VENV)/ready-dev # write the software bill of materials: sbom.json, CycloneDX
	@$(PYTHON) -W ignore .ci/sbom.py sbom.json

audit: $(VENV)/ready-dev # compare the dependencies with the published advisories
	@$(PYTHON) .ci/audit.py

clean: ## remove everything that was made here, the demo's database included
	@rm -rf .venv var dist .pytest_cache .ruff_cache .mypy_cache .hypothesis node_modules tests/consumers/node_modules benchmarks/lighthouse/node_modules

$(VENV)/bin/python:
	@$(BASE_PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + "." if sys.version_info < (3, 11) else 0)'
	@$(BASE_PYTHON) -m venv $(VENV)

$(VENV)/ready: requirements/runtime.lock | $(VENV)/bin/python
	@echo "Installing what the service needs …"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.lock
	@touch $@

$(VENV)/ready-dev: requirements/dev.lock | $(VENV)/bin/python
	@echo "Installing what the service and its tests need …"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@touch $@ $(VENV)/ready

# ESLint, Stylelint and Prettier; `make lint` says so where there is no npm.
node_modules/.ready: package-lock.json
	@if command -v npm >/dev/null 2>&1; then npm ci --ignore-scripts --silent --no-audit --no-fund && touch $@; fi

# The calendar is read back by ical.js too; without npm those tests are skipped and say so.
tests/consumers/node_modules/.ready: tests/consumers/package-lock.json
	@if command -v npm >/dev/null 2>&1; then npm ci --prefix tests/consumers --ignore-scripts --silent --no-audit --no-fund && touch $@; fi
