// Reads an ELF file's tables, translated by libelf, and checks their ranges, so that rules need not.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "range.h"

// Tables are read by few calls and translated by elf32_xlatetom and elf64_xlatetom, not through an Elf descriptor: that
// would take two more reads a file, and memory for as many sections as a file claims to have before anybody can look.

// BLOCK_BYTES: holds the program headers, and the notes of most files. NAMES_GUESS: linkers put the section names right
// before the section headers; so many bytes are read along with these. NOTES_NEAR: bytes that are worth reading with them
// to save a read of their own for notes.
enum { BLOCK_BYTES = 1024, NAMES_GUESS = 384, NOTES_NEAR = 4096, ENTRIES_AT_ONCE = 4096 };

__attribute__((format(printf, 2, 3))) static const char *reason_words(struct arena *arena, const char *format, ...)
{
    enum { REASON_BYTES = 200 };
    char *reason = arena_allocate(arena, REASON_BYTES);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, REASON_BYTES, format, arguments);
    va_end(arguments);
    return reason;
}

// Reads up to length bytes; returns how many, or -1 with errno set.
static ssize_t read_at(int descriptor, unsigned char *bytes, size_t length, uint64_t offset)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = pread(descriptor, bytes + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return (ssize_t)done;
}

const unsigned char *elf_file_bytes(struct elf_file *file, uint64_t offset, size_t length)
{
    if (length > READ_LIMIT || offset > file->size || length > file->size - offset) {
        return NULL;
    }
    if (file->memory != NULL) {
        return file->memory + offset;
    }
    if (offset + length <= file->block_length) {
        return file->block + offset;
    }
    if (offset < file->window_offset || offset + length > file->window_offset + file->window_length) {
        memory_grow(&file->window, &file->window_capacity, length, 1);
        file->window_offset = offset;
        file->window_length = 0;
        if (read_at(file->descriptor, file->window, length, offset) != (ssize_t)length) {
            return NULL;
        }
        file->window_length = length;
    }
    return file->window + (offset - file->window_offset);
}

// One entry of a table, before and after its translation.
union entry {
    Elf32_Ehdr header32;
    Elf64_Ehdr header64;
    Elf32_Shdr section32;
    Elf64_Shdr section64;
};

// Translates the `length` bytes of one or more entries to where there is room for them. Returns NULL or the reason.
static const char *translate(const struct elf_file *file, Elf_Type type, const unsigned char *bytes, size_t length,
                             void *entries)
{
    memcpy(entries, bytes, length);
    Elf_Data data = {.d_buf = entries, .d_type = type, .d_version = EV_CURRENT, .d_size = length};
    unsigned order = file->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    Elf_Data *done = file->is64 ? elf64_xlatetom(&data, &data, order) : elf32_xlatetom(&data, &data, order);
    return done != NULL ? NULL : elf_errmsg(-1);
}

