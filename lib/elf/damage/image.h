// A file to be damaged: its tables, to be changed in place, and its bytes; what was changed is found by comparing.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_IMAGE_H
#define LDLAYOUT_IMAGE_H

#include <elf.h>
#include <stdio.h>

#include "../elf-file.h"
#include "../range.h"

// A damage copies the whole file: larger ones are refused.
#define IMAGE_LIMIT (UINT64_C(256) << 20)

// Fields of the ELF header.
struct image_header {
    uint32_t type;  // e_type
    uint64_t phoff; // e_phoff
    uint32_t phnum; // e_phnum
};

// What a byte of the file was.
struct undo {
    uint64_t offset;
    unsigned char byte;
};

// Kinds change what is above the line; image_write does the rest.
struct image {
    struct elf_file file; // segments[] and sections[] are to be changed; section i is entry i + 1 of the table
    struct image_header header;
    // Private to image.c.
    unsigned char *bytes;
    size_t size;
    unsigned mode; // permissions of the file that was read
    struct elf_file before;
    struct arena arena;
    struct image_header header_before;
    struct undo *undo; // what bytes were, in the order of their changes
    size_t undo_count, undo_capacity;
    uint64_t byte_offsets[2]; // where image_byte changed something
    size_t byte_count;
    uint64_t appended; // zero bytes at the end
};

enum image_state { IMAGE_READ, IMAGE_NOT_APPLICABLE, IMAGE_CANNOT };

// Reads a file into the zero-initialised image; if it cannot, *reason says why, as long as the image lives. image_free
// must follow.
enum image_state image_read(struct image *image, const char *path, const char **reason);

// Forgets all changes.
void image_restore(struct image *image);

// Writes the changed copy aside and renames it to `path`; prints to `out`, unless NULL, a line "PREFIX: what was what
// becomes what" for every change. Returns NULL or the reason.
const char *image_write(struct image *image, const char *path, const char *prefix, FILE *out);

// Frees the memory.
void image_free(struct image *image);

// Returns the first segment of a type, or NULL.
struct segment *image_segment(struct image *image, uint32_t type);

// Returns the first PT_LOAD with memory whose flags, as far as `mask` goes, are `flags`; or NULL.
struct segment *image_load(struct image *image, uint32_t mask, uint32_t flags);

// Returns the PT_LOAD with memory at that place, counted from 0, or NULL; the last one.
struct segment *image_nth_load(struct image *image, size_t number);
struct segment *image_last_load(struct image *image);

// Returns the next PT_LOAD with memory, or NULL.
struct segment *image_next_load(struct image *image, const struct segment *load);

// Returns the section of this name, or NULL.
struct section *image_section(struct image *image, const char *name);

// Returns the first allocated section of which accept() is true, or NULL.
struct section *image_find_section(struct image *image, bool (*accept)(const struct section *section));

// Exchanges the entries of two segments in the table.
void image_swap(struct segment *one, struct segment *other);

// Gives an entry of the table the contents of another one.
void image_copy(struct segment *to, const struct segment *from);

// Makes an entry a PT_LOAD of `memsz` bytes without file bytes, on the first page behind all PT_LOADs, aligned as the
// last of them.
void image_make_load(struct image *image, struct segment *entry, uint32_t flags, uint64_t memsz);

// Flips the lowest bit of the byte at a file offset; at most twice. Returns NULL or why it cannot.
const char *image_byte(struct image *image, uint64_t offset);

// Returns the first file offset (a multiple of 16) behind the bytes of the executable PT_LOAD, when from there to the
// end of the page are at least `size` bytes of no section; else 0.
uint64_t image_code_padding(struct image *image, uint64_t size);

// Adds zero bytes at the end of the file. Returns NULL or why it cannot.
const char *image_append(struct image *image, uint64_t length);

// Copies the program header table to another file offset, where it must fit, and says so in e_phoff. Returns NULL or
// why it cannot.
const char *image_move_table(struct image *image, uint64_t offset);

#endif
