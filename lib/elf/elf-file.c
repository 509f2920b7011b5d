// Reads an ELF file's tables through libelf and checks their ranges, so that rules need not.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "range.h"

enum { BLOCK_BYTES = 4096 };

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
    memory_grow(&file->read, &file->read_capacity, length, 1);
    return read_at(file->descriptor, file->read, length, offset) == (ssize_t)length ? file->read : NULL;
}

// The number of `length` bytes there, in the file's byte order.
static uint64_t number(const struct elf_file *file, const unsigned char *bytes, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        value = value << 8 | bytes[file->big_endian ? i : length - 1 - i];
    }
    return value;
}

uint32_t elf_file_word(const struct elf_file *file, const unsigned char *bytes)
{
    return (uint32_t)number(file, bytes, 4);
}

// libelf allocates for as many sections as a file claims to have before anybody can ask how many: so the claim is read
// here first. Returns NULL or why not to go on.
static const char *section_count_problem(struct elf_file *file, struct arena *arena)
{
    const unsigned char *header = elf_file_bytes(file, 0, file->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
    if (header == NULL) {
        return "the file ends inside its ELF header";
    }
    uint64_t shoff = file->is64 ? number(file, header + offsetof(Elf64_Ehdr, e_shoff), 8)
                                : number(file, header + offsetof(Elf32_Ehdr, e_shoff), 4);
    uint64_t shentsize =
        number(file, header + (file->is64 ? offsetof(Elf64_Ehdr, e_shentsize) : offsetof(Elf32_Ehdr, e_shentsize)), 2);
    uint64_t count =
        number(file, header + (file->is64 ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum)), 2);
    uint64_t entry = file->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    if (shoff == 0) {
        return count == 0 ? NULL : "e_shnum is not 0 although e_shoff is";
    }
    if (count == 0) {
        // gABI: from SHN_LORESERVE on the count is in the null section's sh_size.
        const unsigned char *null = elf_file_bytes(file, shoff, entry);
        if (null == NULL) {
            return "the section header table lies beyond the end of the file";
        }
        count = file->is64 ? number(file, null + offsetof(Elf64_Shdr, sh_size), 8)
                           : number(file, null + offsetof(Elf32_Shdr, sh_size), 4);
    }
    if (count > SECTIONS_LIMIT) {
        return reason_words(arena, "%" PRIu64 " section headers; the limit is %d", count, SECTIONS_LIMIT);
    }
    if (count > 0 && shentsize != entry) {
        return reason_words(arena, "e_shentsize is %" PRIu64 ", not %" PRIu64, shentsize, entry);
    }
    if (shoff > file->size || count * entry > file->size - shoff) {
        return "the section header table lies beyond the end of the file";
    }
    file->shoff = shoff;
    file->shoff_end = shoff + count * entry;
    return NULL;
}

