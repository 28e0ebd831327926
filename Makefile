# Entry points; `make help` lists them.
PYTHON ?= /usr/bin/python3
JOBS ?= $(shell nproc 2> /dev/null || sysctl -n hw.ncpu)
FAMILY ?=
comma := ,
# For suites that run PyTorch, see scripts/test.sh.
parity opinfo docs docs-run: export ONEDNN_MAX_CPU_ISA ?= AVX512_CORE_BF16

.PHONY: help build demo docs-run test test-full test-arm64 parity opinfo docs fuzz asan tsan soak nightly lint clean
.PHONY: unit test-gpu test-python-long test-wheel deb test-packages check-workflows check-version release-draft abi
.PHONY: bench bench-java bench-operators bench-peers bench-arm64 test-arm64-counts size site java test-java test-java-long
.PHONY: test-java-on test-published test-python wheel check-apple check-libcxx bench-python test-swift test-objc
.PHONY: test-pages wheel-arm64 test-wheel-arm64 test-apps test-spark test-compat-upstream

help:
	@echo 'make build      the libraries and build/bin/wick'
	@echo 'make demo       segments an image: prints scores and time, writes out/segment.png'
	@echo 'make test       unit tests, install test, parity with PyTorch (sampled), fuzzing, sanitizers'
	@echo 'make test-full  the same, nothing sampled'
	@echo 'make test-arm64 the kernels on emulated 64-bit ARM; ALL=1: the whole library'
	@echo 'make unit       builds all, runs the unit tests and ctest: needs no PyTorch; CXX=clang++'
	@echo 'make test-gpu   the tests of the GPU backend, on the processor where there is no GPU'
	@echo 'make parity     parity with PyTorch only; FAMILY=view for one table'
	@echo 'make site       the site, in build/site/html; make docs-run does what its pages say'
	@echo 'make test-pages the pages of profile, explain and quantize in Chromium: sorting, search, dark mode, narrow screens'
	@echo 'make docs       docs/operators.md: the operators Wick has, those it lacks and why'
	@echo 'make asan       the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make tsan       the tests that run several threads under ThreadSanitizer'
	@echo 'make fuzz       searches for new inputs with each fuzz target for a minute; HOURS=n: processor-hours in all'
	@echo 'make bench      speed beside PyTorch 1.13 and other engines, size, start-up; QUICK=1, SHORT=1, BENCH="--models ..."'
	@echo 'make bench-operators  operators one by one beside PyTorch 1.13, one thread; OPS="sort fft"'
	@echo 'make bench-peers  installs the other engines from PyPI; LARGE=1: the large ones as well'
	@echo 'make bench-python  the Python package beside those of other engines: code, wheel, import, load and run'
	@echo 'make bench-java  the service and the Spark job on the JVM beside ONNX Runtime and DJL: rows per second'
	@echo 'make bench-arm64  instructions and estimated cycles on 64-bit ARM, counted under qemu; GCC=1, RECORD=1, COUNT="--names resnet18"'
	@echo 'make test-arm64-counts  whether three models still take the instructions there that are recorded'
	@echo 'make size       sizes of selective builds as phones get them, beside their gates; GCC=1, LISTS="core"'
	@echo 'make java       the libraries and jars of org.pytorch, in build/lib and java/*/target'
	@echo 'make test-java  their tests (make test runs them, too)'
	@echo 'make test-java-long  lifetimes and random calls of Java, 34 times as long: a million forwards'
	@echo 'make test-published  the published classes of org.pytorch.torchvision with our main jar'
	@echo 'make test-apps  the demo apps for Android: signed APKs, their screens under Robolectric (make test-full runs them, too)'
	@echo 'make test-spark the job of examples/spark, on a Spark of one machine from Maven (300 MB)'
	@echo 'make test-python  builds the Python package in build/python and runs its tests (make test runs them, too)'
	@echo 'make test-python-long  the same with a million calls, whose memory must not grow'
	@echo 'make wheel      Python wheels that stand alone, in dist/; PYTHON=python3.12: one for 3.12 and later'
	@echo 'make wheel-arm64  a wheel for 64-bit ARM, cross-built, for 3.12 and later; make test-wheel-arm64: its tests under qemu'
	@echo 'make test-wheel  installs the wheel for PYTHON from dist/ in an environment of its own, and runs its tests'
	@echo 'make test-java-on  their tests on an emulated machine of another kind: MACHINE=arm or x86 (32 bits), arm64'
	@echo 'make deb        Debian packages in dist/deb: runtime, development files, the command'
	@echo 'make test-packages  builds, installs, uses and removes packages: Debian, Conan, vcpkg, FetchContent'
	@echo 'make check-workflows  .github/workflows with yamllint and actionlint'
	@echo 'make abi        records the public C++ interface after a change that the changelog says'
	@echo 'make check-apple  compiles the runtime for macOS, linked, and for iOS (Mach-O; nothing is run)'
	@echo 'make check-libcxx  compiles every source with the C++ library of Android and Apple; nothing is built'
	@echo 'make test-swift the Swift package: swift test in a Debian 13 root, which it makes (2.6 GB)'
	@echo 'make test-objc  the apps of apple/ on GNUstep, and what Xcode and CocoaPods are given (make test runs them, too)'
	@echo 'make soak       a million runs on 8 threads, whose memory must not grow; RUNS=n'
	@echo 'make nightly    everything that takes longer than make test may; HOURS=n of fuzzing'
	@echo 'make lint       layers, complexity of functions, clang-format and clang-tidy'

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

