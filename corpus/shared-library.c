// A program and its shared library see each other's data and functions, each object at one address, copied ones included.
// requires: libc
// modes: exec pie shared
// companion: linked
// ldflags: -rdynamic
// checks: library-layout function-calls copy-relocation read-only-copy
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

/* Defined by the library.  In mode exec the linker may copy its data into the program.  */
extern int library_data[4];
extern const int library_constant[4];
int *library_data_address(void);
const int *library_constant_address(void);
void library_locate(uintptr_t *dynamic, uintptr_t *loaded_header);
int library_calls_program(int value);

/* Defined by the program.  */
extern int program_data;
int program_function(int value);

#ifdef LDLAYOUT_COMPANION

int library_data[4] = {1, 2, 3, 4};
const int library_constant[4] = {5, 6, 7, 8};

int *library_data_address(void)
{
    return library_data;
}

const int *library_constant_address(void)
{
    return library_constant;
}

void library_locate(uintptr_t *dynamic, uintptr_t *loaded_header)
{
    *dynamic = (uintptr_t) _DYNAMIC;
    *loaded_header = (uintptr_t) __ehdr_start;
}

int library_calls_program(int value)
{
    library_data[0] += program_data;
    return program_function(value) + 1;
}

#else

int program_data = 10;

int program_function(int value)
{
    return value * 2;
}

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    const volatile int *data = library_data;
    const volatile int *constant = library_constant;
    uintptr_t dynamic, loaded_header;
    char path[4096];

    ldlayout_beside(path, sizeof path, argv[0], "libshared-library.so");
    ldlayout_begin(&session, argv, envp, 4);
    library_locate(&dynamic, &loaded_header);
    ldlayout_check_library(&session, "library-layout", path, dynamic, loaded_header);
    LDLAYOUT_CHECK(&session, "function-calls", "value returned by the library that calls the program", 2 * argc + 1,
                   library_calls_program(argc));
    LDLAYOUT_CHECK(&session, "copy-relocation", "address of the library's data, 0 if its values are wrong",
                   (uintptr_t) library_data_address(),
                   data[0] == 11 && data[1] == 2 && data[2] == 3 && data[3] == 4 ? (uintptr_t) data : 0);
    LDLAYOUT_CHECK(&session, "read-only-copy", "address of the library's constant, 0 if its values are wrong",
                   (uintptr_t) library_constant_address(),
                   constant[0] == 5 && constant[3] == 8 ? (uintptr_t) constant : 0);
    return ldlayout_end(&session);
}

#endif
