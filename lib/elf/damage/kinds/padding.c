// Damage that rule padding must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *tail(struct image *image)
{
    return image_append(image, 2 * SMALLEST_PAGE);
}
CHANGE_SPARE(load, image_make_load(image, it, PF_R | PF_W, 16))

static const struct kind list[] = {
    {.name = "file-tail",
     .sentence = "The file has 8 KiB more at its end.",
     .figures = "file-size file-on-disk file-padding",
     .also = {{"size-bound", "alignment does not explain so much where it is small"}},
     .apply = tail},
    {.name = "load-of-nothing",
     .sentence = "PT_GNU_EH_FRAME becomes a PT_LOAD that holds no section.",
     .figures = "memory-padding",
     .apply = load},
    {.name = NULL},
};

const struct kinds kinds_padding = {"padding", list};
