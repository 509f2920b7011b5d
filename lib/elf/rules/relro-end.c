// Rule relro-end: PT_GNU_RELRO ends on a page of common-page-size.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t page = context->options->common_page_size;
    if (page == 0) {
        report_not_applicable(report, "common-page-size is not known (--common-page-size)");
        return;
    }
    // No page is larger than the largest: max-page-size bounds what is promised.
    if (context->options->max_page_size != 0 && context->options->max_page_size < page) {
        page = context->options->max_page_size;
    }
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    uint64_t end = segment_end(relro);
    if ((end & (page - 1)) != 0) {
        report_finding(report, round_down(end, page), round_up(end, page), "end of PT_GNU_RELRO",
                       words(report, "a multiple of common-page-size 0x%" PRIx64, page), hex_words(report, end));
    }
}

const struct rule rule_relro_end = {
    .id = "relro-end",
    .kind = RULE_CELL,
    .needs = NEEDS_RELRO | NEEDS_HOSTED,
    .source = "ld manual, -z common-page-size and DATA_SEGMENT_RELRO_END: the end is aligned to the common page size",
    .sentence = "PT_GNU_RELRO ends on a page of common-page-size.",
    .check = check,
};