static const char *read_segments(struct elf_file *file, const GElf_Ehdr *header, struct arena *arena)
{
    size_t count = 0;
    uint64_t entry = file->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    if (header->e_phoff > file->size) {
        return "the program header table lies beyond the end of the file";
    }
    if (elf_getphdrnum(file->elf, &count) != 0) {
        return reason_words(arena, "the number of program headers: %s", elf_errmsg(-1));
    }
    uint64_t claimed = header->e_phnum;
    GElf_Shdr null;
    if (claimed == PN_XNUM) {
        if (gelf_getshdr(elf_getscn(file->elf, 0), &null) == NULL || null.sh_info == 0) {
            return "e_phnum is PN_XNUM, but the null section does not say how many program headers there are";
        }
        claimed = null.sh_info;
    }
    if (claimed > SEGMENTS_LIMIT) {
        return reason_words(arena, "%" PRIu64 " program headers; the limit is %d", claimed, SEGMENTS_LIMIT);
    }
    // libelf counts only those that the file has room for.
    if (count != claimed) {
        return "the program header table lies beyond the end of the file";
    }
    if (count > 0 && header->e_phentsize != entry) {
        return reason_words(arena, "e_phentsize is %d, not %" PRIu64, (int)header->e_phentsize, entry);
    }
    file->phoff = header->e_phoff;
    if (count > 0 && (file->phoff > file->size || count * entry > file->size - file->phoff)) {
        return "the program header table lies beyond the end of the file";
    }
    file->headers_end = count > 0 ? file->phoff + count * entry : header->e_ehsize;
    file->table_bytes = header->e_ehsize + count * entry + (file->shoff_end - file->shoff);
    memory_grow(&file->segments, &file->segment_capacity, count, sizeof *file->segments);
    memory_grow(&file->loads, &file->load_capacity, count, sizeof *file->loads);
    memory_grow(&file->maps, &file->map_capacity, count, sizeof *file->maps);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr entry_read;
        if (gelf_getphdr(file->elf, (int)i, &entry_read) == NULL) {
            return reason_words(arena, "program header %zu: %s", i, elf_errmsg(-1));
        }
        struct segment *segment = &file->segments[file->segment_count++];
        *segment = (struct segment){.type = entry_read.p_type,
                                    .flags = entry_read.p_flags,
                                    .offset = entry_read.p_offset,
                                    .vaddr = entry_read.p_vaddr,
                                    .paddr = entry_read.p_paddr,
                                    .filesz = entry_read.p_filesz,
                                    .memsz = entry_read.p_memsz,
                                    .align = entry_read.p_align,
                                    .index = i};
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

// Finds the bytes of the section name table; returns NULL or the reason.
static const char *read_names(struct elf_file *file, const char **names, size_t *length, struct arena *arena)
{
    size_t index = 0;
    *names = "";
    *length = 1;
    if (elf_getshdrstrndx(file->elf, &index) != 0) {
        return reason_words(arena, "the section name table: %s", elf_errmsg(-1));
    }
    if (index == SHN_UNDEF) {
        return NULL;
    }
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(file->elf, index);
    if (section == NULL || gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS) {
        return "e_shstrndx names no section with names";
    }
    if (header.sh_offset > file->size || header.sh_size > file->size - header.sh_offset) {
        return "the section name table lies beyond the end of the file";
    }
    if (header.sh_size > NAMES_LIMIT) {
        return reason_words(arena, "%" PRIu64 " bytes of section names; the limit is %d", header.sh_size, NAMES_LIMIT);
    }
    Elf_Data *data = elf_rawdata(section, NULL);
    if (data == NULL || data->d_buf == NULL || data->d_size == 0) {
        return header.sh_size == 0 ? NULL : reason_words(arena, "the section name table: %s", elf_errmsg(-1));
    }
    if (((const char *)data->d_buf)[data->d_size - 1] != 0) {
        return "the section name table does not end with a NUL";
    }
    *names = data->d_buf;
    *length = data->d_size;
    return NULL;
}

static const char *read_sections(struct elf_file *file, struct arena *arena)
{
    size_t count = 0;
    if (elf_getshdrnum(file->elf, &count) != 0) {
        return reason_words(arena, "the number of section headers: %s", elf_errmsg(-1));
    }
    if (count == 0) {
        return NULL;
    }
    if (count > SECTIONS_LIMIT) {
        return reason_words(arena, "%zu section headers; the limit is %d", count, SECTIONS_LIMIT);
    }
    const char *names;
    size_t names_length;
    const char *reason = read_names(file, &names, &names_length, arena);
    if (reason != NULL) {
        return reason;
    }
    memory_grow(&file->sections, &file->section_capacity, count, sizeof *file->sections);
    memory_grow(&file->allocated, &file->allocated_capacity, count, sizeof *file->allocated);
    for (size_t i = 1; i < count; i++) {
        GElf_Shdr header;
        Elf_Scn *read = elf_getscn(file->elf, i);
        if (read == NULL || gelf_getshdr(read, &header) == NULL) {
            return reason_words(arena, "section header %zu: %s", i, elf_errmsg(-1));
        }
        if (header.sh_name >= names_length && header.sh_name != 0) {
            return reason_words(arena, "the name of section %zu lies outside the section name table", i);
        }
        struct section *section = &file->sections[file->section_count++];
        *section = (struct section){.name = names + header.sh_name,
                                    .type = header.sh_type,
                                    .flags = header.sh_flags,
                                    .address = header.sh_addr,
                                    .offset = header.sh_offset,
                                    .size = header.sh_size,
                                    .alignment = header.sh_addralign};
        if ((section->flags & SHF_ALLOC) != 0 && section->size > 0) {
            file->allocated[file->allocated_count++] = section;
        }
    }
    return NULL;
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
    for (size_t i = 0; i < file->allocated_count; i++) {
        const struct section *found = file->allocated[i];
        size_t at = 0;
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
    bool debug = false;
    for (size_t i = 0; i < file->section_count; i++) {
        debug = debug || strncmp(file->sections[i].name, ".debug_", strlen(".debug_")) == 0;
    }
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
    return any && debug;
}

static enum elf_file_state read_tables(struct elf_file *file, struct arena *arena, const char **reason)
{
    GElf_Ehdr header;
    if (elf_kind(file->elf) != ELF_K_ELF || gelf_getehdr(file->elf, &header) == NULL) {
        *reason = reason_words(arena, "libelf: %s", elf_errmsg(-1));
        return ELF_FILE_CANNOT;
    }
    file->type = header.e_type;
    file->machine = header.e_machine;
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        *reason = header.e_type == ET_REL ? "a relocatable file"
                  : header.e_type == ET_CORE
                      ? "a core file"
                      : reason_words(arena, "e_type %d is neither ET_EXEC nor ET_DYN", (int)header.e_type);
        return ELF_FILE_NOT_APPLICABLE;
    }
    *reason = read_segments(file, &header, arena);
    if (*reason == NULL) {
        *reason = read_sections(file, arena);
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
    file->shoff = file->shoff_end = file->phoff = file->headers_end = file->table_bytes = 0;
    file->elf = NULL;
    file->descriptor = -1;
    file->memory = NULL;
    file->block_length = 0;
}

// Looks at e_ident and the claims; returns ELF_FILE_OPEN when libelf may go on.
static enum elf_file_state read_identity(struct elf_file *file, const unsigned char *start, size_t length,
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
    *reason = section_count_problem(file, arena);
    return *reason == NULL ? ELF_FILE_OPEN : ELF_FILE_CANNOT;
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
    enum elf_file_state state = read_identity(file, file->block, file->block_length, arena, reason);
    if (state != ELF_FILE_OPEN) {
        return state;
    }
    elf_version(EV_CURRENT);
    file->elf = elf_begin(file->descriptor, ELF_C_READ, NULL);
    return read_tables(file, arena, reason);
}

enum elf_file_state elf_file_open_memory(struct elf_file *file, const void *memory, size_t size, struct arena *arena,
                                         const char **reason)
{
    forget(file);
    *reason = NULL;
    file->memory = memory;
    file->size = size;
    file->disk_bytes = size;
    enum elf_file_state state = read_identity(file, memory, size, arena, reason);
    if (state != ELF_FILE_OPEN) {
        return state;
    }
    elf_version(EV_CURRENT);
    // libelf's parameter is not const; it does not write to memory that it was given for reading.
    file->elf = elf_memory((char *)(uintptr_t)memory, size);
    return read_tables(file, arena, reason);
}

void elf_file_close(struct elf_file *file)
{
    if (file->elf != NULL) {
        elf_end(file->elf);
    }
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
    free(file->block);
    free(file->read);
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

bool section_is_tbss(const struct section *section)
{
    return section->type == SHT_NOBITS && (section->flags & SHF_TLS) != 0;
}

bool section_has_file_bytes(const struct section *section)
{
    return section->type != SHT_NOBITS && section->size > 0;
}

enum section_kind section_kind(const struct section *section)
{
    return (section->flags & SHF_WRITE) != 0       ? SECTION_WRITABLE
           : (section->flags & SHF_EXECINSTR) != 0 ? SECTION_CODE
                                                   : SECTION_READONLY;
}

uint64_t segment_end(const struct segment *segment)
{
    return range_end(segment->vaddr, segment->memsz);
}

uint64_t segment_file_end(const struct segment *segment)
{
    return range_end(segment->offset, segment->filesz);
}

const char *segment_flags(uint32_t flags)
{
    static const char *const letters[] = {"none", "E", "W", "WE", "R", "R E", "RW", "RWE"};
    return letters[flags & (PF_R | PF_W | PF_X)];
}
