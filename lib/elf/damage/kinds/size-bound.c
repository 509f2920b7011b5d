// Damage that rule size-bound must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *longer(struct image *image)
{
    if (image_last_load(image)->align > 1 << 16) {
        return "p_align is above 64K";
    }
    return image_append(image, (image->file.load_count + 2) << 16);
}

static const struct kind list[] = {
    {.name = "file-much-longer",
     .sentence = "The file has more bytes at its end than alignment can explain.",
     .options = "--max-page-size",
     .apply = longer},
    {.name = NULL},
};

const struct kinds kinds_size_bound = {"size-bound", list};
