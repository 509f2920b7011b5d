// Data aligned to 64K, initialised, zero and read-only, is so aligned in memory, whatever max-page-size is.
// requires: libc
// checks: alignment over-aligned-data
// sections: .data AW, .bss AW, .rodata A
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

enum { ALIGNMENT = 65536 };

static volatile uint32_t initialised __attribute__((aligned(ALIGNMENT))) = 0xda7a;
static volatile uint32_t zeroed __attribute__((aligned(ALIGNMENT)));
static const volatile uint32_t constant __attribute__((aligned(ALIGNMENT))) = 0xc057;

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    /* A value: the compiler knows how the objects are aligned and would not look.  */
    volatile uintptr_t addresses[] = {(uintptr_t) &initialised, (uintptr_t) &zeroed, (uintptr_t) &constant};
    uintptr_t low = addresses[0] | addresses[1] | addresses[2];

    (void) argc;
    ldlayout_begin(&session, argv, envp, 2);
    if (session.alignment_kept)
        LDLAYOUT_CHECK(&session, "alignment", "address bits below the alignment", 0, low & (ALIGNMENT - 1));
    else
        ldlayout_skip(&session, "alignment", "the kernel does not align a static PIE");
    LDLAYOUT_CHECK(&session, "over-aligned-data", "sum of the values", 0xda7a + 0xc057, initialised + zeroed + constant);
    return ldlayout_end(&session);
}
