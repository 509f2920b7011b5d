// Rule two-readonly: separate-code without --rosegment.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (context->options->linker != LINKER_BFD) {
        report_not_applicable(report, "not said of this linker (--linker=bfd)");
        return;
    }
    if (context->options->rosegment != OFF) {
        report_not_applicable(report, "separate-code without rosegment is not in force (--no-rosegment)");
        return;
    }
    // Which kinds of sections there are, and whether a read-only one stands behind code.
    bool code = false;
    size_t wanted_after = 0;
    for (size_t i = 0; i < file->allocated_count; i++) {
        if (section_is_tbss(file->allocated[i])) {
            continue;
        }
        enum section_kind kind = section_kind(file->allocated[i]);
        code = code || kind == SECTION_CODE;
        if (code && kind == SECTION_READONLY) {
            wanted_after = 1;
        }
    }
    if (!code) {
        report_not_applicable(report, "no code");
        return;
    }
    size_t before = 0;
    size_t after = 0;
    bool code_seen = false;
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        if (i > 0 && loads_join(file->maps[i - 1], load, context->max_page_size)) {
            continue;
        }
        if ((load->flags & PF_X) != 0) {
            code_seen = true;
        } else if (load->flags == PF_R && code_seen) {
            after++;
        } else if (load->flags == PF_R) {
            before++;
        }
    }
    if (before != 1 || after != wanted_after) {
        report_finding(report, 0, 0, "read-only PT_LOADs",
                       words(report, "1 before the code, %zu after it", wanted_after),
                       words(report, "%zu before, %zu after: %s", before, after, sequence_words(report, file)));
    }
}

const struct rule rule_two_readonly = {
    .id = "two-readonly",
    .kind = RULE_CELL,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS | NEEDS_SEPARATE_CODE,
    .source = "ld manual, Options: --no-rosegment; ld --help: \"With -z separate-code, create two read-only segments\"",
    .sentence = "With separate-code and without --rosegment there is one read-only PT_LOAD before the code, and one "
                "after it if a read-only section follows the code.",
    .check = check,
};
