// The page map: what each page that a PT_LOAD maps holds, one row a page, equal neighbours in one row.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_PAGE_MAP_H
#define LDLAYOUT_PAGE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "text.h"

// One row: pages [start, end) of one PT_LOAD that hold the same.
struct page_row {
    uint64_t start;
    uint64_t end;
    uint64_t file_start; // the file offset mapped at start; NO_FILE_BYTES: zeros
    const struct segment *load;
    const char *first; // the first and last thing of the PT_LOAD's own; NULL: nothing
    const char *last;
    const char
        *foreign_first; // what is mapped here but does not belong: of another PT_LOAD, or no code in an executable one
    const char *foreign_last;
};
#define NO_FILE_BYTES UINT64_MAX

// Describes the page of `page` bytes at `address` (inside the load's pages, a multiple of page) and how far the same
// holds.
struct page_row page_map_row(const struct elf_file *file, const struct segment *load, uint64_t page, uint64_t address);

// Adds the rows of the pages that hold [from, to), or of all pages if from == to; at most `limit` rows, then a line
// that says so; a line that says so too where nothing is mapped.
void page_map_draw(struct text *text, const struct elf_file *file, uint64_t page, uint64_t from, uint64_t to,
                   size_t limit);

#endif
