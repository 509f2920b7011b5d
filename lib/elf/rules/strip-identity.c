// Rule strip-identity: strip and objcopy keep the program header table.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static bool same(const struct segment *one, const struct segment *other)
{
    return one->type == other->type && one->flags == other->flags && one->offset == other->offset &&
           one->vaddr == other->vaddr && one->paddr == other->paddr && one->filesz == other->filesz &&
           one->memsz == other->memsz && one->align == other->align;
}

static const char *segment_words(struct report *report, const struct segment *segment)
{
    return words(report,
                 "type 0x%" PRIx32 " flags %s p_offset 0x%" PRIx64 " p_vaddr 0x%" PRIx64 " p_filesz 0x%" PRIx64
                 " p_memsz 0x%" PRIx64 " p_align 0x%" PRIx64,
                 segment->type, segment_flags(segment->flags), segment->offset, segment->vaddr, segment->filesz,
                 segment->memsz, segment->align);
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    const struct elf_file *before = context->other;
    if (before->segment_count != file->segment_count) {
        report_finding(report, 0, 0, "number of program headers", words(report, "%zu", before->segment_count),
                       words(report, "%zu", file->segment_count));
        return;
    }
    for (size_t i = 0; i < file->segment_count; i++) {
        if (!same(&before->segments[i], &file->segments[i])) {
            report_finding(report, 0, 0, words(report, "program header %zu", i),
                           segment_words(report, &before->segments[i]), segment_words(report, &file->segments[i]));
        }
    }
}

const struct rule rule_strip_identity = {
    .id = "strip-identity",
    .kind = RULE_PAIR,
    .source = "Linux and ld.so map what the program header table says; strip promises the same program",
    .sentence = "strip, strip -g and objcopy keep the program header table: the second file has that of the first.",
    .check = check,
};
