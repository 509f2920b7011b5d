// Damage that rule note-walk must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(offset, PT_NOTE, it->offset += 4)
CHANGE_SEGMENT(missing, PT_NOTE, it->type = PT_NULL)
CHANGE_SEGMENT(size, PT_NOTE, return image_byte(image, it->offset + (image->file.big_endian ? 4 : 7)))
CHANGE_SECTION(outside, ".rodata", it->type = SHT_NOTE)
CHANGE_SEGMENT(property, PT_GNU_PROPERTY, it->filesz -= 4)
CHANGE_SECTION(section, ".note.gnu.build-id", it->size -= 4)

static const struct kind list[] = {
    {.name = "note-offset-moved",
     .sentence = "p_offset of a PT_NOTE is moved by 4 bytes.",
     .also = {{"headers-covered", "p_vaddr and p_offset no longer agree with the PT_LOAD"}},
     .apply = offset},
    {.name = "note-segment-missing", .sentence = "A PT_NOTE becomes PT_NULL.", .apply = missing},
    {.name = "note-size-broken",
     .sentence = "A byte of a note's n_descsz is changed: it ends beyond its PT_NOTE.",
     .apply = size},
    {.name = "note-in-no-segment", .sentence = ".rodata becomes a section of notes, in no PT_NOTE.", .apply = outside},
    {.name = "property-short",
     .sentence = "p_filesz of PT_GNU_PROPERTY is 4 bytes less than .note.gnu.property.",
     .apply = property},
    {.name = "note-section-short",
     .sentence = "sh_size of .note.gnu.build-id leaves out 4 bytes of its note.",
     .apply = section},
    {.name = NULL},
};

const struct kinds kinds_note_walk = {"note-walk", list};
