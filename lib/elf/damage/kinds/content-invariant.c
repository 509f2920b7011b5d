// Damage that rule content-invariant must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SECTION(flags, ".rodata", it->flags ^= SHF_STRINGS)
CHANGE_SECTION(type, ".init_array", it->type = SHT_PROGBITS)

static const struct kind list[] = {
    {.name = "section-flags-changed",
     .sentence = ".rodata has another flag, SHF_STRINGS, than in the first file.",
     .options = "--compare",
     .apply = flags},
    {.name = "section-type-changed",
     .sentence = ".init_array has another type than in the first file.",
     .options = "--compare",
     .apply = type},
    {.name = NULL},
};

const struct kinds kinds_content_invariant = {"content-invariant", list};
