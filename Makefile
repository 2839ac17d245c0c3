# What a person or a CI job types. Each target is one line of `make help`; the work is in cargo and xtask.

CARGO  ?= cargo
PREFIX ?= /usr/local
HOURS  ?= 1
ONLY   ?=
TARGET  = $(or $(CARGO_TARGET_DIR),target)
XTASK   = $(CARGO) run --quiet --package xtask --

.DEFAULT_GOAL := help
.PHONY: help build test docs deps lint corpora demo bench attack soak install clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s%s\n", $$1, $$2 }'

build: ## build target/release/whittle
	$(CARGO) build --release --package whittle

test: deps lint corpora ## everything that must hold: format, lints, layering, all tests (CI runs this)
	$(CARGO) test --workspace --no-fail-fast

docs: ## build docs/ as a book into target/book (mdBook is installed below target/, for this alone)
	@$(XTASK) book

deps: ## install the Debian packages that tests use (`cargo xtask deps --list` names them)
	@$(XTASK) deps

lint: ## format, clippy, layering, wording, licences and sources of crates
	@if $(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt; \
	  then $(CARGO) fmt --all --check; else echo "skipped: rustfmt is not installed"; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy; \
	  then $(CARGO) clippy --workspace --all-targets --quiet -- -D warnings; else echo "skipped: clippy is not installed"; fi
	@$(XTASK) tidy
	@$(XTASK) deny

corpora: ## download interface files that others wrote, where there is a network
	@$(XTASK) corpora

demo: deps ## build the directory example with rpcgen and with whittle, run it, compare their speed
	@$(XTASK) demo

bench: deps ## measure against the peers; ONLY=name runs one bench
	@$(XTASK) bench $(ONLY)

attack: deps ## let hostile clients and servers meet what whittle makes; prints a table
	@$(XTASK) attack

soak: deps ## run the random suites for HOURS=n, then see that the specializer's suite notices mistakes
	@$(XTASK) soak $(HOURS)

install: build ## install the command, rpcgen's stand-in, the run time as libraries, the manual and completions under PREFIX=
	install -D -s $(TARGET)/release/whittle $(DESTDIR)$(PREFIX)/bin/whittle
	ln -sf whittle $(DESTDIR)$(PREFIX)/bin/whittle-rpcgen
	install -d $(DESTDIR)$(PREFIX)/lib/whittle/bin
	ln -sf ../../../bin/whittle $(DESTDIR)$(PREFIX)/lib/whittle/bin/rpcgen
	install -D -m 644 runtime/include/whittle/specialize.h $(DESTDIR)$(PREFIX)/include/whittle/specialize.h
	$(MAKE) -C runtime install WHITTLE=$(abspath $(TARGET))/release/whittle BUILD=$(abspath $(TARGET))/runtime PREFIX=$(abspath $(PREFIX)) DESTDIR=$(abspath $(DESTDIR))
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	$(TARGET)/release/whittle man > $(DESTDIR)$(PREFIX)/share/man/man1/whittle.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(TARGET)/release/whittle completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/whittle
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	$(TARGET)/release/whittle completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_whittle
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(TARGET)/release/whittle completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/whittle.fish
	@echo "rpcgen's place: RPCGEN=whittle-rpcgen, or PATH=$(PREFIX)/lib/whittle/bin:\$$PATH"

clean: ## remove what was built
	$(CARGO) clean
	$(MAKE) -C examples/directory clean
