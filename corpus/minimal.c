// A program with its own entry point and no libc is loaded as its program headers say.
// source: start.c
// cflags: -ffreestanding
// ldflags: -nostdlib -nostartfiles
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 0);
    return ldlayout_end(&session);
}
