// Damage that rule relro-exact must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(over_data, PT_GNU_RELRO, it->memsz += image_last_load(image)->align)

static const char *starts_late(struct image *image)
{
    struct segment *it = image_segment(image, PT_GNU_RELRO);
    if (it == NULL || round_down(segment_end(it), SMALLEST_PAGE) <= round_down(it->vaddr, SMALLEST_PAGE)) {
        return "it has no PT_GNU_RELRO, or none of which ld.so protects a page";
    }
    it->vaddr += 16;
    it->memsz -= 16;
    return NULL;
}

static const struct kind list[] = {
    {.name = "relro-over-data",
     .sentence = "PT_GNU_RELRO is one page of max-page-size longer, to where .data lies.",
     .figures = "relro relro-protected-4k relro-protected-16k relro-unprotected-16k relro-unprotected-64k",
     .also = {{"relro-inside", "there may be a hole before the page of .data"}},
     .apply = over_data},
    {.name = "relro-starts-late",
     .sentence = "PT_GNU_RELRO begins 16 bytes later.",
     .figures = "relro",
     .also = {{"relro-complete", "what lies in its first 16 bytes is left out"}},
     .apply = starts_late},
    {.name = NULL},
};

const struct kinds kinds_relro_exact = {"relro-exact", list};
