// Rule load-nonempty: no PT_LOAD is empty.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->load_count; i++) {
        if (file->loads[i]->memsz == 0) {
            report_finding(report, 0, 0, load_words(report, file->loads[i]), "p_memsz above 0", "0x0");
        }
    }
}

const struct rule rule_load_nonempty = {
    .id = "load-nonempty",
    .kind = RULE_FILE,
    .severity = RECOMMENDATION,
    .source = "recommendation: an empty segment costs a program header and says nothing",
    .sentence = "No PT_LOAD has p_memsz 0.",
    .check = check,
};
