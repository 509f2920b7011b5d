// Rule stack-flags: PT_GNU_STACK asks for no executable stack.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    size_t count = 0;
    for (size_t i = 0; i < file->segment_count; i++) {
        if (file->segments[i].type == PT_GNU_STACK) {
            count++;
            if ((file->segments[i].flags & PF_X) != 0) {
                report_finding(report, 0, 0, "PT_GNU_STACK", "no E", segment_flags(file->segments[i].flags));
            }
        }
    }
    if (count != 1) {
        report_finding(report, 0, 0, "PT_GNU_STACK", "one", words(report, "%zu", count));
    }
}

const struct rule rule_stack_flags = {
    .id = "stack-flags",
    .kind = RULE_FILE,
    .severity = RECOMMENDATION,
    .needs = NEEDS_HOSTED,
    .source = "recommendation (ld --warn-execstack)",
    .sentence = "PT_GNU_STACK is there and has no PF_X.",
    .check = check,
};
