// Damage that rule separate-loadable must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *page_shared(struct image *image)
{
    struct segment *it = image_load(image, PF_W, PF_W);
    if (it == NULL || it->offset < it->align) {
        return "no writable PT_LOAD stands behind others in the file";
    }
    it->offset -= it->align;
    return NULL;
}

static const struct kind list[] = {
    {.name = "load-in-previous-page",
     .sentence = "p_offset of the first writable PT_LOAD is in the last page of the one before.",
     .options = "--separate-loadable-segments",
     .also = {{"headers-covered", "the segments in it keep their file offsets"},
              {"section-in-segment", "likewise the sections"}},
     .apply = page_shared},
    {.name = NULL},
};

const struct kinds kinds_separate_loadable = {"separate-loadable", list};
