// Rule note-walk: walking a PT_NOTE finds exactly the notes of its sections.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include <string.h>

enum { NOTE_HEADER = 12, NOTES_LIMIT = 256 };

// Where the notes of a stretch of the file begin and what they are.
struct notes {
    uint64_t offsets[NOTES_LIMIT];
    size_t count;
};

// Walks [offset, offset + size) as a reader does: each note's descriptor and the next note are aligned to 4 or 8.
// Adds what it finds. Returns NULL, or what is wrong (then *at is where).
static const char *walk(struct elf_file *file, uint64_t offset, uint64_t size, uint64_t alignment, struct notes *notes,
                        uint64_t *at)
{
    // gABI: 4 in both classes; binutils and the kernel take 8 where the segment is so aligned (GNU property notes).
    uint64_t step = alignment == 8 ? 8 : 4;
    const unsigned char *bytes = elf_file_bytes(file, offset, size);
    if (bytes == NULL) {
        *at = offset;
        return "the file does not have its bytes";
    }
    for (uint64_t into = 0; into < size;) {
        *at = offset + into;
        if (size - into < NOTE_HEADER) {
            return "fewer bytes than a note's header are left";
        }
        uint64_t name = elf_file_word(file, bytes + into);
        uint64_t description = elf_file_word(file, bytes + into + 4);
        uint64_t length = round_up(NOTE_HEADER + name, step) + description;
        if (length > size - into) {
            return "the note ends beyond them";
        }
        if (notes->count == NOTES_LIMIT) {
            return "more than 256 notes";
        }
        notes->offsets[notes->count++] = *at;
        into += round_up(length, step);
    }
    return NULL;
}

static bool is_within(const struct section *section, const struct segment *segment)
{
    return section->offset >= segment->offset && range_end(section->offset, section->size) <= segment_file_end(segment);
}

// Compares the walk over a segment with the walks over the note sections in it.
static void check_segment(struct elf_file *file, const struct segment *segment, struct report *report)
{
    struct notes found;
    struct notes wanted;
    found.count = wanted.count = 0; // not the arrays: this runs for every file
    uint64_t at = 0;
    uint64_t to = segment_end(segment);
    if (segment->filesz > READ_LIMIT) {
        report_cannot(report, "a PT_NOTE of more than 1 MiB");
        return;
    }
    const char *problem = walk(file, segment->offset, segment->filesz, segment->align, &found, &at);
    if (problem != NULL) {
        report_finding(
            report, segment->vaddr, to,
            words(report, "PT_NOTE at file offset 0x%" PRIx64 ", p_align %" PRIu64, segment->offset, segment->align),
            "notes one after the other", words(report, "at 0x%" PRIx64 " %s", at, problem));
        return;
    }
    for (size_t i = 0; i < file->note_count; i++) {
        const struct section *section = file->notes[i];
        if (!is_within(section, segment)) {
            continue;
        }
        problem = walk(file, section->offset, section->size, section->alignment, &wanted, &at);
        if (problem != NULL) {
            report_finding(report, section->address, range_end(section->address, section->size),
                           words(report, "section %.100s", section->name), "notes one after the other",
                           words(report, "at 0x%" PRIx64 " %s", at, problem));
            return;
        }
    }
    for (size_t i = 0; file->section_count > 0 && i < (found.count > wanted.count ? found.count : wanted.count); i++) {
        if (i < found.count && i < wanted.count && found.offsets[i] == wanted.offsets[i]) {
            continue;
        }
        report_finding(report, segment->vaddr, to,
                       words(report, "note %zu of the PT_NOTE at file offset 0x%" PRIx64 ", p_align %" PRIu64, i,
                             segment->offset, segment->align),
                       i < wanted.count ? words(report, "at 0x%" PRIx64 ", as its section has it", wanted.offsets[i])
                                        : "none",
                       i < found.count ? words(report, "at 0x%" PRIx64, found.offsets[i]) : "none");
        return;
    }
}

static void check_property(const struct elf_file *file, struct report *report)
{
    const struct segment *property = segment_of_type(file, PT_GNU_PROPERTY);
    for (size_t i = 0; property != NULL && i < file->note_count; i++) {
        const struct section *section = file->notes[i];
        if (strcmp(section->name, ".note.gnu.property") == 0 &&
            (section->offset != property->offset || section->size != property->filesz ||
             section->address != property->vaddr)) {
            report_finding(
                report, property->vaddr, segment_end(property), "PT_GNU_PROPERTY",
                words(report, ".note.gnu.property, 0x%" PRIx64 " bytes at 0x%" PRIx64, section->size, section->offset),
                words(report, "0x%" PRIx64 " bytes at 0x%" PRIx64, property->filesz, property->offset));
        }
    }
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    (void)context;
    bool any = false;
    for (size_t i = 0; i < file->segment_count; i++) {
        if (file->segments[i].type == PT_NOTE) {
            any = true;
            check_segment(file, &file->segments[i], report);
        }
    }
    for (size_t i = 0; i < file->note_count; i++) {
        const struct section *section = file->notes[i];
        bool held = false;
        for (size_t j = 0; j < file->segment_count && !held; j++) {
            held = file->segments[j].type == PT_NOTE && is_within(section, &file->segments[j]);
        }
        if (!held) {
            any = true;
            report_finding(report, section->address, range_end(section->address, section->size),
                           words(report, "section %.100s", section->name), "in a PT_NOTE", "in none");
        }
    }
    check_property(file, report);
    if (!any && segment_of_type(file, PT_GNU_PROPERTY) == NULL) {
        report_not_applicable(report, "no notes");
    }
}

const struct rule rule_note_walk = {
    .id = "note-walk",
    .kind = RULE_FILE,
    .source = "gABI \"Note Section\"; Linux fs/binfmt_elf.c, parse_elf_properties",
    .sentence =
        "Walking each PT_NOTE by its p_align yields exactly the notes of the sections; PT_GNU_PROPERTY, where it "
        "is, equals .note.gnu.property.",
    .check = check,
};
