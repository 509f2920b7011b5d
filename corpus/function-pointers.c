// Tables of function and data pointers, relocated read-only data, lead where they should.
// requires: libc
// checks: called-functions read-pointers
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

#define FUNCTION(number)                                                                                               \
    __attribute__((noinline, noclone)) static unsigned function_##number(unsigned value)                               \
    {                                                                                                                  \
        __asm__("" : "+r"(value));                                                                                     \
        return value * 10 + number;                                                                                    \
    }
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)

static unsigned (*const functions[])(unsigned) = {function_1, function_2, function_3, function_4};
static const unsigned constants[] = {5, 6};
static const struct {
    const unsigned *constant;
    unsigned (*const *function)(unsigned);
} pairs[] = {{&constants[0], &functions[3]}, {&constants[1], &functions[0]}};

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    unsigned (*const volatile *function)(unsigned) = functions;
    unsigned value = (unsigned) argc - 1;
    unsigned read = 0;

    ldlayout_begin(&session, argv, envp, 2);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        value = function[i](value);
    LDLAYOUT_CHECK(&session, "called-functions", "digits of the functions called", 1234, value);
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const volatile unsigned *constant = pairs[i].constant;
        read = (*pairs[i].function)(read * 10 + *constant);
    }
    LDLAYOUT_CHECK(&session, "read-pointers", "digits read and called through pairs", 5461, read);
    return ldlayout_end(&session);
}
