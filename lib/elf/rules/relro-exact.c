// Rule relro-exact: PT_GNU_RELRO makes nothing read-only that is written to.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include <string.h>

static bool is_plain_data(const char *name)
{
    static const char *const names[] = {".data", ".bss", ".sdata", ".sbss"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    uint64_t start = relro->vaddr;
    uint64_t end = segment_end(relro);
    uint64_t first = round_down(start, context->largest_page);
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        if (section_kind(section) != SECTION_WRITABLE || section_is_tbss(section)) {
            continue;
        }
        uint64_t from = section->address;
        uint64_t to = range_end(from, section->size);
        // ld.so protects nothing when the rounded range is empty.
        if (from < start && to > first && round_down(end, SMALLEST_PAGE) > round_down(start, SMALLEST_PAGE)) {
            report_finding(report, from, to, words(report, "section %.100s", section->name),
                           words(report, "outside 0x%" PRIx64 " to 0x%" PRIx64 ", the page where PT_GNU_RELRO begins",
                                 first, start),
                           range_words(report, from, to));
        }
        if (range_common(from, to, start, end) > 0 && is_plain_data(section->name)) {
            report_finding(report, from, to, words(report, "section %.100s", section->name),
                           words(report, "outside PT_GNU_RELRO, 0x%" PRIx64 " to 0x%" PRIx64, start, end),
                           range_words(report, from, to));
        }
    }
}

const struct rule rule_relro_exact = {
    .id = "relro-exact",
    .kind = RULE_FILE,
    .needs = NEEDS_RELRO | NEEDS_SECTIONS | NEEDS_HOSTED,
    .source = "glibc elf/dl-reloc.c, _dl_protect_relro: the start is rounded down to a page",
    .sentence = "Nothing writable that PT_GNU_RELRO does not cover lies in its first page, at every page size, and no "
                ".data or .bss lies inside it.",
    .check = check,
};
