# Builds damage, which breaks ELF files one way each, and holds check-layout against it; included by lib/elf/elf.mk.
# SPDX-License-Identifier: GPL-3.0-or-later

damage = $(elf)/damage
damage_kinds = $(sort $(wildcard $(damage)/kinds/*.c))
damage_parts = $(patsubst $(elf)/%.c,%.o,$(sort $(wildcard $(damage)/*.c)) $(damage_kinds)) kinds-table.o elf-file.o memory.o

.PHONY: damage
damage: $(O)/host/damage

$(elf_build)/kinds-table.c: $(damage_kinds) $(damage)/kinds $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh kinds kinds $(damage_kinds) > $@.$$$$ && mv $@.$$$$ $@

$(foreach kind,program sanitized,$(addprefix $(elf_build)/$(kind)/,$(filter damage/% kinds-table.o,$(damage_parts)))): $(wildcard $(damage)/*.h)

$(O)/host/damage: $(addprefix $(elf_build)/program/,$(damage_parts))
	$(call elf_link,$(CFLAGS) $(hardening))
$(elf_build)/sanitized/damage: $(addprefix $(elf_build)/sanitized/,$(damage_parts))
	@mkdir -p $(@D)
	$(call elf_link,$(elf_sanitize))
