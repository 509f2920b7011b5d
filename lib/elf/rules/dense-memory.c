// Rule dense-memory: no wide gaps between PT_LOADs.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    for (size_t i = 1; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        uint64_t end = segment_end(file->maps[i - 1]);
        uint64_t alignment = load->alignment_with_tbss;
        // Without the link's options the PT_LOAD itself says what it was aligned for.
        if (file->section_count == 0 || context->options->max_page_size == 0) {
            alignment = load->align > alignment ? load->align : alignment;
        }
        uint64_t bound = sum(product(2, context->max_page_size), alignment);
        if (load->vaddr > end && load->vaddr - end >= bound) {
            report_finding(report, load->vaddr, range_end(load->vaddr, 1), load_words(report, load),
                           words(report,
                                 "less than 0x%" PRIx64 " after 0x%" PRIx64 ", the end of the PT_LOAD before it", bound,
                                 end),
                           words(report, "0x%" PRIx64 " after it", load->vaddr - end));
        }
    }
}

const struct rule rule_dense_memory = {
    .id = "dense-memory",
    .kind = RULE_FILE,
    .severity = RECOMMENDATION,
    .needs = NEEDS_HOSTED,
    .source = "recommendation: address space and page tables",
    .sentence =
        "The gap between neighbouring PT_LOADs is below twice max-page-size plus the largest alignment in the next.",
    .check = check,
};
