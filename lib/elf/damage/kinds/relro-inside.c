// Damage that rule relro-inside must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(unmapped, PT_GNU_RELRO, it->memsz += UINT64_C(1) << 24)
CHANGE_SEGMENT(readonly, PT_GNU_RELRO, it->vaddr = image_nth_load(image, 0)->vaddr)

static const struct kind list[] = {
    {.name = "relro-unmapped",
     .sentence = "p_memsz of PT_GNU_RELRO reaches 16 MiB beyond what is mapped.",
     .also = {{"relro-exact", ".data and .bss lie in it"}},
     .apply = unmapped},
    {.name = "relro-over-headers",
     .sentence = "p_vaddr of PT_GNU_RELRO is that of the first PT_LOAD, which is not writable.",
     .also = {{"relro-complete", "it does not cover what it must"},
              {"relro-end", "it ends where the size happens to lead"},
              {"relro-protects", "likewise"}},
     .apply = readonly},
    {.name = NULL},
};

const struct kinds kinds_relro_inside = {"relro-inside", list};
