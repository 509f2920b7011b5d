// Rule phdr-order: where PT_PHDR and PT_INTERP stand in the table.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    static const struct {
        uint32_t type;
        const char *name;
    } types[] = {{PT_PHDR, "PT_PHDR"}, {PT_INTERP, "PT_INTERP"}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        size_t loads = 0;
        size_t seen = 0;
        for (size_t i = 0; i < file->segment_count; i++) {
            loads += file->segments[i].type == PT_LOAD;
            if (file->segments[i].type != types[t].type) {
                continue;
            }
            if (loads > 0) {
                report_finding(report, 0, 0, types[t].name, "before every PT_LOAD",
                               words(report, "after %zu of them", loads));
            }
            if (++seen == 2) {
                report_finding(report, 0, 0, types[t].name, "at most once", "more than once");
            }
        }
    }
}

const struct rule rule_phdr_order = {
    .id = "phdr-order",
    .kind = RULE_FILE,
    .source = "gABI \"Program Header\", p_type",
    .sentence = "PT_PHDR and PT_INTERP occur at most once each and precede every PT_LOAD.",
    .check = check,
};
