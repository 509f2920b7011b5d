// The page map: what each page that a PT_LOAD maps holds.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "page-map.h"

#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "range.h"

// Takes one thing that occupies [from, to) of memory as this load maps it; notes it in the row if it touches the row's
// first page, and moves row->end to where that changes.
static void note_item(struct page_row *row, uint64_t page, const char *name, uint64_t from, uint64_t to, bool foreign)
{
    uint64_t page_end = range_end(row->start, page);
    if (from >= page_end) {
        uint64_t change = round_down(from, page);
        row->end = change < row->end ? change : row->end;
        return;
    }
    if (to <= row->start) {
        return;
    }
    uint64_t change = round_up(to, page);
    row->end = change < row->end ? change : row->end;
    const char **first = foreign ? &row->foreign_first : &row->first;
    *first = *first == NULL ? name : *first;
    *(foreign ? &row->foreign_last : &row->last) = name;
}

// The same for bytes [offset, end) of the file, as far as they lie in the file pages [mapped_from, mapped_to) of the
// load.
static void note_file_item(struct page_row *row, uint64_t page, const char *name, uint64_t offset, uint64_t end,
                           bool code)
{
    const struct segment *load = row->load;
    uint64_t mapped_from = round_down(load->offset, page);
    uint64_t mapped_to = round_up(segment_file_end(load), page);
    bool foreign =
        range_common(offset, end, load->offset, segment_file_end(load)) == 0 || ((load->flags & PF_X) != 0 && !code);
    offset = offset > mapped_from ? offset : mapped_from;
    end = end < mapped_to ? end : mapped_to;
    if (offset < end) {
        uint64_t base = round_down(load->vaddr, page);
        note_item(row, page, name, range_end(base, offset - mapped_from), range_end(base, end - mapped_from), foreign);
    }
}

struct page_row page_map_row(const struct elf_file *file, const struct segment *load, uint64_t page, uint64_t address)
{
    uint64_t base = round_down(load->vaddr, page);
    uint64_t file_start = range_end(round_down(load->offset, page), address - base);
    uint64_t file_end = round_up(segment_file_end(load), page);
    struct page_row row = {.start = address,
                           .end = round_up(segment_end(load), page),
                           .load = load,
                           .file_start = load->filesz > 0 && file_start < file_end ? file_start : NO_FILE_BYTES};
    if (row.file_start != NO_FILE_BYTES) {
        uint64_t change = range_end(address, file_end - file_start);
        row.end = change < row.end ? change : row.end;
        note_file_item(&row, page, "ELF header", 0, file->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), false);
        note_file_item(&row, page, "program headers", file->phoff, file->headers_end, false);
    }
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        const char *name = section->name[0] != 0 ? section->name : "(section without a name)";
        if (section_has_file_bytes(section)) {
            if (row.file_start != NO_FILE_BYTES) {
                note_file_item(&row, page, name, section->offset, range_end(section->offset, section->size),
                               (section->flags & SHF_EXECINSTR) != 0);
            }
        } else if (!section_is_tbss(section) && section->load == load) {
            note_item(&row, page, name, section->address, range_end(section->address, section->size),
                      (load->flags & PF_X) != 0 && (section->flags & SHF_EXECINSTR) == 0);
        }
    }
    uint64_t page_end = range_end(address, page);
    row.end = row.end > page_end ? row.end : page_end;
    return row;
}

static void add_names(struct text *text, const char *first, const char *last)
{
    text_add_printable(text, first);
    if (strcmp(first, last) != 0) {
        text_add(text, " .. ");
        text_add_printable(text, last);
    }
}

static void add_row(struct text *text, const struct page_row *row, uint64_t page)
{
    text_add(text, "    0x%-12" PRIx64 " ", row->start);
    if (row->file_start == NO_FILE_BYTES) {
        text_add(text, "%-12s ", "zeros");
    } else {
        text_add(text, "0x%-10" PRIx64 " ", row->file_start);
    }
    text_add(text, "%5" PRIu64 "  %-4s ", (row->end - row->start) / page, segment_flags(row->load->flags));
    if (row->first != NULL) {
        add_names(text, row->first, row->last);
    } else if (row->foreign_first == NULL) {
        text_add(text, "-");
    }
    if (row->foreign_first != NULL) {
        text_add(text, "%s! ", row->first != NULL ? "  " : "");
        add_names(text, row->foreign_first, row->foreign_last);
    }
    text_add(text, "\n");
}

void page_map_draw(struct text *text, const struct elf_file *file, uint64_t page, uint64_t from, uint64_t to,
                   size_t limit)
{
    text_add(text, "    %-14s %-12s pages  may  what 0x%" PRIx64 "-byte pages hold (!: mapped here, does not belong)\n",
             "p_vaddr", "file offset", page);
    size_t rows = 0;
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        uint64_t address = round_down(load->vaddr, page);
        uint64_t end = round_up(segment_end(load), page);
        if (from != to) {
            address = round_down(from, page) > address ? round_down(from, page) : address;
            end = round_up(to, page) < end ? round_up(to, page) : end;
        }
        while (address < end) {
            if (rows++ == limit) {
                text_add(text, "    ... (more rows than %zu)\n", limit);
                return;
            }
            struct page_row row = page_map_row(file, load, page, address);
            row.end = row.end < end ? row.end : end;
            add_row(text, &row, page);
            address = row.end;
        }
    }
    if (rows == 0) {
        text_add(text, "    nothing is mapped there\n");
    }
}
