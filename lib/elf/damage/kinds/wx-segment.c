// Damage that rule wx-segment must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LOAD(code_writable, PF_X | PF_W, PF_X, it->flags |= PF_W)
CHANGE_LOAD(data_executable, PF_X | PF_W, PF_W, it->flags |= PF_X)

static const struct kind list[] = {
    {.name = "wx-code", .sentence = "The first executable PT_LOAD gets PF_W.", .apply = code_writable},
    {.name = "wx-data",
     .sentence = "The first writable PT_LOAD gets PF_X.",
     .figures = "executable-non-code executable-gap",
     .also = {{"separate-code-memory", "data lies in executable memory"},
              {"separate-code-pages", "likewise in the file"}},
     .apply = data_executable},
    {.name = NULL},
};

const struct kinds kinds_wx_segment = {"wx-segment", list};
