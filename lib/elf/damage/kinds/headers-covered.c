// Damage that rule headers-covered must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

#define FAR (UINT64_C(1) << 28)

CHANGE_SEGMENT(phdr_address, PT_PHDR, it->vaddr += 8)
CHANGE_SEGMENT(phdr_offset, PT_PHDR, it->offset += 8)
CHANGE_SEGMENT(interp_outside, PT_INTERP, it->vaddr += FAR)
CHANGE_SEGMENT(interp_too_long, PT_INTERP, it->filesz = FAR)
CHANGE_SEGMENT(dynamic_offset, PT_DYNAMIC, it->offset += SMALLEST_PAGE)
CHANGE_SEGMENT(note_outside, PT_NOTE, it->vaddr += FAR)
CHANGE_SEGMENT(eh_frame_outside, PT_GNU_EH_FRAME, it->vaddr += FAR)
CHANGE_SEGMENT(property_outside, PT_GNU_PROPERTY, it->vaddr += FAR)
CHANGE_SEGMENT(tls_offset, PT_TLS, it->offset += 8)

static const struct kind list[] = {
    {.name = "phdr-address-wrong", .sentence = "p_vaddr of PT_PHDR is moved by 8 bytes.", .apply = phdr_address},
    {.name = "phdr-offset-wrong", .sentence = "p_offset of PT_PHDR is moved by 8 bytes.", .apply = phdr_offset},
    {.name = "interp-outside",
     .sentence = "p_vaddr of PT_INTERP is moved out of its PT_LOAD.",
     .apply = interp_outside},
    {.name = "interp-too-long",
     .sentence = "p_filesz of PT_INTERP reaches beyond its PT_LOAD.",
     .apply = interp_too_long},
    {.name = "dynamic-offset-wrong", .sentence = "p_offset of PT_DYNAMIC is moved by 4K.", .apply = dynamic_offset},
    {.name = "note-outside", .sentence = "p_vaddr of a PT_NOTE is moved out of its PT_LOAD.", .apply = note_outside},
    {.name = "eh-frame-outside",
     .sentence = "p_vaddr of PT_GNU_EH_FRAME is moved out of its PT_LOAD.",
     .apply = eh_frame_outside},
    {.name = "property-outside",
     .sentence = "p_vaddr of PT_GNU_PROPERTY is moved out of its PT_LOAD.",
     .also = {{"note-walk", "its address is not that of .note.gnu.property"}},
     .apply = property_outside},
    {.name = "tls-offset-wrong", .sentence = "p_offset of PT_TLS is moved by 8 bytes.", .apply = tls_offset},
    {.name = NULL},
};

const struct kinds kinds_headers_covered = {"headers-covered", list};
