// A shared library that is opened at run time is loaded as its program headers say, resolves, is aligned, and unloads.
// requires: libc
// modes: exec pie shared
// companion: dlopen
// checks: library-layout self-dlopen
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "ldlayout.h"

enum { ALIGNMENT = 16384 };

/* What the library tells the program about itself.  */
struct library_report {
    uintptr_t dynamic, loaded_header, aligned;
    uint32_t initialised, zeroed;
    int resolved;            /* what a function of libc returned */
    volatile bool *unloaded; /* set by the library when it goes */
};

#ifdef LDLAYOUT_COMPANION

static volatile uint32_t initialised[100] __attribute__((aligned(ALIGNMENT))) = {0xd10};
static volatile uint32_t zeroed[10000];
static volatile bool *unloaded;

void library_tell(struct library_report *report);

void library_tell(struct library_report *report)
{
    report->dynamic = (uintptr_t) _DYNAMIC;
    report->loaded_header = (uintptr_t) __ehdr_start;
    report->aligned = (uintptr_t) initialised;
    report->initialised = initialised[0];
    report->zeroed = zeroed[9999];
    report->resolved = atoi("1234");
    unloaded = report->unloaded;
}

__attribute__((destructor)) static void going(void)
{
    if (unloaded != NULL)
        *unloaded = true;
}

#else

#include <dlfcn.h>

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    volatile bool unloaded = false;
    struct library_report report = {.unloaded = &unloaded};
    char path[4096];
    void *library;
    void (*tell)(struct library_report *) = NULL;
    unsigned failed_step = 0;

    (void) argc;
    ldlayout_beside(path, sizeof path, argv[0], "libdlopen.so");
    ldlayout_begin(&session, argv, envp, 2);
    library = dlopen(path, RTLD_NOW);
    if (library != NULL)
        *(void **) &tell = dlsym(library, "library_tell");
    if (tell != NULL) {
        tell(&report);
        ldlayout_check_library(&session, "library-layout", path, report.dynamic, report.loaded_header);
    } else {
        LDLAYOUT_CHECK(&session, "library-layout", "the library is not loaded", true, false);
    }

    if (library == NULL)
        failed_step = 1;
    else if (tell == NULL)
        failed_step = 2;
    else if (report.initialised != 0xd10 || report.zeroed != 0 || report.resolved != 1234)
        failed_step = 3;
    else if ((report.aligned & (ALIGNMENT - 1)) != 0)
        failed_step = 4;
    else if (dlclose(library) != 0 || !unloaded)
        failed_step = 5;
    else if (dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL)
        failed_step = 6;
    LDLAYOUT_CHECK(&session, "self-dlopen", "failed step: 1 load, 2 resolve, 3 data, 4 alignment, 5 close, 6 unload", 0,
                   failed_step);
    return ldlayout_end(&session);
}

#endif
