// Damage that rule load-order must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_LAST_LOAD(beyond_file, it->offset += round_up(image->file.size, is_power_of_two(it->align) ? it->align : 1))
CHANGE_LAST_LOAD(wraps, it->memsz = UINT64_MAX)
CHANGE_LOAD(filesz_above_memsz, 0, 0, it->filesz = it->memsz + 1)
CHANGE_LOAD(code_beyond_file, PF_X, PF_X, it->filesz = it->memsz = UINT64_C(96) << 20)

static const char *swapped(struct image *image)
{
    struct segment *last = image_last_load(image);
    if (image->file.map_count < 2) {
        return "it has one PT_LOAD";
    }
    image_swap(last, image_nth_load(image, image->file.map_count - 2));
    return NULL;
}

static const char *overlap(struct image *image)
{
    struct segment *it = image_nth_load(image, 0);
    const struct segment *next = image_nth_load(image, 1);
    if (next == NULL) {
        return "it has one PT_LOAD";
    }
    it->memsz = next->vaddr - it->vaddr + 1;
    return NULL;
}

static const struct kind list[] = {
    {.name = "loads-swapped",
     .sentence = "The last two PT_LOADs are exchanged in the table.",
     .also = {{"dense-memory", "the gap is the PT_LOAD that no longer lies between"},
              {"separate-loadable", "the last PT_LOAD begins below the end of the one before"}},
     .apply = swapped},
    {.name = "loads-overlap",
     .sentence = "p_memsz of the first PT_LOAD reaches one byte into the next.",
     .also = {{"page-flags", "they share a page, and their flags differ"},
              {"section-in-segment", "the first section of the next PT_LOAD lies in both"},
              {"separate-loadable", "the next PT_LOAD does not begin on a page of its own"}},
     .apply = overlap},
    {.name = "filesz-above-memsz",
     .sentence = "p_filesz of the first PT_LOAD is one byte more than p_memsz.",
     .apply = filesz_above_memsz},
    {.name = "load-beyond-file",
     .sentence = "p_offset of the last PT_LOAD is moved beyond the end of the file.",
     .also = {{"headers-covered", "the segments in it keep their file offsets"},
              {"section-in-segment", "likewise the sections"}},
     .apply = beyond_file},
    {.name = "load-wraps", .sentence = "p_memsz of the last PT_LOAD reaches beyond the address space.", .apply = wraps},
    {.name = "code-beyond-file",
     .sentence = "p_filesz and p_memsz of the first executable PT_LOAD are 96 MiB, more than the file has.",
     .figures = "code huge-page-code-2m huge-page-code-32m",
     .also = {{"page-flags", "it reaches over the PT_LOADs behind it"},
              {"section-in-segment", "the sections of those PT_LOADs lie in two"},
              {"separate-code-memory", "those sections lie in executable memory"},
              {"separate-code-pages", "those sections lie in executable file pages"},
              {"separate-loadable", "those PT_LOADs no longer begin on pages of their own"}},
     .apply = code_beyond_file},
    {.name = NULL},
};

const struct kinds kinds_load_order = {"load-order", list};
