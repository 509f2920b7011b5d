# Builds our own host tools (C) into $(O)/host; run where the toolchain's compiler is.
# SPDX-License-Identifier: GPL-3.0-or-later

CC = cc
CFLAGS = -O2 -g
hardening = -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE -pie -Wl,-z,relro,-z,now
warnings = -Wall -Wextra -Werror

command_sources = $(wildcard $(srcdir)/lib/command/*.c)
command_headers = $(wildcard $(srcdir)/lib/command/*.h)

.PHONY: all
all: $(O)/host/run-commands

# Written aside and renamed: two makes at once, or an interrupted one, leave a whole tool.
$(O)/host/run-commands: $(command_sources) $(command_headers)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(warnings) $(CFLAGS) $(hardening) $(command_sources) -o $@.$$$$ $(LDFLAGS) && mv $@.$$$$ $@
