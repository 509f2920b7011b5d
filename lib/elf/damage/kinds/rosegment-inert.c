// Damage that rule rosegment-inert must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *longer(struct image *image)
{
    return image_append(image, 1);
}

static const struct kind list[] = {
    {.name = "byte-appended",
     .sentence = "The file has one more byte than the first file.",
     .options = "--compare",
     .apply = longer},
    {.name = NULL},
};

const struct kinds kinds_rosegment_inert = {"rosegment-inert", list};
