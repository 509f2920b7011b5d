// Rule page-flags: no memory page belongs to two PT_LOADs with different flags.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    for (uint64_t page = SMALLEST_PAGE; page <= context->largest_page && report->count == 0; page *= 2) {
        for (size_t i = 1; i < file->map_count; i++) {
            const struct segment *before = file->maps[i - 1];
            const struct segment *load = file->maps[i];
            uint64_t last = round_down(segment_end(before) - 1, page);
            uint64_t first = round_down(load->vaddr, page);
            if (before->flags != load->flags && first <= last && before->vaddr <= load->vaddr) {
                report_finding(report, first, range_end(first, page),
                               words(report, "page 0x%" PRIx64 " at page size 0x%" PRIx64, first, page),
                               "one set of flags",
                               words(report, "%s and %s", load_words(report, before), load_words(report, load)));
            }
        }
    }
}

const struct rule rule_page_flags = {
    .id = "page-flags",
    .kind = RULE_FILE,
    .needs = NEEDS_HOSTED,
    .source = "Linux fs/binfmt_elf.c, elf_load: segments are mapped in whole pages, a later one replaces an earlier",
    .sentence = "At every page size no page of memory is shared by two PT_LOADs with different flags.",
    .check = check,
};
