# The front door. `make help` says what there is.
PYTHON ?= /usr/bin/python3
JOBS ?= $(shell nproc)
FAMILY ?=

.PHONY: help build demo test test-full parity opinfo docs fuzz asan bench lint clean

help:
	@echo 'make build      the libraries and build/bin/wick'
	@echo 'make demo       segments a picture: prints scores and time, writes out/segment.png'
	@echo 'make test       unit tests, install test, parity with PyTorch (sampled), fuzzing, sanitizers'
	@echo 'make test-full  the same, nothing sampled'
	@echo 'make parity     parity with PyTorch only; FAMILY=view for one table'
	@echo 'make docs       docs/operators.md: what Wick has of PyTorch, what not and why'
	@echo 'make fuzz       each fuzz target for a minute'
	@echo 'make bench      size, start-up and speed beside PyTorch'
	@echo 'make lint       clang-format and clang-tidy'

build/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset release > /dev/null

build: | deps-build
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS)

demo: | deps-build
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS) --target segment wick
	@build/bin/segment examples/segment/segment.ptl examples/segment/sample.png out/segment.png

test: | deps-test
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/test.sh

test-full: | deps-test
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/test.sh --full

parity: build | deps-parity
	@$(PYTHON) tests/parity/run.py --runner build/bin/wick_parity_runner $(if $(FAMILY),--cases $(FAMILY))

opinfo: build | deps-parity
	@$(PYTHON) tests/parity/opinfo.py --runner build/bin/wick_parity_runner

docs: build | deps-parity
	@$(PYTHON) tests/parity/operators_doc.py --runner build/bin/wick_parity_runner

fuzz: | deps-fuzz
	@JOBS=$(JOBS) scripts/fuzz.sh 60

bench: build | deps-parity
	@$(PYTHON) bench/bench.py

lint: | deps-lint
	@$(MAKE) -s --no-print-directory build/build.ninja
	@JOBS=$(JOBS) scripts/lint.sh

clean:
	rm -rf build build-* out

# Debian packages that are missing are installed by name; with nothing missing this does nothing.
.PHONY: deps-build deps-test deps-parity deps-fuzz deps-lint
deps-build deps-test deps-parity deps-fuzz deps-lint: deps-%:
	@scripts/deps.sh $*
