// Range arithmetic at its edges, and the gaps between ranges.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../coverage.h"
#include "../memory.h"
#include "../range.h"

static void ends_do_not_wrap(void **state)
{
    (void)state;
    assert_int_equal(range_end(1, 2), 3);
    assert_int_equal(range_end(UINT64_MAX, 1), UINT64_MAX);
    assert_int_equal(range_end(UINT64_MAX - 1, 1), UINT64_MAX);
    assert_int_equal(product(UINT64_C(1) << 32, UINT64_C(1) << 32), UINT64_MAX);
    assert_int_equal(product(3, 0), 0);
}

static void rounding(void **state)
{
    (void)state;
    assert_int_equal(round_down(0x1fff, 0x1000), 0x1000);
    assert_int_equal(round_up(0x1000, 0x1000), 0x1000);
    assert_int_equal(round_up(0x1001, 0x1000), 0x2000);
    assert_int_equal(round_up(0, 0x1000), 0);
    assert_int_equal(round_up(UINT64_MAX - 5, 0x1000), UINT64_MAX);
    assert_int_equal(round_down(UINT64_MAX, UINT64_C(1) << 63), UINT64_C(1) << 63);
    assert_true(is_power_of_two(1) && is_power_of_two(UINT64_C(1) << 63));
    assert_false(is_power_of_two(0) || is_power_of_two(3));
}

static void common(void **state)
{
    (void)state;
    assert_int_equal(range_common(0, 10, 5, 20), 5);
    assert_int_equal(range_common(5, 20, 0, 10), 5);
    assert_int_equal(range_common(0, 10, 10, 20), 0);
    assert_int_equal(range_common(0, UINT64_MAX, 7, 9), 2);
    assert_int_equal(range_common(5, 5, 0, 10), 0);
}

static void gaps(void **state)
{
    (void)state;
    struct elf_file file = {.is64 = true, .phoff = 64, .headers_end = 100, .shoff = 0x300, .shoff_end = 0x340};
    struct section sections[] = {
        {.name = "b", .type = SHT_PROGBITS, .offset = 0x200, .size = 0x40},
        {.name = "a", .type = SHT_PROGBITS, .offset = 0x100, .size = 0x80},
        {.name = "in a", .type = SHT_PROGBITS, .offset = 0x110, .size = 0x10},
        {.name = "zeros", .type = SHT_NOBITS, .offset = 0, .size = 0x1000},
        {.name = "beyond", .type = SHT_PROGBITS, .offset = UINT64_MAX - 1, .size = UINT64_MAX},
    };
    file.sections = sections;
    file.section_count = sizeof sections / sizeof *sections;
    struct coverage covered = {0};
    coverage_add_contents(&covered, &file);
    const uint64_t wanted[][2] = {{100, 0x100}, {0x180, 0x200}, {0x240, 0x300}, {0x340, 0x400}};
    uint64_t from = 0, start, end;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(coverage_gap(&covered, from, 0x400, &start, &end));
        assert_int_equal(start, wanted[i][0]);
        assert_int_equal(end, wanted[i][1]);
        from = end;
    }
    assert_false(coverage_gap(&covered, from, 0x400, &start, &end));
    assert_false(coverage_gap(&covered, 0x110, 0x120, &start, &end));
    coverage_free(&covered);
}

static void arena(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 100; i++) {
            char *bytes = arena_allocate(&arena, i * 10 + 1);
            bytes[0] = bytes[i * 10] = 1;
        }
        arena_allocate(&arena, 1 << 20)[(1 << 20) - 1] = 1;
        arena_reset(&arena);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_do_not_wrap),
        cmocka_unit_test(rounding),
        cmocka_unit_test(common),
        cmocka_unit_test(gaps),
        cmocka_unit_test(arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
