// Damage that rule executable-bytes must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *padding_changed(struct image *image)
{
    uint64_t at = image_code_padding(image, 1);
    return at != 0 ? image_byte(image, at) : "its code has no padding behind it";
}

static const char *load_in_code(struct image *image)
{
    const struct segment *code = image_load(image, PF_X, PF_X);
    struct segment *it = code != NULL ? image_next_load(image, code) : NULL;
    if (it == NULL || it->offset < round_up(segment_file_end(code), it->align) ||
        round_down(segment_file_end(code), it->align) == 0) {
        return "no PT_LOAD begins in the file pages behind its code";
    }
    it->offset = round_down(segment_file_end(code), it->align) + (it->vaddr & (it->align - 1));
    return NULL;
}

static const struct kind list[] = {
    {.name = "code-padding-changed",
     .sentence = "A byte of the padding behind code is changed.",
     .figures = "executable-gap-zero executable-gap-no-trap",
     .apply = padding_changed},
    {.name = "load-in-code-page",
     .sentence = "p_offset of the PT_LOAD behind code is in the last page of the code.",
     .figures = "executable-foreign",
     .also = {{"headers-covered", "the segments in it keep their file offsets"},
              {"section-in-segment", "likewise the sections"},
              {"separate-loadable", "it is in the last file page of the one before"}},
     .apply = load_in_code},
    {.name = NULL},
};

const struct kinds kinds_executable_bytes = {"executable-bytes", list};
