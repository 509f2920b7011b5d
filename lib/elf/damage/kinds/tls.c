// Damage that rule tls must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

CHANGE_SEGMENT(address, PT_TLS, it->vaddr += it->align)
CHANGE_SEGMENT(align_not_a_power, PT_TLS, it->align = 3)
CHANGE_SEGMENT(align_too_large, PT_TLS, while ((it->vaddr & (it->align - 1)) == 0 && it->align != 0) it->align *= 2)
CHANGE_SEGMENT(filesz, PT_TLS, it->filesz -= 1)
CHANGE_SEGMENT(memsz, PT_TLS, it->memsz = it->filesz)
CHANGE_SEGMENT(missing, PT_TLS, it->type = PT_NULL)

static const char *overlap(struct image *image)
{
    struct section *tbss = image_section(image, ".tbss");
    const struct section *tdata = image_section(image, ".tdata");
    if (tbss == NULL || tdata == NULL) {
        return "it has no .tbss, or no .tdata";
    }
    tbss->address = tdata->address;
    return NULL;
}

static const char *twice(struct image *image)
{
    const struct segment *tls = image_segment(image, PT_TLS);
    struct segment *spare = image_segment(image, PT_GNU_EH_FRAME);
    if (tls == NULL || spare == NULL) {
        return "it has no PT_TLS, or no PT_GNU_EH_FRAME";
    }
    image_copy(spare, tls);
    return NULL;
}

static const struct kind list[] = {
    {.name = "tls-address-moved",
     .sentence = "p_vaddr of PT_TLS is moved by p_align.",
     .also = {{"headers-covered", "p_vaddr and p_offset no longer agree with the PT_LOAD"}},
     .apply = address},
    {.name = "tls-align-not-a-power", .sentence = "p_align of PT_TLS is 3.", .apply = align_not_a_power},
    {.name = "tls-align-too-large",
     .sentence = "p_align of PT_TLS is so large that p_vaddr is no multiple of it.",
     .apply = align_too_large},
    {.name = "tls-filesz-short",
     .sentence = "p_filesz of PT_TLS leaves out the last initialised byte.",
     .apply = filesz},
    {.name = "tls-memsz-short", .sentence = "p_memsz of PT_TLS leaves out .tbss.", .apply = memsz},
    {.name = "tls-missing", .sentence = "PT_TLS becomes PT_NULL.", .apply = missing},
    {.name = "tls-twice", .sentence = "PT_GNU_EH_FRAME becomes a second PT_TLS.", .apply = twice},
    {.name = "tls-sections-overlap", .sentence = "sh_addr of .tbss is that of .tdata.", .apply = overlap},
    {.name = NULL},
};

const struct kinds kinds_tls = {"tls", list};
