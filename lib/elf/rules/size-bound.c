// Rule size-bound: the file is no larger than its contents and alignments explain.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t bound = file->table_bytes;
    for (size_t i = 0; i < file->section_count; i++) {
        const struct section *section = &file->sections[i];
        bound = sum(bound, section_has_file_bytes(section) ? section->size : 0);
        bound = sum(bound, section->alignment > 1 ? section->alignment - 1 : 0);
    }
    for (size_t i = 0; i < file->load_count; i++) {
        uint64_t align = file->loads[i]->align;
        bound = sum(bound, align > context->max_page_size ? align : context->max_page_size);
    }
    if (file->size > bound) {
        report_finding(report, 0, 0, "file size", words(report, "at most 0x%" PRIx64, bound),
                       hex_words(report, file->size));
    }
}

const struct rule rule_size_bound = {
    .id = "size-bound",
    .kind = RULE_CELL,
    .severity = RECOMMENDATION,
    .needs = NEEDS_SECTIONS | NEEDS_MAX_PAGE_SIZE,
    .source = "recommendation: padding beyond what congruence needs is waste",
    .sentence =
        "The file is at most its sections, its tables, sh_addralign - 1 for each section and the larger of p_align "
        "and max-page-size for each PT_LOAD.",
    .check = check,
};
