// A file to be damaged, in memory: elf-file.c reads the tables, fields that differ are written back.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A field of a table: where the struct has it and where the file does, by class.
struct field {
    const char *name;
    size_t member;
    bool member_is64;
    size_t offsets[2];
    size_t widths[2]; // bytes
};

#define FIELD(structure, member, entry, field)                                                                         \
    {                                                                                                                  \
#field, offsetof(struct structure, member), sizeof(((struct structure *)NULL)->member) == 8,                   \
            {offsetof(Elf32_##entry, field), offsetof(Elf64_##entry, field) },                                         \
        {                                                                                                              \
            sizeof(((Elf32_##entry *)NULL)->field), sizeof(((Elf64_##entry *)NULL)->field)                             \
        }                                                                                                              \
    }

static const struct field header_fields[] = {FIELD(image_header, type, Ehdr, e_type),
                                             FIELD(image_header, phoff, Ehdr, e_phoff),
                                             FIELD(image_header, phnum, Ehdr, e_phnum),
                                             {0}};
static const struct field segment_fields[] = {
    FIELD(segment, type, Phdr, p_type),   FIELD(segment, flags, Phdr, p_flags), FIELD(segment, offset, Phdr, p_offset),
    FIELD(segment, vaddr, Phdr, p_vaddr), FIELD(segment, paddr, Phdr, p_paddr), FIELD(segment, filesz, Phdr, p_filesz),
    FIELD(segment, memsz, Phdr, p_memsz), FIELD(segment, align, Phdr, p_align), {0}};
static const struct field section_fields[] = {FIELD(section, type, Shdr, sh_type),
                                              FIELD(section, flags, Shdr, sh_flags),
                                              FIELD(section, address, Shdr, sh_addr),
                                              FIELD(section, offset, Shdr, sh_offset),
                                              FIELD(section, size, Shdr, sh_size),
                                              FIELD(section, alignment, Shdr, sh_addralign),
                                              {0}};

static size_t entry_size(const struct image *image, size_t size32, size_t size64)
{
    return image->file.is64 ? size64 : size32;
}

// Returns NULL when the whole file is in image->bytes, or the reason.
static const char *read_bytes(struct image *image, int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return "not a regular file";
    }
    if ((uint64_t)status.st_size > IMAGE_LIMIT) {
        return "larger than 256 MiB, which is the limit";
    }
    image->mode = status.st_mode & 0777;
    size_t capacity = 0;
    memory_grow(&image->bytes, &capacity, (size_t)status.st_size + 1, 1);
    while (image->size < (size_t)status.st_size) {
        ssize_t length = read(descriptor, image->bytes + image->size, (size_t)status.st_size - image->size);
        if (length == 0) {
            break; // it shrank: what is there counts
        }
        if (length < 0 && errno != EINTR) {
            return strerror(errno);
        }
        image->size += length > 0 ? (size_t)length : 0;
    }
    return NULL;
}

enum image_state image_read(struct image *image, const char *path, const char **reason)
{
    image->file.descriptor = image->before.descriptor = -1;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *reason = descriptor < 0 ? strerror(errno) : read_bytes(image, descriptor);
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (*reason != NULL) {
        return IMAGE_CANNOT;
    }
    enum elf_file_state state = elf_file_open_memory(&image->before, image->bytes, image->size, &image->arena, reason);
    if (state == ELF_FILE_NOT_ELF) {
        *reason = "not an ELF file";
    }
    if (state != ELF_FILE_OPEN) {
        return state == ELF_FILE_NOT_APPLICABLE ? IMAGE_NOT_APPLICABLE : IMAGE_CANNOT;
    }
    if (image->before.map_count == 0) {
        *reason = "no PT_LOAD that occupies memory";
        return IMAGE_NOT_APPLICABLE;
    }
    elf_file_open_memory(&image->file, image->bytes, image->size, &image->arena, reason);
    image_restore(image);
    return IMAGE_READ;
}

void image_restore(struct image *image)
{
    for (; image->undo_count > 0; image->undo_count--) {
        const struct undo *undo = &image->undo[image->undo_count - 1];
        image->bytes[undo->offset] = undo->byte;
    }
    image->byte_count = 0;
    for (size_t i = 0; i < image->before.segment_count; i++) {
        image->file.segments[i] = image->before.segments[i];
    }
    for (size_t i = 0; i < image->before.section_count; i++) {
        image->file.sections[i] = image->before.sections[i];
    }
    uint64_t phnum = image->before.segment_count;
    image->header = image->header_before =
        (struct image_header){image->before.type, image->before.phoff, phnum < PN_XNUM ? (uint32_t)phnum : PN_XNUM};
    image->appended = 0;
}

void image_free(struct image *image)
{
    elf_file_free(&image->file);
    elf_file_free(&image->before);
    arena_free(&image->arena);
    free(image->bytes);
    free(image->undo);
    *image = (struct image){0};
}

static void set_byte(struct image *image, uint64_t offset, unsigned char byte)
{
    memory_grow(&image->undo, &image->undo_capacity, image->undo_count + 1, sizeof *image->undo);
    image->undo[image->undo_count++] = (struct undo){offset, image->bytes[offset]};
    image->bytes[offset] = byte;
}

static void set_number(struct image *image, uint64_t offset, uint64_t number, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        size_t place = image->file.big_endian ? width - 1 - i : i;
        set_byte(image, offset + i, (unsigned char)(number >> (8 * place)));
    }
}

static uint64_t member(const void *structure, const struct field *field)
{
    const char *at = (const char *)structure + field->member;
    return field->member_is64 ? *(const uint64_t *)(const void *)at : *(const uint32_t *)(const void *)at;
}

// Writes the fields in which two structs differ into the entry at a file offset, and a line for each.
static void write_fields(struct image *image, const struct field *fields, const void *before, const void *after,
                         uint64_t entry, const char *prefix, const char *what, FILE *out)
{
    for (const struct field *field = fields; field->name != NULL; field++) {
        size_t width = field->widths[image->file.is64];
        uint64_t mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * width)) - 1;
        uint64_t old = member(before, field);
        uint64_t new = member(after, field) & mask;
        if (old == new) {
            continue;
        }
        set_number(image, entry + field->offsets[image->file.is64], new, width);
        if (out != NULL) {
            fprintf(out, "%s: %s of %s: 0x%" PRIx64 " becomes 0x%" PRIx64 "\n", prefix, field->name, what, old, new);
        }
    }
}

// Writes all that differs from the file that was read into the bytes.
static void write_tables(struct image *image, const char *prefix, FILE *out)
{
    char what[64];
    write_fields(image, header_fields, &image->header_before, &image->header, 0, prefix, "the ELF header", out);
    for (size_t i = 0; i < image->before.segment_count; i++) {
        uint64_t entry = image->header.phoff + i * entry_size(image, sizeof(Elf32_Phdr), sizeof(Elf64_Phdr));
        snprintf(what, sizeof what, "program header %zu", i);
        write_fields(image, segment_fields, &image->before.segments[i], &image->file.segments[i], entry, prefix, what,
                     out);
    }
    for (size_t i = 0; i < image->before.section_count; i++) {
        uint64_t entry = image->before.shoff + (i + 1) * entry_size(image, sizeof(Elf32_Shdr), sizeof(Elf64_Shdr));
        snprintf(what, sizeof what, "section header %zu", i + 1);
        write_fields(image, section_fields, &image->before.sections[i], &image->file.sections[i], entry, prefix, what,
                     out);
    }
    for (size_t i = 0; out != NULL && i < image->byte_count; i++) {
        fprintf(out, "%s: the byte at file offset 0x%" PRIx64 " becomes 0x%x\n", prefix, image->byte_offsets[i],
                image->bytes[image->byte_offsets[i]]);
    }
    if (out != NULL && image->appended > 0) {
        fprintf(out, "%s: 0x%" PRIx64 " zero bytes at the end\n", prefix, image->appended);
    }
}

static const char *write_all(int descriptor, const unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t length = write(descriptor, bytes + done, size - done);
        if (length < 0 && errno != EINTR) {
            return strerror(errno);
        }
        done += length > 0 ? (size_t)length : 0;
    }
    return NULL;
}

