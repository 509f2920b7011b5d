# Builds damage, which breaks ELF files one way each, and holds check-layout against it; included by lib/elf/elf.mk.
# SPDX-License-Identifier: GPL-3.0-or-later

damage = $(elf)/damage
damage_kinds = $(sort $(wildcard $(damage)/kinds/*.c))
damage_parts = $(patsubst $(elf)/%.c,%.o,$(filter-out $(damage)/damage.c,$(sort $(wildcard $(damage)/*.c))) $(damage_kinds)) kinds-table.o

.PHONY: damage
damage: $(O)/host/damage $(O)/host/ldlayout-damage.1

$(elf_build)/kinds-table.c: $(damage_kinds) $(damage)/kinds $(elf)/generate-table.sh
	@mkdir -p $(@D)
	sh $(elf)/generate-table.sh kinds kinds $(damage_kinds) > $@.$$$$ && mv $@.$$$$ $@

$(foreach kind,$(elf_kinds),$(elf_build)/$(kind)/kinds-table.o): elf_flags += -iquote $(damage)
$(foreach kind,$(elf_kinds),$(addprefix $(elf_build)/$(kind)/,$(damage_parts) damage/damage.o)): $(wildcard $(damage)/*.h)

damage_objects = $(addprefix $(elf_build)/$(1)/,damage/damage.o $(damage_parts) elf-file.o memory.o)
$(O)/host/damage: $(call damage_objects,program)
	$(call elf_link,$(CFLAGS) $(hardening))
$(elf_build)/sanitized/damage/damage: $(call damage_objects,sanitized)
	$(call elf_link,$(elf_sanitize))
# In a directory of everybody's pages the program's own name is too general.
$(O)/host/ldlayout-damage.1: $(damage)/damage.1 $(elf)/generate-manual.sh $(O)/host/damage
	sh $(elf)/generate-manual.sh $(damage)/damage.1 $(O)/host/damage --list > $@.$$$$ && mv $@.$$$$ $@

damage_test_objects = $(addprefix $(elf_build)/$(1)/,damage/tests/test-damage.o tests/build-elf.o $(damage_parts) $(elf_parts))
$(elf_build)/program/damage/test-damage: $(call damage_test_objects,program)
	$(call elf_link,$(CFLAGS) $(hardening),-lcmocka)
$(elf_build)/sanitized/damage/test-damage: $(call damage_test_objects,sanitized)
	$(call elf_link,$(elf_sanitize),-lcmocka)

# Linked anew when the script changes, or what it links; other linkers want another O.
damage_specimens = $(elf_build)/specimens
$(damage_specimens)/table: $(damage)/tests/specimens.sh $(damage)/tests/specimen.c $(wildcard $(srcdir)/config/targets/*)
	rm -rf $(@D)
	sh $(damage)/tests/specimens.sh $(@D) $(damage)/tests/specimen.c

# The tests of damage, plain and with the sanitizers, those of the matrix, and the matrix; the last line is "N passed, N failed".
.PHONY: check-layout-matrix
check-layout-matrix: check-layout damage $(damage_specimens)/table $(foreach kind,$(elf_kinds),$(elf_build)/$(kind)/damage/test-damage) \
                     $(elf_build)/sanitized/damage/damage
	@passed=0; failed=0; log=$(elf_build)/matrix.log; \
	run() { \
	  status=0; "$$@" > $$log 2>&1 || status=$$?; cat $$log; \
	  ok=$$(grep -c '^ok ' $$log || :); bad=$$(grep -c '^not ok ' $$log || :); \
	  last=$$(tail -n 1 $$log); \
	  case $$last in *' passed, '*' failed') ok=$${last%% *}; bad=$${last#*, }; bad=$${bad%% *} ;; esac; \
	  if [ $$ok = 0 ] || { [ $$status != 0 ] && [ $$bad = 0 ]; }; then echo "$$*: exit status $$status"; bad=$$((bad + 1)); fi; \
	  passed=$$((passed + ok)); failed=$$((failed + bad)); \
	}; \
	for kind in $(elf_kinds); do run env CMOCKA_MESSAGE_OUTPUT=TAP $(elf_build)/$$kind/damage/test-damage; done; \
	for tool in $(O)/host/damage $(elf_build)/sanitized/damage/damage; do \
	  run sh $(damage)/tests/test-damage.sh $$tool $(elf_build)/files-damage; \
	done; \
	run sh $(damage)/tests/test-matrix.sh $(O)/host/check-layout $(O)/host/damage $(damage_specimens) $(elf_build)/files-matrix; \
	run tclsh $(damage)/tests/matrix.tcl CHECK=$(O)/host/check-layout DAMAGE=$(O)/host/damage SPECIMENS=$(damage_specimens) \
	  KNOWN=$(damage)/tests/known-findings; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]
