// Requests: what is read from well-formed bytes, what is said about the others.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../request.h"

static void reads_every_field(void **state)
{
    static const char bytes[] = "run 1500 nobody 4096 9 3\n/tmp/a\nb \n4\necho\n0\n\n3\na\nb\nrun 1 ";
    struct request request;
    size_t used = 0;
    char reason[REQUEST_REASON_BYTES];
    (void)state;
    assert_int_equal(request_parse(bytes, sizeof bytes - 1, &request, &used, reason), REQUEST_COMPLETE);
    assert_int_equal(used, sizeof bytes - 1 - strlen("run 1 "));
    assert_int_equal(request.timeout_ms, 1500);
    assert_true(request.nobody);
    assert_int_equal(request.output_limit, 4096);
    assert_string_equal(request.directory, "/tmp/a\nb ");
    assert_int_equal(request.argument_count, 3);
    assert_string_equal(request.arguments[0], "echo");
    assert_string_equal(request.arguments[1], "");
    assert_string_equal(request.arguments[2], "a\nb");
    assert_null(request.arguments[3]);
    request_free(&request);
    assert_null(request.arguments);
}

static void keeps_every_byte_but_nul(void **state)
{
    char bytes[300] = "run 1 keep 0 0 1\n\n255\n";
    size_t head = strlen(bytes);
    struct request request;
    size_t used = 0;
    char reason[REQUEST_REASON_BYTES];
    (void)state;
    for (int i = 1; i < 256; i++) {
        bytes[head + (size_t)i - 1] = (char)i;
    }
    bytes[head + 255] = '\n';
    assert_int_equal(request_parse(bytes, head + 256, &request, &used, reason), REQUEST_COMPLETE);
    assert_false(request.nobody);
    assert_memory_equal(request.arguments[0], bytes + head, 255);
    assert_int_equal(strlen(request.arguments[0]), 255);
    request_free(&request);
}

static void wants_more_after_every_prefix(void **state)
{
    static const char bytes[] = "run 1500 keep 4096 4 2\n/tmp\n4\necho\n2\n\n\n\n";
    (void)state;
    for (size_t length = 0; length < sizeof bytes; length++) {
        struct request request;
        size_t used = 0;
        char reason[REQUEST_REASON_BYTES];
        char *exact = malloc(length + 1); // so that AddressSanitizer sees a read beyond the prefix
        assert_non_null(exact);
        memcpy(exact + 1, bytes, length);
        assert_int_equal(request_parse(exact + 1, length, &request, &used, reason),
                         length < sizeof bytes - 1 ? REQUEST_INCOMPLETE : REQUEST_COMPLETE);
        request_free(&request);
        free(exact);
    }
}

static void says_what_is_wrong(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *reason;
    } cases[] = {
#define CASE(bytes, reason) {(bytes), sizeof(bytes) - 1, (reason)}
        CASE("ru!", "expected 'run' and a space"),
        CASE("\n", "expected 'run' and a space"),
        CASE("run 0 ", "timeout in milliseconds: expected a decimal number from 1 to 2147483647 and a space"),
        CASE("run 2147483648", "timeout in milliseconds: expected a decimal number from 1 to 2147483647 and a space"),
        CASE("run 18446744073709551617 ",
             "timeout in milliseconds: expected a decimal number from 1 to 2147483647 and a space"),
        CASE("run -1 ", "timeout in milliseconds: expected a decimal number from 1 to 2147483647 and a space"),
        CASE("run  1", "timeout in milliseconds: expected a decimal number from 1 to 2147483647 and a space"),
        CASE("run 1 root", "user: expected 'keep' or 'nobody' and a space"),
        CASE("run 1 kept", "expected 'keep' and a space"),
        CASE("run 1 nobody\n", "expected 'nobody' and a space"),
        CASE("run 1 keep 1073741825 ",
             "output limit in bytes: expected a decimal number from 0 to 1073741824 and a space"),
        CASE("run 1 keep 1 x", "directory length in bytes: expected a decimal number from 0 to 8388608 and a space"),
        CASE("run 1 keep 1 0 0\n", "argument count: expected a decimal number from 1 to 1048576 and a newline"),
        CASE("run 1 keep 1 0 1 ", "argument count: expected a decimal number from 1 to 1048576 and a newline"),
        CASE("run 1 keep 1 0 1\n/", "no newline after the 0 bytes of the directory; count bytes, not characters"),
        CASE("run 1 keep 1 3 1\n/\0", "the directory has a NUL byte, which no program can be given"),
        CASE("run 1 keep 1 0 2\n\n1\na\n1a",
             "argument 2: length in bytes: expected a decimal number from 0 to 8388608 and a newline"),
        CASE("run 1 keep 1 0 2\n\n1\na\n1\n\xc3\xa4\n",
             "argument 2: no newline after the 1 bytes of its text; count bytes, not characters"),
        CASE("run 1 keep 1 0 1\n\n9\na\0", "argument 1: its text has a NUL byte, which no program can be given"),
#undef CASE
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct request request;
        size_t used = 0;
        char reason[REQUEST_REASON_BYTES] = "";
        assert_int_equal(request_parse(cases[i].bytes, cases[i].length, &request, &used, reason), REQUEST_MALFORMED);
        assert_string_equal(reason, cases[i].reason);
        assert_null(request.arguments);
    }
}

static void refuses_an_endless_request(void **state)
{
    static const char head[] = "run 1 keep 1 0 1\n\n8388608\n";
    struct request request;
    size_t used = 0;
    char reason[REQUEST_REASON_BYTES] = "";
    (void)state;
    char *bytes = malloc(REQUEST_BYTES_MAX);
    assert_non_null(bytes);
    memset(bytes, 'a', REQUEST_BYTES_MAX);
    memcpy(bytes, head, sizeof head - 1);
    assert_int_equal(request_parse(bytes, REQUEST_BYTES_MAX - 1, &request, &used, reason), REQUEST_INCOMPLETE);
    assert_int_equal(request_parse(bytes, REQUEST_BYTES_MAX, &request, &used, reason), REQUEST_MALFORMED);
    assert_string_equal(reason, "argument 1: request longer than 8388608 bytes");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_field),
        cmocka_unit_test(keeps_every_byte_but_nul),
        cmocka_unit_test(wants_more_after_every_prefix),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(refuses_an_endless_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
