// From the files and directories that were named to the list of files to look at.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_WALK_H
#define LDLAYOUT_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct path {
    char *name;
    const char *problem; // why nothing can be opened here, or NULL
    bool given;          // named by the user: then a link is followed, and not being ELF is a problem
};

// Zero-initialise.
struct path_list {
    struct path *paths;
    size_t count;
    size_t capacity;
};

// Adds the regular files that `name` stands for: itself, or what is below it, in the order of their names. Links below
// a directory are not followed, FIFOs and devices there are left out. What cannot be read is added with its problem.
void walk(struct path_list *list, const char *name);

// Frees the list.
void walk_free(struct path_list *list);

#endif