// The ELF header, of either class.
struct header {
    uint64_t phoff, shoff;
    unsigned type, machine, ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

#define HEADER_OF(entry)                                                                                               \
    (struct header)                                                                                                    \
    {                                                                                                                  \
        .phoff = (entry).e_phoff, .shoff = (entry).e_shoff, .type = (entry).e_type, .machine = (entry).e_machine,      \
        .ehsize = (entry).e_ehsize, .phentsize = (entry).e_phentsize, .phnum = (entry).e_phnum,                        \
        .shentsize = (entry).e_shentsize, .shnum = (entry).e_shnum, .shstrndx = (entry).e_shstrndx                     \
    }

static const char *read_header(struct elf_file *file, struct header *header)
{
    union entry entry;
    size_t length = file->is64 ? sizeof entry.header64 : sizeof entry.header32;
    const unsigned char *bytes = elf_file_bytes(file, 0, length);
    if (bytes == NULL) {
        return "the file ends inside its ELF header";
    }
    const char *reason = translate(file, ELF_T_EHDR, bytes, length, &entry);
    if (reason == NULL) {
        *header = file->is64 ? HEADER_OF(entry.header64) : HEADER_OF(entry.header32);
    }
    return reason;
}

// A section header, of either class; name, link and info are what the tables themselves need.
struct section_header {
    struct section section;
    uint32_t name, link, info;
};

#define SECTION_FIELDS(entry)                                                                                          \
    (struct section)                                                                                                   \
    {                                                                                                                  \
        .type = (entry).sh_type, .flags = (entry).sh_flags, .address = (entry).sh_addr, .offset = (entry).sh_offset,   \
        .size = (entry).sh_size, .alignment = (entry).sh_addralign                                                     \
    }
#define SECTION_OF(entry)                                                                                              \
    (struct section_header)                                                                                            \
    {                                                                                                                  \
        .section = SECTION_FIELDS(entry), .name = (entry).sh_name, .link = (entry).sh_link, .info = (entry).sh_info    \
    }

static const char *read_section_header(struct elf_file *file, uint64_t shoff, size_t index, struct section_header *read)
{
    union entry entry;
    size_t length = file->is64 ? sizeof entry.section64 : sizeof entry.section32;
    const unsigned char *bytes = elf_file_bytes(file, range_end(shoff, index * length), length);
    if (bytes == NULL) {
        return "the section header table lies beyond the end of the file";
    }
    const char *reason = translate(file, ELF_T_SHDR, bytes, length, &entry);
    if (reason == NULL) {
        *read = file->is64 ? SECTION_OF(entry.section64) : SECTION_OF(entry.section32);
    }
    return reason;
}

#define SEGMENT_OF(entry, number)                                                                                      \
    (struct segment)                                                                                                   \
    {                                                                                                                  \
        .type = (entry).p_type, .flags = (entry).p_flags, .offset = (entry).p_offset, .vaddr = (entry).p_vaddr,        \
        .paddr = (entry).p_paddr, .filesz = (entry).p_filesz, .memsz = (entry).p_memsz, .align = (entry).p_align,      \
        .index = (number)                                                                                              \
    }

// The numbers that stand in the null section when they are too large for the ELF header (gABI, "Sections").
struct counts {
    uint64_t sections, segments, names;
};

static const char *read_counts(struct elf_file *file, const struct header *header, struct counts *counts,
                               struct arena *arena)
{
    size_t entry = file->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    struct section_header null = {.info = 0};
    *counts = (struct counts){header->shnum, header->phnum, header->shstrndx};
    if (header->shoff == 0 && header->shnum != 0) {
        return "e_shnum is not 0 although e_shoff is";
    }
    if (header->shoff != 0 && (header->shnum == 0 || header->phnum == PN_XNUM || header->shstrndx == SHN_XINDEX)) {
        const char *reason = read_section_header(file, header->shoff, 0, &null);
        if (reason != NULL) {
            return reason;
        }
        counts->sections = header->shnum == 0 ? null.section.size : counts->sections;
        counts->names = header->shstrndx == SHN_XINDEX ? null.link : counts->names;
    }
    if (header->phnum == PN_XNUM && null.info == 0) {
        return "e_phnum is PN_XNUM, but the null section does not say how many program headers there are";
    }
    counts->segments = header->phnum == PN_XNUM ? null.info : counts->segments;
    if (counts->sections > SECTIONS_LIMIT) {
        return reason_words(arena, "%" PRIu64 " section headers; the limit is %d", counts->sections, SECTIONS_LIMIT);
    }
    if (counts->segments > SEGMENTS_LIMIT) {
        return reason_words(arena, "%" PRIu64 " program headers; the limit is %d", counts->segments, SEGMENTS_LIMIT);
    }
    if (counts->sections > 0 && header->shentsize != entry) {
        return reason_words(arena, "e_shentsize is %u, not %zu", header->shentsize, entry);
    }
    if (header->shoff > file->size || counts->sections * entry > file->size - header->shoff) {
        return "the section header table lies beyond the end of the file";
    }
    file->shoff = header->shoff;
    file->shoff_end = header->shoff + counts->sections * entry;
    return NULL;
}

static const char *read_segments(struct elf_file *file, const struct header *header, size_t count, struct arena *arena)
{
    size_t length = file->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    if (count > 0 && header->phentsize != length) {
        return reason_words(arena, "e_phentsize is %u, not %zu", header->phentsize, length);
    }
    const unsigned char *bytes = elf_file_bytes(file, header->phoff, count * length);
    if (bytes == NULL) {
        return "the program header table lies beyond the end of the file";
    }
    file->phoff = header->phoff;
    file->headers_end = count > 0 ? file->phoff + count * length : header->ehsize;
    file->table_bytes = header->ehsize + count * length + (file->shoff_end - file->shoff);
    memory_grow(&file->segments, &file->segment_capacity, count, sizeof *file->segments);
    memory_grow(&file->loads, &file->load_capacity, count, sizeof(struct segment *));
    memory_grow(&file->maps, &file->map_capacity, count, sizeof(struct segment *));
    if (count == 0) {
        return NULL;
    }
    memory_grow(&file->table, &file->table_capacity, count * length, 1);
    const char *reason = translate(file, ELF_T_PHDR, bytes, count * length, file->table);
    if (reason != NULL) {
        return reason;
    }
    for (size_t i = 0; i < count; i++) {
        struct segment *segment = &file->segments[file->segment_count++];
        if (file->is64) {
            *segment = SEGMENT_OF(((const Elf64_Phdr *)file->table)[i], i);
        } else {
            *segment = SEGMENT_OF(((const Elf32_Phdr *)file->table)[i], i);
        }
        if (segment->type == PT_LOAD) {
            segment->load = file->load_count;
            file->loads[file->load_count++] = segment;
            if (segment->memsz > 0) {
                file->maps[file->map_count++] = segment;
            }
        }
    }
    return NULL;
}

// Reads the section name table, in section `index`, into file->names. Returns NULL or the reason.
static const char *read_names(struct elf_file *file, const struct header *header, const struct counts *counts,
                              size_t *length, struct arena *arena)
{
    *length = 1;
    memory_grow(&file->names, &file->names_capacity, 1, 1);
    file->names[0] = 0;
    if (counts->names == SHN_UNDEF) {
        return NULL;
    }
    struct section_header read;
    if (counts->names >= counts->sections) {
        return "e_shstrndx names no section";
    }
    const char *reason = read_section_header(file, header->shoff, counts->names, &read);
    if (reason != NULL) {
        return reason;
    }
    const struct section *table = &read.section;
    if (table->type == SHT_NOBITS || table->offset > file->size || table->size > file->size - table->offset) {
        return "the section name table lies beyond the end of the file";
    }
    if (table->size > NAMES_LIMIT) {
        return reason_words(arena, "%" PRIu64 " bytes of section names; the limit is %d", table->size, NAMES_LIMIT);
    }
    memory_grow(&file->names, &file->names_capacity, table->size + 1, 1);
    for (uint64_t done = 0; done < table->size; done += READ_LIMIT) {
        uint64_t left = table->size - done;
        size_t part = left < READ_LIMIT ? (size_t)left : READ_LIMIT;
        const unsigned char *bytes = elf_file_bytes(file, table->offset + done, part);
        if (bytes == NULL) {
            return "the section name table cannot be read";
        }
        memcpy(file->names + done, bytes, part);
    }
    if (table->size > 0 && file->names[table->size - 1] != 0) {
        return "the section name table does not end with a NUL";
    }
    *length = table->size > 0 ? table->size : 1;
    return NULL;
}

// Translates some of the section headers into file->table.
static const char *translate_sections(struct elf_file *file, uint64_t offset, size_t length)
{
    const unsigned char *bytes = elf_file_bytes(file, offset, length);
    if (bytes == NULL) {
        return "the section header table cannot be read";
    }
    memory_grow(&file->table, &file->table_capacity, length, 1);
    return translate(file, ELF_T_SHDR, bytes, length, file->table);
}

// Reads the section headers, and along with them what is asked for later and lies close before: section names and notes.
static void read_ahead(struct elf_file *file)
{
    uint64_t from = file->shoff < NAMES_GUESS ? 0 : file->shoff - NAMES_GUESS;
    for (size_t i = 0; i < file->segment_count; i++) {
        const struct segment *segment = &file->segments[i];
        if (segment->type == PT_NOTE && segment->offset < from && file->shoff - segment->offset <= NOTES_NEAR &&
            segment_file_end(segment) > file->block_length) {
            from = segment->offset;
        }
    }
    elf_file_bytes(file, from, file->shoff_end - from);
}

static const char *read_sections(struct elf_file *file, const struct header *header, const struct counts *counts,
                                 struct arena *arena)
{
    if (counts->sections == 0) {
        return NULL;
    }
    read_ahead(file);
    size_t names_length;
    const char *reason = read_names(file, header, counts, &names_length, arena);
    memory_grow(&file->sections, &file->section_capacity, counts->sections, sizeof *file->sections);
    memory_grow(&file->allocated, &file->allocated_capacity, counts->sections, sizeof(struct section *));
    size_t length = file->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    for (size_t i = 1; i < counts->sections && reason == NULL; i++) {
        size_t at = (i - 1) % ENTRIES_AT_ONCE;
        if (at == 0) {
            size_t left = counts->sections - i;
            reason = translate_sections(file, header->shoff + i * length,
                                        (left < ENTRIES_AT_ONCE ? left : ENTRIES_AT_ONCE) * length);
            if (reason != NULL) {
                return reason;
            }
        }
        // Both branches write straight to where the section stays: this is the innermost loop of a run.
        struct section *section = &file->sections[file->section_count];
        uint32_t name;
        if (file->is64) {
            const Elf64_Shdr *entry = (const Elf64_Shdr *)file->table + at;
            *section = SECTION_FIELDS(*entry);
            name = entry->sh_name;
        } else {
            const Elf32_Shdr *entry = (const Elf32_Shdr *)file->table + at;
            *section = SECTION_FIELDS(*entry);
            name = entry->sh_name;
        }
        if (name >= names_length && name != 0) {
            return reason_words(arena, "the name of section %zu lies outside the section name table", i);
        }
        section->name = file->names + name;
        file->section_count++;
        if ((section->flags & SHF_ALLOC) != 0 && section->size > 0) {
            file->allocated[file->allocated_count++] = section;
            if (section->type == SHT_NOTE) {
                memory_grow(&file->notes, &file->note_capacity, file->note_count + 1, sizeof(struct section *));
                file->notes[file->note_count++] = section;
            }
        }
    }
    return reason;
}

static bool is_in(const struct section *section, const struct segment *load)
{
    uint64_t into = section->address - load->vaddr;
    return section->address >= load->vaddr && (into < load->memsz || (into == load->memsz && section_is_tbss(section)));
}

// Finds the PT_LOAD of every allocated section, once: rules ask for it again and again.
static void assign_loads(struct elf_file *file)
{
    for (size_t i = 0; i < file->load_count; i++) {
        struct segment *load = &file->segments[file->loads[i]->index];
        load->alignment = load->alignment_with_tbss = 1;
    }
    file->maps_disjoint = true;
    for (size_t i = 1; i < file->map_count; i++) {
        file->maps_disjoint = file->maps_disjoint && file->maps[i]->vaddr >= segment_end(file->maps[i - 1]);
    }
    size_t at = 0;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *found = file->allocated[i];
        // Sections mostly follow one another: the last one's PT_LOAD is likely, and where none overlap it is the only one.
        if (!file->maps_disjoint || section_is_tbss(found) || at == file->map_count || !is_in(found, file->maps[at])) {
            at = 0;
        }
        while (at < file->map_count && !is_in(found, file->maps[at])) {
            at++;
        }
        if (at == file->map_count) {
            continue;
        }
        struct section *section = &file->sections[found - file->sections];
        struct segment *load = &file->segments[file->maps[at]->index];
        section->load = load;
        if (section->alignment > load->alignment_with_tbss) {
            load->alignment_with_tbss = section->alignment;
        }
        if (section->alignment > load->alignment && !section_is_tbss(section)) {
            load->alignment = section->alignment;
        }
    }
}

