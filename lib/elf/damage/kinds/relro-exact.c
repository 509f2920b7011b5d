// Damage that rule relro-exact must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(over_data, PT_GNU_RELRO, it->memsz += SMALLEST_PAGE)
CHANGE_SEGMENT(starts_late, PT_GNU_RELRO, it->vaddr += 16; it->memsz -= 16)

static const struct kind list[] = {
    {.name = "relro-over-data",
     .sentence = "p_memsz of PT_GNU_RELRO is a page more, where .data lies.",
     .figures = "relro relro-protected-4k relro-protected-16k relro-unprotected-16k relro-unprotected-64k",
     .apply = over_data},
    {.name = "relro-starts-late",
     .sentence = "PT_GNU_RELRO begins 16 bytes later.",
     .figures = "relro",
     .apply = starts_late},
    {.name = NULL},
};

const struct kinds kinds_relro_exact = {"relro-exact", list};
