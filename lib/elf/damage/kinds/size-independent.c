// Damage that rule size-independent must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *longer(struct image *image)
{
    return image_append(image, 2 * image_last_load(image)->align);
}

static const struct kind list[] = {
    {.name = "large-page-longer",
     .sentence = "The file with the larger max-page-size is longer, by two of its pages, than it was.",
     .options = "--compare",
     .apply = longer},
    {.name = NULL},
};

const struct kinds kinds_size_independent = {"size-independent", list};
