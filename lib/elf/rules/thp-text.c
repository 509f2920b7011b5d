// Rule thp-text: code can be mapped by huge pages.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// Returns how many bytes of an executable PT_LOAD huge pages can map: whole ones within the mapped pages, and only
// where address and file offset agree (a load bias that is a multiple of the huge page is assumed).
static uint64_t huge_bytes(const struct segment *load, uint64_t huge)
{
    uint64_t start = round_up(round_down(load->vaddr, SMALLEST_PAGE), huge);
    uint64_t end = round_down(round_up(range_end(load->vaddr, load->filesz), SMALLEST_PAGE), huge);
    return ((load->vaddr - load->offset) & (huge - 1)) == 0 && end > start ? end - start : 0;
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    uint64_t huge = context->options->huge_page;
    bool any = false;
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        if ((load->flags & PF_X) == 0 || load->filesz < huge) {
            continue;
        }
        any = true;
        if (huge_bytes(load, huge) == 0) {
            report_finding(
                report, load->vaddr, load->vaddr, load_words(report, load),
                words(report, "a huge page of 0x%" PRIx64 " bytes among its 0x%" PRIx64, huge, load->filesz),
                words(report, "none: p_vaddr 0x%" PRIx64 ", p_offset 0x%" PRIx64, load->vaddr, load->offset));
        }
    }
    if (!any) {
        report_not_applicable(report, "no executable PT_LOAD is as large as a huge page");
    }
}

static const struct figure figures[] = {
    {"code", "file bytes of executable PT_LOADs", WORST_NONE, true},
    {"huge-page-code-2m", "bytes of them that huge pages of 2M can map", WORST_NONE, true},
    {"huge-page-code-32m", "bytes of them that huge pages of 32M can map", WORST_NONE, true},
    {NULL, NULL, WORST_NONE, false},
};

static void measure(struct elf_file *file, const struct context *context, uint64_t *values)
{
    (void)context;
    for (size_t i = 0; i < file->map_count; i++) {
        if ((file->maps[i]->flags & PF_X) != 0) {
            values[0] = sum(values[0], file->maps[i]->filesz);
            values[1] = sum(values[1], huge_bytes(file->maps[i], UINT64_C(2) << 20));
            values[2] = sum(values[2], huge_bytes(file->maps[i], UINT64_C(32) << 20));
        }
    }
}

const struct rule rule_thp_text = {
    .id = "thp-text",
    .kind = RULE_PROFILE,
    .needs = NEEDS_MAPS | NEEDS_HOSTED | NEEDS_HUGE_PAGE,
    .source = "Linux mm/huge_memory.c, transhuge_vma_suitable: address and file offset agree modulo the huge page",
    .sentence = "An executable PT_LOAD of at least a huge page's size can be mapped by at least one huge page.",
    .check = check,
    .figures = figures,
    .measure = measure,
};
