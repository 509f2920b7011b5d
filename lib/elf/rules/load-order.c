// Rule load-order: PT_LOADs ascend, are disjoint and lie inside the file.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// Returns the first address beyond the address space of the file's class; 0: none can be beyond.
static uint64_t address_limit(const struct elf_file *file)
{
    return file->is64 ? 0 : UINT64_C(1) << 32;
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    uint64_t limit = address_limit(file);
    uint64_t end = 0;
    for (size_t i = 0; i < file->load_count; i++) {
        const struct segment *load = file->loads[i];
        if (i > 0 && load->vaddr < end) {
            uint64_t to = segment_end(load) < end ? segment_end(load) : end;
            report_finding(report, load->vaddr, to, load_words(report, load),
                           words(report, "p_vaddr at or above 0x%" PRIx64 ", the end of the PT_LOAD before it", end),
                           words(report, "p_vaddr 0x%" PRIx64, load->vaddr));
        }
        if (load->filesz > load->memsz) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           words(report, "p_filesz at most p_memsz 0x%" PRIx64, load->memsz),
                           words(report, "p_filesz 0x%" PRIx64, load->filesz));
        }
        if (load->filesz > 0 && (load->offset > file->size || load->filesz > file->size - load->offset)) {
            report_finding(report, load->vaddr, segment_end(load), load_words(report, load),
                           words(report, "inside the file of 0x%" PRIx64 " bytes", file->size),
                           words(report, "p_offset 0x%" PRIx64 ", p_filesz 0x%" PRIx64, load->offset, load->filesz));
        }
        if (load->memsz > UINT64_MAX - load->vaddr || (limit != 0 && segment_end(load) > limit)) {
            report_finding(report, load->vaddr, load->vaddr, load_words(report, load),
                           "an end inside the address space",
                           words(report, "p_vaddr 0x%" PRIx64 ", p_memsz 0x%" PRIx64, load->vaddr, load->memsz));
        }
        end = segment_end(load);
    }
}

const struct rule rule_load_order = {
    .id = "load-order",
    .kind = RULE_FILE,
    .source = "gABI \"Program Header\", PT_LOAD: \"appear in ascending order, sorted on the p_vaddr member\"",
    .sentence = "The PT_LOADs ascend by p_vaddr, their memory is disjoint, p_filesz is not above p_memsz, and the file "
                "has their bytes.",
    .check = check,
};
