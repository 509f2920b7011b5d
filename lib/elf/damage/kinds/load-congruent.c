// Damage that rule load-congruent must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LAST_LOAD(align_not_a_power, it->align += it->align / 2)

static const char *offset_moved(struct image *image)
{
    struct segment *it = image_last_load(image);
    if (it->align <= 16) {
        return "p_align of its last PT_LOAD is at most 16";
    }
    it->offset += 16;
    return NULL;
}

static const char *align_too_large(struct image *image)
{
    struct segment *it = image_last_load(image);
    if (it->vaddr == it->offset || !is_power_of_two(it->align)) {
        return "p_vaddr and p_offset of its last PT_LOAD are equal";
    }
    while (((it->vaddr - it->offset) & (it->align - 1)) == 0) {
        it->align *= 2;
    }
    return NULL;
}

static const struct kind list[] = {
    {.name = "align-not-a-power",
     .sentence = "p_align of the last PT_LOAD is half as large again: no power of two.",
     .also = {{"load-align", "p_align is not max-page-size either"}},
     .apply = align_not_a_power},
    {.name = "load-offset-moved",
     .sentence = "p_offset of the last PT_LOAD is moved by 16 bytes and no longer fits p_vaddr.",
     .also = {{"section-in-segment", "its sections are no longer at the same distance in file and memory"},
              {"headers-covered", "likewise the segments in it"}},
     .apply = offset_moved},
    {.name = "align-too-large",
     .sentence = "p_align of the last PT_LOAD is so large that p_vaddr and p_offset no longer agree.",
     .also = {{"load-align", "p_align is above max-page-size"}, {"omagic", "p_align is no longer below a page"}},
     .apply = align_too_large},
    {.name = NULL},
};

const struct kinds kinds_load_congruent = {"load-congruent", list};
