/* Runs a corpus program that was linked as a shared object: loads it, calls its main, returns main's status.
   A second file, if named, is what the program takes for its own: so its checks are seen to fail on a damaged copy.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
    const char *problem = NULL;
    int (*program)(int, char **, char **) = NULL;
    int status = 1;

    if (argc < 2 || strchr(argv[1], '/') == NULL) {
        problem = "usage: launcher /path/to/program.so [file to compare it with]";
    } else {
        void *library = dlopen(argv[1], RTLD_LAZY);
        if (library == NULL)
            problem = dlerror();
        else if (*(void **) &program = dlsym(library, "main"), program == NULL)
            problem = dlerror();
    }
    if (problem == NULL)
        status = program(1, argv + argc - 1, envp);
    else
        fprintf(stderr, "launcher: %s\n", problem);
    return status;
}
