// Bad input, in both classes and byte orders: cut off anywhere, any field of a table at its extremes, any table elsewhere.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../evaluate.h"
#include "../rule.h"
#include "build-elf.h"

enum { KINDS = 4 };

// One file's bytes with its tables, and what is told of its link: everything, so that every rule looks.
struct subject {
    unsigned char *bytes;
    size_t size;
    size_t header, segment_entry, section_entry;
    size_t segments, segments_end, sections; // offsets
    struct options options;
    struct outcome outcome;
};

static struct subject make_subject(unsigned kind)
{
    static const char *const words[] = {"--separate-code",       "--rosegment",   "--relro",        "--now",
                                        "--max-page-size=64K",   "--linker=bfd",  "--mode=pie",     "--page-size=64K",
                                        "--common-page-size=4K", "--huge-page=2M", "--figures", "--strict"};
    struct subject subject = {0};
    struct specimen specimen = specimen_good(kind & 1, kind & 2);
    char problem[OPTIONS_PROBLEM_BYTES];
    assert_true(options_parse(&subject.options, sizeof words / sizeof *words, words, problem));
    subject.bytes = specimen_bytes(&specimen, &subject.size);
    subject.header = subject.segments = specimen.is64 ? 64 : 52;
    subject.segment_entry = specimen.is64 ? 56 : 32;
    subject.section_entry = specimen.is64 ? 64 : 40;
    subject.segments_end = subject.segments + specimen.segment_count * subject.segment_entry;
    subject.sections = subject.size - (specimen.section_count + 2) * subject.section_entry;
    return subject;
}

static void free_subject(struct subject *subject)
{
    outcome_free(&subject->outcome);
    options_free(&subject->options);
    free(subject->bytes);
}

// Checks the first `size` bytes, in memory of just that size; what cannot be checked must have a reason. Returns the state.
static enum elf_file_state check(struct subject *subject, size_t size)
{
    unsigned char *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, subject->bytes, size);
    evaluate_memory(&subject->outcome, "subject", exact, size, &subject->options);
    enum elf_file_state state = subject->outcome.state;
    assert_true(state == ELF_FILE_OPEN || state == ELF_FILE_NOT_ELF || subject->outcome.reason[0] != 0);
    outcome_close(&subject->outcome);
    free(exact);
    return state;
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct subject subject = make_subject(kind);
        assert_int_equal(check(&subject, subject.size), ELF_FILE_OPEN);
        for (size_t size = 0; size < subject.size; size += size < subject.segments_end || size >= subject.sections - 1 ? 1 : 61) {
            assert_int_equal(check(&subject, size), size < SELFMAG ? ELF_FILE_NOT_ELF : ELF_FILE_CANNOT);
        }
        for (size_t size = subject.segments; size <= subject.segments_end; size += subject.segment_entry) {
            assert_int_equal(check(&subject, size), ELF_FILE_CANNOT);
        }
        for (size_t size = subject.sections; size < subject.size; size += subject.section_entry) {
            assert_int_equal(check(&subject, size), ELF_FILE_CANNOT);
        }
        free_subject(&subject);
    }
}

// Puts each value of a field's extremes at [at, at + length), checks, and puts the old bytes back.
static void try_extremes(struct subject *subject, size_t at, size_t length)
{
    static const unsigned char first[] = {0xff, 0x00, 0x7f, 0x80, 0xff, 0x01};
    static const unsigned char rest[] = {0xff, 0x00, 0xff, 0x00, 0xf0, 0x00};
    unsigned char old[8];
    memcpy(old, subject->bytes + at, length);
    for (size_t i = 0; i < sizeof first; i++) {
        // In either byte order: the odd byte comes first, then last.
        for (size_t odd = 0; odd < length; odd += length - 1) {
            memset(subject->bytes + at, rest[i], length);
            subject->bytes[at + odd] = first[i];
            check(subject, subject->size);
        }
    }
    memcpy(subject->bytes + at, old, length);
}

static void fields_at_their_extremes(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct subject subject = make_subject(kind);
        for (size_t length = 2; length <= 8; length *= 2) {
            for (size_t at = EI_NIDENT; at + length <= subject.segments_end; at += length) {
                try_extremes(&subject, at, length);
            }
            for (size_t at = subject.sections; at + length <= subject.size; at += length) {
                try_extremes(&subject, at, length);
            }
        }
        assert_int_equal(check(&subject, subject.size), ELF_FILE_OPEN);
        free_subject(&subject);
    }
}

// Writes the offset of a table into the ELF header.
static void put_offset(struct subject *subject, unsigned kind, size_t field, uint64_t value)
{
    size_t length = (kind & 1) != 0 ? 8 : 4;
    for (size_t i = 0; i < length; i++) {
        subject->bytes[field + ((kind & 2) != 0 ? length - 1 - i : i)] = (unsigned char)(value >> (8 * i));
    }
}

static void tables_overlap(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct subject subject = make_subject(kind);
        size_t phoff = (kind & 1) != 0 ? 32 : 28;
        size_t shoff = (kind & 1) != 0 ? 40 : 32;
        for (size_t at = 0; at < subject.size; at += at < 0x200 || at + 0x40 >= subject.sections ? 4 : 128) {
            put_offset(&subject, kind, phoff, at);
            check(&subject, subject.size);
            put_offset(&subject, kind, phoff, subject.segments);
            put_offset(&subject, kind, shoff, at);
            check(&subject, subject.size);
            put_offset(&subject, kind, shoff, subject.sections);
        }
        for (uint64_t below = 0; below < 300; below++) {
            put_offset(&subject, kind, phoff, UINT64_MAX - below);
            assert_int_equal(check(&subject, subject.size), ELF_FILE_CANNOT);
            put_offset(&subject, kind, phoff, subject.segments);
            put_offset(&subject, kind, shoff, UINT64_MAX - below);
            assert_int_equal(check(&subject, subject.size), ELF_FILE_CANNOT);
            put_offset(&subject, kind, shoff, subject.sections);
        }
        assert_int_equal(check(&subject, subject.size), ELF_FILE_OPEN);
        free_subject(&subject);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_off_anywhere),
        cmocka_unit_test(fields_at_their_extremes),
        cmocka_unit_test(tables_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
