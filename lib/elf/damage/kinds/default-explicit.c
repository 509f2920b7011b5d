// Damage that rule default-explicit must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SECTION(byte, ".rodata", return image_byte(image, it->offset + it->size - 1))

static const struct kind list[] = {
    {.name = "data-changed",
     .sentence = "A byte of .rodata differs from the first file.",
     .options = "--compare",
     .apply = byte},
    {.name = NULL},
};

const struct kinds kinds_default_explicit = {"default-explicit", list};
