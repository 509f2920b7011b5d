// Indirect functions are resolved before main runs, and calls and pointers reach what the resolver chose.
// requires: libc ifunc
// checks: ifunc-call ifunc-pointer
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

static unsigned chosen(unsigned value)
{
    return value + 40;
}

static unsigned refused(unsigned value)
{
    return value;
}

/* Returns the implementation.  Runs before relocations are complete: it may use nothing that needs one.  */
static unsigned (*resolve(void))(unsigned)
{
    return sizeof(int) == 4 ? chosen : refused;
}

static unsigned indirect(unsigned value) __attribute__((ifunc("resolve")));

static unsigned (*volatile pointer)(unsigned) = indirect;

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    ldlayout_begin(&session, argv, envp, 2);
    LDLAYOUT_CHECK(&session, "ifunc-call", "value returned", 42, indirect((unsigned) argc + 1));
    LDLAYOUT_CHECK(&session, "ifunc-pointer", "value returned", 43, pointer((unsigned) argc + 2));
    return ldlayout_end(&session);
}