// Returns whether it is the debugging half of a file: sections that can only have bytes have none.
static bool is_separate_debug_file(const struct elf_file *file)
{
    bool any = false;
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *section = file->allocated[i];
        if (section->type == SHT_NOBITS && (section->flags & SHF_EXECINSTR) != 0) {
            return true;
        }
        if (section->type != SHT_NOBITS && section->type != SHT_NOTE) {
            return false;
        }
        any = true;
    }
    bool debug = false;
    for (size_t i = 0; any && i < file->section_count; i++) {
        debug = debug || strncmp(file->sections[i].name, ".debug_", strlen(".debug_")) == 0;
    }
    return debug;
}

static enum elf_file_state read_tables(struct elf_file *file, struct arena *arena, const char **reason)
{
    struct header header;
    struct counts counts;
    elf_version(EV_CURRENT);
    *reason = read_header(file, &header);
    if (*reason != NULL) {
        return ELF_FILE_CANNOT;
    }
    file->type = header.type;
    file->machine = header.machine;
    if (header.type != ET_EXEC && header.type != ET_DYN) {
        *reason = header.type == ET_REL ? "a relocatable file"
                  : header.type == ET_CORE
                      ? "a core file"
                      : reason_words(arena, "e_type %u is neither ET_EXEC nor ET_DYN", header.type);
        return ELF_FILE_NOT_APPLICABLE;
    }
    *reason = read_counts(file, &header, &counts, arena);
    if (*reason == NULL) {
        *reason = read_segments(file, &header, counts.segments, arena);
    }
    if (*reason == NULL) {
        *reason = read_sections(file, &header, &counts, arena);
    }
    if (*reason != NULL) {
        return ELF_FILE_CANNOT;
    }
    assign_loads(file);
    if (file->segment_count == 0) {
        *reason = "no program headers";
        return ELF_FILE_NOT_APPLICABLE;
    }
    if (is_separate_debug_file(file)) {
        *reason = "a separate debug file";
        return ELF_FILE_NOT_APPLICABLE;
    }
    return ELF_FILE_OPEN;
}

