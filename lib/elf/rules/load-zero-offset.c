// Rule load-zero-offset: one PT_LOAD begins at file offset 0 and holds the headers.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    size_t count = 0;
    const struct segment *first = NULL;
    const struct segment *last = NULL;
    for (size_t i = 0; i < file->load_count; i++) {
        if (file->loads[i]->filesz > 0 && file->loads[i]->offset == 0) {
            first = first == NULL ? file->loads[i] : first;
            last = file->loads[i];
            count++;
        }
    }
    if (count != 1) {
        report_finding(report, last != NULL ? last->vaddr : 0, last != NULL ? segment_end(last) : 0,
                       "PT_LOADs at file offset 0", "one", words(report, "%zu", count));
    } else if (first->filesz < file->headers_end) {
        report_finding(
            report, first->vaddr, segment_end(first), load_words(report, first),
            words(report, "p_filesz at least 0x%" PRIx64 ", the end of the program headers", file->headers_end),
            words(report, "p_filesz 0x%" PRIx64, first->filesz));
    }
}

const struct rule rule_load_zero_offset = {
    .id = "load-zero-offset",
    .kind = RULE_FILE,
    .needs = NEEDS_HOSTED,
    .source = "Linux fs/binfmt_elf.c, load_elf_binary: AT_PHDR is found through the PT_LOAD that holds e_phoff",
    .sentence =
        "Exactly one PT_LOAD with file bytes has p_offset 0, and it holds the ELF header and the program headers.",
    .check = check,
};
