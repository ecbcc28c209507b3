# make run replays Scenarios/, make test runs the tests; they install first what the system lacks.

SCENARIOS ?= Scenarios
SOURCES := Sources Tests Snippets Package.swift Benchmarks/Sources

.DEFAULT_GOAL := build
# The other implementations that tests ask: about tokens, pages, metrics, SARIF, shells and manuals; and what kills commands
# where it hurts.
TEST_PACKAGES := chromium curl fish fonts-dejavu-core git groff-base jose mandoc neovim nodejs prometheus python3-flask python3-html5lib \
    python3-jsonschema python3-jwcrypto python3-jwt python3-prometheus-client python3-venv python3-yaml strace tidy zsh
MODULES := Statistics PolicyEngine Documents Columns Accounts Figures Replay Scenarios Proofs Analysis Reports HTTP Service Explore Editor scenario
.PHONY: setup test-setup build recording install deb image release-page check-package wheel check-wheel python python-reports report-tables python-notebooks spark spark-connect run test test-exhaustive serve backends sanitize sanitize-threads check-vectors check-statistics fuzz mutants coverage docs gate check-documents check-embedding structure release-checks lint format clean

# Installs the missing Debian packages; silent when there are none.
setup:
	@Tools/setup.sh

# Builds the command with optimisation: .build/release/scenario. Without what debuggers read, which takes a tenth of the time.
RELEASE := --configuration release -debug-info-format none
# Tests use what a module keeps for itself; that it is open to them costs the command neither time nor instructions. One list of
# flags for the command and the tests: with another one the modules would be compiled again.
BUILD := $(RELEASE) -Xswiftc -enable-testing
build: setup
	@test -e .build/release/scenario || echo 'The first build takes five to ten minutes on two cores, and later ones take less.'
	swift build $(BUILD) --product scenario

# Installs the command with its completions, manual pages and examples below PREFIX; DESTDIR precedes all paths.
PREFIX ?= /usr/local
DESTDIR ?=
install: build
	@Tools/setup.sh python3
	Tools/install.sh .build/release/scenario '$(PREFIX)' '$(DESTDIR)'

# The packages hold what `make build` compiled: nothing is compiled for them.
# Builds a Debian package: .build/package/scenario_….deb
deb: build
	@Tools/setup.sh binutils dpkg-dev python3
	Packaging/deb.sh

# Checks the package by lintian, and by installing, running and removing it in a clean Debian 12. As root.
check-package: deb
	@Tools/setup.sh debootstrap lintian
	Packaging/check.sh .build/package/scenario_*.deb

# Builds a container image from that package: .build/package/scenario_….oci.tar, for `podman load`. As root.
image: deb
	@Tools/setup.sh debootstrap
	Packaging/image.sh

# Writes the text of a release's page with the digests of the packages that are built: .build/package/release.md
ADDRESS ?= https://example.com/download
release-page:
	Packaging/release.sh $(ADDRESS) >.build/package/release.md

# Tests Integrations/python: types, style, every report, tables of all libraries, and what the notebooks show.
PYTHON := .build/python/venv/bin/python
PYTHON_TESTS = PYTHONPATH=$(CURDIR)/Integrations/python POLICY_SCENARIO_COMMAND=$(CURDIR)/.build/release/scenario $(MEMORY) $(PYTHON)
python: build
	@Tools/setup.sh python3-venv
	@Tools/environment.sh python
	cd Integrations/python && ../../$(PYTHON:python=ruff) check . && ../../$(PYTHON:python=mypy)
	$(PYTHON) Integrations/python/tools/members.py .build/release/scenario --check
	$(PYTHON_TESTS) -W error::ResourceWarning -m unittest discover --start-directory Integrations/python/tests
	$(PYTHON_TESTS) Integrations/python/tools/notebooks.py --check

# Writes what the package knows of reports anew, after their schema has changed.
python-reports: build
	python3 Integrations/python/tools/members.py .build/release/scenario

