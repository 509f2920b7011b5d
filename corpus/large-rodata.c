// More than two megabytes of read-only data are mapped whole.
// requires: libc
// checks: read-only-data
// sections: .rodata A
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

/* 2304 KiB: 9 times 4 to the ninth.  */
#define FOUR(text) text text text text
#define KIBIBYTE FOUR(FOUR(FOUR(FOUR(FOUR("?")))))
#define QUARTER_MEBIBYTE FOUR(FOUR(FOUR(FOUR(KIBIBYTE))))

static const char text[] = QUARTER_MEBIBYTE QUARTER_MEBIBYTE QUARTER_MEBIBYTE QUARTER_MEBIBYTE QUARTER_MEBIBYTE
    QUARTER_MEBIBYTE QUARTER_MEBIBYTE QUARTER_MEBIBYTE QUARTER_MEBIBYTE;

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    const volatile char *byte = text;
    unsigned wrong = 0;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 1);
    for (size_t i = 0; i < sizeof text - 1; i += 512)
        wrong += byte[i] != '?';
    LDLAYOUT_CHECK(&session, "read-only-data", "wrong bytes", 0, wrong);
    return ldlayout_end(&session);
}
