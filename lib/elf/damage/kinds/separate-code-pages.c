// Damage that rule separate-code-pages must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *headers_in_code(struct image *image)
{
    uint64_t at = image_code_padding(image, image->file.headers_end - image->file.phoff);
    return at != 0 ? image_move_table(image, at) : "no room in the padding of its code";
}

static const char *section_in_code(struct image *image)
{
    struct section *it = image_section(image, ".data");
    uint64_t at = image_code_padding(image, it != NULL ? it->size : 1);
    if (it == NULL || at == 0) {
        return "no room for .data in the padding of its code";
    }
    it->offset = at;
    return NULL;
}

static const struct kind list[] = {
    {.name = "headers-in-code-padding",
     .sentence = "The program headers are moved into the padding of the executable PT_LOAD.",
     .options = "--separate-code",
     .also = {{"headers-covered", "PT_PHDR does not say where they are"},
              {"load-zero-offset", "the PT_LOAD at file offset 0 does not hold them"}},
     .apply = headers_in_code},
    {.name = "section-in-code-padding",
     .sentence = "sh_offset of .data is in the padding of the executable PT_LOAD.",
     .options = "--separate-code",
     .also = {{"section-in-segment", ".data is no longer at the same distance in file and memory"}},
     .apply = section_in_code},
    {.name = NULL},
};

const struct kinds kinds_separate_code_pages = {"separate-code-pages", list};
