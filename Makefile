# Everything a newcomer needs: `make play` and `make test`. `make help` tells the rest.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT   ?= 8000
PY     := .venv/bin/python
# Lock files name packages and hashes, never the index they came from.
COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
          --no-emit-index-url --no-annotate --no-header

.DEFAULT_GOAL := help
.PHONY: help play test check fmt bench soak messages lock clean site dev

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: site  ## Run the site with a living demo world (PORT=8000, FRESH=1 for a new world)
	@exec $(PY) manage.py play --port $(PORT) $(if $(filter 1 true yes,$(FRESH)),--fresh)

test: dev  ## Run all tests, with real PostgreSQL, Redis and Chromium where they can be had
	@exec $(PY) -m tests $(ARGS)

check: dev  ## What CI runs: format, lint, types, contracts, migrations, deployment, tests
	@exec $(PY) -m tests --with-checks $(ARGS)

fmt: dev  ## Format the code and sort its imports
	@$(PY) -m ruff check --quiet --fix-only .
	@$(PY) -m ruff format .

bench: dev  ## Measure: each figure a ratio within one run
	@exec $(PY) -m bench $(ARGS)

soak: dev  ## The long versions of the tests: hours, not minutes
	@exec $(PY) -m tests --soak $(ARGS)

messages: dev  ## Gather the texts to translate into locale/
	@$(PY) manage.py translations update

lock: dev  ## Resolve the dependencies of pyproject.toml anew
	@$(COMPILE) pyproject.toml -o requirements/site.txt
	@$(COMPILE) pyproject.toml --group dev -c requirements/site.txt -o requirements/dev.txt

clean:  ## Remove what make made, except the world in var/
	@rm -rf .venv staticfiles test-results locale/*/LC_MESSAGES/*.mo
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

site:
	@$(if $(PYTHON),,echo "Python 3.11 or newer is needed, and no python3 was found."; exit 1)
	@$(PYTHON) config/bootstrap.py site

dev:
	@$(if $(PYTHON),,echo "Python 3.11 or newer is needed, and no python3 was found."; exit 1)
	@$(PYTHON) config/bootstrap.py dev
