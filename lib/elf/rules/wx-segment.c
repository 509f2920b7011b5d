// Rule wx-segment: no PT_LOAD is writable and executable.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->load_count; i++) {
        const struct segment *load = file->loads[i];
        if ((load->flags & PF_W) != 0 && (load->flags & PF_X) != 0) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           "not both writable and executable", segment_flags(load->flags));
        }
    }
}

const struct rule rule_wx_segment = {
    .id = "wx-segment",
    .kind = RULE_FILE,
    .severity = RECOMMENDATION,
    .needs = NEEDS_HOSTED,
    .source = "recommendation (ld --warn-rwx-segments)",
    .sentence = "No PT_LOAD has both PF_W and PF_X.",
    .check = check,
};
