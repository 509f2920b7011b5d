// The output formats: a clean file, a finding, a note, one that does not apply, one that cannot be checked; and hostile
// names. SPDX-License-Identifier: GPL-3.0-or-later
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../evaluate.h"
#include "../output.h"
#include "../server.h"
#include "build-elf.h"

#define HOSTILE "a\"<&>#\\\n\xff\033\xc3\xa9"

// Returns what the format writes about a specimen (bytes if it is NULL) under the options, to be freed with text_free.
static struct text format(const char *name, const struct specimen *specimen, const char *path,
                          const char *const *arguments, size_t count)
{
    struct options options = {0};
    struct outcome outcome = {0};
    struct text text = {0};
    char problem[OPTIONS_PROBLEM_BYTES];
    size_t size = 3;
    unsigned char *bytes = specimen != NULL ? specimen_bytes(specimen, &size) : calloc(1, size);
    assert_true(options_parse(&options, count, arguments, problem));
    evaluate_memory(&outcome, path, bytes, size, &options);
    output_format(name)->file(&text, &outcome, &options);
    text_add(&text, "%s", "");
    outcome_close(&outcome);
    outcome_free(&outcome);
    options_free(&options);
    free(bytes);
    return text;
}

static void assert_format(const char *name, const struct specimen *specimen, const char *path, const char *rule,
                          const char *wanted)
{
    char word[60];
    snprintf(word, sizeof word, "--rule=%s", rule);
    const char *arguments[] = {word};
    struct text text = format(name, specimen, path, arguments, 1);
    assert_string_equal(text.bytes, wanted);
    text_free(&text);
}

static struct specimen with_empty_load(void)
{
    struct specimen specimen = specimen_good(true, false);
    specimen_add_segment(&specimen, (struct segment){.type = PT_LOAD, .flags = PF_R, .vaddr = 0x8000, .align = 0x1000});
    return specimen;
}

static struct specimen with_tls_moved(void)
{
    struct specimen specimen = specimen_good(false, true);
    specimen_segment(&specimen, PT_TLS, 0)->memsz = 0x10;
    return specimen;
}

static void clean(void **state)
{
    (void)state;
    struct specimen good = specimen_good(true, true);
    assert_format("text", &good, "p", "tls", "");
    assert_format("tap", &good, "p", "tls", "ok - p tls\n");
    assert_format("json", &good, "p", "tls",
                  "{\"path\":\"p\",\"status\":\"pass\",\"results\":[{\"rule\":\"tls\",\"status\":\"pass\"}]}");
    assert_format("junit", &good, "p", "tls",
                  "<testsuite name=\"p\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
                  "<testcase classname=\"p\" name=\"tls\"></testcase>\n</testsuite>\n");
}

static void failing(void **state)
{
    (void)state;
    struct specimen bad = with_tls_moved();
    assert_format(
        "text", &bad, "p", "tls",
        "FAIL p tls\n"
        "  rule:     There is one PT_TLS with p_vaddr a multiple of p_align, p_filesz the initialised part and p_memsz "
        "the whole of "
        "the thread-local sections, which are disjoint.\n"
        "  source:   gABI \"Thread-Local Storage\"; ELF Handling For Thread-Local Storage (Drepper), section 3\n"
        "  where:    PT_TLS\n"
        "  expected: p_memsz 0x20\n"
        "  actual:   p_memsz 0x10\n"
        "    p_vaddr        file offset  pages  may  what 0x1000-byte pages hold (!: mapped here, does not belong)\n"
        "    0x3000         0x2000           1  RW   .tdata .. .got  ! .rodata\n");
    assert_format("tap", &bad, "p", "tls", "not ok - p tls\n# PT_TLS: expected p_memsz 0x20, actual p_memsz 0x10\n");
    assert_format(
        "json", &bad, "p", "tls",
        "{\"path\":\"p\",\"status\":\"fail\",\"results\":[{\"rule\":\"tls\",\"status\":\"fail\",\"count\":1,"
        "\"findings\":[{\"what\":\"PT_TLS\","
        "\"expected\":\"p_memsz 0x20\",\"actual\":\"p_memsz 0x10\",\"from\":\"0x3e00\",\"to\":\"0x3e20\"}]}]}");
    assert_format("junit", &bad, "p", "tls",
                  "<testsuite name=\"p\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
                  "<testcase classname=\"p\" name=\"tls\"><failure message=\"There is one PT_TLS with p_vaddr a "
                  "multiple of p_align, p_filesz the "
                  "initialised part and p_memsz the whole of the thread-local sections, which are disjoint.\">"
                  "PT_TLS: expected p_memsz 0x20, actual p_memsz 0x10\n</failure></testcase>\n</testsuite>\n");
}

static void noted(void **state)
{
    (void)state;
    struct specimen empty = with_empty_load();
    assert_format("text", &empty, "p", "load-nonempty",
                  "NOTE p load-nonempty: LOAD 4 (R, p_vaddr 0x8000): expected p_memsz above 0, actual 0x0\n");
    assert_format(
        "tap", &empty, "p", "load-nonempty",
        "not ok - p load-nonempty # TODO recommendation: an empty segment costs a program header and says nothing\n"
        "# LOAD 4 (R, p_vaddr 0x8000): expected p_memsz above 0, actual 0x0\n");
    const char *strict[] = {"--rule=load-nonempty", "--strict"};
    struct text text = format("json", &empty, "p", strict, 2);
    assert_non_null(strstr(text.bytes, "\"status\":\"fail\""));
    text_free(&text);
    text = format("json", &empty, "p", strict, 1);
    assert_non_null(strstr(text.bytes, "{\"path\":\"p\",\"status\":\"pass\""));
    assert_non_null(strstr(text.bytes, "\"status\":\"note\",\"count\":1"));
    text_free(&text);
}

