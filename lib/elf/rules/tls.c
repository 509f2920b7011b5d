// Rule tls: PT_TLS is the initialisation image that the thread-local sections make.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

static void check_alignment(const struct segment *tls, struct report *report)
{
    if (tls->align > 1 && !is_power_of_two(tls->align)) {
        report_finding(report, 0, 0, "PT_TLS", "p_align 0, 1 or a power of two", hex_words(report, tls->align));
    } else if (tls->align > 1 && (tls->vaddr & (tls->align - 1)) != 0) {
        report_finding(report, tls->vaddr, segment_end(tls), "PT_TLS",
                       words(report, "p_vaddr a multiple of p_align 0x%" PRIx64, tls->align),
                       words(report, "p_vaddr 0x%" PRIx64, tls->vaddr));
    }
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    const struct segment *tls = segment_of_type(file, PT_TLS);
    size_t segments = 0;
    for (size_t i = 0; i < file->segment_count; i++) {
        segments += file->segments[i].type == PT_TLS;
    }
    if (segments > 1) {
        report_finding(report, 0, 0, "PT_TLS", "at most one", words(report, "%zu", segments));
    }
    // The range of the thread-local sections, which stand one after the other, and of those with bytes.
    const struct section *first = NULL;
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t initialised = 0;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        if ((section->flags & SHF_TLS) == 0) {
            continue;
        }
        if (first == NULL) {
            first = section;
            start = initialised = section->address;
        } else if (section->address < end) {
            report_finding(
                report, section->address, end, words(report, "section %.100s", section->name),
                words(report, "at or above 0x%" PRIx64 ", the end of the thread-local section before it", end),
                hex_words(report, section->address));
        }
        end = range_end(section->address, section->size);
        initialised = section_has_file_bytes(section) ? end : initialised;
    }
    if (tls == NULL) {
        if (first == NULL) {
            report_not_applicable(report, "nothing thread-local");
        } else {
            report_finding(report, start, end, "PT_TLS", "one", "none");
        }
        return;
    }
    check_alignment(tls, report);
    if (first == NULL) {
        if (file->section_count > 0 && tls->memsz > 0) {
            report_finding(report, tls->vaddr, segment_end(tls), "PT_TLS", "none: no section is thread-local", "one");
        }
        return;
    }
    if (tls->vaddr != start) {
        report_finding(report, tls->vaddr, segment_end(tls), "PT_TLS",
                       words(report, "p_vaddr 0x%" PRIx64 ", the start of %.100s", start, first->name),
                       words(report, "p_vaddr 0x%" PRIx64, tls->vaddr));
        return;
    }
    if (tls->filesz != initialised - start) {
        report_finding(report, start, end, "PT_TLS",
                       words(report, "p_filesz 0x%" PRIx64 ", the initialised part", initialised - start),
                       words(report, "p_filesz 0x%" PRIx64, tls->filesz));
    }
    // Some linkers round the size up to p_align, which is what a thread's block takes anyway.
    uint64_t size = end - start;
    uint64_t largest = is_power_of_two(tls->align) ? round_up(size, tls->align) : size;
    if (tls->memsz < size || tls->memsz > largest) {
        report_finding(report, start, end, "PT_TLS", words(report, "p_memsz 0x%" PRIx64, size),
                       words(report, "p_memsz 0x%" PRIx64, tls->memsz));
    }
}

const struct rule rule_tls = {
    .id = "tls",
    .kind = RULE_FILE,
    .source = "gABI \"Thread-Local Storage\"; ELF Handling For Thread-Local Storage (Drepper), section 3",
    .sentence = "There is one PT_TLS with p_vaddr a multiple of p_align, p_filesz the initialised part and p_memsz the "
                "whole of the thread-local sections, which are disjoint.",
    .check = check,
};
