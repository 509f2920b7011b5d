// Rule link-mode: the file is what its link mode says.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    enum link_mode mode = context->options->mode;
    if (mode == MODE_UNKNOWN) {
        report_not_applicable(report, "the link mode is not known (--mode)");
        return;
    }
    unsigned wanted = mode == MODE_EXEC || mode == MODE_STATIC ? ET_EXEC : ET_DYN;
    if (file->type != wanted) {
        report_finding(report, 0, 0, "e_type", wanted == ET_EXEC ? "ET_EXEC" : "ET_DYN",
                       file->type == ET_EXEC ? "ET_EXEC" : "ET_DYN");
    }
    if ((mode == MODE_STATIC || mode == MODE_STATIC_PIE) && segment_of_type(file, PT_INTERP) != NULL) {
        report_finding(report, 0, 0, "PT_INTERP", "none in a static program", "one");
    }
}

const struct rule rule_link_mode = {
    .id = "link-mode",
    .kind = RULE_CELL,
    .source = "ld manual, Options: -pie, -no-pie, -static, -shared",
    .sentence = "exec and static give ET_EXEC, pie, static-pie and shared ET_DYN; a static program has no PT_INTERP.",
    .check = check,
};
