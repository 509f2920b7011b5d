# Builds check-layout and its manual page; included by lib/host-tools.mk, which sets srcdir, O, CC, CFLAGS, hardening, warnings.
# SPDX-License-Identifier: GPL-3.0-or-later

elf = $(srcdir)/lib/elf
elf_build = $(O)/host/elf
elf_rules = $(sort $(wildcard $(elf)/rules/*.c))
elf_formats = $(sort $(wildcard $(elf)/formats/*.c))
elf_generated = $(elf_build)/rule-table.c $(elf_build)/output-table.c
elf_library = $(filter-out $(elf)/check-layout.c,$(sort $(wildcard $(elf)/*.c))) $(elf_rules) $(elf_formats) $(elf_generated)
elf_headers = $(wildcard $(elf)/*.h)
elf_version ?= 0.1
elf_flags = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DLDLAYOUT_VERSION='"$(elf_version)"' -I$(elf) $(warnings)

.PHONY: check-layout
check-layout: $(O)/host/check-layout $(O)/host/check-layout.1

# A table names every file of a directory: a rule or a format is added by its file alone.
$(elf_build)/rule-table.c: $(elf_rules) $(elf)/rules $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh rule rule $(elf_rules) > $@.$$$$ && mv $@.$$$$ $@

$(elf_build)/output-table.c: $(elf_formats) $(elf)/formats $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh output output $(elf_formats) > $@.$$$$ && mv $@.$$$$ $@

# Written aside and renamed: two makes at once, or an interrupted one, leave a whole tool.
$(O)/host/check-layout: $(elf)/check-layout.c $(elf_library) $(elf_headers)
	$(CC) $(elf_flags) $(CFLAGS) $(hardening) $(elf)/check-layout.c $(elf_library) -o $@.$$$$ $(LDFLAGS) -lelf && mv $@.$$$$ $@

$(O)/host/check-layout.1: $(elf)/check-layout.1 $(elf)/generate-manual.sh $(O)/host/check-layout
	sh $(elf)/generate-manual.sh $(elf)/check-layout.1 $(O)/host/check-layout > $@.$$$$ && mv $@.$$$$ $@
