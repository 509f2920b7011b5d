// Damage that rule load-zero-offset must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SPARE(second_zero_offset, image_make_load(image, it, PF_R | PF_W, 16); it->filesz = 16)
CHANGE_LOAD(headers_cut_off, 0, 0, it->filesz = it->memsz = image->file.headers_end - 1)
CHANGE_LOAD(zero_offset_lost, 0, 0, it->offset += it->align)

static const struct kind list[] = {
    {.name = "second-zero-offset",
     .sentence = "PT_GNU_EH_FRAME becomes a second PT_LOAD at file offset 0.",
     .also = {{"separate-loadable", "its file pages are those of the first PT_LOAD"}},
     .apply = second_zero_offset},
    {.name = "headers-cut-off",
     .sentence = "The first PT_LOAD ends one byte before the program headers end.",
     .also = {{"dense-memory", "the gap to the next PT_LOAD is what was cut off"},
              {"headers-covered", "PT_PHDR and others lie in no PT_LOAD"},
              {"section-in-segment", "likewise sections"}},
     .apply = headers_cut_off},
    {.name = "zero-offset-lost",
     .sentence = "p_offset of the first PT_LOAD is moved by p_align: no PT_LOAD holds the ELF header.",
     .also = {{"headers-covered", "the segments in it keep their file offsets"},
              {"load-order", "the file may have fewer bytes behind that"},
              {"section-in-segment", "its sections keep their file offsets"},
              {"separate-loadable", "it reaches into the file pages of the next"}},
     .apply = zero_offset_lost},
    {.name = NULL},
};

const struct kinds kinds_load_zero_offset = {"load-zero-offset", list};
