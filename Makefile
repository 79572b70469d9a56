# The front door. `make demo` and `make test` install what is missing (Debian 12, root or sudo), build, and run.
.PHONY: help prepare demo test verify bench build install clean sanitize format tidy

BUILD ?= build/release
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SOURCES = $(wildcard src/*/*.[ch] include/talus/*.h tests/*.h tests/*/*.[ch])

help:
	@echo "make demo      build, run the four-bar mechanism among disks, draw it"
	@echo "make test      build and run every test"
	@echo "make verify    every case of verify/, with the long runs: out/verify/verify.html"
	@echo "make bench     measure this machine"
	@echo "make install   install under PREFIX ($(PREFIX))"
	@echo "make sanitize  every test under the address and undefined-behaviour sanitizers"
	@echo "make format    clang-format everything;  make tidy   clang-tidy everything"

prepare:
	@sh scripts/dependencies.sh build viewer
	@cmake -G Ninja -B $(BUILD) -S . -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null

build: prepare
	@cmake --build $(BUILD) -j $(JOBS)

# No tests: who wants to see something should not wait for them.
demo: prepare
	@cmake --build $(BUILD) -j $(JOBS) --target talus_command
	$(BUILD)/bin/talus run examples/four-bar-in-disks/config1.yaml --set vibration.frequency=12 --set output.frames.every=0.02 -u 6 -o out/demo --force
	$(BUILD)/bin/talus shot out/demo -o out/demo/picture.png
	@echo
	@if $(BUILD)/bin/talus view out/demo 2>/dev/null; then echo "Open out/demo/page.html in a browser: playback, forces, plots."; \
	else echo "Look at out/demo/picture.png (a page to play with needs Node.js 18 and npm: install them, then make demo)."; fi
	@echo "The picture is out/demo/picture.png, the numbers over time are in out/demo/series.csv, the summary in out/demo/summary.json."

test: build
	@ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

verify: build
	$(BUILD)/bin/talus verify -o out/verify -j $(JOBS)

bench: build
	$(BUILD)/bin/talus bench

install: build
	cmake --install $(BUILD)

sanitize:
	@sh scripts/dependencies.sh build viewer
	@cmake -G Ninja -B build/sanitize -S . -DCMAKE_BUILD_TYPE=Debug -DTALUS_SANITIZE=address,undefined >/dev/null
	@cmake --build build/sanitize -j $(JOBS)
	@ctest --test-dir build/sanitize -j $(JOBS) --output-on-failure

format:
	clang-format -i $(SOURCES)

tidy:
	cmake -G Ninja -B build/clang -S . -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release >/dev/null
	clang-tidy -p build/clang --quiet src/*/*.c

clean:
	rm -rf build out
