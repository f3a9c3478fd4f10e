# Everything is built by meson; these are the commands that people remember. What is
# missing is installed first (scripts/deps.sh).

BUILD ?= build
PREFIX ?= /usr/local
# Tests are built when they are first run; `make` alone builds what people use.
TESTS = disabled
STUDIES = blind heho deadline bcast papers surface strassen tables testbed threads weights

FUZZ ?= 60
FAULTS ?= 1000

.PHONY: all deps build demo docs check check-all bench experiments $(STUDIES) scalapack \
    mutants faults fuzz fuzz-coverage install dist dist-patient package abi lint format coverage sanitize \
    valgrind clean

all: build

deps:
	@scripts/deps.sh

# SETUP: more for meson setup, as SETUP=-Dapps=disabled; meson_options.txt lists the parts.
# Libraries go to lib: where a system looks below /usr/local, unlike meson's choice. Meson
# lists the files of some folders, and does not notice by itself when there is a new one.
$(BUILD)/build.ninja: $(wildcard man tests/unit/*/ tests/unit/*/*/) | deps
	@if [ -f $@ ]; then meson setup --reconfigure $(BUILD); \
	else meson setup $(BUILD) --prefix=$(abspath $(PREFIX)) --libdir=lib \
	    -Dtests=$(TESTS) $(SETUP); fi

build: deps $(BUILD)/build.ninja
	@[ $(TESTS) = disabled ] || [ -d $(BUILD)/tests ] || meson configure $(BUILD) -Dtests=$(TESTS)
	@meson compile -C $(BUILD)

check check-all bench $(STUDIES) scalapack mutants faults lint sanitize valgrind: TESTS = auto
# From recorded truth: nothing of the tests is run.
papers: TESTS = disabled

demo: build
	@scripts/demo $(BUILD)

# Unit and command tests, and one of each kind with real, simulated and testbed ranks.
check: build
	@scripts/check-format
	@scripts/check $(BUILD) --suite unit --suite cli --suite quick

# All tests. Those on real nodes, which are made on this machine as root, are skipped
# where it cannot; MOTLEY_TESTBED=insist lets them fail there.
check-all:
	@scripts/deps.sh testbed
	@scripts/deps.sh fuzz
	@scripts/deps.sh pages
	@scripts/deps.sh abi
	@$(MAKE) --no-print-directory build TESTS=$(TESTS)
	@scripts/fuzz build
	@scripts/check-format
	@scripts/check $(BUILD)

# The example pages in docs/.
docs: build
	@scripts/docs $(BUILD)

bench: build
	@scripts/bench $(BUILD)

# A study, or all of them, which takes hours: `make heho STUDY=--recorded` takes three
# minutes; experiments/README.md lists what there is.
experiments: $(STUDIES)

$(STUDIES): build
	@experiments/$@/run $(STUDY) $(BUILD)

# The rival of the products, for the real runs.
ifeq ($(STUDY),)
strassen: scalapack
endif
scalapack: $(BUILD)/build.ninja
	@scripts/deps.sh strassen
	@meson setup --reconfigure $(BUILD) >/dev/null

# Whether the tests notice each of the seeded defects in tests/mutants.
mutants: build
	@scripts/mutants $(BUILD)

# So many random faults while motley measures (tests/faults).
faults: build
	@tests/faults/faults $(BUILD) $(FAULTS)

# Each fuzz target for so many seconds; and what of the sources they reach.
fuzz:
	@scripts/deps.sh fuzz
	@scripts/fuzz build
	@scripts/fuzz run $(FUZZ)

fuzz-coverage:
	@scripts/deps.sh fuzz
	@scripts/fuzz coverage

install: build
	@meson configure $(BUILD) --prefix=$(abspath $(PREFIX))
	@meson install -C $(BUILD)

# What is committed as the tarball of a release with its checksum, in FOLDER.
FOLDER ?= packages
dist:
	@scripts/dist $(FOLDER)

# motley patient alone, as a tarball for machines without motley. It needs a C compiler only.
dist-patient:
	@scripts/dist-patient $(FOLDER)

# Debian packages of it.
package: deps
	@scripts/deps.sh package
	@scripts/package $(FOLDER)

# Whether programs that were compiled with the last release run with what is built.
abi: build
	@scripts/deps.sh abi
	@scripts/abi $(BUILD)

lint: build
	@scripts/deps.sh lint
	@scripts/check-format
	@scripts/lint $(BUILD)
	@scripts/analyze $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# Which lines the tests reach: a quarter of an hour.
coverage: deps
	@scripts/deps.sh coverage
	@[ -f build-coverage/build.ninja ] || \
	    meson setup build-coverage -Db_coverage=true --buildtype=debug
	@meson compile -C build-coverage
	@scripts/coverage build-coverage

# Address and undefined behaviour in unit and command tests; races and lost memory in the
# preload library. A quarter of an hour.
sanitize: deps
	@[ -f build-sanitize/build.ninja ] || \
	    meson setup build-sanitize -Db_sanitize=address,undefined -Db_lundef=false
	@meson compile -C build-sanitize
	@ASAN_OPTIONS=verify_asan_link_order=0 \
	    LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	    scripts/check build-sanitize --suite unit --suite cli
	@$(MAKE) --no-print-directory build TESTS=$(TESTS)
	@[ -f build-threads/build.ninja ] || meson setup build-threads -Db_lundef=false \
	    -Dc_args=-fsanitize=thread -Dc_link_args=-fsanitize=thread
	@scripts/sanitize-preload $(BUILD) build-threads

valgrind: build
	@scripts/check $(BUILD) --suite unit --setup valgrind

clean:
	rm -rf $(BUILD) build-sanitize build-clang build-coverage build-fuzz \
	    build-fuzz-coverage build-threads
