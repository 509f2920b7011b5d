# Builds our own host tools (C) into $(O)/host; run where the toolchain's compiler is.
# SPDX-License-Identifier: GPL-3.0-or-later

CC = cc
CFLAGS = -O2 -g
hardening = -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE -pie -Wl,-z,relro,-z,now
warnings = -Wall -Wextra -Werror

command_sources = $(wildcard $(srcdir)/lib/command/*.c)
command_headers = $(wildcard $(srcdir)/lib/command/*.h)

.PHONY: all
all: $(O)/host/run-commands $(O)/host/check-layout

ifeq ($(shell command -v $(firstword $(CC))),)
$(error ldlayout: no C compiler ($(CC)) for our own tools: 'make toolchains' says what is missing)
endif
ifeq ($(shell echo '#include <libelf.h>' | $(CC) -E - > /dev/null 2>&1 && echo found),)
$(error ldlayout: no libelf for $(CC), which check-layout reads ELF files with: 'make toolchains' says what is missing)
endif

# Written aside and renamed: two makes at once, or an interrupted one, leave a whole tool.
$(O)/host/run-commands: $(command_sources) $(command_headers)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(warnings) $(CFLAGS) $(hardening) $(command_sources) -o $@.$$$$ $(LDFLAGS) && mv $@.$$$$ $@

# The tests of the C tools: each test program, plain and with the sanitizers, then a short fuzz run; ends with the line
# "N passed, N failed". Test programs report in TAP.
tests = $(O)/host/tests
command = $(srcdir)/lib/command
sanitize = -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
test_flags = -std=c11 -D_GNU_SOURCE $(warnings)

.PHONY: test
test: all
	@mkdir -p $(tests)
	@set -e; for kind in plain sanitized; do \
	  case $$kind in plain) flags='$(CFLAGS)' ;; sanitized) flags='$(sanitize)' ;; esac; \
	  $(CC) $(test_flags) $$flags $(command)/tests/test-request.c $(command)/request.c -lcmocka -o $(tests)/test-request.$$kind; \
	  $(CC) $(test_flags) $$flags $(command)/tests/test-reply.c $(command)/reply.c -lcmocka -o $(tests)/test-reply.$$kind; \
	  $(CC) $(test_flags) $$flags $(command)/tests/test-execute.c $(command)/execute.c $(command)/descendants.c -lcmocka -o $(tests)/test-execute.$$kind; \
	  $(CC) $(test_flags) $$flags $(command)/tests/test-run-commands.c -lcmocka -o $(tests)/test-run-commands.$$kind; \
	  $(CC) $(test_flags) $$flags $(command_sources) -o $(tests)/run-commands.$$kind; \
	done
	@passed=0; failed=0; for kind in plain sanitized; do for name in request reply execute run-commands; do \
	  status=0; CMOCKA_MESSAGE_OUTPUT=TAP $(tests)/test-$$name.$$kind $(tests)/run-commands.$$kind > $(tests)/$$name.$$kind.tap 2>&1 || status=$$?; \
	  cat $(tests)/$$name.$$kind.tap; \
	  ok=$$(grep -c '^ok ' $(tests)/$$name.$$kind.tap || :); bad=$$(grep -c '^not ok ' $(tests)/$$name.$$kind.tap || :); \
	  if [ $$ok = 0 ] || { [ $$status != 0 ] && [ $$bad = 0 ]; }; then echo "test-$$name.$$kind: exit status $$status"; bad=1; fi; \
	  passed=$$((passed + ok)); failed=$$((failed + bad)); \
	done; done; echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]

include $(srcdir)/lib/elf/elf.mk
