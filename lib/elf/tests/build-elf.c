// Builds ELF files in memory for tests.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "build-elf.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the next field goes.
struct writer {
    unsigned char *at;
    bool is64;
    bool big_endian;
};

static void put(struct writer *writer, uint64_t value, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        writer->at[writer->big_endian ? length - 1 - i : i] = (unsigned char)(value >> (8 * i));
    }
    writer->at += length;
}

// A field as wide as an address.
static void put_address(struct writer *writer, uint64_t value)
{
    put(writer, value, writer->is64 ? 8 : 4);
}

static void put_segment(struct writer *writer, const struct segment *segment)
{
    put(writer, segment->type, 4);
    if (writer->is64) {
        put(writer, segment->flags, 4);
    }
    put_address(writer, segment->offset);
    put_address(writer, segment->vaddr);
    put_address(writer, segment->paddr);
    put_address(writer, segment->filesz);
    put_address(writer, segment->memsz);
    if (!writer->is64) {
        put(writer, segment->flags, 4);
    }
    put_address(writer, segment->align);
}

static void put_section(struct writer *writer, const struct section *section, uint64_t name)
{
    put(writer, name, 4);
    put(writer, section->type, 4);
    put_address(writer, section->flags);
    put_address(writer, section->address);
    put_address(writer, section->offset);
    put_address(writer, section->size);
    put(writer, 0, 4);
    put(writer, 0, 4);
    put_address(writer, section->alignment);
    put_address(writer, 0);
}

static void put_header(struct writer *writer, const struct specimen *specimen, uint64_t shoff, size_t sections)
{
    const unsigned char identity[EI_NIDENT] = {0x7f,
                                               'E',
                                               'L',
                                               'F',
                                               specimen->is64 ? ELFCLASS64 : ELFCLASS32,
                                               specimen->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
                                               EV_CURRENT};
    memcpy(writer->at, identity, sizeof identity);
    writer->at += sizeof identity;
    put(writer, specimen->type, 2);
    put(writer, specimen->machine, 2);
    put(writer, EV_CURRENT, 4);
    put_address(writer, 0x1000);
    put_address(writer, specimen->is64 ? 64 : 52);
    put_address(writer, shoff);
    put(writer, 0, 4);
    put(writer, specimen->is64 ? 64 : 52, 2);
    put(writer, specimen->is64 ? 56 : 32, 2);
    put(writer, specimen->segment_count, 2);
    put(writer, specimen->is64 ? 64 : 40, 2);
    put(writer, sections, 2);
    put(writer, sections > 0 ? sections - 1 : 0, 2);
}

unsigned char *specimen_bytes(const struct specimen *specimen, size_t *size)
{
    size_t names = 1 + sizeof ".shstrtab";
    for (size_t i = 0; i < specimen->section_count; i++) {
        names += strlen(specimen->sections[i].name) + 1;
    }
    bool any = specimen->section_count > 0;
    size_t sections = any ? specimen->section_count + 2 : 0;
    uint64_t names_at = specimen->size;
    uint64_t shoff = any ? (names_at + names + 7) / 8 * 8 : 0;
    *size = any ? shoff + sections * (specimen->is64 ? 64 : 40) : specimen->size;
    // A file that ends early is built whole and handed out short.
    unsigned char *bytes = calloc(1, *size > 0x1000 ? *size : 0x1000);
    if (bytes == NULL) {
        abort();
    }
    struct writer writer = {bytes, specimen->is64, specimen->big_endian};
    put_header(&writer, specimen, shoff, sections);
    for (size_t i = 0; i < specimen->segment_count; i++) {
        put_segment(&writer, &specimen->segments[i]);
    }
    for (size_t i = 0; specimen->notes[i] != 0; i++) {
        writer.at = bytes + specimen->notes[i];
        put(&writer, 4, 4);
        put(&writer, 4, 4);
        put(&writer, 1, 4);
        memcpy(writer.at, "TEST", 4);
    }
    if (!any) {
        return bytes;
    }
    uint64_t name = 1;
    writer.at = bytes + shoff + (specimen->is64 ? 64 : 40);
    for (size_t i = 0; i < specimen->section_count; i++) {
        size_t length = strlen(specimen->sections[i].name) + 1;
        memcpy(bytes + names_at + name, specimen->sections[i].name, length);
        put_section(&writer, &specimen->sections[i], name);
        name += length;
    }
    memcpy(bytes + names_at + name, ".shstrtab", sizeof ".shstrtab");
    struct section table = {.type = SHT_STRTAB, .offset = names_at, .size = names, .alignment = 1};
    put_section(&writer, &table, name);
    return bytes;
}

void specimen_add_segment(struct specimen *specimen, struct segment segment)
{
    if (specimen->segment_count == SPECIMEN_SEGMENTS) {
        abort();
    }
    segment.paddr = segment.vaddr;
    specimen->segments[specimen->segment_count++] = segment;
}

