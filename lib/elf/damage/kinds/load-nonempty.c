// Damage that rule load-nonempty must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SPARE(empty_load, image_make_load(image, it, PF_R | PF_W, 0))

static const struct kind list[] = {
    {.name = "empty-load", .sentence = "PT_GNU_EH_FRAME becomes a PT_LOAD of no bytes.", .apply = empty_load},
    {.name = NULL},
};

const struct kinds kinds_load_nonempty = {"load-nonempty", list};
