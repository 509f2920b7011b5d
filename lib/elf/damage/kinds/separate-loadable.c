// Damage that rule separate-loadable must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LOAD(
    page_shared, PF_W, PF_W, if (it->offset < it->align) { return "it is the first PT_LOAD"; } it->offset -= it->align)

static const struct kind list[] = {
    {.name = "load-in-previous-page",
     .sentence = "p_offset of the first writable PT_LOAD is in the last page of the one before.",
     .options = "--separate-loadable-segments",
     .also = {{"headers-covered", "the segments in it keep their file offsets"},
              {"section-in-segment", "likewise the sections"}},
     .apply = page_shared},
    {.name = NULL},
};

const struct kinds kinds_separate_loadable = {"separate-loadable", list};