# Runs the notebooks and keeps what they show.
python-notebooks: build
	@Tools/environment.sh python
	$(PYTHON_TESTS) Integrations/python/tools/notebooks.py

# Tests the part for Apache Spark: with two workers in a process, and on a cluster of two.
SPARK_PACKAGES := openjdk-17-jre-headless python3-venv
JAVA_HOME ?= $(firstword $(wildcard /usr/lib/jvm/java-17-openjdk-*))
SPARK_TESTS = JAVA_HOME=$(JAVA_HOME) PYTHONPATH=$(CURDIR)/Integrations/python SCENARIO=.build/release/scenario \
    .build/$@/venv/bin/python -W ignore -m unittest discover --start-directory Integrations/python/tests/spark
spark: build
	@Tools/setup.sh $(SPARK_PACKAGES)
	@Tools/environment.sh spark
	$(SPARK_TESTS) --verbose

# Tests it through Spark Connect, with a newer Spark, which is half a gigabyte to fetch.
spark-connect: build
	@Tools/setup.sh $(SPARK_PACKAGES)
	@Tools/environment.sh spark-connect
	$(SPARK_TESTS) --verbose --pattern 'connect_*.py'

# Builds the Python package with the command in it: .build/wheel/policy_scenario-….whl
wheel: build
	@Tools/setup.sh advancecomp binutils dpkg-dev libc6-dev make python3-venv
	@Tools/environment.sh python
	Packaging/wheel.sh

# Installs that package in a clean Debian 12 and 13, and runs what its READMEs show, on Spark with Java 17, too. As root.
check-wheel: wheel
	@Tools/setup.sh debootstrap
	Packaging/check-wheel.sh .build/wheel/policy_scenario-*.whl

# Replays the scenarios and checks what they expect. The whole report is shown only if it has a failure.
CAPTURE := $(SCENARIOS)/captures/new-devices-2020-07-23.txt
REPORT := .build/scenarios.txt
run: build
	@.build/release/scenario run $(SCENARIOS) --output $(REPORT) || { status=$$?; cat $(REPORT); exit $$status; }
	@sed -n 's/^  \(.* passed\)$$/\1/p' $(REPORT)
	@echo 'report: $(REPORT)'
	@echo 'now: .build/release/scenario explore $(CAPTURE) --account $(SCENARIOS)/accounts/bank.yaml'

# Installs the other implementations that tests ask.
test-setup: setup
	@Tools/setup.sh $(TEST_PACKAGES)
	@Tools/wheels.sh
	@Tools/environment.sh columns
	@Tools/environment.sh editor

