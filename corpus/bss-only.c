// Writable data that is all zero takes no file bytes, is zero in memory, and can be written.
// source: start.c
// cflags: -ffreestanding -DLDLAYOUT_NO_DATA
// ldflags: -nostdlib -nostartfiles
// checks: zeroed-bss written-bss
// sections: .text AX, .bss AW, -.data
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

enum { COUNT = 6000 };
static volatile uint32_t zeroed[COUNT];

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    uint32_t sum = 0;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 2);
    for (unsigned i = 0; i < COUNT; i++)
        sum |= zeroed[i];
    LDLAYOUT_CHECK(&session, "zeroed-bss", "zero data is not zero", 0, sum);
    for (unsigned i = 0; i < COUNT; i++)
        zeroed[i] = i;
    for (unsigned i = 0; i < COUNT; i++)
        sum += zeroed[i] != i;
    LDLAYOUT_CHECK(&session, "written-bss", "words that do not keep what was written", 0, sum);
    return ldlayout_end(&session);
}
