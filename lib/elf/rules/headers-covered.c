// Rule headers-covered: every segment with contents lies inside one PT_LOAD.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

// Returns the name of a type that must lie in a PT_LOAD, or NULL.
static const char *covered_type(uint32_t type)
{
    switch (type) {
    case PT_PHDR:
        return "PT_PHDR";
    case PT_INTERP:
        return "PT_INTERP";
    case PT_DYNAMIC:
        return "PT_DYNAMIC";
    case PT_NOTE:
        return "PT_NOTE";
    case PT_TLS:
        return "PT_TLS";
    case PT_GNU_EH_FRAME:
        return "PT_GNU_EH_FRAME";
    case PT_GNU_PROPERTY:
        return "PT_GNU_PROPERTY";
    default:
        return NULL;
    }
}

static bool is_inside(const struct segment *segment, const struct segment *load)
{
    uint64_t into = segment->vaddr - load->vaddr;
    return segment->vaddr >= load->vaddr && into <= load->filesz && segment->filesz <= load->filesz - into &&
           segment->offset - load->offset == into;
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->segment_count; i++) {
        const struct segment *segment = &file->segments[i];
        const char *name = covered_type(segment->type);
        if (name == NULL || segment->filesz == 0) {
            continue;
        }
        bool inside = false;
        for (size_t j = 0; j < file->map_count && !inside; j++) {
            inside = is_inside(segment, file->maps[j]);
        }
        if (!inside) {
            report_finding(report, segment->vaddr, range_end(segment->vaddr, segment->filesz), name,
                           "inside one PT_LOAD, file and memory alike",
                           words(report, "p_vaddr 0x%" PRIx64 ", p_offset 0x%" PRIx64 ", p_filesz 0x%" PRIx64,
                                 segment->vaddr, segment->offset, segment->filesz));
        }
        if (segment->type == PT_PHDR && segment->offset != file->phoff) {
            report_finding(report, segment->vaddr, range_end(segment->vaddr, segment->filesz), "PT_PHDR",
                           words(report, "p_offset equal to e_phoff 0x%" PRIx64, file->phoff),
                           words(report, "p_offset 0x%" PRIx64, segment->offset));
        }
    }
}

const struct rule rule_headers_covered = {
    .id = "headers-covered",
    .kind = RULE_FILE,
    .source = "gABI \"Program Header\": PT_PHDR, PT_INTERP, PT_NOTE, PT_DYNAMIC and PT_TLS describe parts of the "
              "memory image",
    .sentence = "PT_PHDR, PT_INTERP, PT_DYNAMIC, PT_NOTE, PT_TLS, PT_GNU_EH_FRAME and PT_GNU_PROPERTY each lie inside "
                "one PT_LOAD, in file and memory alike, and PT_PHDR begins at e_phoff.",
    .needs = NEEDS_MAPS,
    .check = check,
};
