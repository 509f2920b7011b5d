// What one rule says about one file.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_BYTES = 400 };

const char *words(struct report *report, const char *format, ...)
{
    if (report->count >= FINDINGS_LIMIT) {
        return "";
    }
    char bytes[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(bytes, sizeof bytes, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 1 : (size_t)length < sizeof bytes ? (size_t)length + 1 : sizeof bytes;
    bytes[size - 1] = 0;
    return memcpy(arena_allocate(report->arena, size), bytes, size);
}

void report_finding(struct report *report, uint64_t from, uint64_t to, const char *what, const char *expected,
                    const char *actual)
{
    if (report->count < FINDINGS_LIMIT) {
        report->findings[report->count] = (struct finding){what, expected, actual, from, to};
    }
    report->count++;
}

void report_not_applicable(struct report *report, const char *reason)
{
    report->not_applicable = reason;
}

void report_cannot(struct report *report, const char *reason)
{
    report->cannot = reason;
}

const char *load_words(struct report *report, const struct segment *load)
{
    return words(report, "LOAD %zu (%s, p_vaddr 0x%" PRIx64 ")", load->load, segment_flags(load->flags), load->vaddr);
}

const char *range_words(struct report *report, uint64_t from, uint64_t to)
{
    return words(report, "0x%" PRIx64 " to 0x%" PRIx64, from, to);
}

const char *hex_words(struct report *report, uint64_t number)
{
    return words(report, "0x%" PRIx64, number);
}

const char *sequence_words(struct report *report, const struct elf_file *file)
{
    enum { SHOWN = 16 };
    char bytes[WORDS_BYTES] = "none";
    size_t length = 0;
    for (size_t i = 0; i < file->map_count && i < SHOWN; i++) {
        length += (size_t)snprintf(bytes + length, sizeof bytes - length, "%s%s", i > 0 ? ", " : "",
                                   segment_flags(file->maps[i]->flags));
    }
    return words(report, "%s%s", bytes, file->map_count > SHOWN ? ", ..." : "");
}
