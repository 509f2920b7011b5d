// Damage that rule load-align must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *doubled(struct image *image)
{
    for (size_t i = 0; i < image->file.map_count; i++) {
        struct segment *it = image_nth_load(image, i);
        if (is_power_of_two(it->align) && ((it->vaddr - it->offset) & (2 * it->align - 1)) == 0) {
            it->align *= 2;
            return NULL;
        }
    }
    return "no PT_LOAD has p_vaddr and p_offset equal modulo twice its p_align";
}

static const char *halved(struct image *image)
{
    struct segment *it = image_last_load(image);
    if (it == NULL || it->align / 2 < SMALLEST_PAGE) {
        return "no p_align above 4K";
    }
    it->align /= 2;
    return NULL;
}

static const struct kind list[] = {
    {.name = "load-align-doubled",
     .sentence = "p_align of a PT_LOAD is doubled, where p_vaddr and p_offset still fit.",
     .options = "--max-page-size --linker",
     .figures = "aslr-bits-lost",
     .apply = doubled},
    {.name = "load-align-halved",
     .sentence = "p_align of the last PT_LOAD is halved.",
     .options = "--max-page-size --linker",
     .apply = halved},
    {.name = NULL},
};

const struct kinds kinds_load_align = {"load-align", list};
