// Rule relro-complete: PT_GNU_RELRO covers what is read-only after relocation.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include <string.h>

// Whether a section of this name is only written by relocation (ld manual, Options: -z relro, -z now).
static bool belongs_to_relro(const char *name, const struct options *options)
{
    static const char *const names[] = {".tdata", ".preinit_array", ".init_array", ".fini_array", ".ctors",
                                        ".dtors", ".jcr",           ".dynamic",    ".bss.rel.ro", ".copyrel.rel.ro"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return strncmp(name, ".data.rel.ro", strlen(".data.rel.ro")) == 0 ||
           (options->now == ON && (strcmp(name, ".got") == 0 || strcmp(name, ".got.plt") == 0));
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct segment *relro = segment_of_type(file, PT_GNU_RELRO);
    if (context->options->relro == UNKNOWN || context->options->omagic) {
        report_not_applicable(report, context->options->omagic
                                          ? "-N has no RELRO"
                                          : "whether relro is in force is not known (--relro, --norelro)");
        return;
    }
    if (context->options->relro == OFF) {
        if (relro != NULL) {
            report_finding(report, relro->vaddr, segment_end(relro), "PT_GNU_RELRO", "none with -z norelro",
                           range_words(report, relro->vaddr, segment_end(relro)));
        }
        return;
    }
    uint64_t start = relro != NULL ? relro->vaddr : 0;
    uint64_t end = relro != NULL ? segment_end(relro) : 0;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        uint64_t to = range_end(section->address, section->size);
        if (section_kind(section) != SECTION_WRITABLE || section_is_tbss(section) ||
            !belongs_to_relro(section->name, context->options) || (section->address >= start && to <= end)) {
            continue;
        }
        report_finding(report, section->address, to, words(report, "section %.100s", section->name),
                       relro == NULL ? "inside a PT_GNU_RELRO"
                                     : words(report, "inside PT_GNU_RELRO, %s", range_words(report, start, end)),
                       relro == NULL ? "there is none" : range_words(report, section->address, to));
    }
}

const struct rule rule_relro_complete = {
    .id = "relro-complete",
    .kind = RULE_CELL,
    .needs = NEEDS_SECTIONS,
    .source = "ld manual, Options: -z relro, -z now",
    .sentence = ".dynamic, .init_array, .fini_array, .data.rel.ro, with -z now .got, and their like lie inside "
                "PT_GNU_RELRO; with -z norelro there is none.",
    .check = check,
};
