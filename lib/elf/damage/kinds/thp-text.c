// Damage that rule thp-text must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *not_huge(struct image *image)
{
    struct segment *it = image_load(image, PF_X, PF_X);
    if (it == NULL || it->filesz < UINT64_C(4) << 20) {
        return "it has less than 4 MiB of code";
    }
    it->offset += SMALLEST_PAGE;
    return NULL;
}

static const struct kind list[] = {
    {.name = "code-fits-no-huge-page",
     .sentence = "p_offset of the executable PT_LOAD is moved by 4K.",
     .options = "--huge-page=2M",
     .figures = "huge-page-code-2m",
     .also = {{"load-congruent", "p_align is a huge page too"},
              {"section-in-segment", "the code is no longer at the same distance in file and memory"}},
     .apply = not_huge},
    {.name = NULL},
};

const struct kinds kinds_thp_text = {"thp-text", list};
