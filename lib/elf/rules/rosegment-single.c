// Rule rosegment-single: separate-code with --rosegment.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (context->options->rosegment != ON) {
        report_not_applicable(report, "rosegment is not in force (--rosegment)");
        return;
    }
    bool readonly = false;
    bool code = false;
    for (size_t i = 0; i < file->allocated_count; i++) {
        enum section_kind kind = section_kind(file->allocated[i]);
        readonly = readonly || kind == SECTION_READONLY;
        code = code || kind == SECTION_CODE;
    }
    if (!readonly || !code) {
        report_not_applicable(report, readonly ? "no code" : "no read-only section");
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < file->map_count; i++) {
        count += file->maps[i]->flags == PF_R &&
                 !(i > 0 && loads_join(file->maps[i - 1], file->maps[i], context->max_page_size));
    }
    if (count != 1) {
        report_finding(report, 0, 0, "read-only PT_LOADs that are not code", "exactly 1",
                       words(report, "%zu: %s", count, sequence_words(report, file)));
    }
}

const struct rule rule_rosegment_single = {
    .id = "rosegment-single",
    .kind = RULE_CELL,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS | NEEDS_SEPARATE_CODE,
    .source = "ld manual, Options: --rosegment, \"attempt to ensure that only a single read-only, non-code segment is "
              "created\"",
    .sentence = "With separate-code and --rosegment there is exactly one read-only PT_LOAD that is not code.",
    .check = check,
};