// Appended bytes are written too, not left as a hole: they shall count on disk.
static const char *write_image(const struct image *image, int descriptor)
{
    static const unsigned char zeros[1 << 16];
    const char *reason = write_all(descriptor, image->bytes, image->size);
    for (uint64_t left = image->appended; left > 0 && reason == NULL;) {
        size_t part = left < sizeof zeros ? (size_t)left : sizeof zeros;
        reason = write_all(descriptor, zeros, part);
        left -= part;
    }
    return reason != NULL ? reason : fchmod(descriptor, image->mode) != 0 ? strerror(errno) : NULL;
}

const char *image_write(struct image *image, const char *path, const char *prefix, FILE *out)
{
    size_t length = strlen(path) + sizeof ".XXXXXX";
    char *aside = arena_allocate(&image->arena, length);
    snprintf(aside, length, "%s.XXXXXX", path);
    write_tables(image, prefix, out);
    int descriptor = mkstemp(aside);
    if (descriptor < 0) {
        return strerror(errno);
    }
    const char *reason = write_image(image, descriptor);
    if (close(descriptor) != 0 && reason == NULL) {
        reason = strerror(errno);
    }
    if (reason == NULL && rename(aside, path) != 0) {
        reason = strerror(errno);
    }
    if (reason != NULL) {
        unlink(aside);
    }
    return reason;
}

