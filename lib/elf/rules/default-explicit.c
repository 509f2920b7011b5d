// Rule default-explicit: a default and its explicit spelling.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include "../compare.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    compare_bytes(context->other, file, report);
}

const struct rule rule_default_explicit = {
    .id = "default-explicit",
    .kind = RULE_PAIR,
    .severity = PROMISE,
    .source = "ld manual, Options: the defaults; the last of two contradicting options wins",
    .sentence = "A default and its explicit spelling give the same bytes, and so do an option given twice and the last "
                "of two that contradict.",
    .check = check,
};
