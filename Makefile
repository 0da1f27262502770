# Everything a newcomer needs: `make demo` to see it work, `make test` to check it all.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test test-ha conformance mutants lint types contracts unit format bench bench-full clean

demo: $(STAMP)
	@$(BIN)/mnemic demo

test: lint types contracts unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/pyright

contracts: $(STAMP)
	$(BIN)/lint-imports

unit: $(STAMP)
	$(BIN)/pytest -n 2

# Fail-over of three PostgreSQL nodes, and PgBouncer, with Debian's packages: five minutes, or ten
# on a busy machine.
test-ha: $(STAMP)
	tests/ha/install.sh
	$(BIN)/pytest -m ha -s tests/ha

# The public conformance suite of MCP, which npm brings: a minute.
conformance: $(STAMP)
	tests/conformance_mcp.sh
	tests/conformance_openai.sh

# Change the numbers of the contracts one by one: a test must notice each. ONLY=memory/dedup.py, or a
# folder, changes every constant and comparison in it instead: seconds for each.
mutants: $(STAMP)
	$(BIN)/python -m tests.mutation.run $(ONLY)

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Stores of up to 10,000 memories: twenty minutes on two cores once the peers are installed.
# Quality needs the data sets: see docs/benchmarks.md.
bench: $(STAMP)
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/robot.py --sizes 1000,10000
	$(BIN)/python benchmarks/recall.py --sizes 10000
	$(BIN)/python benchmarks/postgres.py --sizes 10000 --skip quality
	$(BIN)/python benchmarks/assistant.py --sizes 1000,10000
	$(BIN)/python benchmarks/chat.py --sizes 1000,10000,11000
	$(BIN)/python benchmarks/chat_context.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/fairness.py
	$(BIN)/python benchmarks/encryption.py
	$(BIN)/python benchmarks/quality.py & quality=$$!; \
		$(BIN)/python benchmarks/peers.py --sizes 10000; compared=$$?; \
		wait $$quality && exit $$compared
	$(BIN)/python benchmarks/tables.py

# Stores of 100,000 and 1,000,000 as well: two hours, most of it loading and embedding.
bench-full: bench
	$(BIN)/python benchmarks/robot.py --sizes 1000,10000,100000
	$(BIN)/python benchmarks/recall.py --sizes 100000,1000000
	$(BIN)/python benchmarks/postgres.py --sizes 100000
	$(BIN)/python benchmarks/postgres_rows.py
	$(BIN)/python benchmarks/assistant.py --sizes 100000
	$(BIN)/python benchmarks/chat.py --sizes 100000
	$(BIN)/python benchmarks/console.py
	$(BIN)/python benchmarks/peers.py --sizes 100000 --skip quality
	$(BIN)/python benchmarks/footprint.py
	$(BIN)/python benchmarks/tables.py

# Installed again whenever the dependencies change.
$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
