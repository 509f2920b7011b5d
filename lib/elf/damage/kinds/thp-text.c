// Damage that rule thp-text must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LOAD(not_huge, PF_X, PF_X, it->offset += SMALLEST_PAGE)

static const struct kind list[] = {
    {.name = "code-fits-no-huge-page",
     .sentence = "p_offset of the executable PT_LOAD is moved by 4K.",
     .options = "--huge-page=2M",
     .figures = "huge-page-code-2m",
     .apply = not_huge},
    {.name = NULL},
};

const struct kinds kinds_thp_text = {"thp-text", list};