unit: | deps-unit
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS)
	@build/bin/wick_unit_tests --gtest_brief=1
	@ctest --test-dir build -E '^unit$$' --output-on-failure

test-gpu: | deps-gpu
	@cmake --preset release -DWICK_VULKAN=ON > /dev/null && cmake --build build -j $(JOBS) --target wick wick_unit_tests
	@build/bin/wick info --devices
	@build/bin/wick_unit_tests --gtest_filter='Gpu*' --gtest_brief=1

test-arm64: | deps-arm64
	@JOBS=$(JOBS) scripts/test_arm64.sh $(if $(ALL),--all)

test-java-on: | deps-java-on
	@JOBS=$(JOBS) scripts/test_java_on.sh $(or $(MACHINE),arm)

parity: build | deps-parity
	@$(PYTHON) tests/parity/run.py --runner build/bin/wick_parity_runner $(if $(FAMILY),--cases $(FAMILY))

opinfo: build | deps-parity
	@$(PYTHON) tests/parity/opinfo.py --runner build/bin/wick_parity_runner

docs: build | deps-parity
	@$(PYTHON) tests/parity/operators_doc.py --runner build/bin/wick_parity_runner

site: | deps-site
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS) --target wick
	@PYTHON=$(PYTHON) scripts/site.sh

docs-run: | deps-site deps-parity deps-python
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS) --target wick pytorch_tools
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh build
	@$(PYTHON) tests/docs/run_blocks.py

test-pages: build | deps-pages
	@[ -x build/pages-venv/bin/python ] || $(PYTHON) -m venv build/pages-venv
	@build/pages-venv/bin/python -m pip install -q --disable-pip-version-check 'selenium>=4.20,<5'
	@build/pages-venv/bin/python tests/pages/pages_test.py build/bin/wick build/pages

asan: | deps-fuzz
	@cmake --preset asan > /dev/null && cmake --build build-asan -j $(JOBS) --target wick_unit_tests
	@build-asan/bin/wick_unit_tests --gtest_brief=1

tsan: | deps-test
	@cmake --preset tsan > /dev/null && cmake --build build-tsan -j $(JOBS) --target wick_thread_tests
	@TSAN_OPTIONS=halt_on_error=1 build-tsan/bin/wick_thread_tests --gtest_brief=1

fuzz: | deps-fuzz
	@$(PYTHON) scripts/fuzz.py --jobs $(JOBS) $(if $(HOURS),--hours $(HOURS),--seconds 60)

bench: build | deps-bench
	@cmake --build build -j $(JOBS) --target wick_bench_worker
	@PYTHON=$(PYTHON) bench/peers/install.sh --least
	@$(PYTHON) bench/bench.py $(if $(QUICK),--quick) $(if $(SHORT),--short) $(BENCH)
	@$(PYTHON) bench/startup.py $(if $(QUICK)$(SHORT),--rounds 2)

bench-operators: build | deps-bench
	@cmake --build build -j $(JOBS) --target wick_bench_worker
	@$(PYTHON) bench/operators.py $(if $(OPS),--filter $(OPS),--output bench/results/operators.md)

bench-peers: | deps-bench
	@PYTHON=$(PYTHON) bench/peers/install.sh $(if $(LARGE),--large)

bench-python: build | deps-bench deps-python
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh build
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh wheel
	@$(PYTHON) bench/python.py --output bench/results/python.md

# Beside ONNX Runtime's and DJL's Java APIs, which Maven fetches (1 GB).
bench-java: | deps-java deps-parity
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@$(PYTHON) bench/java.py --output bench/results/java.md

bench-arm64: | deps-bench-arm64
	@JOBS=$(JOBS) bench/arm64/build.sh clang
	@$(if $(GCC),JOBS=$(JOBS) bench/arm64/build.sh gcc)
	@$(PYTHON) bench/arm64/models.py build-arm64/models
	@$(PYTHON) bench/arm64/bench.py --programs clang=build-arm64-clang/bin$(if $(GCC),$(comma)gcc=build-arm64-gcc/bin) \
	  $(or $(COUNT),--cycles --errors 4 --output bench/results/arm64.md $(if $(RECORD),--save,--check) bench/arm64/counts.json)

