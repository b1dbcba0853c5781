# hsevo: to begin, run `make evolve` or `make test`; `make help` lists all targets.
# Needs make and Python 3.11 or later. Everything is installed into .venv in this folder.
#
# Variables, as in `make evolve CONFIG=smoke.yaml ARGS="--seed 7"`:
PYTHON ?=             ## the Python for .venv; empty: the first on the PATH that is 3.11 or later
CONFIG ?= cig2018.yaml  ## the experiment that `make evolve` runs: a path, or a name in configs/
ARGS ?=               ## more options for hsevo (evolve, play, smoke, bench), pytest (test) or figures

VENV := .venv
BIN := $(VENV)/bin
# One process per core; `make test ARGS="-n 0 tests/unit/play"` runs some tests in a single one.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
INSTALLED := $(VENV)/.installed
TYPESCRIPT := build/typescript/7.0.2
TSC := $(TYPESCRIPT)/node_modules/.bin/tsc

.DEFAULT_GOAL := help
.PHONY: help setup evolve play smoke bench figures studies docs pages wheel check test coverage lint clean

help:  ## list the targets and variables
	@awk -F ':[^#]*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@awk -F ' *[?]=[^#]*## *' '/^[A-Z]+ [?]=.*##/ { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(INSTALLED)  ## make .venv and install hsevo with its dependencies into it

# Reinstall only when pyproject.toml changes: the package itself is installed in place.
$(INSTALLED): pyproject.toml
	@set -e; \
	for python in $(PYTHON) $(if $(PYTHON),,python3.14 python3.13 python3.12 python3.11 python3 python); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		echo "hsevo: installing into $(VENV) with $$("$$python" --version), some minutes, silently"; \
		test -x $(BIN)/pip || "$$python" -m venv $(VENV) || { rm -rf $(VENV); \
			echo "hsevo: $$python cannot make virtual environments (on Debian and Ubuntu:" \
				"apt install python3-venv)" >&2; exit 1; }; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
		touch $@; \
		echo "hsevo: installed; Tab completes its words after: eval \"\$$($(BIN)/hsevo completion bash)\" (or zsh)"; \
		exit 0; \
	done; \
	echo "hsevo: needs Python 3.11 or later, and $(if $(PYTHON),$(PYTHON) is none,the PATH has none);" \
		"install one, or name it: make setup PYTHON=/path/to/python3" >&2; \
	exit 1

evolve: $(INSTALLED)  ## run the main job: the CIG2018 experiment (CONFIG, ARGS)
	$(BIN)/hsevo evolve --config $(CONFIG) $(ARGS)

play: $(INSTALLED)  ## play against the agents in the browser (ARGS)
	$(BIN)/hsevo play $(ARGS)

smoke: $(INSTALLED)  ## run a small version of the same job, in a few seconds
	$(BIN)/hsevo evolve --config smoke.yaml $(ARGS)

bench: $(INSTALLED)  ## measure games per second, compile time, memory; BASE=COMMIT: in pairs with it
	$(if $(BASE),$(BIN)/python -m studies.paired_speed $(BASE) $(ARGS),$(BIN)/hsevo bench $(ARGS))

figures: $(INSTALLED)  ## measure the figures of the docs again (ARGS=--list, ARGS=--release)
	$(BIN)/python -m studies.measure $(ARGS)

studies: $(INSTALLED)  ## test what measures figures and repeats studies, some minutes
	$(PYTEST) studies $(ARGS)

docs: $(INSTALLED)  ## build the site into build/site, and check all links
	@$(BIN)/python docs/write_pages.py build/pages
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --config-file docs/mkdocs.yml
	@echo "docs: open build/site/index.html"

pages: $(INSTALLED)  ## bring what is generated up to date: docs/pages, hsevo/generated.py, the notebook
	@$(BIN)/python docs/write_pages.py
	@$(BIN)/python -m tests.support.notebook

wheel: $(INSTALLED)  ## build a wheel with machine code for this Python and platform in dist, some minutes
	$(BIN)/python hatch_build.py
	HSEVO_MACHINE_CODE=build/machine_code.bin $(BIN)/python -m hatchling build -t wheel

check: lint  ## run lint, type checks and the quick tests, within two minutes
	$(PYTEST) -m "not slow and not browser" $(ARGS)

test: lint  ## run lint, type checks and all tests
	$(PYTEST) $(ARGS)

coverage: $(INSTALLED)  ## print the share of the kernels' lines that tests cover (as plain Python)
	$(BIN)/python -m tests.support.kernel_coverage

lint: $(INSTALLED)  ## run ruff, codespell, mypy and TypeScript's check of the pages' scripts only
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/mypy
	@if test -x $(TSC) || npm install --prefix $(TYPESCRIPT) --silent --no-save --no-audit --no-fund \
		--fetch-retries 0 --fetch-timeout 30000 typescript@$(notdir $(TYPESCRIPT)) >/dev/null 2>&1; then \
		echo "$(TSC) -p hsevo/web/static" && $(TSC) -p hsevo/web/static; \
	else \
		echo "lint: npm could not install TypeScript, so the pages' scripts are not checked"; \
	fi

clean:  ## remove .venv, caches and build outputs; keep runs/
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
