// Rule build-id-first-page: the build-id survives in a core dump.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include <string.h>

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t page = context->options->page_size != 0 ? context->options->page_size : SMALLEST_PAGE;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        if (strcmp(section->name, ".note.gnu.build-id") != 0) {
            continue;
        }
        const struct segment *load = section->load;
        uint64_t end = range_end(section->offset, section->size);
        if (load == NULL || load->offset != 0 || end > page) {
            report_finding(report, section->address, range_end(section->address, section->size),
                           "section .note.gnu.build-id",
                           words(report, "in the first 0x%" PRIx64 " bytes of the PT_LOAD at file offset 0", page),
                           words(report, "file offset 0x%" PRIx64 " to 0x%" PRIx64 " in %s", section->offset, end,
                                 load != NULL ? load_words(report, load) : "no PT_LOAD"));
        }
        return;
    }
    report_not_applicable(report, "no .note.gnu.build-id");
}

const struct rule rule_build_id_first_page = {
    .id = "build-id-first-page",
    .kind = RULE_PROFILE,
    .severity = RECOMMENDATION,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS | NEEDS_HOSTED,
    .source = "recommendation; Linux fs/binfmt_elf.c, vma_dump_size: of a file mapping only the page with the ELF "
              "header is dumped",
    .sentence = ".note.gnu.build-id lies in the first page of the PT_LOAD at file offset 0.",
    .check = check,
};
