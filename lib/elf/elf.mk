# Builds and tests check-layout; included by lib/host-tools.mk, which sets srcdir, O, CC, CFLAGS, hardening, warnings.
# SPDX-License-Identifier: GPL-3.0-or-later

elf = $(srcdir)/lib/elf
elf_build = $(O)/host/elf
elf_rules = $(sort $(wildcard $(elf)/rules/*.c))
elf_formats = $(sort $(wildcard $(elf)/formats/*.c))
elf_headers = $(wildcard $(elf)/*.h)
# All but the program's main: what the tests are linked with too.
elf_parts = $(patsubst $(elf)/%.c,%.o,$(filter-out $(elf)/check-layout.c,$(sort $(wildcard $(elf)/*.c))) $(elf_rules) $(elf_formats)) \
            rule-table.o output-table.o
elf_version ?= 0.1
elf_flags = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DLDLAYOUT_VERSION='"$(elf_version)"' -iquote $(elf) $(warnings)
elf_sanitize = -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
# Debug information says where a file lies in the project, not where the project lay.
elf_flags += -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(O)=. -ffile-prefix-map=$(srcdir)=.

.PHONY: check-layout
check-layout: $(O)/host/check-layout $(O)/host/check-layout.1

# A table names every file of a directory: a rule or a format is added by its file alone.
$(elf_build)/rule-table.c: $(elf_rules) $(elf)/rules $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh rule rule $(elf_rules) > $@.$$$$ && mv $@.$$$$ $@

$(elf_build)/output-table.c: $(elf_formats) $(elf)/formats $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh output output $(elf_formats) > $@.$$$$ && mv $@.$$$$ $@

# Written aside and renamed: two makes at once, or an interrupted one, leave whole files. Objects are of three kinds: those of
# the program, those with the sanitizers for the tests, and those for the fuzzer.
elf_compile = @mkdir -p $(@D); $(1) -c $(elf_flags) $(2) $< -o $@.$$$$ && mv $@.$$$$ $@
$(elf_build)/program/%.o: $(elf)/%.c $(elf_headers)
	$(call elf_compile,$(CC),$(CFLAGS) $(elf_hardening))
$(elf_build)/program/%.o: $(elf_build)/%.c $(elf_headers)
	$(call elf_compile,$(CC),$(CFLAGS) $(elf_hardening))
$(elf_build)/sanitized/%.o: $(elf)/%.c $(elf_headers)
	$(call elf_compile,$(CC),$(elf_sanitize))
$(elf_build)/sanitized/%.o: $(elf_build)/%.c $(elf_headers)
	$(call elf_compile,$(CC),$(elf_sanitize))
$(elf_build)/fuzzed/%.o: $(elf)/%.c $(elf_headers)
	$(call elf_compile,clang,$(elf_sanitize) -fsanitize=fuzzer-no-link)
$(elf_build)/fuzzed/%.o: $(elf_build)/%.c $(elf_headers)
	$(call elf_compile,clang,$(elf_sanitize) -fsanitize=fuzzer-no-link)

# Linker options in `hardening` mean nothing when compiling, and clang warns of them.
elf_hardening = $(filter-out -pie -Wl%,$(hardening))
elf_link = $(CC) $(1) $(filter %.o,$^) -o $@.$$$$ $(LDFLAGS) -lelf $(2) && mv $@.$$$$ $@

$(O)/host/check-layout: $(addprefix $(elf_build)/program/,check-layout.o $(elf_parts))
	$(call elf_link,$(CFLAGS) $(hardening))

$(O)/host/check-layout.1: $(elf)/check-layout.1 $(elf)/generate-manual.sh $(O)/host/check-layout
	sh $(elf)/generate-manual.sh $(elf)/check-layout.1 $(O)/host/check-layout --list-rules > $@.$$$$ && mv $@.$$$$ $@

# What lib/bench-check-layout.tcl measures with.
.PHONY: check-layout-bench
check-layout-bench: $(addprefix $(elf_build)/program/,check-layout read-program-headers peak-memory)
$(elf_build)/program/read-program-headers $(elf_build)/program/peak-memory: $(elf_build)/program/%: $(elf_build)/program/tests/%.o
	$(call elf_link,$(CFLAGS) $(hardening))

# The tests, plain and with the sanitizers: each tests/test-*.c, then the program itself, then a short fuzz run where clang is: in a
# private root it must be. Test programs report in TAP; the last line is "N passed, N failed", and what was not run.
elf_tests = $(patsubst $(elf)/tests/%.c,%,$(sort $(wildcard $(elf)/tests/test-*.c)))
elf_kinds = program sanitized
elf_fuzz_runs ?= 20000
elf_fuzzer = $(if $(shell command -v clang),$(elf_build)/fuzzed/fuzz)

$(elf_build)/program/test-%: $(elf_build)/program/tests/test-%.o $(addprefix $(elf_build)/program/,tests/build-elf.o $(elf_parts))
	$(call elf_link,$(CFLAGS) $(hardening),-lcmocka)
$(elf_build)/sanitized/test-%: $(elf_build)/sanitized/tests/test-%.o $(addprefix $(elf_build)/sanitized/,tests/build-elf.o $(elf_parts))
	$(call elf_link,$(elf_sanitize),-lcmocka)
$(elf_build)/program/check-layout: $(O)/host/check-layout
	cp $< $@.$$$$ && mv $@.$$$$ $@
$(elf_build)/sanitized/check-layout: $(addprefix $(elf_build)/sanitized/,check-layout.o $(elf_parts))
	$(call elf_link,$(elf_sanitize))
$(elf_build)/fuzzed/fuzz: $(addprefix $(elf_build)/fuzzed/,tests/fuzz-check-layout.o $(elf_parts))
	clang $(elf_sanitize) -fsanitize=fuzzer $^ -o $@.$$$$ -lelf && mv $@.$$$$ $@

# The findings in a whole distribution against the known ones; elf_tree=dir names another directory. In a private root /usr is the root's.
elf_tree ?= /usr
elf_findings = sh $(elf)/tests/compare-findings.sh $(O)/host/check-layout $(elf)/known-findings $(elf_tree)
.PHONY: check-layout-findings
check-layout-findings: $(O)/host/check-layout
	$(elf_findings)

.PRECIOUS: $(foreach kind,program sanitized fuzzed,$(elf_build)/$(kind)/%.o)
.PHONY: check-layout-test
check-layout-test: check-layout $(foreach kind,$(elf_kinds),$(addprefix $(elf_build)/$(kind)/,check-layout $(elf_tests))) $(elf_fuzzer)
	@passed=0; failed=0; remark=; \
	run() { \
	  status=0; tap=$(elf_build)/$$1.tap; name=$$1; shift; "$$@" > $$tap 2>&1 || status=$$?; cat $$tap; \
	  ok=$$(grep -c '^ok ' $$tap || :); bad=$$(grep -c '^not ok ' $$tap || :); \
	  if [ $$ok = 0 ] || { [ $$status != 0 ] && [ $$bad = 0 ]; }; then echo "$$name: exit status $$status"; bad=$$((bad + 1)); fi; \
	  passed=$$((passed + ok)); failed=$$((failed + bad)); \
	}; \
	for kind in $(elf_kinds); do \
	  for test in $(elf_tests); do run $$test.$$kind env CMOCKA_MESSAGE_OUTPUT=TAP $(elf_build)/$$kind/$$test; done; \
	  run test-check-layout.$$kind sh $(elf)/tests/test-check-layout.sh $(elf_build)/$$kind/check-layout $(elf_build)/files; \
	done; \
	run test-compare-findings sh $(elf)/tests/test-compare-findings.sh $(elf_build)/program/check-layout $(elf_build)/findings; \
	case $${LDLAYOUT_TOOLCHAIN-} in \
	  root*) run known-findings $(elf_findings) ;; \
	  *) remark="; findings in $(elf_tree): not compared, it is no private root" ;; \
	esac; \
	if [ -n '$(elf_fuzzer)' ]; then \
	  mkdir -p $(elf_build)/corpus; \
	  run fuzz sh -c '$(elf_fuzzer) -verbosity=0 -runs=$(elf_fuzz_runs) -max_len=4096 -timeout=5 -rss_limit_mb=1000 -artifact_prefix=$(elf_build)/ $(elf_build)/corpus $(elf)/tests/seeds && echo "ok - fuzzed"'; \
	else \
	  remark="$$remark; fuzz: not run: no clang"; case $${LDLAYOUT_TOOLCHAIN-} in root*) failed=$$((failed + 1)) ;; esac; \
	fi; \
	echo "$$passed passed, $$failed failed$$remark"; [ $$failed = 0 ]

include $(elf)/damage/damage.mk
