// Damage that rule dense-memory must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SPARE(far_load, image_make_load(image, it, PF_R | PF_W, 16); it->vaddr = it->paddr += UINT64_C(1) << 26)

static const struct kind list[] = {
    {.name = "load-far-away",
     .sentence = "PT_GNU_EH_FRAME becomes a PT_LOAD 64 MiB behind the others.",
     .apply = far_load},
    {.name = NULL},
};

const struct kinds kinds_dense_memory = {"dense-memory", list};