static void not_applicable(void **state)
{
    (void)state;
    struct specimen object = specimen_good(false, false);
    object.type = ET_REL;
    assert_format("text", &object, "p", "tls", "");
    assert_format("tap", &object, "p", "tls", "ok - p can be checked # SKIP a relocatable file\n");
    assert_format("json", &object, "p", "tls",
                  "{\"path\":\"p\",\"status\":\"not-applicable\",\"reason\":\"a relocatable file\"}");
    assert_format("junit", &object, "p", "tls",
                  "<testsuite name=\"p\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n<testcase "
                  "classname=\"p\" name=\"can be "
                  "checked\"><skipped message=\"a relocatable file\"/></testcase>\n</testsuite>\n");
    struct specimen good = specimen_good(false, false);
    assert_format("tap", &good, "p", "link-mode", "ok - p link-mode # SKIP the link mode is not known (--mode)\n");
}

static void cannot(void **state)
{
    (void)state;
    struct specimen broken = specimen_good(true, false);
    broken.section_count = 0;
    broken.size = 0x100; // ends inside the program headers
    assert_format("text", &broken, "p", "tls", "CANNOT p: the program header table lies beyond the end of the file\n");
    assert_format("tap", &broken, "p", "tls",
                  "not ok - p can be checked: the program header table lies beyond the end of the file\n");
    assert_format("json", &broken, "p", "tls",
                  "{\"path\":\"p\",\"status\":\"cannot\",\"reason\":\"the program header table lies beyond the end of "
                  "the file\"}");
    assert_format("junit", &broken, "p", "tls",
                  "<testsuite name=\"p\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n<testcase "
                  "classname=\"p\" name=\"can be "
                  "checked\"><error message=\"the program header table lies beyond the end of the "
                  "file\"/></testcase>\n</testsuite>\n");
}

static void hostile_names(void **state)
{
    (void)state;
    struct specimen good = specimen_good(true, false);
    assert_format("tap", &good, HOSTILE, "tls", "ok - a\"<&>_\\x5c\\x0a\\xff\\x1b\xc3\xa9 tls\n");
    struct text text = format("json", &good, HOSTILE, (const char *[]){"--rule=tls"}, 1);
    assert_non_null(strstr(text.bytes, "{\"path\":\"a\\\"<&>#\\\\\\u000a\xef\xbf\xbd\\u001b\xc3\xa9\","));
    text_free(&text);
    text = format("junit", &good, HOSTILE, (const char *[]){"--rule=tls"}, 1);
    assert_non_null(strstr(text.bytes, "name=\"a&quot;&lt;&amp;&gt;#\\\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\""));
    text_free(&text);
}

static void figures(void **state)
{
    (void)state;
    struct specimen good = specimen_good(true, false);
    struct text text = format("json", &good, "p", (const char *[]){"--rule=tls", "--figures"}, 2);
    static const char *const wanted[] = {
        "\"relro\":512,",       "\"relro-protected-4k\":512,", "\"relro-unprotected-16k\":0",
        "\"code\":1280,",       "\"executable-non-code\":0,",  "\"largest-base-page\":4096,",
        "\"aslr-bits-lost\":0", "\"executable-gap\":2816"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (strstr(text.bytes, wanted[i]) == NULL) {
            fail_msg("no %s in %s", wanted[i], text.bytes);
        }
    }
    text_free(&text);
}

static void served(void **state)
{
    (void)state;
    struct outcome outcome = {0};
    struct text text = {0};
    const char *arguments[] = {"--server", "--strict"};
    const struct {
        const char *line;
        const char *answer;
    } lines[] = {
        {"/nonexistent",
         "{\"schema\":1,\"path\":\"/nonexistent\",\"status\":\"cannot\",\"reason\":\"No such file or directory\"}\n"},
        {"/dev/null\t--rule=tls",
         "{\"schema\":1,\"path\":\"/dev/null\",\"status\":\"cannot\",\"reason\":\"not a regular file\"}\n"},
        {"a\t--rule=x", "{\"schema\":1,\"path\":\"a\",\"status\":\"cannot\",\"reason\":\"unknown rule 'x': see "
                        "check-layout --list-rules\"}\n"},
        {"a\tb", "{\"schema\":1,\"path\":\"a\",\"status\":\"cannot\",\"reason\":\"'b' is no option: write PATH, a tab, "
                 "then options\"}\n"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[100];
        snprintf(line, sizeof line, "%s", lines[i].line);
        text_clear(&text);
        server_answer(&text, &outcome, line, 2, arguments);
        assert_string_equal(text.bytes, lines[i].answer);
    }
    text_free(&text);
    outcome_free(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean),          cmocka_unit_test(failing), cmocka_unit_test(noted),
        cmocka_unit_test(not_applicable), cmocka_unit_test(cannot),  cmocka_unit_test(hostile_names),
        cmocka_unit_test(figures),        cmocka_unit_test(served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
