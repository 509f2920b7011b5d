// Damage that rule relro-complete must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(missing, PT_GNU_RELRO, it->type = PT_NULL)
CHANGE_SPARE(present, it->type = PT_GNU_RELRO)

static const struct kind list[] = {
    {.name = "relro-missing", .sentence = "PT_GNU_RELRO becomes PT_NULL.", .options = "--relro", .apply = missing},
    {.name = "relro-unwanted",
     .sentence = "PT_GNU_EH_FRAME of a file linked with -z norelro becomes PT_GNU_RELRO.",
     .options = "--norelro",
     .also = {{"relro-end", "it ends inside a page"},
              {"relro-inside", "it lies in read-only memory"},
              {"relro-protects", "it ends inside a page"}},
     .apply = present},
    {.name = NULL},
};

const struct kinds kinds_relro_complete = {"relro-complete", list};
