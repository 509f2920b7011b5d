/* The protocol: the plan, one line a check, the end, and the exit status, each line by one write(2).
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "self.h"

void self_string(struct self_line *line, const char *string)
{
    while (*string != '\0' && line->length < sizeof line->text - 1)
        line->text[line->length++] = *string++;
}

/* Appends the hex digits of VALUE to LINE, from the one at bit SHIFT down.  */
static void append_digits(struct self_line *line, uint64_t value, unsigned shift)
{
    char digit[2] = {0, 0};
    for (;; shift -= 4) {
        unsigned nibble = (unsigned) (value >> shift) & 15;
        digit[0] = (char) (nibble < 10 ? '0' + nibble : 'a' + nibble - 10);
        self_string(line, digit);
        if (shift == 0)
            return;
    }
}

void self_hex(struct self_line *line, uint64_t value)
{
    unsigned shift = 60;
    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    self_string(line, LDLAYOUT_STRING("0x"));
    append_digits(line, value, shift);
}

void self_decimal(struct self_line *line, unsigned value)
{
    char digit[2] = {(char) ('0' + value % 10), 0};
    if (value >= 10)
        self_decimal(line, value / 10);
    self_string(line, digit);
}

void self_expected(struct self_line *line, uint64_t expected, uint64_t actual)
{
    self_string(line, LDLAYOUT_STRING(" (expected "));
    self_hex(line, expected);
    self_string(line, LDLAYOUT_STRING(", actual "));
    self_hex(line, actual);
    self_string(line, LDLAYOUT_STRING(")"));
}

void self_segment(struct self_line *line, const struct ldlayout_module *module, unsigned index)
{
    self_string(line, LDLAYOUT_STRING("program header "));
    self_decimal(line, index);
    self_string(line, LDLAYOUT_STRING(", p_vaddr "));
    self_hex(line, module->segments[index].p_vaddr);
}

enum self_result self_differ(struct self_line *reason, const char *what, uint64_t expected, uint64_t actual)
{
    reason->length = 0;
    self_string(reason, what);
    self_expected(reason, expected, actual);
    return SELF_NOT_OK;
}

/* Ends LINE and writes it.  */
static void write_line(struct self_line *line)
{
    unsigned written = 0;
    line->text[line->length++] = '\n';
    while (written < line->length) {
        long result = SELF_CALL(write, 1, line->text + written, line->length - written, 0, 0, 0);
        if (result <= 0)
            break; /* The reader is gone; it sees the missing lines.  */
        written += (unsigned) result;
    }
}

void self_accident(const char *what, long value)
{
    struct self_line line;
    line.length = 0;
    self_string(&line, LDLAYOUT_STRING("accident: "));
    self_string(&line, what);
    self_string(&line, LDLAYOUT_STRING(", error "));
    self_decimal(&line, (unsigned) (value < 0 ? -value : value));
    write_line(&line);
    for (;;)
        SELF_CALL(exit_group, 1, 0, 0, 0, 0, 0);
}

long self_must(const char *what, long result)
{
    if ((unsigned long) result >= (unsigned long) -4095)
        self_accident(what, result);
    return result;
}

void self_report(struct ldlayout_session *session, const char *name, enum self_result result,
                 const struct self_line *reason)
{
    struct self_line line;
    line.length = 0;
    if (result == SELF_NOT_OK) {
        session->failed++;
        self_string(&line, LDLAYOUT_STRING("not "));
    }
    self_string(&line, result == SELF_SKIP ? LDLAYOUT_STRING("skip ") : LDLAYOUT_STRING("ok "));
    self_decimal(&line, ++session->printed);
    self_string(&line, LDLAYOUT_STRING(" "));
    self_string(&line, name);
    if (result != SELF_OK) {
        self_string(&line, LDLAYOUT_STRING(" - "));
        for (unsigned i = 0; i < reason->length && line.length < sizeof line.text - 1; i++)
            line.text[line.length++] = reason->text[i];
    }
    write_line(&line);
}

void ldlayout_check(struct ldlayout_session *session, const char *name, const char *reason, uint64_t expected,
                    uint64_t actual)
{
    struct self_line line;
    self_differ(&line, reason, expected, actual);
    self_report(session, name, expected == actual ? SELF_OK : SELF_NOT_OK, &line);
}

void ldlayout_skip(struct ldlayout_session *session, const char *name, const char *reason)
{
    struct self_line line;
    line.length = 0;
    self_string(&line, reason);
    self_report(session, name, SELF_SKIP, &line);
}

void ldlayout_check_library(struct ldlayout_session *session, const char *name, const char *path, uintptr_t dynamic,
                            uintptr_t loaded_header)
{
    struct ldlayout_module module;
    struct self_line reason;
    self_open(&module, path, dynamic, loaded_header, false);
    enum self_result result = self_headers(session, &module, &reason);
    if (result == SELF_OK)
        result = self_bias(session, &module, &reason);
    if (result == SELF_OK)
        result = self_content(session, &module, &reason);
    if (result == SELF_OK)
        result = self_permissions(session, &module, &reason);
    self_report(session, name, result, &reason);
}

void ldlayout_begin(struct ldlayout_session *session, char **argv, char **envp, unsigned extra_checks)
{
    struct self_line line;
    enum self_result result;
    uintptr_t dynamic = 0;
    const char *path = LDLAYOUT_SHARED ? argv[0] : LDLAYOUT_STRING("/proc/self/exe");

#ifdef __PIC__
    dynamic = (uintptr_t) _DYNAMIC;
#endif
    while (*envp != NULL)
        envp++;
    session->auxiliary = (const ElfW(auxv_t) *) (envp + 1);
    session->page_size = self_auxiliary(session, AT_PAGESZ, 4096);
    session->planned = 4 + extra_checks;
    session->printed = session->failed = 0;
    line.length = 0;
    self_string(&line, LDLAYOUT_STRING("1.."));
    self_decimal(&line, session->planned);
    write_line(&line);

    self_open(&session->module, path, dynamic, (uintptr_t) __ehdr_start, !LDLAYOUT_SHARED);
    result = self_headers(session, &session->module, &line);
    self_report(session, LDLAYOUT_STRING("self-headers"), result, &line);
    result = self_bias(session, &session->module, &line);
    session->alignment_kept = result != SELF_SKIP;
    self_report(session, LDLAYOUT_STRING("self-bias"), result, &line);
    result = self_content(session, &session->module, &line);
    self_report(session, LDLAYOUT_STRING("self-content"), result, &line);
    result = self_permissions(session, &session->module, &line);
    self_report(session, LDLAYOUT_STRING("self-permissions"), result, &line);
}

int ldlayout_end(const struct ldlayout_session *session)
{
    struct self_line line;
    line.length = 0;
    self_string(&line, LDLAYOUT_STRING("end "));
    self_decimal(&line, session->printed);
    write_line(&line);
    return session->failed == 0 ? 42 : 43;
}
