// Damage that rule thp-text must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LOAD(not_huge, PF_X, PF_X, if (it->filesz < UINT64_C(4) << 20) return "its code is below 4 MiB";
            it->offset += SMALLEST_PAGE)

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