# Tests write thousands of small files and have them flushed: into memory, where programs may be run and 4 GB are free.
PROBE := /dev/shm/scenario-probe
MEMORY := $(shell test "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 4000000 2>/dev/null \
    && cp /bin/true $(PROBE) 2>/dev/null && $(PROBE) 2>/dev/null && echo TMPDIR=/dev/shm; rm -f $(PROBE))

# Tests use the modules that `make build` made. With MODULE, modules and tests are compiled without optimisation and a file at a
# time, in a folder of their own, so that the next change of a file is built soon.
TEST_BUILD = $(if $(MODULE),-debug-info-format none --scratch-path .build/modules,$(BUILD))

# Runs all tests, or with MODULE=Replay those of the target that tests this module, which also builds only what that needs; with
# FILTER=TokenTests, the suites of that name, and with FILTER=Rules/R18 the cases of these files; with EXHAUSTIVE=0.1, a tenth of what
# `make test-exhaustive` adds to the random ones. UPDATE=1 writes what is actual into the files of cases that FILTER chooses.
EXHAUSTIVE ?= 0
UPDATE ?= 0
CASES := DocumentCaseTests|TranscriptTests
TABLE_SUITES := \
    FigureTests DurationTextTests TerminalTextTests SuggestionTests YAMLParserTests DocumentReaderTests \
    TOMLParserTests JointOutputTests ScenarioEffectTests CommandRoleTests CommandWordsTests CommandAnswerTests \
    FilterCommandTextTests SpreadLaunchTests TimelineTests PopulationTests MalformedTokenTests TokenClaimTests \
    TokenKeyTests PatternBeginningTests ReadingTests ResponseCodeTests FF1Tests ReportWordTests CertaintyTests \
    DeviceNamesTests PatternReadingTests RecordExpressionTests IdleChangeTests RecordWalkTests NarrowingTests \
    EditorCaseTests ExploreServerTests ServiceCaseTests HTTPServerTests
TABLES := $(subst $(empty) $(empty),|,$(strip $(TABLE_SUITES)))
test: test-setup
	@test -z "$(filter-out $(MODULES),$(MODULE))" || { echo "MODULE is one or more of $(MODULES)" >&2; exit 2; }
	$(if $(MODULE),,swift build $(BUILD) --product scenario)
	MODULE='$(MODULE)' swift build $(TEST_BUILD) --product policy-enginePackageTests
	$(MEMORY) MODULE='$(MODULE)' EXHAUSTIVE=$(EXHAUSTIVE) FILTER='$(FILTER)' UPDATE=$(UPDATE) swift test $(TEST_BUILD) \
	    --skip-build $(if $(FILTER),--filter '$(FILTER)$(if $(findstring /,$(FILTER)),|$(CASES)|$(TABLES))')

# Runs the random and exhaustive tests, whole, or with SHARE=0.25 a quarter of them; `make test` runs a few of each. The tests
# are those in the files that ask how many to run: the name of a test ends with its file.
SHARE ?= 1
EXHAUSTIVE_FILES = $(notdir $(shell grep -rl --include='*Tests*.swift' 'Exhaustive\.' Tests))
empty :=
EXHAUSTIVE_FILTER = /($(subst +,\+,$(subst .,\.,$(subst $(empty) $(empty),|,$(EXHAUSTIVE_FILES))))):
test-exhaustive:
	$(MAKE) test EXHAUSTIVE=$(SHARE) FILTER='$(subst $$,$$$$,$(EXHAUSTIVE_FILTER))'

# Asks the service by curl, from eight clients at once, and with kills in between: ATTESTATIONS attestations and KILLS kills.
ATTESTATIONS ?= 20000
KILLS ?= 200
serve: build
	@Tools/setup.sh curl python3
	python3 -B Tests/CommandTests/scenario/Tooling/serve.py .build/release/scenario whole $(ATTESTATIONS) $(KILLS)

# Runs the tests of the example backends against the service.
BACKEND_PACKAGES := curl libcrypt-jwt-perl libplack-perl libcryptx-perl python3-flask python3-jwcrypto python3-jwt ruby \
    ruby-jwt ruby-webrick
backends: build
	@Tools/setup.sh $(BACKEND_PACKAGES)
	python3 -B Integrations/backends/run.py .build/release/scenario

# Changes the sources one place at a time, and says which changes no test notices: COUNT of the engine and LOADED of each
# module's loaders, drawn by SEED; 0 is all. The next run continues where the last one ended.
COUNT ?= 400
LOADED ?= 60
SEED ?= 1
mutants: test-setup
	python3 Tools/mutants.py --seed $(SEED) PolicyEngine:$(COUNT) \
	    Accounts:$(LOADED):Sources/Accounts/Files,Sources/Accounts/Keys Documents:$(LOADED):Sources/Documents/Reading \
	    Replay:$(LOADED):Sources/Replay/FallbackPath,Sources/Replay/Captures \
	    Scenarios:$(LOADED):Sources/Scenarios/Script/Loading,Sources/Scenarios/Script/Steps,Sources/Scenarios/Script/Expectations

# Says which lines no test reaches, file by file, or with MODULE=Replay those of one module.
coverage: test-setup
	python3 Tools/coverage.py $(MODULE)

# Builds the documentation of the library for people who embed it: .build/documentation/index.html
docs: build
	@Tools/documentation.sh

# One build under AddressSanitizer, C and C++ under UndefinedBehaviorSanitizer too, with the counters of libFuzzer: `make
# sanitize` runs its tests, and `make fuzz` its fuzzer. It has the tests of SANITIZED only, those that reach C, to build sooner:
# with `scenario` among them the transcripts of the command run, too.
SANITIZED ?= PolicyEngine Documents Columns Replay HTTP Service Scenarios
SANITIZED_TESTS ?= $(CASES)|^(Engine|Files|Captures|Service)Tests\.
CHECKED := .build/checked
CHECKED_BUILD = FUZZ=1 MODULE='$(SANITIZED)' swift build --build-tests $(CHECKED_FLAGS)
CHECKED_FLAGS := --scratch-path $(CHECKED) -Xswiftc -gline-tables-only -Xswiftc -use-ld=lld -Xswiftc -sanitize=address \
    -Xcc -fsanitize=fuzzer-no-link,address,undefined -Xcc -fno-sanitize=vptr,function -Xcc -fno-sanitize-recover=undefined

# Runs those tests and all scenarios. Memory that the system's libraries keep until the end is not reported as a leak.
sanitize: test-setup
	$(CHECKED_BUILD)
	$(MEMORY) ASAN_OPTIONS=detect_leaks=0 FUZZ=1 MODULE='$(SANITIZED)' swift test --skip-build $(CHECKED_FLAGS) \
	    --filter '$(SANITIZED_TESTS)'
	ASAN_OPTIONS=detect_leaks=0 $(CHECKED)/debug/scenario run $(SCENARIOS)

# Replays and compares captures and runs the scenarios with four workers under ThreadSanitizer, and asks the service by eight
# clients at a time.
sanitize-threads: setup
	@Tools/setup.sh curl python3
	swift build --product scenario --sanitize=thread --scratch-path .build/threads
	for number in 1 2 3 4 5; do \
	    TSAN_OPTIONS=halt_on_error=1 .build/threads/debug/scenario replay $(CAPTURE) $(CAPTURE) --sort --jobs 4 \
	        --account $(SCENARIOS)/accounts/bank.yaml --output /dev/null || exit 1; \
	done
	TSAN_OPTIONS=halt_on_error=1 .build/threads/debug/scenario diff $(CAPTURE) --jobs 4 \
	    --account $(SCENARIOS)/accounts/bank.yaml --change 'policy -set default,default,risk' --output /dev/null
	TSAN_OPTIONS=halt_on_error=1 .build/threads/debug/scenario run $(SCENARIOS) --jobs 4 --output /dev/null
	TSAN_OPTIONS=halt_on_error=1 python3 -B Tests/CommandTests/scenario/Tooling/serve.py .build/threads/debug/scenario whole 400 3

# Checks what compares many bytes at a time against what compares one, with the instructions of this machine and, under qemu,
# with those of ARM.
VECTORS := Tools/vectors.c $(wildcard Sources/CBlockIndex/*.c Sources/CValueLookup/*.c)
VECTOR_FLAGS := -O2 -Wall -Wextra -Werror -ISources/CBlockIndex/include -ISources/CValueLookup/include
check-vectors: setup
	@Tools/setup.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	mkdir -p .build
	clang $(VECTOR_FLAGS) -fsanitize=undefined -fno-sanitize-recover=undefined $(VECTORS) -o .build/vectors && .build/vectors
	aarch64-linux-gnu-gcc $(VECTOR_FLAGS) -static $(VECTORS) -o .build/vectors-arm && qemu-aarch64 .build/vectors-arm

# Computes the expected values of the tests of Statistics again with other programs, and compares.
check-statistics:
	@Tools/setup.sh python3-venv
	@Tools/environment.sh statistics
	.build/statistics/venv/bin/python -B Tests/EngineTests/Statistics/reference.py --check

# Feeds every reader with what libFuzzer makes of the corpus, for MINUTES in all, under AddressSanitizer, as many at a time as
# there are processors. Some compute one thing in two ways, and compare. What ends a process is left as
# .build/fuzzing/crash-…; what finds new paths is kept in .build/fuzzing/corpus.
MINUTES ?= 2
READERS := account scenario capture fetches command token code key-file key-set columns toml two-forms read-again reference batches requests names rpc
FUZZ_JOBS ?= $(shell nproc)
# The folder for captures that are replayed: a disk would take most of the time.
FUZZ_FOLDER ?= $(firstword $(wildcard /dev/shm) /tmp)
FUZZER := $(CHECKED)/debug/fuzz
fuzz: setup
	$(CHECKED_BUILD)
	mkdir -p $(READERS:%=.build/fuzzing/corpus/%)
	printf '%s\n' $(READERS) | TMPDIR=$(FUZZ_FOLDER) ASAN_OPTIONS=detect_leaks=0 xargs -P $(FUZZ_JOBS) -I '{}' $(FUZZER) '{}' \
	    -max_total_time=$$(($(MINUTES) * 60 * $(FUZZ_JOBS) / $(words $(READERS)))) \
	    -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=.build/fuzzing/ '.build/fuzzing/corpus/{}' 'Tests/Fuzzing/Corpus/{}'

# Counts what decisions allocate, and fails where the hot path does.
gate: setup
	BENCHMARKS=1 swift build $(BUILD) --product decisions
	.build/release/decisions --gate

# Runs the commands that the documents show, and compares what they print; checks links, and the tables of reports.
check-documents: build
	python3 Tools/report_tables.py .build/release/scenario --check
	python3 Tools/check_documents.py

# Writes the tables of reports anew, after their schema has changed: docs/REPORTS.md
report-tables: build
	python3 Tools/report_tables.py .build/release/scenario

# Checks that a package that depends on the library by a version builds PCRE2, libcrypto and the library alone, and runs.
CONFIGURATIONS ?= debug release
check-embedding: setup
	Tools/embedding.sh $(CONFIGURATIONS)

# Checks that imports go down only, that the folders of a module form no cycle, that ARCHITECTURE.md names them and allows as many
# lines as each module has, that each rule has a test and each promise of SECURITY.md, too, and that comments, texts and documents
# have plain words.
structure:
	python3 Tools/check_structure.py
	python3 Tools/check_repository.py
	python3 Tools/check_words.py

# Checks before a release what takes longer than .ci/run may: all random tests, all tests without optimisation, threads, kills,
# requests and fuzzing in full, and the packages in clean roots. About two hours; as root.
release-checks:
	$(MAKE) test-exhaustive
	$(MAKE) test MODULE='$(MODULES)'
	$(MAKE) sanitize SANITIZED='$(MODULES)' SANITIZED_TESTS=Tests
	$(MAKE) sanitize-threads
	$(MAKE) fuzz MINUTES=30
	$(MAKE) serve
	$(MAKE) check-embedding
	$(MAKE) check-package
	$(MAKE) check-wheel

# Records docs/explore.webp: the page of explore while somebody uses it.
recording: build
	@Tools/setup.sh chromium fonts-dejavu-core python3-html5lib
	python3 -B Tools/recording.py .build/release/scenario

PAGE_CHECK := .build/page/venv/bin/biome check --config-path=Tools/biome.json
lint:
	swift format lint --strict --recursive $(SOURCES)
	@Tools/setup.sh python3-venv
	@Tools/environment.sh page
	$(PAGE_CHECK) --error-on-warnings Sources/Explore/Page

# Rewrites the sources in the form that lint asks for.
format:
	swift format --in-place --recursive $(SOURCES)
	@Tools/setup.sh python3-venv
	@Tools/environment.sh page
	$(PAGE_CHECK) --write Sources/Explore/Page

clean:
	rm -rf .build
