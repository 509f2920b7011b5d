# ldlayout: what to type. `make help` says the same in short.
# SPDX-License-Identifier: GPL-3.0-or-later

# The sources may be read-only and elsewhere: everything is written below O.
srcdir := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
O ?= build
version = 0.1
# MAKEFILE_LIST is cut at white space: then the sources are not where it says.
ifeq ($(wildcard $(srcdir)/lib/enter.sh),)
$(error ldlayout: the path of the sources has white space, which make and runtest cannot handle: move them to another directory)
endif
# This path too goes through tools that split at white space (make, runtest).
ifneq ($(words $(O)),1)
$(error ldlayout: the output path '$(O)' has white space, which make and runtest cannot handle: name another with O=)
endif

# A word for sh: quoted, whatever it holds.
quote = '$(subst ','\'',$(1))'

# Symbolic links are resolved: the private root need not have them. These paths go through make, sh, Tcl, gcc (-Wl,) and runtest.
override O := $(shell readlink -m -- $(call quote,$(O)))
override srcdir := $(shell readlink -m -- $(call quote,$(srcdir)))
odd_characters = $(shell printf %s $(call quote,$(1)) | LC_ALL=C tr -d 'A-Za-z0-9_./+@=~-')
ifneq ($(call odd_characters,$(O)),)
$(error ldlayout: the output path '$(O)' has characters other than letters of ASCII, digits and _./+@=~-: name another with O=)
endif
ifneq ($(call odd_characters,$(srcdir)),)
$(error ldlayout: the path of the sources '$(srcdir)' has characters other than letters of ASCII, digits and _./+@=~-: move them)
endif

TOOLCHAIN ?= trixie
TARGETS ?=
MIRROR ?=
BOARDS ?=
MATRIX ?=
TESTS ?=
RUNTESTFLAGS ?=
SITE ?=
STRICT ?=
TIMEOUT_FACTOR ?=
LINKER_FACTS ?=

