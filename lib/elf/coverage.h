// Which bytes of a file hold something: ranges merged, and the gaps between them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_COVERAGE_H
#define LDLAYOUT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

struct coverage_range {
    uint64_t start;
    uint64_t end;
};

// Zero-initialise. After coverage_add_contents: ascending and disjoint.
struct coverage {
    struct coverage_range *ranges;
    size_t count;
    size_t capacity;
};

// Adds the file's ELF header, program headers, section headers and the bytes of every section, and merges them.
void coverage_add_contents(struct coverage *coverage, const struct elf_file *file);

// Finds the first gap in [from, to). Returns whether there is one, with its bounds.
bool coverage_gap(const struct coverage *coverage, uint64_t from, uint64_t to, uint64_t *start, uint64_t *end);

// Frees the ranges.
void coverage_free(struct coverage *coverage);

#endif
