// Sections that no linker script names are placed by their flags: read-only, executable and writable.
// requires: libc
// checks: readonly-orphan code-orphan writable-orphan
// sections: .readonly_orphan A, .code_orphan AX, .writable_orphan AW
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ldlayout.h"

__attribute__((section(".readonly_orphan"))) static const volatile uint32_t constant = 0x0c0;
__attribute__((section(".writable_orphan"))) static volatile uint32_t variable = 0x7a5;

__attribute__((section(".code_orphan"), noinline, noclone)) static uint32_t function(uint32_t value)
{
    __asm__("" : "+r"(value));
    return value + 0xf00;
}

int main(int argc, char **argv, char **envp)
{
    struct ldlayout_session session;

    ldlayout_begin(&session, argv, envp, 3);
    LDLAYOUT_CHECK(&session, "readonly-orphan", "value", 0x0c0, constant);
    LDLAYOUT_CHECK(&session, "code-orphan", "value returned", 0xf01, function((uint32_t) argc));
    variable += 1;
    LDLAYOUT_CHECK(&session, "writable-orphan", "value after adding 1", 0x7a6, variable);
    return ldlayout_end(&session);
}
