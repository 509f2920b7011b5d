// A program of code alone, without read-only or writable data, is loaded as its program headers say.
// source: start.c
// cflags: -ffreestanding -DLDLAYOUT_CODE_ONLY -DLDLAYOUT_NO_DATA -fno-jump-tables -fno-asynchronous-unwind-tables -fno-unwind-tables
// ldflags: -nostdlib -nostartfiles
// sections: .text AX, -.rodata, -.eh_frame, -.data, -.bss
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 0);
    return ldlayout_end(&session);
}
