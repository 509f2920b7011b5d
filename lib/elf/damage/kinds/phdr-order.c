// Damage that rule phdr-order must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

// Puts the segment of a type, or a copy, in the place of one behind the PT_LOADs.
static const char *put_behind(struct image *image, uint32_t type, void (*put)(struct segment *, struct segment *))
{
    struct segment *from = image_segment(image, type);
    struct segment *to = image_segment(image, PT_GNU_EH_FRAME);
    if (from == NULL || to == NULL) {
        return "it has no such segment, or no PT_GNU_EH_FRAME";
    }
    put(to, from);
    return NULL;
}

static void copy(struct segment *to, struct segment *from)
{
    image_copy(to, from);
}

static const char *interp_last(struct image *image)
{
    return put_behind(image, PT_INTERP, image_swap);
}

static const char *interp_twice(struct image *image)
{
    return put_behind(image, PT_INTERP, copy);
}

static const char *phdr_last(struct image *image)
{
    return put_behind(image, PT_PHDR, image_swap);
}

static const char *phdr_twice(struct image *image)
{
    return put_behind(image, PT_PHDR, copy);
}

static const struct kind list[] = {
    {.name = "interp-behind-loads",
     .sentence = "PT_INTERP changes places with PT_GNU_EH_FRAME, behind the PT_LOADs.",
     .apply = interp_last},
    {.name = "interp-twice", .sentence = "PT_GNU_EH_FRAME becomes a second PT_INTERP.", .apply = interp_twice},
    {.name = "phdr-behind-loads",
     .sentence = "PT_PHDR changes places with PT_GNU_EH_FRAME, behind the PT_LOADs.",
     .apply = phdr_last},
    {.name = "phdr-twice", .sentence = "PT_GNU_EH_FRAME becomes a second PT_PHDR.", .apply = phdr_twice},
    {.name = NULL},
};

const struct kinds kinds_phdr_order = {"phdr-order", list};
