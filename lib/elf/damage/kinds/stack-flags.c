// Damage that rule stack-flags must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(executable, PT_GNU_STACK, it->flags |= PF_X)
CHANGE_SEGMENT(missing, PT_GNU_STACK, it->type = PT_NULL)
CHANGE_SPARE(twice, it->type = PT_GNU_STACK; it->flags = PF_R | PF_W)

static const struct kind list[] = {
    {.name = "stack-executable", .sentence = "PT_GNU_STACK gets PF_X.", .apply = executable},
    {.name = "stack-missing", .sentence = "PT_GNU_STACK becomes PT_NULL.", .apply = missing},
    {.name = "stack-twice", .sentence = "PT_GNU_EH_FRAME becomes a second PT_GNU_STACK.", .apply = twice},
    {.name = NULL},
};

const struct kinds kinds_stack_flags = {"stack-flags", list};