static void forget(struct elf_file *file)
{
    file->segment_count = file->load_count = file->map_count = file->section_count = file->allocated_count = 0;
    file->note_count = 0;
    file->shoff = file->shoff_end = file->phoff = file->headers_end = file->table_bytes = 0;
    file->descriptor = -1;
    file->memory = NULL;
    file->block_length = 0;
    file->window_length = 0;
}

// Looks at e_ident and, when libelf can go on, reads the rest.
static enum elf_file_state read_file(struct elf_file *file, const unsigned char *start, size_t length,
                                     struct arena *arena, const char **reason)
{
    if (length < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0) {
        return ELF_FILE_NOT_ELF;
    }
    if (length < EI_NIDENT) {
        *reason = "the file ends inside its ELF header";
        return ELF_FILE_CANNOT;
    }
    unsigned class = start[EI_CLASS];
    unsigned order = start[EI_DATA];
    if ((class != ELFCLASS32 && class != ELFCLASS64) || (order != ELFDATA2LSB && order != ELFDATA2MSB)) {
        *reason = reason_words(arena, "unknown ELF class %u or byte order %u", class, order);
        return ELF_FILE_CANNOT;
    }
    file->is64 = class == ELFCLASS64;
    file->big_endian = order == ELFDATA2MSB;
    return read_tables(file, arena, reason);
}

