// Rule load-congruent: p_vaddr and p_offset agree modulo p_align.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->load_count; i++) {
        const struct segment *load = file->loads[i];
        if (load->align > 1 && !is_power_of_two(load->align)) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           "p_align 0, 1 or a power of two", hex_words(report, load->align));
        } else if (load->align > 1 && ((load->vaddr - load->offset) & (load->align - 1)) != 0) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           words(report, "p_vaddr and p_offset equal modulo 0x%" PRIx64, load->align),
                           words(report, "p_vaddr 0x%" PRIx64 ", p_offset 0x%" PRIx64, load->vaddr, load->offset));
        }
    }
}

const struct rule rule_load_congruent = {
    .id = "load-congruent",
    .kind = RULE_FILE,
    .source = "gABI \"Program Header\", p_align",
    .sentence =
        "p_vaddr and p_offset of every PT_LOAD are equal modulo p_align, and p_align is 0, 1 or a power of two.",
    .check = check,
};
