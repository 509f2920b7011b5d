// Rule separate-code-pages: the file pages of an executable PT_LOAD hold nothing but code.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// Reports [from, to) of the file if it reaches into the pages [start, end) that the load maps.
static void check_bytes(const char *kind, const char *name, uint64_t from, uint64_t to, const struct segment *load,
                        uint64_t page, struct report *report)
{
    uint64_t start = round_down(load->offset, page);
    uint64_t end = round_up(segment_file_end(load), page);
    if (range_common(from, to, start, end) == 0) {
        return;
    }
    uint64_t shift = load->vaddr - load->offset;
    report_finding(
        report, (from > start ? from : start) + shift, (to < end ? to : end) + shift,
        words(report, "file pages 0x%" PRIx64 " to 0x%" PRIx64 " of %s", start, end, load_words(report, load)),
        "only code", words(report, "%s%.100s at file offset 0x%" PRIx64 " to 0x%" PRIx64, kind, name, from, to));
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t page = context->max_page_size > SMALLEST_PAGE ? context->max_page_size : SMALLEST_PAGE;
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        if ((load->flags & PF_X) == 0 || load->filesz == 0) {
            continue;
        }
        check_bytes("the ELF header and program headers", "", 0, file->headers_end, load, page, report);
        for (size_t j = 0; j < file->allocated_count; j++) {
            const struct section *section = file->allocated[j];
            if (section_has_file_bytes(section) && (section->flags & SHF_EXECINSTR) == 0) {
                check_bytes("section ", section->name, section->offset, range_end(section->offset, section->size), load,
                            page, report);
            }
        }
    }
}

const struct rule rule_separate_code_pages = {
    .id = "separate-code-pages",
    .kind = RULE_CELL,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS | NEEDS_SEPARATE_CODE,
    .source = "ld manual, Options: -z separate-code, \"wholly disjoint pages from any other data\"",
    .sentence = "With separate-code the file pages (of max-page-size) that an executable PT_LOAD maps hold no byte of "
                "the ELF header, the program headers or an allocated section that is not code.",
    .check = check,
};
