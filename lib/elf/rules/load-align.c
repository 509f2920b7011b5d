// Rule load-align: the p_align of every PT_LOAD.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (context->options->linker == LINKER_UNKNOWN) {
        report_not_applicable(report, "the linker is not known (--linker)");
        return;
    }
    // bfd/elf.c, assign_file_positions_for_load_sections, takes every section of the segment, .tbss too.
    bool with_tbss = context->options->linker == LINKER_BFD;
    for (size_t i = 0; i < file->load_count; i++) {
        const struct segment *load = file->loads[i];
        uint64_t wanted = with_tbss ? load->alignment_with_tbss : load->alignment;
        wanted = wanted > context->max_page_size ? wanted : context->max_page_size;
        if (load->align != wanted) {
            report_finding(report, load->vaddr, load->vaddr, load_words(report, load),
                           words(report, "p_align 0x%" PRIx64, wanted),
                           words(report, "p_align 0x%" PRIx64, load->align));
        }
    }
}

const struct rule rule_load_align = {
    .id = "load-align",
    .kind = RULE_CELL,
    .severity = RECOMMENDATION,
    .needs = NEEDS_SECTIONS | NEEDS_HOSTED | NEEDS_MAX_PAGE_SIZE,
    .source = "ld manual, Options: -z max-page-size; whether .tbss counts differs between linkers",
    .sentence = "p_align is the larger of max-page-size and the largest alignment of a section in the PT_LOAD.",
    .check = check,
};