enum elf_file_state elf_file_open(struct elf_file *file, const char *path, bool follow_link, struct arena *arena,
                                  const char **reason)
{
    forget(file);
    *reason = NULL;
    // O_NONBLOCK: should a FIFO stand here after all, the open does not wait.
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow_link ? 0 : O_NOFOLLOW));
    struct stat status;
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
        *reason = reason_words(arena, "%s", strerror(errno));
        return ELF_FILE_CANNOT;
    }
    if (!S_ISREG(status.st_mode)) {
        *reason = "not a regular file";
        return ELF_FILE_CANNOT;
    }
    file->size = (uint64_t)status.st_size;
    file->disk_bytes = (uint64_t)status.st_blocks * 512;
    if (file->block == NULL) {
        size_t capacity = 0;
        memory_grow(&file->block, &capacity, BLOCK_BYTES, 1);
    }
    ssize_t length = read_at(file->descriptor, file->block, BLOCK_BYTES, 0);
    if (length < 0) {
        *reason = reason_words(arena, "%s", strerror(errno));
        return ELF_FILE_CANNOT;
    }
    file->block_length = (size_t)length;
    return read_file(file, file->block, file->block_length, arena, reason);
}

enum elf_file_state elf_file_open_memory(struct elf_file *file, const void *memory, size_t size, struct arena *arena,
                                         const char **reason)
{
    forget(file);
    *reason = NULL;
    file->memory = memory;
    file->size = size;
    file->disk_bytes = size;
    return read_file(file, memory, size, arena, reason);
}

void elf_file_close(struct elf_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    forget(file);
}

void elf_file_free(struct elf_file *file)
{
    free(file->segments);
    free(file->loads);
    free(file->maps);
    free(file->sections);
    free(file->allocated);
    free(file->notes);
    free(file->block);
    free(file->window);
    free(file->names);
    free(file->table);
    *file = (struct elf_file){.descriptor = -1};
}

const struct segment *segment_of_type(const struct elf_file *file, uint32_t type)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        if (file->segments[i].type == type) {
            return &file->segments[i];
        }
    }
    return NULL;
}

const char *segment_flags(uint32_t flags)
{
    static const char *const letters[] = {"none", "E", "W", "WE", "R", "R E", "RW", "RWE"};
    return letters[flags & (PF_R | PF_W | PF_X)];
}
