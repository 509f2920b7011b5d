// Rule relro-inside: PT_GNU_RELRO covers mapped writable memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    bool inside = relro->memsz == 0;
    for (size_t i = 0; i < file->map_count && !inside; i++) {
        inside = (file->maps[i]->flags & PF_W) != 0 && relro->vaddr >= file->maps[i]->vaddr &&
                 relro->vaddr < segment_end(file->maps[i]);
    }
    if (!inside) {
        report_finding(report, relro->vaddr, range_end(relro->vaddr, 1), "PT_GNU_RELRO", "in a writable PT_LOAD",
                       range_words(report, relro->vaddr, segment_end(relro)));
        return;
    }
    for (uint64_t page = SMALLEST_PAGE; page <= context->largest_page; page *= 2) {
        // What is not yet covered, from the left: PT_LOADs ascend.
        uint64_t open = round_down(relro->vaddr, page);
        uint64_t to = round_down(segment_end(relro), page);
        for (size_t i = 0; i < file->map_count; i++) {
            const struct segment *load = file->maps[i];
            uint64_t end = round_up(segment_end(load), page);
            if ((load->flags & PF_W) != 0 && round_down(load->vaddr, page) <= open && end > open) {
                open = end;
            }
        }
        if (open < to) {
            report_finding(report, open, to,
                           words(report, "pages protected by PT_GNU_RELRO at page size 0x%" PRIx64, page),
                           "all mapped writable", words(report, "none at 0x%" PRIx64 " to 0x%" PRIx64, open, to));
            return;
        }
    }
}

const struct rule rule_relro_inside = {
    .id = "relro-inside",
    .kind = RULE_FILE,
    .needs = NEEDS_RELRO | NEEDS_MAPS | NEEDS_HOSTED,
    .source = "glibc elf/dl-reloc.c, _dl_protect_relro: mprotect fails on an unmapped page and the program ends",
    .sentence = "PT_GNU_RELRO lies in writable PT_LOADs, and at every page size all pages that it protects are mapped.",
    .check = check,
};
