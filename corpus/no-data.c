// Code and read-only data without writable data are loaded as the program headers say.
// source: start.c
// cflags: -ffreestanding -DLDLAYOUT_NO_DATA
// ldflags: -nostdlib -nostartfiles
// checks: read-only-data
// sections: .text AX, .rodata A, -.data, -.bss
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

static const volatile uint32_t constants[] = {0x1111, 0x2222, 0x3333};

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 1);
    LDLAYOUT_CHECK(&session, "read-only-data", "sum of the constants", 0x6666,
                   constants[0] + constants[1] + constants[2]);
    return ldlayout_end(&session);
}
