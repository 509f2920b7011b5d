// Rule base-address: where an ET_EXEC begins.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// Returns where the targets' linkers put an ET_EXEC by default (bfd: rounded down to max-page-size), 0: not known.
static uint64_t default_base(unsigned machine)
{
    switch (machine) {
    case EM_386:
        return UINT64_C(0x08048000);
    case EM_X86_64:
    case EM_AARCH64:
        return UINT64_C(0x400000);
    case EM_LOONGARCH:
        return UINT64_C(0x120000000);
    default:
        return 0;
    }
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    if (file->type != ET_EXEC) {
        report_not_applicable(report, "not ET_EXEC");
        return;
    }
    uint64_t base = default_base(file->machine);
    uint64_t page = context->max_page_size;
    uint64_t least = base != 0 && page > base ? page : 1;
    const struct segment *first = file->maps[0];
    if (first->vaddr < least) {
        report_finding(report, first->vaddr, range_end(first->vaddr, 1), load_words(report, first),
                       words(report, "p_vaddr 0x%" PRIx64 " or above", least),
                       words(report, "p_vaddr 0x%" PRIx64, first->vaddr));
    }
}

const struct rule rule_base_address = {
    .id = "base-address",
    .kind = RULE_CELL,
    .needs = NEEDS_MAPS | NEEDS_HOSTED | NEEDS_MAX_PAGE_SIZE,
    .source = "Linux mm/util.c, mmap_min_addr: an ordinary user maps nothing at address 0",
    .sentence =
        "The first PT_LOAD of an ET_EXEC is not at address 0, and where max-page-size exceeds the default base it "
        "is at max-page-size or above.",
    .check = check,
};
