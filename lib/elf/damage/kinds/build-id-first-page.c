// Damage that rule build-id-first-page must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SECTION(later, ".note.gnu.build-id", it->offset += SMALLEST_PAGE; it->address += SMALLEST_PAGE)

static const struct kind list[] = {
    {.name = "build-id-later",
     .sentence = "sh_addr and sh_offset of .note.gnu.build-id are a page later.",
     .options = "--rule=build-id-first-page",
     .also = {{"note-walk", "no PT_NOTE holds the section there"},
              {"section-in-segment", "no PT_LOAD may hold it there, or with another distance"},
              {"separate-code-memory", "a page later there may be code"},
              {"separate-code-pages", "likewise in the file"}},
     .apply = later},
    {.name = NULL},
};

const struct kinds kinds_build_id_first_page = {"build-id-first-page", list};
