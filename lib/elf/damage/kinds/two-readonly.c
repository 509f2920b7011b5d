// Damage that rule two-readonly must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SPARE(extra, image_make_load(image, it, PF_R, 16))

static const struct kind list[] = {
    {.name = "readonly-load-more",
     .sentence = "PT_GNU_EH_FRAME becomes one more read-only PT_LOAD.",
     .options = "--separate-code --no-rosegment --linker=bfd",
     .apply = extra},
    {.name = NULL},
};

const struct kinds kinds_two_readonly = {"two-readonly", list};
