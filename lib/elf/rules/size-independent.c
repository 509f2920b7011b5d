// Rule size-independent: the file does not grow with max-page-size.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (file->size > context->other->size) {
        report_finding(report, 0, 0, "file size with the larger max-page-size",
                       words(report, "at most 0x%" PRIx64 ", that with the smaller", context->other->size),
                       hex_words(report, file->size));
    }
}

const struct rule rule_size_independent = {
    .id = "size-independent",
    .kind = RULE_PAIR,
    .severity = RECOMMENDATION,
    .source = "recommendation: congruence modulo a large page needs address space, not file bytes",
    .sentence =
        "Without separate-code the file with the larger max-page-size (the second) is not larger than the other.",
    .check = check,
};