all_targets := $(notdir $(wildcard $(srcdir)/config/targets/*))
targets = $(if $(TARGETS),$(TARGETS),$(all_targets))

# `make -j2 toolchains check` does one after the other; -jN says how many tests run at once.
.NOTPARALLEL:

# How many jobs: what -jN says, else one. (make hands -jN to its recipes in MAKEFLAGS; a bare -j is all processors.)
jobs = $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))
jobs_words = JOBS=$(if $(filter -j%,$(MAKEFLAGS)),$(if $(jobs),$(jobs),$$(nproc)),1)

# Only tools named on the command line (or CC_<target> in any way) count: make predefines LD and CC, and distributions export them.
# They keep their meaning relative to the caller's directory.
given = $(if $(filter command% override,$(origin $(1))),$($(1)))
path_of = $(if $(filter /%,$(firstword $(1))),$(1),$(if $(findstring /,$(firstword $(1))),$(CURDIR)/$(1),$(1)))
# A linker or readelf has no flags behind it: its path may have white space.
file_of = $(if $(filter /%,$(firstword $(1))),$(1),$(if $(findstring /,$(1)),$(CURDIR)/$(1),$(1)))
tool_environment = \
  $(if $(call given,LD),LDLAYOUT_LD=$(call quote,$(call file_of,$(call given,LD)))) \
  $(if $(call given,READELF),LDLAYOUT_READELF=$(call quote,$(call file_of,$(call given,READELF)))) \
  $(foreach t,$(all_targets),$(if $(LD_$(t)),LDLAYOUT_LD_$(t)=$(call quote,$(call file_of,$(LD_$(t))))) \
                             $(if $(CC_$(t)),LDLAYOUT_CC_$(t)=$(call quote,$(call path_of,$(CC_$(t))))))

# pdeathsig: a make that is killed takes the run with it.
enter = $(tool_environment) setpriv --pdeathsig TERM sh $(srcdir)/lib/enter.sh --output $(O) --toolchain $(call quote,$(TOOLCHAIN)) --

# Flags that the user gives, for our own tools.
given_flags = $(foreach name,$(1),$(if $(call given,$(name)),$(name)=$(call quote,$($(name)))))

# The one place that builds our own tools: by the tools of the toolchain, with the user's CFLAGS and LDFLAGS.
host_make = $(enter) env -u MAKEFLAGS make -s --no-print-directory -f $(srcdir)/lib/host-tools.mk srcdir=$(srcdir) O=$(O) \
  $(call given_flags,CFLAGS LDFLAGS)

check_words = OUTPUT=$(O) RUN_COMMANDS=$(O)/host/run-commands CHECK_LAYOUT=$(O)/host/check-layout \
  TARGETS=$(call quote,$(TARGETS)) TARGETS_GIVEN=$(if $(TARGETS),1,0) BOARDS=$(call quote,$(BOARDS)) MATRIX=$(call quote,$(MATRIX)) \
  TESTS=$(call quote,$(TESTS)) RUNTESTFLAGS=$(call quote,$(RUNTESTFLAGS)) STRICT=$(call quote,$(STRICT)) \
  SITE=$(if $(SITE),$(call quote,$(abspath $(SITE)))) TIMEOUT_FACTOR=$(call quote,$(TIMEOUT_FACTOR)) \
  LINKER_FACTS=$(call quote,$(LINKER_FACTS)) $(jobs_words)

# What is in O is removed and replaced: a directory that holds other things is not taken.
own = [ ! -d $(O) ] || [ -e $(O)/toolchains ] || [ -e $(O)/host/run-commands ] || [ -e $(O)/lock ] || [ -e $(O)/native ] || \
  [ -z "$$(ls -A $(O) | grep -v -e '^ldlayout-' -e '^lost+found$$')" ] || \
  { echo "ldlayout: $(O) holds things that ldlayout has not made: name a new directory with O=" >&2; exit 2; }

.PHONY: help toolchains host-tools check check-layout selftest lint bench clean distclean dist

help:
	@cat $(srcdir)/lib/help.txt

toolchains:
	@$(own)
	@sh $(srcdir)/lib/toolchains.sh --output $(O) --toolchain $(call quote,$(TOOLCHAIN)) --targets $(call quote,$(targets)) \
	  $(if $(MIRROR),--mirror $(call quote,$(MIRROR)))

host-tools:
	@$(own)
	@$(host_make) all

# umask: programs run as another user and must be able to read what is made here.
check: host-tools
	@umask 022; $(enter) tclsh $(srcdir)/lib/check.tcl $(check_words)

# The rules in C, for files that you already have: built for this machine, by its own compiler.
native_make = env -u MAKEFLAGS $(MAKE) -s -f $(srcdir)/lib/host-tools.mk srcdir=$(srcdir) O=$(O)/native \
  $(call given_flags,CC CFLAGS LDFLAGS)
check-layout:
	@echo '#include <libelf.h>' | $(CC) -E - > /dev/null 2>&1 || \
	  { echo "check-layout needs a C compiler and libelf: type 'apt-get install gcc libc6-dev libelf-dev'" >&2; exit 2; }
	@$(native_make) check-layout damage
	@echo $(O)/native/host/check-layout

# The suite's own tests: unit tests, lint, and the real job with something broken.
selftest: host-tools
	@umask 022; $(enter) tclsh $(srcdir)/lib/selftest.tcl OUTPUT=$(O) $(jobs_words)

lint:
	@$(enter) tclsh $(srcdir)/lib/lint.tcl

bench: host-tools
	@umask 022; $(enter) tclsh $(srcdir)/lib/bench.tcl $(check_words)

dist:
	@mkdir -p $(O)
	@git -C $(srcdir) rev-parse --verify -q HEAD > /dev/null || { echo "make dist packs what git has committed: run it in a clone" >&2; exit 2; }
	@git -C $(srcdir) archive --format=tar.gz --prefix=ldlayout-$(version)/ -o $(O)/ldlayout-$(version).tar.gz HEAD
	@echo $(O)/ldlayout-$(version).tar.gz

include $(srcdir)/lib/install.mk

# Not below a run.
clean:
	@$(own)
	@[ ! -e $(O)/lock ] || flock -n $(O)/lock true || { echo "ldlayout: a run is using $(O): wait for its end" >&2; exit 2; }
	rm -rf $(addprefix $(O)/,check check.previous selftest bench installcheck host native tools linkers home temporary lock)

distclean: clean
	rm -rf $(O)/toolchains $(O)/ldlayout-*.tar.gz
	rmdir $(O) 2>/dev/null || :
