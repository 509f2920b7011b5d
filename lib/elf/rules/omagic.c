// Rule omagic: -N and -n lay nothing out for pages.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct options *options = context->options;
    if (!options->omagic && !options->nmagic) {
        report_not_applicable(report, "linked without -N and -n (--omagic, --nmagic)");
        return;
    }
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        if (load->align >= SMALLEST_PAGE && load->alignment_with_tbss < SMALLEST_PAGE) {
            report_finding(report, load->vaddr, load->vaddr, load_words(report, load), "p_align below a page",
                           words(report, "p_align 0x%" PRIx64, load->align));
        }
    }
    if (!options->omagic) {
        return;
    }
    if (file->map_count != 1 || file->maps[0]->flags != (PF_R | PF_W | PF_X)) {
        report_finding(report, 0, 0, "PT_LOADs", "one, RWE", sequence_words(report, file));
    }
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    if (relro != NULL) {
        report_finding(report, relro->vaddr, segment_end(relro), "PT_GNU_RELRO", "none", "one");
    }
}

const struct rule rule_omagic = {
    .id = "omagic",
    .kind = RULE_CELL,
    .needs = NEEDS_MAPS,
    .source = "ld manual, Options: -N, \"Set the text and data sections to be readable and writable. Also, do not "
              "page-align the data segment\"; -n",
    .sentence = "With -N there is one PT_LOAD, readable, writable and executable, and no PT_GNU_RELRO; with -N or -n "
                "nothing is aligned to pages.",
    .check = check,
};
