// Rule separate-code-memory: an executable PT_LOAD holds only code.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        const struct segment *load = section->load;
        if (load == NULL || (load->flags & PF_X) == 0 || (section->flags & SHF_EXECINSTR) != 0 ||
            section_is_tbss(section)) {
            continue;
        }
        report_finding(report, section->address, range_end(section->address, section->size), load_words(report, load),
                       "only SHF_EXECINSTR sections",
                       words(report, "%.100s at 0x%" PRIx64, section->name, section->address));
    }
}

const struct rule rule_separate_code_memory = {
    .id = "separate-code-memory",
    .kind = RULE_CELL,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS | NEEDS_SEPARATE_CODE,
    .source = "ld manual, Options: -z separate-code, \"a memory segment that should contain only instructions\"",
    .sentence = "With separate-code an executable PT_LOAD holds only SHF_EXECINSTR sections.",
    .check = check,
};
