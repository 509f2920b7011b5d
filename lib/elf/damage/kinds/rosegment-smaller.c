// Damage that rule rosegment-smaller must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *longer(struct image *image)
{
    return image_append(image, 2 * image_last_load(image)->align);
}

static const struct kind list[] = {
    {.name = "rosegment-longer",
     .sentence = "The file is longer, by two pages of max-page-size, than it was.",
     .options = "--compare",
     .apply = longer},
    {.name = NULL},
};

const struct kinds kinds_rosegment_smaller = {"rosegment-smaller", list};
