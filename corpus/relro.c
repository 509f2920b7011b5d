// What is relocated and then constant is read-only when the program runs, while lazy binding still writes to the PLT's table.
// matrix: every-combination
// requires: libc
// ldflags: -Wl,-z,relro -Wl,-z,lazy
// checks: relocated-pointers relro-object lazy-call
// sections: .data.rel.ro AW, .data AW
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "ldlayout.h"

static volatile int target = 7;

/* More than two pages of 4096 bytes on every target, so that at least one page lies inside whatever the ends' rounding.  The
   section is named because without relocations, in mode exec, it would be .rodata.  */
enum { COUNT = 2600, PAGE = 4096 };
static volatile int *const pointers[COUNT] __attribute__((section(".data.rel.ro.pointers"))) = {
    [0] = &target, [COUNT / 2] = &target, [COUNT - 1] = &target};

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    volatile int *const volatile *entry = pointers;

    ldlayout_begin(&session, argv, envp, 3);
    LDLAYOUT_CHECK(&session, "relocated-pointers", "sum through three pointers", 21,
                   *entry[0] + *entry[COUNT / 2] + *entry[COUNT - 1]);
    LDLAYOUT_CHECK(&session, "relro-object", "the middle of a relocated constant can be written", false,
                   ldlayout_writable((uintptr_t) &entry[COUNT / 2]));
    LDLAYOUT_CHECK(&session, "lazy-call", "abs(-5) through the PLT", 5, abs(-4 - argc));
    return ldlayout_end(&session);
}
