# Everything is set up on first use: no key, no server, no root. `make help` lists the targets.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 3000
DATA ?= ../shared/data
UV_VERSION = 0.13.9
BOOTSTRAP = .bootstrap
UV = $(BOOTSTRAP)/bin/uv
RUN = .venv/bin
READY = .venv/.ready

export UV_PYTHON_DOWNLOADS = never
export UV_LINK_MODE ?= copy

.DEFAULT_GOAL := help
.PHONY: help setup demo ui test test-faults check lint types imports replay bench-collector bench-reader bench-measures clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

setup: $(READY) ## Make the virtual environment from uv.lock

$(UV):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found"; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"Python 3.11 or newer is needed; found {v.major}.{v.minor} as $(PYTHON); name another: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(BOOTSTRAP)
	$(BOOTSTRAP)/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

$(READY): $(UV) uv.lock pyproject.toml
	@# Behind a proxy that signs for the sites it visits, only the system knows whom to trust.
	@$(UV) sync --quiet --frozen --python "$(PYTHON)" 2> $(BOOTSTRAP)/sync.log \
	  || { echo "fetching packages again, with the system's certificates"; \
	       $(UV) sync --quiet --system-certs --frozen --python "$(PYTHON)"; }
	@touch $@

demo: $(READY) ## Run one whole night for today against the local simulator
	$(RUN)/brand-visibility demo

ui: $(READY) ## Open the Dagster UI on 127.0.0.1 (PORT=3000)
	@$(RUN)/brand-visibility ui --port $(PORT)

replay: $(READY) ## Run one whole night on recorded real answers (DATA=folder)
	$(RUN)/brand-visibility replay \
	  --answers gpt-4o=$(DATA)/answers_en_gpt-4o.jsonl \
	  --answers claude-3-5-sonnet=$(DATA)/answers_en_claude-3-5-sonnet.jsonl \
	  --answers qwen2-72b=$(DATA)/answers_en_qwen2-72b.jsonl

test: $(READY) check ## Run every check and every test but the slow faults
	$(RUN)/python -m pytest -n 2 --dist loadgroup -m "not slow_fault"

test-faults: $(READY) ## Kill, stop and starve real processes, slow faults too
	$(RUN)/python -m pytest -n 2 --durations 5 tests/faults

check: lint types imports ## Run the checks that need no test

lint: $(READY)
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .

types: $(READY)
	$(RUN)/mypy

imports: $(READY)
	$(RUN)/lint-imports

bench-collector: $(READY) ## Measure the collector against other clients (half an hour)
	$(RUN)/python -m benchmarks.collector

bench-reader: $(READY) ## Measure the reader on labelled and real answers (DATA=folder)
	$(RUN)/python -m benchmarks.reader --data $(DATA)

bench-measures: $(READY) ## Measure a day's figures as the day grows
	$(RUN)/python -m benchmarks.measures

clean: ## Remove what was set up and every stored night
	rm -rf .venv $(BOOTSTRAP) var
