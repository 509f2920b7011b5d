// Options: what each form means, and that each wrong one says what to type.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../options.h"

#define PARSE(options, problem, ...)                                                                                   \
    options_parse(options, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__},      \
                  problem)

static void sizes(void **state)
{
    (void)state;
    const struct {
        const char *word;
        uint64_t bytes;
    } good[] = {{"4K", 4096},     {"2M", 2097152}, {"1g", UINT64_C(1) << 30}, {"65536", 65536}, {"0x10000", 65536},
                {"0X1000", 4096}, {"010", 10}};
    static const char *const bad[] = {
        "", "K", "-1", " 4", "4 K", "4KB", "0", "0x", "99999999999999999999", "17179869184G", "+4"};
    uint64_t bytes;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(size_parse(good[i].word, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(size_parse(bad[i], &bytes));
    }
}

static void forms(void **state)
{
    (void)state;
    struct options options = {0};
    char problem[OPTIONS_PROBLEM_BYTES];
    assert_true(PARSE(&options, problem, "--separate-code", "a", "--rosegment", "--no-rosegment", "--max-page-size",
                      "64K", "--page-size=16K", "-j3", "--rule=tls", "--rule", "load-order", "--skip=tls",
                      "--linker=bfd-2.47", "--mode=static-pie", "--format=json", "-", "--", "--figures"));
    assert_int_equal(options.separate_code, ON);
    assert_int_equal(options.rosegment, OFF); // the last one counts
    assert_int_equal(options.relro, UNKNOWN);
    assert_int_equal(options.max_page_size, 65536);
    assert_int_equal(options.page_size, 16384);
    assert_int_equal(options.jobs, 3);
    assert_int_equal(options.linker, LINKER_BFD);
    assert_int_equal(options.mode, MODE_STATIC_PIE);
    assert_string_equal(options.format, "json");
    assert_int_equal(options.path_count, 3);
    assert_string_equal(options.paths[0], "a");
    assert_string_equal(options.paths[1], "-");
    assert_string_equal(options.paths[2], "--figures");
    assert_false(options.figures);
    bool named;
    assert_true(options_select(&options, "load-order", &named) && named);
    assert_false(options_select(&options, "tls", &named));
    assert_false(options_select(&options, "wx-segment", &named) || named);
    options_free(&options);
}

static void problems(void **state)
{
    (void)state;
    const struct {
        const char *word;
        const char *problem;
    } bad[] = {
        {"--max-page-size=3K", "not a page size: '3K': write a power of two: 4K, 2M, 65536 or 0x10000"},
        {"--max-page-size=abc", "not a page size: 'abc': write a power of two: 4K, 2M, 65536 or 0x10000"},
        {"--max-page-size", "'--max-page-size' wants a value: see check-layout --help"},
        {"--strict=yes", "'--strict' takes no value: leave out '=' and what follows"},
        {"--max", "unknown option '--max': see check-layout --help"},
        {"--rule=no-such", "unknown rule 'no-such': see check-layout --list-rules"},
        {"--skip=", "unknown rule '': see check-layout --list-rules"},
        {"--format=xml", "unknown format 'xml': write --format=text, json, tap or junit"},
        {"--linker=bfdx", "unknown linker 'bfdx': write --linker=bfd, lld, mold or gold, with or without -VERSION"},
        {"--mode=dyn", "unknown mode 'dyn': write --mode=exec, pie, static, static-pie or shared"},
        {"-j0", "not a number of jobs: '0': write -j1 to -j1024"},
        {"-j2000", "not a number of jobs: '2000': write -j1 to -j1024"},
        {"-j", "'--jobs' wants a value: see check-layout --help"},
        {"-x", "unknown option '-x': see check-layout --help"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct options options = {0};
        char problem[OPTIONS_PROBLEM_BYTES] = "";
        assert_false(PARSE(&options, problem, bad[i].word));
        assert_string_equal(problem, bad[i].problem);
        options_free(&options);
    }
    char word[1000] = "--";
    char problem[OPTIONS_PROBLEM_BYTES];
    struct options options = {0};
    memset(word + 2, 'x', sizeof word - 3);
    word[sizeof word - 1] = 0;
    assert_false(PARSE(&options, problem, word));
    assert_true(strlen(problem) < OPTIONS_PROBLEM_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(forms), cmocka_unit_test(problems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