struct segment *image_segment(struct image *image, uint32_t type)
{
    const struct segment *found = segment_of_type(&image->file, type);
    return found != NULL ? &image->file.segments[found->index] : NULL;
}

struct segment *image_nth_load(struct image *image, size_t number)
{
    return number < image->file.map_count ? &image->file.segments[image->file.maps[number]->index] : NULL;
}

struct segment *image_last_load(struct image *image)
{
    return image->file.map_count > 0 ? image_nth_load(image, image->file.map_count - 1) : NULL;
}

struct segment *image_load(struct image *image, uint32_t mask, uint32_t flags)
{
    for (size_t i = 0; i < image->file.map_count; i++) {
        if ((image->file.maps[i]->flags & mask) == flags) {
            return image_nth_load(image, i);
        }
    }
    return NULL;
}

struct segment *image_next_load(struct image *image, const struct segment *load)
{
    for (size_t i = 1; i < image->file.map_count; i++) {
        if (image->file.maps[i - 1] == load) {
            return image_nth_load(image, i);
        }
    }
    return NULL;
}

struct section *image_section(struct image *image, const char *name)
{
    for (size_t i = 0; i < image->file.section_count; i++) {
        if (strcmp(image->file.sections[i].name, name) == 0) {
            return &image->file.sections[i];
        }
    }
    return NULL;
}

struct section *image_find_section(struct image *image, bool (*accept)(const struct section *section))
{
    for (size_t i = 0; i < image->file.allocated_count; i++) {
        const struct section *section = image->file.allocated[i];
        if (accept(section)) {
            return &image->file.sections[section - image->file.sections];
        }
    }
    return NULL;
}

void image_copy(struct segment *to, const struct segment *from)
{
    size_t index = to->index;
    *to = *from;
    to->index = index;
}

void image_swap(struct segment *one, struct segment *other)
{
    struct segment kept = *one;
    image_copy(one, other);
    image_copy(other, &kept);
}

void image_make_load(struct image *image, struct segment *entry, uint32_t flags, uint64_t memsz)
{
    const struct segment *last = image_last_load(image);
    uint64_t align = is_power_of_two(last->align) ? last->align : SMALLEST_PAGE;
    uint64_t end = round_up(segment_end(last), align);
    *entry = (struct segment){.type = PT_LOAD,
                              .flags = flags,
                              .vaddr = end,
                              .paddr = end,
                              .memsz = memsz,
                              .align = last->align,
                              .index = entry->index};
}

const char *image_byte(struct image *image, uint64_t offset)
{
    if (offset >= image->size || image->byte_count == sizeof image->byte_offsets / sizeof *image->byte_offsets) {
        return "the file does not have such a byte";
    }
    set_byte(image, offset, image->bytes[offset] ^ 1);
    image->byte_offsets[image->byte_count++] = offset;
    return NULL;
}

const char *image_move_table(struct image *image, uint64_t offset)
{
    uint64_t length = image->header.phnum * entry_size(image, sizeof(Elf32_Phdr), sizeof(Elf64_Phdr));
    if (offset > image->size || length > image->size - offset) {
        return "the file has no room for another program header table there";
    }
    for (uint64_t i = 0; i < length; i++) {
        set_byte(image, offset + i, image->bytes[image->header.phoff + i]);
    }
    image->header.phoff = offset;
    return NULL;
}

const char *image_append(struct image *image, uint64_t length)
{
    if (length > IMAGE_LIMIT - image->size) {
        return "the copy would be larger than 256 MiB";
    }
    image->appended = length;
    return NULL;
}

uint64_t image_code_padding(struct image *image, uint64_t size)
{
    const struct segment *code = image_load(image, PF_X, PF_X);
    uint64_t from = code != NULL ? round_up(segment_file_end(code), 16) : 0;
    uint64_t end = round_up(from, SMALLEST_PAGE);
    bool is_free = end - from >= size && end <= image->size;
    for (size_t i = 0; i < image->file.section_count && is_free; i++) {
        const struct section *section = &image->file.sections[i];
        is_free = !section_has_file_bytes(section) ||
                  range_common(section->offset, range_end(section->offset, section->size), from, end) == 0;
    }
    return is_free ? from : 0;
}
