// Damage that rule page-floor must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *incongruent(struct image *image)
{
    struct segment *it = image_segment(image, PT_GNU_EH_FRAME);
    if (it == NULL) {
        return "it has no PT_GNU_EH_FRAME";
    }
    image_make_load(image, it, PF_R | PF_W, 16);
    it->align = it->offset = SMALLEST_PAGE;
    it->filesz = 16;
    return NULL;
}

static const char *shared(struct image *image)
{
    struct segment *it = image_segment(image, PT_GNU_EH_FRAME);
    const struct segment *last = image_last_load(image);
    if (it == NULL || last == NULL || (round_up(segment_end(last), SMALLEST_PAGE) & 0xffff) == 0) {
        return "its last PT_LOAD fills a page of 64K, or it has no PT_GNU_EH_FRAME";
    }
    image_make_load(image, it, PF_R, 16);
    it->vaddr = it->paddr = round_up(segment_end(last), SMALLEST_PAGE);
    it->offset = it->vaddr & (last->align - 1);
    return NULL;
}

static const struct kind list[] = {
    {.name = "load-fits-4k-only",
     .sentence = "PT_GNU_EH_FRAME becomes a PT_LOAD that fits pages of 4K, not of 64K.",
     .options = "--page-size=64K",
     .figures = "largest-base-page",
     .also = {{"load-align", "its p_align is 4K, not max-page-size"},
              {"separate-loadable", "its file offset is in a page of another PT_LOAD"}},
     .apply = incongruent},
    {.name = "load-shares-64k",
     .sentence = "PT_GNU_EH_FRAME becomes a read-only PT_LOAD in the last 64K of the writable one.",
     .options = "--page-size=64K",
     .figures = "largest-base-page",
     .also = {{"page-flags", "where max-page-size is 64K, this is a page that the file must fit"},
              {"rosegment-single", "there is one more read-only PT_LOAD"},
              {"separate-loadable", "it does not begin on a page of its own"},
              {"two-readonly", "there is one more read-only PT_LOAD"}},
     .apply = shared},
    {.name = NULL},
};

const struct kinds kinds_page_floor = {"page-floor", list};
