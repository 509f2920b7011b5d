// Damage that rule strip-identity must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *fewer(struct image *image)
{
    image->header.phnum--;
    return NULL;
}

CHANGE_LAST_LOAD(paddr, it->paddr += SMALLEST_PAGE)
CHANGE_SPARE(reordered, image_swap(it, &image->file.segments[image->file.segment_count - 1]))

static const struct kind list[] = {
    {.name = "load-paddr-moved",
     .sentence = "p_paddr of the last PT_LOAD is another one than in the first file.",
     .options = "--compare",
     .apply = paddr},
    {.name = "header-dropped",
     .sentence = "e_phnum is one less than in the first file.",
     .options = "--compare",
     .apply = fewer},
    {.name = "headers-reordered",
     .sentence = "PT_GNU_EH_FRAME and the last program header are exchanged.",
     .options = "--compare",
     .apply = reordered},
    {.name = NULL},
};

const struct kinds kinds_strip_identity = {"strip-identity", list};
