// An ordinary libc program is loaded where and as its program headers say, and runs.
// matrix: every-combination
// requires: libc
// checks: formatted-output
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "ldlayout.h"

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;
    char text[32];

    ldlayout_begin(&session, argv, envp, 1);
    snprintf(text, sizeof text, "hello, %d world", argc);
    LDLAYOUT_CHECK(&session, "formatted-output", "libc wrote another text", 0, strcmp(text, "hello, 1 world"));
    return ldlayout_end(&session);
}
