// Builds ELF files in memory for tests, of either class and byte order, right or wrong as the test asks.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_BUILD_ELF_H
#define LDLAYOUT_BUILD_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../elf-file.h"

enum { SPECIMEN_SEGMENTS = 16, SPECIMEN_SECTIONS = 20 };

// Section and segment contents are zeros but for notes: `notes` says where one of 20 bytes begins, 0 ends the list.
struct specimen {
    bool is64;
    bool big_endian;
    unsigned type;
    unsigned machine;
    uint64_t size; // of the contents; tables of sections follow
    struct segment segments[SPECIMEN_SEGMENTS];
    size_t segment_count;
    struct section sections[SPECIMEN_SECTIONS];
    size_t section_count; // 0: no section headers
    uint64_t notes[4];
};

// Returns a position independent program that every rule is content with: R, R E, R, RW on pages of 4K, with RELRO, TLS, a
// note; as bfd lays it out with -z separate-code --no-rosegment -z relro -z now.
struct specimen specimen_good(bool is64, bool big_endian);

// Returns the segment of the type (counted from 0 among its like), and the section of the name; the test ends without.
struct segment *specimen_segment(struct specimen *specimen, uint32_t type, size_t number);
struct section *specimen_section(struct specimen *specimen, const char *name);

// Adds one.
void specimen_add_segment(struct specimen *specimen, struct segment segment);
void specimen_add_section(struct specimen *specimen, struct section section);

// Returns the file's bytes, to be freed, and their number.
unsigned char *specimen_bytes(const struct specimen *specimen, size_t *size);

#endif
