/* The interface between a corpus program and its self checks, and the conventions by which both are built.
   SPDX-License-Identifier: GPL-3.0-or-later

   Head of a program.  Line 1: `// ` and one sentence, what must hold.  From line 2: `// key: value`, each key at most once:
   modes (default all five), matrix (every-combination: a base program, run whole by MATRIX=core; default: pairs of values),
   requires (words of lib/effective-target.exp), source, cflags, ldflags, companion (linked, dlopen), checks (beyond the
   standard ones), sections (`NAME FLAGS` must be in the output with exactly these flags of W A X T, `-NAME` must be absent
   or empty; separated by commas: without them the program would not test what it says), timeout (seconds).

   Sources.  A program is corpus/<name>.c and every corpus/support/self-*.c; the key `source` adds files of
   corpus/support by name (`source: start.c` for programs without libc).  All of them see the program's cflags.
   Compile.  -std=gnu11 -O1 -g0 -Wall -Wextra -Werror -fno-stack-protector -I corpus/support
   -I corpus/support/<target>, then -fno-pie (exec, static), -fPIE (pie, static-pie) or -fPIC (shared), then cflags.
   Link.  -no-pie, -pie, -static -no-pie, -static-pie or -shared, then the layout options, then ldflags.
   Companion.  corpus/<name>.c alone, with -fPIC -DLDLAYOUT_COMPANION, linked -shared -Wl,-soname,lib<name>.so with the
   layout options into lib<name>.so beside the program: no support file, no ldflags.  `linked`: the program is linked with
   that file and -Wl,-rpath,$ORIGIN.  `dlopen`: the program opens it.
   Mode shared.  The output is run by corpus/support/launcher.c, an ordinary PIE: launcher
   /path/to/output.so.  Its argv[0] is that path.

   A program without libc says -ffreestanding (seen as __STDC_HOSTED__) and -nostdlib -nostartfiles.  Macros for cflags:
   LDLAYOUT_NO_RODATA  the support has no read-only data: its strings lie in .data;
   LDLAYOUT_CODE_ONLY  nor any data: they lie in .text;
   LDLAYOUT_NO_DATA    the support has neither .data nor .bss.

   Protocol, whole lines by write(2) on standard output: 1..N, then N lines `ok K name`, `not ok K name - reason
   (expected A, actual B)` or `skip K name - reason`, then `end N`.  Every program prints self-headers, self-bias,
   self-content and self-permissions, then the names of its key `checks`, in that order.  Exit status: 42 all ok, 43 a check
   is not ok, 1 the environment failed before a verdict (the line `accident: ...` says how); others are accidents too.  */
#ifndef LDLAYOUT_H
#define LDLAYOUT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target.h"

/* Mode shared: compiled -fPIC, neither -fPIE nor -fno-pie.  */
#if defined __PIC__ && !defined __PIE__
#define LDLAYOUT_SHARED 1
#else
#define LDLAYOUT_SHARED 0
#endif

/* Where string literals lie.  The section name that ends in a comment hides the flags that GCC writes after it.  */
#if defined LDLAYOUT_CODE_ONLY
#define LDLAYOUT_STRING_PLACE const __attribute__((section(".text.strings,\"ax\",%progbits " TARGET_ASSEMBLER_COMMENT)))
#elif defined LDLAYOUT_NO_RODATA
#define LDLAYOUT_STRING_PLACE __attribute__((section(".data")))
#else
#define LDLAYOUT_STRING_PLACE const
#endif

/* Takes a string literal and returns a pointer to it, in the place that the program's cflags ask for.  */
#define LDLAYOUT_STRING(literal)                                                                                       \
    __extension__({                                                                                                    \
        static LDLAYOUT_STRING_PLACE char ldlayout_string[] = literal;                                                 \
        (const char *) ldlayout_string;                                                                                \
    })

#pragma GCC visibility push(hidden)

/* Linker-defined: the ELF header and the dynamic section (PIE and shared objects only) of the module that names them.  */
extern const char __ehdr_start[];
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden"))); /* <link.h> says default */

/* A loaded ELF file: FILE its FILE_SIZE bytes, mapped; HEADER and SEGMENTS (its e_phnum program headers) in there; BIAS what
   to add to a p_vaddr; LOADED_HEADER where the module sees its own __ehdr_start; MAIN_PROGRAM false for a library.  */
struct ldlayout_module {
    const unsigned char *file;
    size_t file_size;
    const ElfW(Ehdr) *header;
    const ElfW(Phdr) *segments;
    uintptr_t bias;
    uintptr_t loaded_header;
    bool main_program;
};

/* One run: the counts behind the protocol's lines, the auxiliary vector, AT_PAGESZ, and the program's own module.
   ALIGNMENT_KEPT is false where the kernel does not align a static PIE, so that self-bias was skipped.  */
struct ldlayout_session {
    unsigned planned, printed, failed;
    bool alignment_kept;
    uintptr_t page_size;
    const ElfW(auxv_t) *auxiliary;
    struct ldlayout_module module;
};

/* Takes main's ARGV and ENVP, unchanged, and the number of EXTRA_CHECKS that the program itself will print; prints the plan
   and the four standard checks.  To be called before the program writes to its data.  */
void ldlayout_begin(struct ldlayout_session *session, char **argv, char **envp, unsigned extra_checks);

/* Prints the check NAME: ok if ACTUAL is EXPECTED, else not ok with the REASON and both values.  */
void ldlayout_check(struct ldlayout_session *session, const char *name, const char *reason, uint64_t expected,
                    uint64_t actual);

/* ldlayout_check for literals.  */
#define LDLAYOUT_CHECK(session, name, reason, expected, actual)                                                        \
    ldlayout_check(session, LDLAYOUT_STRING(name), LDLAYOUT_STRING(reason), (uint64_t) (expected), (uint64_t) (actual))

/* Prints the check NAME as one that the environment cannot answer, with the REASON.  */
void ldlayout_skip(struct ldlayout_session *session, const char *name, const char *reason);

/* Prints as one check NAME whether the bias, the content and the permissions of a loaded library are what its file says.
   PATH: its file.  DYNAMIC, LOADED_HEADER: the addresses of its own _DYNAMIC and __ehdr_start.  */
void ldlayout_check_library(struct ldlayout_session *session, const char *name, const char *path, uintptr_t dynamic,
                            uintptr_t loaded_header);

/* Writes to PATH, SIZE bytes, the path of the file NAME that lies beside the PROGRAM, argv[0].  */
void ldlayout_beside(char *path, size_t size, const char *program, const char *name);

/* Returns whether a byte at ADDRESS can be written, tried in a forked process.  */
bool ldlayout_writable(uintptr_t address);

/* Prints the protocol's last line and returns main's status, 42 or 43.  */
int ldlayout_end(const struct ldlayout_session *session);

#pragma GCC visibility pop

#endif
