// Rule rosegment-smaller: --rosegment does not make a file larger.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (file->size > context->other->size) {
        report_finding(report, 0, 0, "file size with --rosegment",
                       words(report, "at most 0x%" PRIx64 ", that without", context->other->size),
                       hex_words(report, file->size));
    }
}

const struct rule rule_rosegment_smaller = {
    .id = "rosegment-smaller",
    .kind = RULE_PAIR,
    .source = "ld manual, Options: --rosegment, \"smaller on-disk size\" than two read-only segments",
    .sentence =
        "Under separate-code the file with --rosegment (the second) is not larger than the one without (the first).",
    .check = check,
};
