// Rule page-floor: the file loads on pages of the given size.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static bool is_congruent(const struct segment *load, uint64_t page)
{
    return ((load->vaddr - load->offset) & (page - 1)) == 0;
}

// Whether the two share a page of this size with different flags.
static bool is_shared(const struct segment *before, const struct segment *load, uint64_t page)
{
    return before->flags != load->flags && before->vaddr <= load->vaddr &&
           round_down(load->vaddr, page) <= round_down(segment_end(before) - 1, page);
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t page = context->options->page_size;
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        uint64_t first = round_down(load->vaddr, page);
        if (!is_congruent(load, page)) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           words(report, "p_vaddr and p_offset equal modulo the page size 0x%" PRIx64, page),
                           words(report, "p_vaddr 0x%" PRIx64 ", p_offset 0x%" PRIx64, load->vaddr, load->offset));
        } else if (i > 0 && is_shared(file->maps[i - 1], load, page)) {
            report_finding(report, first, range_end(first, page), words(report, "page 0x%" PRIx64, first),
                           "one set of flags",
                           words(report, "%s and %s", load_words(report, file->maps[i - 1]), load_words(report, load)));
        }
    }
}

static const struct figure figures[] = {
    {"largest-base-page", "bytes of the largest base page, from 4K to 1G, on which the file loads (0: none)",
     WORST_NONE, false},
    {"aslr-bits-lost", "bits of address randomisation that p_align takes from an ET_DYN on 4K pages", WORST_MOST,
     false},
    {NULL, NULL, WORST_NONE, false},
};

static void measure(struct elf_file *file, const struct context *context, uint64_t *values)
{
    (void)context;
    for (uint64_t page = SMALLEST_PAGE; page <= UINT64_C(1) << 30; page *= 2) {
        bool loads = file->map_count > 0;
        for (size_t i = 0; i < file->map_count && loads; i++) {
            loads = is_congruent(file->maps[i], page) && (i == 0 || !is_shared(file->maps[i - 1], file->maps[i], page));
        }
        if (!loads) {
            break;
        }
        values[0] = page;
    }
    for (size_t i = 0; file->type == ET_DYN && i < file->map_count; i++) {
        uint64_t bits = 0;
        while (is_power_of_two(file->maps[i]->align) && file->maps[i]->align >> (bits + 1) >= SMALLEST_PAGE) {
            bits++;
        }
        values[1] = bits > values[1] ? bits : values[1];
    }
}

const struct rule rule_page_floor = {
    .id = "page-floor",
    .kind = RULE_PROFILE,
    .needs = NEEDS_MAPS | NEEDS_HOSTED | NEEDS_PAGE_SIZE,
    .source = "Linux fs/binfmt_elf.c, elf_map; 16K: Android, LoongArch kernels; 64K: AArch64 psABI",
    .sentence =
        "Every PT_LOAD has p_vaddr and p_offset equal modulo the given page size, and no page of that size has two "
        "sets of flags.",
    .check = check,
    .figures = figures,
    .measure = measure,
};
