// Damage that rule page-flags must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *shared_page(struct image *image)
{
    for (size_t i = 0; i + 1 < image->file.map_count; i++) {
        struct segment *it = image_nth_load(image, i);
        const struct segment *next = image_nth_load(image, i + 1);
        if (it->flags != next->flags && (next->vaddr & (SMALLEST_PAGE - 1)) != 0) {
            it->memsz = next->vaddr - it->vaddr;
            return NULL;
        }
    }
    return "no PT_LOAD begins inside a page";
}

static const char *flags_differ(struct image *image)
{
    struct segment *last = image_last_load(image);
    struct segment *it = image_segment(image, PT_GNU_EH_FRAME);
    if (it == NULL || last == NULL || (segment_end(last) & (SMALLEST_PAGE - 1)) == 0) {
        return "its last PT_LOAD ends on a page, or it has no PT_GNU_EH_FRAME";
    }
    image_make_load(image, it, PF_R, 16);
    it->vaddr = it->paddr = segment_end(last);
    it->offset = it->vaddr & (last->align - 1);
    return NULL;
}

static const struct kind list[] = {
    {.name = "load-reaches-next-page",
     .sentence = "p_memsz of a PT_LOAD reaches up to the next, into its first page.",
     .apply = shared_page},
    {.name = "load-in-last-page",
     .sentence = "PT_GNU_EH_FRAME becomes a read-only PT_LOAD in the last page of the writable one.",
     .also = {{"rosegment-single", "there is one more read-only PT_LOAD"},
              {"separate-loadable", "it does not begin on a page of its own"},
              {"two-readonly", "there is one more read-only PT_LOAD"}},
     .apply = flags_differ},
    {.name = NULL},
};

const struct kinds kinds_page_flags = {"page-flags", list};
