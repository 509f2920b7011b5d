// What a kind of damage is: each file of kinds/ has those of one rule, named as the rule; the build makes their table.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_KINDS_H
#define LDLAYOUT_KINDS_H

#include "image.h"

enum { ALSO_LIMIT = 16 };

// A rule that reports the damage too, and why it must.
struct also {
    const char *rule;
    const char *reason;
};

struct kind {
    const char *name;     // of this kind alone
    const char *sentence; // what is wrong with a file so damaged
    // Of check-layout, with which it is wrong; of the link's, one without a value stands for every value. NULL: every
    // file.
    const char *options;
    const char *figures;          // names of figures that change, or NULL
    struct also also[ALSO_LIMIT]; // ended by one without a rule
    // Changes the image. Returns NULL, or why this kind does not apply to the file.
    const char *(*apply)(struct image *image);
};

// What a file of kinds/ defines: all kinds that its rule must report, ended by one without a name.
struct kinds {
    const char *rule;
    const struct kind *list;
};

// Made by generate-table.sh, sorted by rule, ended by NULL.
extern const struct kinds *const kinds_table[];

// Defines the function of a kind that changes one thing, called `it` in the statements that follow; `missing` is the
// reason where there is none.
#define CHANGE(name, found, missing, ...)                                                                              \
    static const char *name(struct image *image)                                                                       \
    {                                                                                                                  \
        __typeof__(found) it = (found);                                                                                \
        if (it == NULL) {                                                                                              \
            return missing;                                                                                            \
        }                                                                                                              \
        __VA_ARGS__;                                                                                                   \
        return NULL;                                                                                                   \
    }
// For the first segment of a type; the first PT_LOAD whose flags, as far as `mask` goes, are `flags`; the last PT_LOAD.
#define CHANGE_SEGMENT(name, type, ...) CHANGE(name, image_segment(image, type), "it has no " #type, __VA_ARGS__)
#define CHANGE_LOAD(name, mask, flags, ...)                                                                            \
    CHANGE(name, image_load(image, mask, flags), "it has no PT_LOAD with such flags", __VA_ARGS__)
#define CHANGE_LAST_LOAD(name, ...) CHANGE(name, image_last_load(image), "it has no PT_LOAD", __VA_ARGS__)
// For a section of that name.
#define CHANGE_SECTION(name, section, ...)                                                                             \
    CHANGE(name, image_section(image, section), "it has no section " section, __VA_ARGS__)
// For a program header that is turned into another one: PT_GNU_EH_FRAME, which no rule misses and which stands
// behind the PT_LOADs.
#define CHANGE_SPARE(name, ...) CHANGE_SEGMENT(name, PT_GNU_EH_FRAME, __VA_ARGS__)

#endif
