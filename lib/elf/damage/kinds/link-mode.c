// Damage that rule link-mode must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

static const char *other_type(struct image *image, unsigned from, unsigned to)
{
    if (image->file.type != from) {
        return from == ET_EXEC ? "not ET_EXEC" : "not ET_DYN";
    }
    image->header.type = to;
    return NULL;
}

static const char *exec_as_dyn(struct image *image)
{
    return other_type(image, ET_EXEC, ET_DYN);
}

static const char *dyn_as_exec(struct image *image)
{
    return other_type(image, ET_DYN, ET_EXEC);
}

CHANGE_SPARE(interpreter, it->type = PT_INTERP)

static const struct kind list[] = {
    {.name = "exec-as-dyn",
     .sentence = "e_type is ET_DYN instead of ET_EXEC.",
     .options = "--mode",
     .apply = exec_as_dyn},
    {.name = "dyn-as-exec",
     .sentence = "e_type is ET_EXEC instead of ET_DYN.",
     .options = "--mode",
     .also = {{"base-address", "the ET_EXEC begins at address 0"}},
     .apply = dyn_as_exec},
    {.name = "static-with-interp",
     .sentence = "PT_GNU_EH_FRAME of a static program becomes PT_INTERP.",
     .options = "--mode=static",
     .also = {{"phdr-order", "it stands behind the PT_LOADs"}},
     .apply = interpreter},
    {.name = NULL},
};

const struct kinds kinds_link_mode = {"link-mode", list};
