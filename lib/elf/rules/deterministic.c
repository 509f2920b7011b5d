// Rule deterministic: the same link twice.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include "../compare.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    compare_bytes(context->other, file, report);
}

const struct rule rule_deterministic = {
    .id = "deterministic",
    .kind = RULE_PAIR,
    .severity = RECOMMENDATION,
    .source = "recommendation (reproducible builds)",
    .sentence = "The same link twice, in another folder and under another name, gives the same bytes.",
    .check = check,
};
