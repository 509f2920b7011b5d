// Functions of .preinit_array, .init_array and .fini_array each run once, in order.
// matrix: every-combination
// requires: libc
// checks: self-order
// sections: .init_array AW, .fini_array AW
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "ldlayout.h"

/* What ran, one hex digit each, the oldest first.  */
static volatile uint64_t order;

static struct ldlayout_session session;

static void ran(unsigned digit)
{
    order = order << 4 | digit;
}

#if LDLAYOUT_SHARED
/* A shared object may not have .preinit_array.  */
static const uint64_t all = 0x23456789;
#else
static const uint64_t all = 0x123456789;

static void preinit(void)
{
    ran(1);
}
__attribute__((section(".preinit_array"), used)) static void (*preinit_entry)(void) = preinit;
#endif

__attribute__((constructor(102))) static void second_constructor(void)
{
    ran(3);
}

__attribute__((constructor(101))) static void first_constructor(void)
{
    ran(2);
}

__attribute__((constructor)) static void last_constructor(void)
{
    ran(4);
}

static void at_exit(void)
{
    ran(6);
}

__attribute__((destructor)) static void first_destructor(void)
{
    ran(7);
}

__attribute__((destructor(102))) static void second_destructor(void)
{
    ran(8);
}

/* The last of all: it gives the verdict, so that a destructor that does not run leaves the protocol without its end.  */
__attribute__((destructor(101))) static void last_destructor(void)
{
    ran(9);
    LDLAYOUT_CHECK(&session, "self-order", "digits 1 .preinit_array, 2 to 4 .init_array, 5 main, 6 atexit, 7 to 9 .fini_array",
                   all, order);
    _exit(ldlayout_end(&session));
}

int main(int argc, char **argv, char **envp)
{
    (void) argc;
    ldlayout_begin(&session, argv, envp, 1);
    ran(5);
    return atexit(at_exit) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
