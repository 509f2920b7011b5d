// The rules on two files: content with a pair as promised, and reporting one that is not.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../evaluate.h"
#include "../rule.h"
#include "build-elf.h"

enum { NAME_BYTES = 32 };

// Writes a specimen to a new file and puts its name in `name`.
static void write_specimen(const struct specimen *specimen, char name[NAME_BYTES])
{
    size_t size = 0;
    unsigned char *bytes = specimen_bytes(specimen, &size);
    snprintf(name, NAME_BYTES, "/tmp/test-pairs.XXXXXX");
    int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, size), size);
    close(descriptor);
    free(bytes);
}

// Returns how the rule judges the pair.
static enum result_status judge(const char *rule, const struct specimen *first, const struct specimen *second)
{
    char first_name[NAME_BYTES], second_name[NAME_BYTES], compare[NAME_BYTES + 20], rule_word[60],
        problem[OPTIONS_PROBLEM_BYTES];
    write_specimen(first, first_name);
    write_specimen(second, second_name);
    snprintf(compare, sizeof compare, "--compare=%s", first_name);
    snprintf(rule_word, sizeof rule_word, "--rule=%s", rule);
    const char *arguments[] = {compare, rule_word, "--strict"};
    struct options options = {0};
    struct outcome outcome = {0};
    assert_true(options_parse(&options, 3, arguments, problem));
    evaluate_path(&outcome, second_name, true, &options);
    assert_int_equal(outcome.state, ELF_FILE_OPEN);
    enum result_status status = outcome.results[rule_index(rule)];
    outcome_close(&outcome);
    outcome_free(&outcome);
    options_free(&options);
    unlink(first_name);
    unlink(second_name);
    return status;
}

static void same_bytes(void **state)
{
    (void)state;
    static const char *const rules[] = {"deterministic", "default-explicit", "rosegment-inert"};
    struct specimen one = specimen_good(true, false);
    struct specimen byte = one;
    struct specimen size = one;
    byte.notes[0]++;
    size.size++;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        assert_int_equal(judge(rules[i], &one, &one), RESULT_PASS);
        assert_int_equal(judge(rules[i], &one, &byte), RESULT_FAIL);
        assert_int_equal(judge(rules[i], &one, &size), RESULT_FAIL);
    }
}

static void sizes(void **state)
{
    (void)state;
    static const char *const rules[] = {"rosegment-smaller", "size-independent"};
    struct specimen small = specimen_good(false, true);
    struct specimen large = small;
    large.size += 0x1000;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        assert_int_equal(judge(rules[i], &small, &small), RESULT_PASS);
        assert_int_equal(judge(rules[i], &large, &small), RESULT_PASS);
        assert_int_equal(judge(rules[i], &small, &large), RESULT_FAIL);
    }
}

static void contents(void **state)
{
    (void)state;
    struct specimen one = specimen_good(true, true);
    struct specimen moved = one;
    struct specimen other = one;
    struct specimen more = one;
    specimen_section(&moved, ".rodata")->size = 0x200;
    specimen_section(&other, ".rodata")->flags |= SHF_WRITE;
    specimen_add_section(&more, (struct section){".new", SHT_PROGBITS, SHF_ALLOC, 0x2300, 0x2300, 8, 1, NULL});
    assert_int_equal(judge("content-invariant", &one, &moved), RESULT_PASS);
    assert_int_equal(judge("content-invariant", &one, &other), RESULT_FAIL);
    assert_int_equal(judge("content-invariant", &one, &more), RESULT_FAIL);
    assert_int_equal(judge("content-invariant", &more, &one), RESULT_FAIL);
    specimen_section(&more, ".new")->name = ".relro_padding";
    assert_int_equal(judge("content-invariant", &one, &more), RESULT_PASS);
}

static void stripped(void **state)
{
    (void)state;
    struct specimen one = specimen_good(false, false);
    struct specimen bare = one;
    struct specimen other = one;
    struct specimen fewer = one;
    bare.section_count = 0;
    specimen_segment(&other, PT_LOAD, 1)->align = 0x10000;
    fewer.segment_count--;
    assert_int_equal(judge("strip-identity", &one, &bare), RESULT_PASS);
    assert_int_equal(judge("strip-identity", &one, &other), RESULT_FAIL);
    assert_int_equal(judge("strip-identity", &one, &fewer), RESULT_FAIL);
}

static void unreadable(void **state)
{
    (void)state;
    const char *arguments[] = {"--compare=/nonexistent", "--rule=deterministic"};
    char name[NAME_BYTES], problem[OPTIONS_PROBLEM_BYTES];
    struct specimen one = specimen_good(true, false);
    struct options options = {0};
    struct outcome outcome = {0};
    write_specimen(&one, name);
    assert_true(options_parse(&options, 2, arguments, problem));
    evaluate_path(&outcome, name, true, &options);
    assert_int_equal(outcome.state, ELF_FILE_CANNOT);
    assert_string_equal(outcome.reason, "/nonexistent: No such file or directory");
    outcome_close(&outcome);
    outcome_free(&outcome);
    options_free(&options);
    unlink(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes), cmocka_unit_test(sizes),      cmocka_unit_test(contents),
        cmocka_unit_test(stripped),   cmocka_unit_test(unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
