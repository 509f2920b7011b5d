// Replies: the line for each ending, and its longest form.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../reply.h"

static void writes_each_ending(void **state)
{
    static const char *const lines[] = {
        [ENDING_EXITED] = "done exited 7 1 2 3 4 5\n",
        [ENDING_KILLED] = "done killed 7 1 2 3 4 5\n",
        [ENDING_TIMEOUT] = "done timeout 7 1 2 3 4 5\n",
        [ENDING_FAILED] = "done failed 7 1 2 3 4 5\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct reply reply = {(enum ending)i, 7, 1, 2, 3, NULL, 4, 5};
        char line[REPLY_LINE_BYTES];
        assert_int_equal(reply_format(&reply, line), strlen(lines[i]));
        assert_string_equal(line, lines[i]);
    }
}

static void holds_the_largest_numbers(void **state)
{
    struct reply reply = {ENDING_TIMEOUT, INT_MIN, INT64_MIN, INT64_MIN, INT64_MIN, NULL, SIZE_MAX, UINT64_MAX};
    char line[REPLY_LINE_BYTES];
    (void)state;
    size_t length = reply_format(&reply, line);
    assert_in_range(length, 1, REPLY_LINE_BYTES - 1);
    assert_int_equal(line[length - 1], '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_each_ending),
        cmocka_unit_test(holds_the_largest_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
