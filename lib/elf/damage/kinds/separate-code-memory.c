// Damage that rule separate-code-memory must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static bool is_small_code(const struct section *section)
{
    return (section->flags & SHF_EXECINSTR) != 0 && section->size > 0;
}

CHANGE(not_code, image_find_section(image, is_small_code), "it has no code", it->flags &= ~(uint64_t)SHF_EXECINSTR)
CHANGE_LOAD(readonly_executable, PF_W | PF_X, 0, it->flags |= PF_X)

static const struct kind list[] = {
    {.name = "data-section-in-code",
     .sentence = "The first section of the executable PT_LOAD loses SHF_EXECINSTR.",
     .options = "--separate-code",
     .also = {{"separate-code-pages", "it lies in executable file pages too"}},
     .apply = not_code},
    {.name = "readonly-executable",
     .sentence = "The first read-only PT_LOAD gets PF_X.",
     .options = "--separate-code",
     .figures = "executable-headers executable-non-code",
     .also = {{"rosegment-single", "there is no PT_LOAD that is only read"},
              {"separate-code-pages", "headers and read-only data are in executable file pages"},
              {"two-readonly", "no read-only PT_LOAD stands before the code"}},
     .apply = readonly_executable},
    {.name = NULL},
};

const struct kinds kinds_separate_code_memory = {"separate-code-memory", list};
