// Rule section-in-segment: every allocated section lies in exactly one PT_LOAD, as its flags ask.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static const char *section_words(struct report *report, const struct section *section)
{
    return words(report, "section %.100s", section->name);
}

// Judges a section against the one PT_LOAD that it touches.
static void check_inside(const struct section *section, const struct segment *load, struct report *report)
{
    uint64_t from = section->address;
    uint64_t to = range_end(from, section->size);
    if (from < load->vaddr || to > segment_end(load)) {
        report_finding(report, from, to, section_words(report, section),
                       words(report, "wholly inside %s", load_words(report, load)), range_words(report, from, to));
    }
    if (section_has_file_bytes(section) && from - load->vaddr != section->offset - load->offset) {
        report_finding(report, from, to, section_words(report, section),
                       words(report, "sh_addr - p_vaddr = sh_offset - p_offset in %s", load_words(report, load)),
                       words(report, "sh_addr 0x%" PRIx64 ", sh_offset 0x%" PRIx64, from, section->offset));
    } else if (section_has_file_bytes(section) && range_end(section->offset, section->size) > segment_file_end(load)) {
        report_finding(
            report, from, to, section_words(report, section),
            words(report, "its bytes inside the p_filesz 0x%" PRIx64 " of %s", load->filesz, load_words(report, load)),
            words(report, "sh_offset 0x%" PRIx64 ", sh_size 0x%" PRIx64, section->offset, section->size));
    }
    if ((section->flags & SHF_WRITE) != 0 && (load->flags & PF_W) == 0) {
        report_finding(report, from, to, section_words(report, section), "a PT_LOAD with W", load_words(report, load));
    }
    if ((section->flags & SHF_EXECINSTR) != 0 && (load->flags & PF_X) == 0) {
        report_finding(report, from, to, section_words(report, section), "a PT_LOAD with E", load_words(report, load));
    }
    // Code may lie in memory that can only be executed.
    if ((section->flags & SHF_EXECINSTR) == 0 && (load->flags & PF_R) == 0) {
        report_finding(report, from, to, section_words(report, section), "a PT_LOAD with R", load_words(report, load));
    }
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        uint64_t from = section->address;
        uint64_t to = range_end(from, section->size);
        // A mask where it will do: divisions would be a tenth of the time of all rules.
        if (is_power_of_two(section->alignment) ? (from & (section->alignment - 1)) != 0
                                                : section->alignment > 1 && from % section->alignment != 0) {
            report_finding(report, from, to, section_words(report, section),
                           words(report, "an address that is a multiple of 0x%" PRIx64, section->alignment),
                           hex_words(report, from));
        }
        if (section_is_tbss(section)) {
            continue;
        }
        // The usual case needs no search: wholly inside a PT_LOAD that overlaps no other.
        const struct segment *holder =
            file->maps_disjoint && section->load != NULL && to <= segment_end(section->load) ? section->load : NULL;
        size_t holders = holder != NULL;
        for (size_t j = holder != NULL ? file->map_count : 0; j < file->map_count; j++) {
            if (range_common(from, to, file->maps[j]->vaddr, segment_end(file->maps[j])) > 0) {
                holder = file->maps[j];
                holders++;
            }
        }
        if (holders != 1) {
            report_finding(report, from, to, section_words(report, section), "in exactly one PT_LOAD",
                           words(report, "in %zu: 0x%" PRIx64 " to 0x%" PRIx64, holders, from, to));
        } else {
            check_inside(section, holder, report);
        }
    }
}

const struct rule rule_section_in_segment = {
    .id = "section-in-segment",
    .kind = RULE_FILE,
    .needs = NEEDS_SECTIONS | NEEDS_MAPS,
    .source = "gABI \"Sections\", SHF_ALLOC, and \"Program Header\"",
    .sentence = "Every SHF_ALLOC section lies in exactly one PT_LOAD, at the same distance from its start in file and "
                "memory, at a multiple of its alignment, and the PT_LOAD's flags cover the section's.",
    .check = check,
};
