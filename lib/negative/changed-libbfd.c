// A libbfd that changes its linker: put in the place of the real one, which it needs under another name.
/* SPDX-License-Identifier: GPL-3.0-or-later

   Segments are mapped in libbfd, so a changed linker in a build tree with --enable-shared may differ from the installed one in
   this library alone.  This one makes -z separate-code mean -z noseparate-code.  */
#include <string.h>

static char noseparate_code[] = "noseparate-code";

/* Runs before main; the GNU C library hands it main's ARGC, ARGV and ENVP.  */
static __attribute__((constructor)) void change_options(int argc, char **argv, char **envp)
{
    (void) envp;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "separate-code") == 0)
            argv[i] = noseparate_code;
}
