// Damage that rule base-address must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *at_zero(struct image *image)
{
    if (image->file.type != ET_EXEC || image->file.map_count == 0) {
        return "not ET_EXEC";
    }
    struct segment *first = image_nth_load(image, 0);
    first->vaddr = first->paddr = 0; // both, as a linker would: else it looks like a kernel
    return NULL;
}

static const struct kind list[] = {
    {.name = "exec-at-zero",
     .sentence = "p_vaddr of the first PT_LOAD of an ET_EXEC is 0.",
     .options = "--max-page-size",
     .also = {{"dense-memory", "the gap to the next PT_LOAD is the whole base address"},
              {"headers-covered", "the segments in it keep their addresses"},
              {"section-in-segment", "likewise the sections"}},
     .apply = at_zero},
    {.name = NULL},
};

const struct kinds kinds_base_address = {"base-address", list};
