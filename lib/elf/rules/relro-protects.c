// Rule relro-protects: all of PT_GNU_RELRO is protected at every page size.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// ld.so rounds the end down: what lies in the last partial page stays writable.
static uint64_t protected_bytes(const struct segment *relro, uint64_t page)
{
    uint64_t end = round_down(segment_end(relro), page);
    return end > relro->vaddr ? end - relro->vaddr : 0;
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    uint64_t end = segment_end(relro);
    for (uint64_t page = SMALLEST_PAGE; page <= context->largest_page; page *= 2) {
        if ((end & (page - 1)) != 0) {
            report_finding(report, round_down(end, page), end, "end of PT_GNU_RELRO",
                           words(report, "a multiple of page size 0x%" PRIx64, page),
                           words(report, "0x%" PRIx64 ": 0x%" PRIx64 " of 0x%" PRIx64 " bytes protected", end,
                                 protected_bytes(relro, page), relro->memsz));
            return;
        }
    }
}

static const struct figure figures[] = {
    {"relro", "bytes of PT_GNU_RELRO", WORST_NONE, true},
    {"relro-unprotected-4k", "bytes of PT_GNU_RELRO that stay writable on 4K pages", WORST_MOST, true},
    {"relro-unprotected-16k", "bytes of PT_GNU_RELRO that stay writable on 16K pages", WORST_MOST, true},
    {"relro-unprotected-64k", "bytes of PT_GNU_RELRO that stay writable on 64K pages", WORST_MOST, true},
    {"relro-protected-4k", "bytes of PT_GNU_RELRO protected on 4K pages", WORST_NONE, true},
    {"relro-protected-16k", "bytes of PT_GNU_RELRO protected on 16K pages", WORST_NONE, true},
    {"relro-protected-64k", "bytes of PT_GNU_RELRO protected on 64K pages", WORST_NONE, true},
    {NULL, NULL, WORST_NONE, false},
};

static void measure(struct elf_file *file, const struct context *context, uint64_t *values)
{
    (void)context;
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    if (relro == NULL) {
        return;
    }
    values[0] = relro->memsz;
    for (unsigned i = 0; i < 3; i++) {
        values[4 + i] = protected_bytes(relro, SMALLEST_PAGE << (2 * i));
        values[1 + i] = relro->memsz - values[4 + i];
    }
}

const struct rule rule_relro_protects = {
    .id = "relro-protects",
    .kind = RULE_FILE,
    .severity = RECOMMENDATION,
    .needs = NEEDS_RELRO | NEEDS_HOSTED,
    .source = "recommendation; glibc elf/dl-reloc.c, _dl_protect_relro: the end is rounded down to a page",
    .sentence = "PT_GNU_RELRO ends on a page at every page size, so that all of it is protected.",
    .check = check,
    .figures = figures,
    .measure = measure,
};
