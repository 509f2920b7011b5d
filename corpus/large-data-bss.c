// Megabytes of initialised and of zero data share the writable segment, and both are right.
// requires: libc
// checks: initialised-data zeroed-bss written-data
// sections: .data AW, .bss AW
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

#define FOUR(text) text text text text
#define KIBIBYTE FOUR(FOUR(FOUR(FOUR(FOUR("!")))))
#define MEBIBYTE FOUR(FOUR(FOUR(FOUR(FOUR(KIBIBYTE)))))

enum { STEP = 512 };
static char initialised[] = MEBIBYTE MEBIBYTE;
static char zeroed[3 << 20];

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    volatile char *data = initialised;
    volatile char *zero = zeroed;
    unsigned wrong = 0;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 3);
    for (size_t i = 0; i < sizeof initialised - 1; i += STEP)
        wrong += data[i] != '!';
    LDLAYOUT_CHECK(&session, "initialised-data", "wrong bytes", 0, wrong);
    wrong = 0;
    for (size_t i = 0; i < sizeof zeroed; i += STEP)
        wrong += zero[i] != 0;
    LDLAYOUT_CHECK(&session, "zeroed-bss", "bytes that are not zero", 0, wrong);

    /* Whoever maps a page twice would see one write through the other.  */
    wrong = 0;
    for (size_t i = 0; i < sizeof zeroed; i += STEP)
        zero[i] = 'z';
    for (size_t i = 0; i < sizeof initialised - 1; i += STEP)
        wrong += data[i] != '!';
    LDLAYOUT_CHECK(&session, "written-data", "initialised bytes changed by writes to zero data", 0, wrong);
    return ldlayout_end(&session);
}
