/* What the files of the self checks share and a corpus program does not see.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifndef LDLAYOUT_SELF_H
#define LDLAYOUT_SELF_H

#include <sys/syscall.h>

#include "ldlayout.h"

#pragma GCC visibility push(hidden)

/* A line under construction; what does not fit is cut off.  */
struct self_line {
    unsigned length;
    char text[480];
};

enum self_result { SELF_OK, SELF_NOT_OK, SELF_SKIP };

/* Append a string, a number in hex with 0x, a number in decimal.  */
void self_string(struct self_line *line, const char *string);
void self_hex(struct self_line *line, uint64_t value);
void self_decimal(struct self_line *line, unsigned value);

/* Appends ` (expected E, actual A)` in hex.  */
void self_expected(struct self_line *line, uint64_t expected, uint64_t actual);

/* Appends `program header INDEX, p_vaddr V`.  */
void self_segment(struct self_line *line, const struct ldlayout_module *module, unsigned index);

/* Begins the line REASON with WHAT and the two values and returns SELF_NOT_OK.  */
enum self_result self_differ(struct self_line *reason, const char *what, uint64_t expected, uint64_t actual);

/* Prints one check's line.  REASON is read unless RESULT is SELF_OK.  */
void self_report(struct ldlayout_session *session, const char *name, enum self_result result,
                 const struct self_line *reason);

/* Ends the process with status 1: the system call WHAT returned -errno (VALUE), or a limit was met.  */
void self_accident(const char *what, long value) __attribute__((noreturn));

/* Returns RESULT, or ends in self_accident if it is -errno of the system call WHAT.  */
long self_must(const char *what, long result);

/* Returns the address of SIZE new zeroed bytes, shared with forked processes.  */
void *self_allocate(size_t size);

/* Maps the file at PATH and fills in MODULE.  DYNAMIC: the address of the module's _DYNAMIC, or 0 if it is not moved.  */
void self_open(struct ldlayout_module *module, const char *path, uintptr_t dynamic, uintptr_t loaded_header,
               bool main_program);

/* Returns the value of the auxiliary vector's entry TYPE, or MISSING.  */
uintptr_t self_auxiliary(const struct ldlayout_session *session, unsigned long type, uintptr_t missing);

/* Returns whether MODULE has a program header of TYPE (PT_*), and its index in *INDEX unless that is null.  */
bool self_find_segment(const struct ldlayout_module *module, unsigned type, unsigned *index);

/* The checks.  Each returns its verdict and, unless that is SELF_OK, begins and fills REASON.  */
enum self_result self_headers(const struct ldlayout_session *session, const struct ldlayout_module *module,
                              struct self_line *reason);
enum self_result self_bias(const struct ldlayout_session *session, const struct ldlayout_module *module,
                           struct self_line *reason);
enum self_result self_content(const struct ldlayout_session *session, const struct ldlayout_module *module,
                              struct self_line *reason);
enum self_result self_permissions(const struct ldlayout_session *session, const struct ldlayout_module *module,
                                  struct self_line *reason);

#pragma GCC visibility pop

/* A system call with up to six arguments; returns the result or -errno.  */
#define SELF_CALL(name, a, b, c, d, e, f)                                                                              \
    target_system_call(SYS_##name, (long) (a), (long) (b), (long) (c), (long) (d), (long) (e), (long) (f))

#endif
