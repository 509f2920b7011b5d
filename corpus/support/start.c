/* The process entry of programs without libc: calls main with what the kernel or ld.so left on the stack, and exits.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "self.h"

int main(int argc, char **argv, char **envp);

/* Takes the initial stack pointer: argc, then argv and envp, each ended by a null pointer.  */
__attribute__((visibility("hidden"), noreturn)) void ldlayout_start(uintptr_t *stack);

void ldlayout_start(uintptr_t *stack)
{
    int argc = (int) stack[0];
    char **argv = (char **) (stack + 1);
    int status = main(argc, argv, argv + argc + 1);
    for (;;)
        SELF_CALL(exit_group, status, 0, 0, 0, 0, 0);
}

__asm__(TARGET_START("ldlayout_start"));
