// Damage that rule relro-protects must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(beyond_page, PT_GNU_RELRO, it->memsz += 16)

static const struct kind list[] = {
    {.name = "relro-ends-late",
     .sentence = "PT_GNU_RELRO ends 16 bytes after a page has begun.",
     .also = {{"relro-end", "it ends inside a page"}, {"relro-exact", ".data begins there"}},
     .apply = beyond_page},
    {.name = NULL},
};

const struct kinds kinds_relro_protects = {"relro-protects", list};
