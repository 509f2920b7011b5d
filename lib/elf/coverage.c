// Which bytes of a file hold something.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "coverage.h"

#include <stdlib.h>

#include "memory.h"
#include "range.h"

static void add(struct coverage *coverage, uint64_t start, uint64_t end)
{
    memory_grow(&coverage->ranges, &coverage->capacity, coverage->count + 1, sizeof *coverage->ranges);
    coverage->ranges[coverage->count++] = (struct coverage_range){start, end};
}

static int compare_starts(const void *one, const void *other)
{
    uint64_t a = ((const struct coverage_range *)one)->start;
    uint64_t b = ((const struct coverage_range *)other)->start;
    return (a > b) - (a < b);
}

void coverage_add_contents(struct coverage *coverage, const struct elf_file *file)
{
    add(coverage, 0, file->is64 ? 64 : 52);
    add(coverage, file->phoff, file->headers_end);
    add(coverage, file->shoff, file->shoff_end);
    for (size_t i = 0; i < file->section_count; i++) {
        const struct section *section = &file->sections[i];
        if (section_has_file_bytes(section)) {
            add(coverage, section->offset, range_end(section->offset, section->size));
        }
    }
    qsort(coverage->ranges, coverage->count, sizeof *coverage->ranges, compare_starts);
    size_t kept = 0;
    for (size_t i = 1; i < coverage->count; i++) {
        struct coverage_range *last = &coverage->ranges[kept];
        if (coverage->ranges[i].start > last->end) {
            coverage->ranges[++kept] = coverage->ranges[i];
        } else if (coverage->ranges[i].end > last->end) {
            last->end = coverage->ranges[i].end;
        }
    }
    coverage->count = kept + 1;
}

bool coverage_gap(const struct coverage *coverage, uint64_t from, uint64_t to, uint64_t *start, uint64_t *end)
{
    // The first range that ends beyond `from`.
    size_t low = 0;
    size_t high = coverage->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (coverage->ranges[middle].end > from) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low < coverage->count && coverage->ranges[low].start <= from) {
        from = coverage->ranges[low++].end;
    }
    if (from >= to) {
        return false;
    }
    *start = from;
    *end = low < coverage->count && coverage->ranges[low].start < to ? coverage->ranges[low].start : to;
    return true;
}

void coverage_free(struct coverage *coverage)
{
    free(coverage->ranges);
    *coverage = (struct coverage){0};
}
