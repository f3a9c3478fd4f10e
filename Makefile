# Everything is built by meson; these are the commands that people remember.
# `make demo` and `make check` install what is missing first (scripts/deps.sh).

BUILD ?= build
PREFIX ?= /usr/local

.PHONY: all deps build demo check check-testbed bench heho bcast surface strassen testbed install lint format sanitize valgrind clean

all: build

deps:
	@scripts/deps.sh

# Libraries go to lib: where a system looks below /usr/local, unlike meson's choice.
$(BUILD)/build.ninja: | deps
	@meson setup $(BUILD) --prefix=$(abspath $(PREFIX)) --libdir=lib

build: deps $(BUILD)/build.ninja
	@meson compile -C $(BUILD)

demo: build
	@scripts/demo $(BUILD)

# Without the long ones of make check-testbed.
check: build
	@scripts/check-format
	@scripts/check $(BUILD) --no-suite long

# Real nodes on this machine, as root; `make check` skips these tests where it cannot.
check-testbed: build
	@scripts/deps.sh testbed
	@MOTLEY_TESTBED=insist scripts/check $(BUILD) --suite testbed

bench: build
	@scripts/bench $(BUILD)

# All truth is simulated, up to an hour; `make heho HEHO=--recorded` takes a minute.
heho: build
	@experiments/heho/run $(HEHO) $(BUILD)

# The adaptive broadcast against the paper's, simulated and real.
bcast: build
	@experiments/bcast/run $(BCAST) $(BUILD)

# Surfaces of three simulated machines, learned from a few nodes, and one real: ten
# minutes; `make surface SURFACE=--recorded` takes seconds.
surface: build
	@experiments/surface/run $(SURFACE) $(BUILD)

# Products of matrices on unequal processors, simulated and on this machine: ten
# minutes; `make strassen STRASSEN=--quick` takes half a minute.
strassen: $(BUILD)/build.ninja
	@scripts/deps.sh strassen
	@meson setup --reconfigure $(BUILD) >/dev/null
	@meson compile -C $(BUILD)
	@experiments/strassen/run $(STRASSEN) $(BUILD)

# The whole job on a real mixed cluster made on this machine, as root: about an hour.
testbed: build
	@experiments/testbed/run $(TESTBED) $(BUILD)

install: build
	@meson configure $(BUILD) --prefix=$(abspath $(PREFIX))
	@meson install -C $(BUILD)

lint: build
	@scripts/deps.sh lint
	@scripts/check-format
	@scripts/lint $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

sanitize: deps
	@[ -f build-sanitize/build.ninja ] || \
	    meson setup build-sanitize -Db_sanitize=address,undefined -Db_lundef=false
	@meson compile -C build-sanitize
	@scripts/check build-sanitize --suite unit --suite cli

valgrind: build
	@scripts/check $(BUILD) --suite unit --setup valgrind

clean:
	rm -rf $(BUILD) build-sanitize
