// Rule rosegment-inert: --rosegment alone changes nothing.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include "../compare.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    compare_bytes(context->other, file, report);
}

const struct rule rule_rosegment_inert = {
    .id = "rosegment-inert",
    .kind = RULE_PAIR,
    .severity = PROMISE,
    .source = "ld manual, Options: --rosegment, \"only has an effect when used with the -z separate-code option\"",
    .sentence = "Without separate-code, --rosegment changes no byte.",
    .check = check,
};
