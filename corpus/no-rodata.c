// With code and data but nothing read-only after the code, no segment is invented for it and what lies there still runs.
// matrix: every-combination
// source: start.c
// cflags: -ffreestanding -DLDLAYOUT_NO_RODATA -fno-jump-tables -fno-asynchronous-unwind-tables -fno-unwind-tables
// ldflags: -nostdlib -nostartfiles
// checks: initialised-data zeroed-bss
// sections: .text AX, .data AW, .bss AW, -.rodata, -.eh_frame, -.eh_frame_hdr
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

static volatile uint32_t initialised = 0x600dda7a;
static volatile uint32_t zeroed;

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 2);
    LDLAYOUT_CHECK(&session, "initialised-data", "initialised data is wrong", 0x600dda7a, initialised);
    LDLAYOUT_CHECK(&session, "zeroed-bss", "zero data is not zero", 0, zeroed);
    return ldlayout_end(&session);
}
