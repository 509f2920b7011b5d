// Memory that is there or the program ends.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16 << 10 };

struct arena_block {
    struct arena_block *next;
    size_t capacity;
    max_align_t bytes[];
};

static void *memory_or_end(void *old, size_t size)
{
    void *memory = realloc(old, size > 0 ? size : 1);
    if (memory == NULL) {
        fprintf(stderr, "check-layout: out of memory (%zu bytes wanted)\n", size);
        exit(2);
    }
    return memory;
}

void memory_grow(void *array, size_t *capacity, size_t count, size_t element_size)
{
    if (count <= *capacity) {
        return;
    }
    size_t wanted = *capacity * 2 > count ? *capacity * 2 : count;
    void *old;
    memcpy(&old, array, sizeof old);
    void *new = memory_or_end(old, wanted > SIZE_MAX / element_size ? SIZE_MAX : wanted * element_size);
    memcpy(array, &new, sizeof new);
    *capacity = wanted;
}

char *arena_allocate(struct arena *arena, size_t size)
{
    size_t room = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (arena->blocks == NULL || arena->blocks->capacity - arena->used < room) {
        size_t capacity = room > BLOCK_BYTES ? room : BLOCK_BYTES;
        struct arena_block *block = memory_or_end(NULL, sizeof *block + capacity);
        block->next = arena->blocks;
        block->capacity = capacity;
        arena->blocks = block;
        arena->used = 0;
    }
    char *memory = (char *)arena->blocks->bytes + arena->used;
    arena->used += room;
    return memory;
}

void arena_reset(struct arena *arena)
{
    while (arena->blocks != NULL && (arena->blocks->next != NULL || arena->blocks->capacity > BLOCK_BYTES)) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}
