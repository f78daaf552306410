# Two commands do everything: `make play` and `make test`. Both set up .venv when it is missing.
PYTHON ?= python3
BIN = .venv/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: play demo setup test suite check lint types house lowest dist bench pictures clean

# Options of `domino-rig play`: make play OPTIONS="--port 8080"
# Ctrl+C is how a game ends, not an error; the shell has to outlive it to hear how the game ended.
play: setup
	@trap : INT; $(BIN)/domino-rig play $(OPTIONS) || test $$? -eq 130

demo: setup
	$(BIN)/domino-rig demo --seed 1

setup: .venv/ready

# If the system's Python was replaced or the folder was moved, nothing in .venv is found any more.
ifneq ($(wildcard .venv/ready),)
ifneq ($(shell .venv/bin/python -I -c 'import rig' 2>/dev/null || echo lost),)
ANEW = --clear
.venv/ready: FORCE
endif
endif
FORCE:

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"domino-rig needs Python 3.11 or newer, this is {v[0]}.{v[1]}: try make PYTHON=python3.12")'
	@echo "Setting up .venv (once, a minute or two) ..."
	@$(PYTHON) -m venv $(ANEW) .venv
	@$(PIP) install -c constraints.txt -e .
	@$(BIN)/python -c 'import cv2' 2>/dev/null || { \
	  echo "OpenCV misses libGL on this system: taking opencv-python-headless instead."; \
	  $(PIP) uninstall -y opencv-python; \
	  $(PIP) install -c constraints.txt opencv-python-headless; \
	  $(BIN)/python -c 'import cv2'; }
	@touch $@

.venv/ready-dev: .venv/ready
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@$(BIN)/python -c 'import cv2' 2>/dev/null || { \
	  $(PIP) uninstall -y opencv-python; \
	  $(PIP) install -c constraints.txt --force-reinstall --no-deps opencv-python-headless; }
	@touch $@

test: .venv/ready-dev
	@tests/debian.sh "chromium-headless-shell|chromium" gcc:cc gcc-avr:avr-gcc avr-libc:/usr/lib/avr/include/avr/io.h \
	  libsimavr-dev:/usr/include/simavr/sim_avr.h libelf-dev:/usr/include/libelf.h \
	  clang lld:wasm-ld \
	  libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/include/fuzzer/FuzzedDataProvider.h
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory -j 2 types suite

# Bytecode is kept even where the environment asks for none: commands are started some two hundred times.
suite: export PYTHONDONTWRITEBYTECODE =
suite: .venv/ready-dev
# Three workers, also on two cores: tests of pages wait for a browser more than they work (374 s; two
# took 466). Four gain nothing: with more tests since then, 602 s; three took 605.
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

check: lint types

lint: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/ready-dev
	$(BIN)/mypy
	$(BIN)/lint-imports

# How the house stands; no figure may be worse than the one kept in tests/data/house.json.
house: .venv/ready-dev
	$(BIN)/python -m tests.tools.house

# The tests with the lowest versions that pyproject.toml allows, in an environment of their own.
LOWEST = .venv-lowest/bin/python -m

lowest: .venv-lowest/ready
	$(LOWEST) pytest -n 1 --dist loadfile

.venv-lowest/ready: pyproject.toml
	$(PYTHON) -m venv .venv-lowest
	sed -n 's/^ *"\([A-Za-z0-9-]*\)>=\([0-9.]*\)",$$/\1==\2/p' pyproject.toml > .venv-lowest/lowest.txt
	$(LOWEST) pip --disable-pip-version-check --quiet install -c .venv-lowest/lowest.txt -e '.[dev]'
	@.venv-lowest/bin/python -c 'import cv2' 2>/dev/null || { \
	  $(LOWEST) pip uninstall -y opencv-python; \
	  $(LOWEST) pip install --no-deps $$(sed -n 's/^opencv-python==/opencv-python-headless==/p' .venv-lowest/lowest.txt); }
	@touch $@

# Source package, the wheel that comes of it, and a whole game played from that wheel alone.
dist: .venv/ready-dev
	rm -rf dist build
	mkdir -p build
	$(BIN)/python -c 'from setuptools.build_meta import build_sdist; build_sdist("dist")'
	tar -xzf dist/*.tar.gz -C build --strip-components 1
	cd build && $(abspath $(BIN))/python -c 'from setuptools.build_meta import build_wheel; build_wheel("../dist")'
	$(PYTHON) -m venv build/fresh
	build/fresh/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt dist/*.whl
	cd build/fresh && bin/domino-rig demo --seed 1

bench: .venv/ready-dev
	$(BIN)/python -m tests.bench.bench_physics --pace
	$(BIN)/python -m tests.bench.bench_front
	$(BIN)/python -m tests.bench.bench_limits
	$(BIN)/python -m tests.bench.bench_engines
	$(BIN)/python -m tests.bench.bench_vision tests/data/frames
	$(BIN)/python -m tests.bench.bench_turn
	$(BIN)/python -m tests.bench.bench_rig --quick
	$(BIN)/python -m tests.bench.bench_fall
	$(BIN)/python -m tests.bench.bench_survey
	$(BIN)/python -m tests.bench.bench_web
	$(BIN)/python -m tests.bench.bench_pusher

pictures: .venv/ready-dev
	DOMINO_SHOTS=web/pictures $(BIN)/python -m pytest tests/browser/test_full_game.py
	$(BIN)/python -m tests.soak.dominoes_evening --preset goat-yard --pictures web/pictures
	$(BIN)/python -m tests.tools.turn_film web/pictures/turn.webp
	DOMINO_SETUP_SHOTS=rig/pictures $(BIN)/python -m pytest tests/browser/test_setup_evening.py -k "green or door"

clean:
	rm -rf .venv .venv-lowest build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