# No part of make test: clang cross-builds the runtime for it.
test-arm64-counts: | deps-bench-arm64
	@JOBS=$(JOBS) bench/arm64/build.sh clang
	@$(PYTHON) bench/arm64/models.py build-arm64/models gated
	@$(PYTHON) bench/arm64/bench.py --programs clang=build-arm64-clang/bin --names gated --check bench/arm64/counts.json

size: | deps-size
	@$(PYTHON) scripts/size.py --check $(if $(GCC),--gcc) $(LISTS)

java: | deps-java
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@cd java && mvn -q -B -ntp package -DskipTests

test-java: | deps-java
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@$(PYTHON) java/test.py

# A million forwards and more than a hundred thousand loads and tensors that nobody closes, and as many random calls.
test-java-long: | deps-java
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@$(PYTHON) java/test.py -pl pytorch_android -Dtest='LifetimeTest,RandomCallsTest' -Dwick.jvm=-Dwick.rounds=34

test-published: | deps-java
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@$(PYTHON) java/run_published.py

test-apps: | deps-apps
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@$(PYTHON) java/android/apps/test.py

test-compat-upstream: | deps-test
	@cmake --preset release -DWICK_COMPAT=ON > /dev/null && cmake --build build -j $(JOBS) --target wick_compat
	@$(PYTHON) tests/compat/run.py --build build --upstream --jobs $(JOBS)

test-spark: | deps-java
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && cmake --build build -j $(JOBS) --target java_libraries
	@cd java && mvn -q -B -ntp -P spark -pl server,../examples/server,../examples/spark test -Dtest=ScoreJobTest \
	  -Dsurefire.failIfNoSpecifiedTests=false

test-python: | deps-python
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh test

test-python-long: | deps-python
	@PYTHON=$(PYTHON) JOBS=$(JOBS) WICK_PYTHON_CALLS=1000000 scripts/python.sh test

test-wheel: | deps-python
	@PYTHON=$(PYTHON) scripts/python.sh test-wheel

wheel: | deps-python
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh wheel

# For 64-bit ARM, cross-built; one for Python 3.12 and later.
wheel-arm64: | deps-python deps-arm64
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/python.sh wheel-arm64

test-wheel-arm64: | deps-python deps-arm64
	@PYTHON=$(PYTHON) scripts/python.sh test-wheel-arm64

deb: | deps-packages
	@JOBS=$(JOBS) scripts/deb.sh

test-packages: | deps-package-tests
	@JOBS=$(JOBS) PYTHON=$(PYTHON) tests/packages/run.sh $(or $(PARTS),deb fetch_content vcpkg conan pip pip_wheel docker)

check-workflows: | deps-workflows
	@scripts/check_workflows.sh

check-version:
	@$(PYTHON) scripts/version.py --check $(if $(TAG),--tag $(TAG))

release-draft: check-version
	@gh release create $(TAG) --draft --title "Wick $(TAG)" --notes "CHANGELOG.md says what is new." dist/release/*

abi: build | deps-fuzz
	@$(PYTHON) tests/abi/cpp_abi.py --record build/lib/libwick_*.a

check-apple: | deps-apple
	@JOBS=$(JOBS) PYTHON=$(PYTHON) scripts/check_apple.sh

test-swift: | deps-swift
	@$(MAKE) -s --no-print-directory build/build.ninja
	@cmake --build build -j $(JOBS) --target wick_runtime
	@scripts/test_swift.sh

test-objc: | deps-objc
	@cmake --preset release -DWICK_COMPAT=ON -DWICK_PYTORCH_LAYOUT=ON > /dev/null
	@cmake --build build -j $(JOBS) --target pytorch_layout
	@$(PYTHON) tests/apple/packaging_test.py
	@$(PYTHON) tests/objc/run.py

soak: build
	@cmake --build build -j $(JOBS) --target wick_soak && build/bin/wick_soak $(or $(RUNS),1000000) 8

nightly: | deps-test
	@JOBS=$(JOBS) PYTHON=$(PYTHON) scripts/nightly.sh $(HOURS)

check-libcxx: | deps-libcxx
	@cmake --preset release -DWICK_JAVA=ON > /dev/null && JOBS=$(JOBS) $(PYTHON) scripts/check_libcxx.py

lint: | deps-lint
	@$(MAKE) -s --no-print-directory build/build.ninja
	@JOBS=$(JOBS) scripts/lint.sh

clean:
	rm -rf build build-* out dist

# Debian packages that are missing are installed by name; with nothing missing this does nothing.
deps-%:
	@scripts/deps.sh $*
