// Memory that is there or the program ends: the one error that is not returned, since nothing could report it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_MEMORY_H
#define LDLAYOUT_MEMORY_H

#include <stddef.h>

// Makes *array (of elements of element_size bytes, *capacity of them) hold at least count; moves it as realloc does.
// Ends the program with status 2 and a line on standard error when there is no memory.
void memory_grow(void *array, size_t *capacity, size_t count, size_t element_size);

// Small allocations that are freed together. Zero-initialise; reusable after arena_reset.
struct arena {
    struct arena_block *blocks;
    size_t used;
};

// Returns size bytes that live until the arena is reset or freed.
char *arena_allocate(struct arena *arena, size_t size);

// Frees every allocation, keeping one block for the next use.
void arena_reset(struct arena *arena);

// Frees all.
void arena_free(struct arena *arena);

#endif
