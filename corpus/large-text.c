// More than two megabytes of code are mapped whole: a function on each page of it can be called.
// requires: libc
// checks: called-functions
// sections: .text AX
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

/* One function a page of 4096 bytes; the assembler fills the rest with no-operation instructions.  */
#define FUNCTION(number)                                                                                               \
    __attribute__((noinline, noclone, aligned(4096))) static unsigned function_##number(unsigned value)                \
    {                                                                                                                  \
        __asm__("" : "+r"(value));                                                                                     \
        return value + 1##number - 1000;                                                                               \
    }
#define TEN(operation, prefix)                                                                                         \
    operation(prefix##0) operation(prefix##1) operation(prefix##2) operation(prefix##3) operation(prefix##4)           \
    operation(prefix##5) operation(prefix##6) operation(prefix##7) operation(prefix##8) operation(prefix##9)
#define HUNDRED(operation, prefix)                                                                                     \
    TEN(operation, prefix##0) TEN(operation, prefix##1) TEN(operation, prefix##2) TEN(operation, prefix##3)            \
    TEN(operation, prefix##4) TEN(operation, prefix##5) TEN(operation, prefix##6) TEN(operation, prefix##7)            \
    TEN(operation, prefix##8) TEN(operation, prefix##9)
#define ALL(operation)                                                                                                 \
    HUNDRED(operation, 0) HUNDRED(operation, 1) HUNDRED(operation, 2) HUNDRED(operation, 3) HUNDRED(operation, 4)      \
    HUNDRED(operation, 5)

ALL(FUNCTION)

#define CALL(number) value = function_##number(value);

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    unsigned value = (unsigned) argc - 1;

    ldlayout_begin(&session, argv, envp, 1);
    ALL(CALL)
    LDLAYOUT_CHECK(&session, "called-functions", "sum of 0 to 599", 599 * 600 / 2, value);
    return ldlayout_end(&session);
}
