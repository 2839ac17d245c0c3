# What a person or a CI job types. Each target is one line of `make help`; the work is in cargo and xtask.

CARGO  ?= cargo
PREFIX ?= /usr/local
LIBDIR ?= lib
ZSHDIR ?= share/zsh/site-functions
HOURS  ?= 1
MACH_SRC ?=
SEL4_SRC ?=
ONLY   ?=
TARGET  = $(or $(CARGO_TARGET_DIR),target)
WHITTLE = $(abspath $(TARGET))/release/whittle
RUNTIME = $(abspath $(TARGET))/runtime
XTASK   = $(CARGO) run --quiet --package xtask --

.DEFAULT_GOAL := help
.PHONY: help rust build test docs deps lint corpora demo bench attack mach sel4 soak package install stage clean

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s%s\n", $$1, $$2 }'

# Cargo's own words about an old Rust are hard to understand.
rust:
	@sh xtask/rust.sh $(CARGO)

build: rust ## build target/release/whittle
	$(CARGO) build --release --package whittle

test: deps lint corpora ## everything that must hold: format, lints, layering, all tests (CI runs this)
	@$(XTASK) test

docs: rust ## build docs/ as a book into target/book (mdBook is installed below target/, for this alone)
	@$(XTASK) book

deps: rust ## install the Debian packages that tests use (`cargo xtask deps --list` says why each)
	@$(XTASK) deps

lint: rust ## format, clippy, layering, wording, licences and sources of crates
	@if $(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt; \
	  then $(CARGO) fmt --all --check; else echo "skipped: rustfmt is not installed"; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy; \
	  then $(CARGO) clippy --workspace --all-targets --quiet -- -D warnings; else echo "skipped: clippy is not installed"; fi
	@$(XTASK) tidy
	@$(XTASK) deny

corpora: rust ## download interface files that others wrote, where there is a network
	@$(XTASK) corpora

demo: rust ## build the directory example with rpcgen and with whittle, run it, compare their speed
	@sh examples/directory/install.sh
	$(CARGO) build --profile demo --package whittle
	@$(MAKE) --no-print-directory -C examples/directory demo WHITTLE=$(abspath $(TARGET))/demo/whittle

bench: deps ## measure against the peers; ONLY=name runs one bench
	@$(XTASK) bench $(ONLY)

attack: deps ## let hostile clients and servers meet what whittle makes; prints a table
	@$(XTASK) attack

mach: rust ## build GNU Mach of MACH_SRC=DIR with `whittle mig`, boot it in an emulator, run its own tests and ours, count instructions of calls
	@test -x "$(MACH_SRC)/check" || { echo "make mach MACH_SRC=DIR: DIR holds gnumach.tar.xz and the script \`check\`"; exit 2; }
	$(CARGO) build --profile demo --package whittle
	"$(MACH_SRC)/check" --work "$(abspath $(TARGET))/mach" --mig "$(abspath $(TARGET))/demo/whittle mig"
	@$(XTASK) mach "$(abspath $(TARGET))/mach" "$(abspath $(TARGET))/demo/whittle"

sel4: rust ## build a root task of generated stubs with seL4 of SEL4_SRC=DIR, boot it in an emulator, count instructions a call
	@test -x "$(SEL4_SRC)/check" || { echo "make sel4 SEL4_SRC=DIR: DIR holds sel4.tar.xz and the script \`check\`"; exit 2; }
	$(CARGO) build --profile demo --package whittle
	sh tests/sel4/run.sh "$(SEL4_SRC)/check" "$(abspath $(TARGET))/sel4" "$(abspath $(TARGET))/demo/whittle"

soak: deps ## run the random suites for HOURS=n, `make mach` and `make sel4` where their sources are named, then see that the specializer's suite notices mistakes
	@MACH_SRC="$(MACH_SRC)" SEL4_SRC="$(SEL4_SRC)" $(XTASK) soak $(HOURS)

package: ## make target/package/whittle_VERSION_ARCHITECTURE.deb; lintian checks it, and it is installed into an overlay and used
	@$(XTASK) package

install: build stage ## install the command and all that belongs to it under PREFIX=; libraries into LIBDIR=
	@echo "rpcgen's place: RPCGEN=whittle-rpcgen, or PATH=$(PREFIX)/lib/whittle/bin:\$$PATH"

# Installs a command that is built already, with all that belongs to it.
ROOT  = $(DESTDIR)$(PREFIX)
SHARE = $(ROOT)/share
stage:
	install -D -s $(WHITTLE) $(ROOT)/bin/whittle
	ln -sf whittle $(ROOT)/bin/whittle-rpcgen
	install -d $(ROOT)/lib/whittle/bin
	ln -sf ../../../bin/whittle $(ROOT)/lib/whittle/bin/rpcgen
	$(MAKE) -C runtime install WHITTLE=$(WHITTLE) BUILD=$(RUNTIME) PREFIX=$(abspath $(PREFIX)) LIBDIR=$(LIBDIR) DESTDIR=$(abspath $(DESTDIR))
	$(WHITTLE) man --all --out $(SHARE)/man/man1
	install -d $(SHARE)/bash-completion/completions $(ROOT)/$(ZSHDIR) $(SHARE)/fish/vendor_completions.d
	$(WHITTLE) completions bash > $(SHARE)/bash-completion/completions/whittle
	$(WHITTLE) completions zsh > $(ROOT)/$(ZSHDIR)/_whittle
	$(WHITTLE) completions fish > $(SHARE)/fish/vendor_completions.d/whittle.fish

clean: ## remove what was built
	$(CARGO) clean
	$(MAKE) -C examples/directory clean
