// Damage that rule base-address must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *at_zero(struct image *image)
{
    if (image->file.type != ET_EXEC || image->file.map_count == 0) {
        return "not ET_EXEC";
    }
    image_nth_load(image, 0)->vaddr = 0;
    return NULL;
}

static const struct kind list[] = {
    {.name = "exec-at-zero",
     .sentence = "p_vaddr of the first PT_LOAD of an ET_EXEC is 0.",
     .options = "--max-page-size",
     .apply = at_zero},
    {.name = NULL},
};

const struct kinds kinds_base_address = {"base-address", list};
