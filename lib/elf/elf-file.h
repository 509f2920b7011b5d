// What a rule may ask of one ELF file: its header, segments, sections and bytes, each checked when it is read.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_ELF_FILE_H
#define LDLAYOUT_ELF_FILE_H

#include <elf.h>
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "range.h"

// Beyond these a file is "cannot check": they bound memory (some 40 MB) and time. No linker output comes near.
enum { SECTIONS_LIMIT = 65536, SEGMENTS_LIMIT = 1024, NAMES_LIMIT = 8 << 20, READ_LIMIT = 1 << 20 };

struct segment {
    uint32_t type;
    uint32_t flags;
    uint64_t offset;
    uint64_t vaddr;
    uint64_t paddr;
    uint64_t filesz;
    uint64_t memsz;
    uint64_t align;
    size_t index;                 // in the program header table
    size_t load;                  // among the PT_LOADs, for one that is
    uint64_t alignment;           // the largest sh_addralign of the sections in it, at least 1; .tbss left out
    uint64_t alignment_with_tbss; // the same, .tbss counted
};

struct section {
    const char *name; // "" when it has none; lives as long as the file is open
    uint32_t type;
    uint64_t flags;
    uint64_t address;
    uint64_t offset;
    uint64_t size;
    uint64_t alignment;
    const struct segment
        *load; // the first PT_LOAD in which its first byte lies, or NULL; .tbss may begin where one ends
};

struct elf_file {
    unsigned type;    // e_type
    unsigned machine; // e_machine
    bool is64;
    bool big_endian;
    uint64_t size;       // of the file, in bytes
    uint64_t disk_bytes; // allocated on disk (st_blocks)
    uint64_t phoff;
    uint64_t headers_end; // the file offset where the ELF header and program headers end
    uint64_t table_bytes; // of the ELF header, the program headers and the section headers
    uint64_t shoff;
    uint64_t shoff_end; // where the section headers end; shoff when there are none

    struct segment *segments;
    size_t segment_count;
    const struct segment **loads; // all PT_LOADs, in table order
    size_t load_count;
    const struct segment **maps; // the PT_LOADs with p_memsz > 0: only these occupy pages
    size_t map_count;
    bool maps_disjoint;               // these ascend and do not overlap
    struct section *sections;         // all but the null section
    size_t section_count;             // 0: no section headers
    const struct section **allocated; // those with SHF_ALLOC and a size: only these belong to a segment
    size_t allocated_count;
    const struct section **notes; // those of them that hold notes
    size_t note_count;

    // Private to elf-file.c.
    int descriptor; // -1: bytes are in memory
    const unsigned char *memory;
    unsigned char *block; // the file's first bytes
    size_t block_length;
    unsigned char *window; // what was read last beyond the first block
    uint64_t window_offset;
    size_t window_length;
    size_t window_capacity;
    char *names; // of sections
    size_t names_capacity;
    void *table; // program headers, then section headers, translated
    size_t table_capacity;
    size_t segment_capacity;
    size_t load_capacity;
    size_t map_capacity;
    size_t section_capacity;
    size_t allocated_capacity;
    size_t note_capacity;
};

enum elf_file_state {
    ELF_FILE_OPEN,           // its contents may be asked for
    ELF_FILE_NOT_ELF,        // the magic number is another one
    ELF_FILE_NOT_APPLICABLE, // an ELF file that has no layout to judge; reason says why
    ELF_FILE_CANNOT,         // unreadable or broken; reason says how
};

// Reads the tables of the regular file `path` into *file, which is zero-initialised or was used before: its memory is
// used again. follow_link: whether path itself may be a symbolic link. Returns the state, with a reason (a string
// constant or one in `arena`) unless the file is open or not ELF. elf_file_close must follow in every case.
enum elf_file_state elf_file_open(struct elf_file *file, const char *path, bool follow_link, struct arena *arena,
                                  const char **reason);

// The same for the `size` bytes at `memory`, which must stay until the file is closed.
enum elf_file_state elf_file_open_memory(struct elf_file *file, const void *memory, size_t size, struct arena *arena,
                                         const char **reason);

// Ends the use of what was opened; the struct can be opened again.
void elf_file_close(struct elf_file *file);

// Frees the memory of a closed file.
void elf_file_free(struct elf_file *file);

// Returns `length` bytes (at most READ_LIMIT) at `offset`, valid until the next call, or NULL when the file does not
// have them or they cannot be read.
const unsigned char *elf_file_bytes(struct elf_file *file, uint64_t offset, size_t length);

// What follows is asked for each section by every rule: inline, since calls would be a tenth of the time of all rules.

// Takes bytes of the file; returns the 32-bit number there in the file's byte order.
static inline uint32_t elf_file_word(const struct elf_file *file, const unsigned char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return file->big_endian ? be32toh(value) : le32toh(value);
}

// Returns the first segment of the type, or NULL.
const struct segment *segment_of_type(const struct elf_file *file, uint32_t type);

// Returns whether the section is .tbss or its like: each thread's copy is made from PT_TLS, it takes no space in a
// PT_LOAD (gABI, "Thread-Local Storage").
static inline bool section_is_tbss(const struct section *section)
{
    return section->type == SHT_NOBITS && (section->flags & SHF_TLS) != 0;
}

// Returns whether the section has bytes in the file.
static inline bool section_has_file_bytes(const struct section *section)
{
    return section->type != SHT_NOBITS && section->size > 0;
}

// What a PT_LOAD must permit beyond reading to hold a section.
enum section_kind { SECTION_READONLY, SECTION_CODE, SECTION_WRITABLE };
static inline enum section_kind section_kind(const struct section *section)
{
    return (section->flags & SHF_WRITE) != 0       ? SECTION_WRITABLE
           : (section->flags & SHF_EXECINSTR) != 0 ? SECTION_CODE
                                                   : SECTION_READONLY;
}

// Returns the end of the segment in memory and in the file; UINT64_MAX where that wraps.
static inline uint64_t segment_end(const struct segment *segment)
{
    return range_end(segment->vaddr, segment->memsz);
}

static inline uint64_t segment_file_end(const struct segment *segment)
{
    return range_end(segment->offset, segment->filesz);
}

// Returns "R", "R E", "RW", "RWE" …: readelf's letters.
const char *segment_flags(uint32_t flags);

#endif
