// Damage that rule omagic must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LAST_LOAD(aligned, it->align = SMALLEST_PAGE; it->offset = it->vaddr & (SMALLEST_PAGE - 1))
CHANGE_LAST_LOAD(not_writable, it->flags &= ~(uint32_t)PF_W)
CHANGE_SEGMENT(relro, PT_GNU_STACK, it->type = PT_GNU_RELRO)

static const struct kind list[] = {
    {.name = "omagic-aligned",
     .sentence = "p_align of the PT_LOAD of -N is 4K.",
     .options = "--omagic",
     .apply = aligned},
    {.name = "omagic-not-writable",
     .sentence = "The PT_LOAD of -N loses PF_W.",
     .options = "--omagic",
     .also = {{"section-in-segment", "its data must be writable"}},
     .apply = not_writable},
    {.name = "omagic-relro",
     .sentence = "PT_GNU_STACK of a file linked with -N becomes PT_GNU_RELRO.",
     .options = "--omagic",
     .apply = relro},
    {.name = "nmagic-aligned",
     .sentence = "p_align of the last PT_LOAD of -n is 4K.",
     .options = "--nmagic",
     .apply = aligned},
    {.name = NULL},
};

const struct kinds kinds_omagic = {"omagic", list};
