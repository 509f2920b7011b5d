// The page map: what each page holds, equal pages in one row, foreign bytes marked, a limit on rows.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../page-map.h"
#include "build-elf.h"

// Returns the map of a specimen, to be freed with text_free.
static struct text draw(const struct specimen *specimen, uint64_t page, uint64_t from, uint64_t to, size_t limit)
{
    struct elf_file file = {0};
    struct arena arena = {0};
    struct text text = {0};
    const char *reason;
    size_t size = 0;
    unsigned char *bytes = specimen_bytes(specimen, &size);
    assert_int_equal(elf_file_open_memory(&file, bytes, size, &arena, &reason), ELF_FILE_OPEN);
    page_map_draw(&text, &file, page, from, to, limit);
    elf_file_close(&file);
    elf_file_free(&file);
    arena_free(&arena);
    free(bytes);
    return text;
}

// The lines below the heading.
static const char *rows(const struct text *text)
{
    return strchr(text->bytes, '\n') + 1;
}

static void whole_file(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct specimen specimen = specimen_good(kind & 1, kind & 2);
        struct text text = draw(&specimen, 0x1000, 0, 0, 100);
        assert_string_equal(rows(&text), "    0x0            0x0              1  R    ELF header .. .dynsym\n"
                                         "    0x1000         0x1000           1  R E  .text\n"
                                         "    0x2000         0x2000           1  R    .rodata  ! .tdata .. .got\n"
                                         "    0x3000         0x2000           1  RW   .tdata .. .got  ! .rodata\n"
                                         "    0x4000         0x3000           1  RW   .data .. .bss\n");
        text_free(&text);
    }
}

static void long_runs(void **state)
{
    (void)state;
    struct specimen specimen = specimen_good(true, false);
    specimen_segment(&specimen, PT_LOAD, 3)->memsz = 0x40000200;
    specimen_section(&specimen, ".bss")->size = 0x3ffffe00;
    struct text text = draw(&specimen, 0x1000, 0x4000, 0x40001000, 100);
    assert_string_equal(rows(&text), "    0x4000         0x3000           1  RW   .data .. .bss\n"
                                     "    0x5000         zeros        262140  RW   .bss\n");
    text_free(&text);
}

static void foreign_in_code(void **state)
{
    (void)state;
    struct specimen specimen = specimen_good(true, false);
    specimen_segment(&specimen, PT_LOAD, 0)->flags |= PF_X;
    struct text text = draw(&specimen, 0x1000, 0x10, 0x20, 100);
    assert_string_equal(rows(&text), "    0x0            0x0              1  R E  ! ELF header .. .dynsym\n");
    text_free(&text);
}

static void limited_and_printable(void **state)
{
    (void)state;
    struct specimen specimen = specimen_good(true, false);
    specimen_section(&specimen, ".text")->name = "a\033[2J\nb";
    struct text text = draw(&specimen, 0x1000, 0, 0, 2);
    assert_string_equal(rows(&text), "    0x0            0x0              1  R    ELF header .. .dynsym\n"
                                     "    0x1000         0x1000           1  R E  a\\x1b[2J\\x0ab\n"
                                     "    ... (more rows than 2)\n");
    text_free(&text);
}

static void nothing_mapped(void **state)
{
    (void)state;
    struct specimen specimen = specimen_good(true, false);
    struct text text = draw(&specimen, 0x1000, 0x9000, 0x9100, 100);
    assert_string_equal(rows(&text), "    nothing is mapped there\n");
    text_free(&text);
}

static void end_of_address_space(void **state)
{
    (void)state;
    struct specimen specimen = specimen_good(true, false);
    specimen.section_count = 0;
    specimen_segment(&specimen, PT_LOAD, 3)->memsz = UINT64_MAX;
    struct text text = draw(&specimen, 0x1000, 0, 0, 100);
    assert_non_null(strstr(text.bytes, "zeros"));
    text_free(&text);
    text = draw(&specimen, UINT64_C(1) << 40, 0, 0, 100);
    assert_non_null(text.bytes);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_file),           cmocka_unit_test(long_runs),
        cmocka_unit_test(foreign_in_code),      cmocka_unit_test(limited_and_printable),
        cmocka_unit_test(nothing_mapped),       cmocka_unit_test(end_of_address_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
