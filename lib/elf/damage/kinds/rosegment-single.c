// Damage that rule rosegment-single must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SPARE(extra, image_make_load(image, it, PF_R, 16))
CHANGE_LOAD(writable, PF_R | PF_W | PF_X, PF_R, it->flags |= PF_W)

static const struct kind list[] = {
    {.name = "readonly-load-second",
     .sentence = "PT_GNU_EH_FRAME becomes a second read-only PT_LOAD.",
     .options = "--separate-code --rosegment",
     .apply = extra},
    {.name = "readonly-load-writable",
     .sentence = "The read-only PT_LOAD gets PF_W: there is none.",
     .options = "--separate-code --rosegment",
     .apply = writable},
    {.name = NULL},
};

const struct kinds kinds_rosegment_single = {"rosegment-single", list};
