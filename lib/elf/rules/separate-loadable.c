// Rule separate-loadable: every PT_LOAD begins on a page of its own.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (!context->options->separate_loadable) {
        report_not_applicable(report, "separate-loadable-segments is not in force (--separate-loadable-segments)");
        return;
    }
    uint64_t page = context->max_page_size > SMALLEST_PAGE ? context->max_page_size : SMALLEST_PAGE;
    for (size_t i = 1; i < file->map_count; i++) {
        const struct segment *before = file->maps[i - 1];
        const struct segment *load = file->maps[i];
        if (round_down(load->vaddr, page) < round_up(segment_end(before), page)) {
            report_finding(report, load->vaddr, range_end(load->vaddr, 1), load_words(report, load),
                           words(report, "in memory from page 0x%" PRIx64 " on", round_up(segment_end(before), page)),
                           words(report, "p_vaddr 0x%" PRIx64, load->vaddr));
        }
        if (load->filesz > 0 && before->filesz > 0 &&
            round_down(load->offset, page) < round_up(segment_file_end(before), page)) {
            report_finding(
                report, load->vaddr, range_end(load->vaddr, 1), load_words(report, load),
                words(report, "in the file from page 0x%" PRIx64 " on", round_up(segment_file_end(before), page)),
                words(report, "p_offset 0x%" PRIx64, load->offset));
        }
    }
}

const struct rule rule_separate_loadable = {
    .id = "separate-loadable",
    .kind = RULE_CELL,
    .needs = NEEDS_MAPS | NEEDS_HOSTED,
    .source = "ld.lld manual: -z separate-loadable-segments",
    .sentence = "With -z separate-loadable-segments every PT_LOAD begins on a page (of max-page-size) of its own, in "
                "file and memory.",
    .check = check,
};