void specimen_add_section(struct specimen *specimen, struct section section)
{
    if (specimen->section_count == SPECIMEN_SECTIONS) {
        abort();
    }
    specimen->sections[specimen->section_count++] = section;
}

struct segment *specimen_segment(struct specimen *specimen, uint32_t type, size_t number)
{
    for (size_t i = 0; i < specimen->segment_count; i++) {
        if (specimen->segments[i].type == type && number-- == 0) {
            return &specimen->segments[i];
        }
    }
    abort();
}

struct section *specimen_section(struct specimen *specimen, const char *name)
{
    for (size_t i = 0; i < specimen->section_count; i++) {
        if (strcmp(specimen->sections[i].name, name) == 0) {
            return &specimen->sections[i];
        }
    }
    abort();
}

struct specimen specimen_good(bool is64, bool big_endian)
{
    struct specimen specimen = {
        .is64 = is64, .big_endian = big_endian, .type = ET_DYN, .machine = EM_NONE, .size = 0x3200, .notes = {0x420}};
    uint64_t phoff = is64 ? 64 : 52;
    uint64_t phdrs = 11 * (is64 ? 56 : 32);
    const struct segment segments[] = {
        {.type = PT_PHDR, .flags = PF_R, .offset = phoff, .vaddr = phoff, .filesz = phdrs, .memsz = phdrs, .align = 8},
        {.type = PT_INTERP, .flags = PF_R, .offset = 0x400, .vaddr = 0x400, .filesz = 0x10, .memsz = 0x10, .align = 1},
        {.type = PT_LOAD, .flags = PF_R, .offset = 0, .vaddr = 0, .filesz = 0x800, .memsz = 0x800, .align = 0x1000},
        {.type = PT_LOAD,
         .flags = PF_R | PF_X,
         .offset = 0x1000,
         .vaddr = 0x1000,
         .filesz = 0x500,
         .memsz = 0x500,
         .align = 0x1000},
        {.type = PT_LOAD,
         .flags = PF_R,
         .offset = 0x2000,
         .vaddr = 0x2000,
         .filesz = 0x300,
         .memsz = 0x300,
         .align = 0x1000},
        {.type = PT_LOAD,
         .flags = PF_R | PF_W,
         .offset = 0x2e00,
         .vaddr = 0x3e00,
         .filesz = 0x400,
         .memsz = 0x600,
         .align = 0x1000},
        {.type = PT_DYNAMIC,
         .flags = PF_R | PF_W,
         .offset = 0x2e40,
         .vaddr = 0x3e40,
         .filesz = 0x80,
         .memsz = 0x80,
         .align = 8},
        {.type = PT_NOTE, .flags = PF_R, .offset = 0x420, .vaddr = 0x420, .filesz = 0x14, .memsz = 0x14, .align = 4},
        {.type = PT_TLS, .flags = PF_R, .offset = 0x2e00, .vaddr = 0x3e00, .filesz = 0x10, .memsz = 0x20, .align = 8},
        {.type = PT_GNU_STACK, .flags = PF_R | PF_W, .align = 16},
        {.type = PT_GNU_RELRO,
         .flags = PF_R,
         .offset = 0x2e00,
         .vaddr = 0x3e00,
         .filesz = 0x200,
         .memsz = 0x200,
         .align = 1},
    };
    const uint64_t write = SHF_ALLOC | SHF_WRITE;
    const struct section sections[] = {
        {".interp", SHT_PROGBITS, SHF_ALLOC, 0x400, 0x400, 0x10, 1, NULL},
        {".note.test", SHT_NOTE, SHF_ALLOC, 0x420, 0x420, 0x14, 4, NULL},
        {".dynsym", SHT_DYNSYM, SHF_ALLOC, 0x440, 0x440, 0x3c0, 8, NULL},
        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 0x1000, 0x500, 16, NULL},
        {".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, 0x2000, 0x300, 16, NULL},
        {".tdata", SHT_PROGBITS, write | SHF_TLS, 0x3e00, 0x2e00, 0x10, 8, NULL},
        {".tbss", SHT_NOBITS, write | SHF_TLS, 0x3e10, 0x2e10, 0x10, 8, NULL},
        {".init_array", SHT_INIT_ARRAY, write, 0x3e10, 0x2e10, 0x8, 8, NULL},
        {".dynamic", SHT_DYNAMIC, write, 0x3e40, 0x2e40, 0x80, 8, NULL},
        {".got", SHT_PROGBITS, write, 0x3ec0, 0x2ec0, 0x140, 8, NULL},
        {".data", SHT_PROGBITS, write, 0x4000, 0x3000, 0x200, 16, NULL},
        {".bss", SHT_NOBITS, write, 0x4200, 0x3200, 0x200, 16, NULL},
    };
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        specimen_add_segment(&specimen, segments[i]);
    }
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        specimen_add_section(&specimen, sections[i]);
    }
    return specimen;
}
