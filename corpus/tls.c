// Initialised and zero thread-local data share one PT_TLS, aligned as asked, and every thread has its own.
// matrix: every-combination
// requires: libc tls
// cflags: -pthread
// ldflags: -pthread
// checks: self-tls
// sections: .tdata AWT, .tbss AWT
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>

#include "ldlayout.h"

enum { THREADS = 3, ALIGNMENT = 256, VALUE = 0x71500 };

static _Thread_local volatile uint32_t initialised __attribute__((aligned(ALIGNMENT))) = VALUE;
static _Thread_local volatile uint32_t small = VALUE + 1;
static _Thread_local volatile uint32_t zeroed[40] __attribute__((aligned(ALIGNMENT)));

/* Counts what is wrong with the thread's own data, then writes to it.  Returns that count in place of a pointer.  */
static void *check_thread(void *number)
{
    uintptr_t wrong = 0;

    wrong += initialised != VALUE;
    wrong += small != VALUE + 1;
    wrong += ((uintptr_t) &initialised & (ALIGNMENT - 1)) != 0;
    wrong += ((uintptr_t) zeroed & (ALIGNMENT - 1)) != 0;
    for (unsigned i = 0; i < sizeof zeroed / sizeof *zeroed; i++) {
        wrong += zeroed[i] != 0;
        zeroed[i] = (uint32_t) (uintptr_t) number;
    }
    initialised = small = 0;
    return (void *) wrong;
}

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    pthread_t threads[THREADS];
    uintptr_t wrong;

    (void) argc;
    ldlayout_begin(&session, argv, envp, 1);
    wrong = (uintptr_t) check_thread((void *) 1);
    for (uintptr_t i = 0; i < THREADS; i++) {
        void *result = (void *) 1;
        if (pthread_create(&threads[i], NULL, check_thread, (void *) (i + 2)) == 0)
            pthread_join(threads[i], &result);
        wrong += (uintptr_t) result;
    }
    wrong += zeroed[0] != 1; /* The other threads wrote to theirs.  */
    LDLAYOUT_CHECK(&session, "self-tls", "wrong values, zeros or alignments", 0, wrong);
    return ldlayout_end(&session);
}
