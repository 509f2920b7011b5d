// Damage that rule relro-end must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(short_of_page, PT_GNU_RELRO, it->memsz -= 16)

static const struct kind list[] = {
    {.name = "relro-ends-early",
     .sentence = "PT_GNU_RELRO ends 16 bytes before its page ends.",
     .options = "--common-page-size",
     .figures = "relro relro-unprotected-4k relro-protected-4k relro-protected-64k",
     .also = {{"relro-complete", "what lies in its last 16 bytes is left out"},
              {"relro-protects", "all of its last page stays writable"}},
     .apply = short_of_page},
    {.name = NULL},
};

const struct kinds kinds_relro_end = {"relro-end", list};
