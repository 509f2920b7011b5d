// Damage that rule deterministic must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SECTION(byte, ".comment", return image_byte(image, it->offset))

static const struct kind list[] = {
    {.name = "comment-changed",
     .sentence = "A byte of .comment differs from the first file.",
     .options = "--compare",
     .apply = byte},
    {.name = NULL},
};

const struct kinds kinds_deterministic = {"deterministic", list};
