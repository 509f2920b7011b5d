// Reads requests from bytes that nobody has vouched for; touches nothing but memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "request.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where reading stands, and why it stopped.
struct cursor {
    const char *at;
    const char *end;
    size_t argument; // the argument being read, from 1; 0 before the first
    enum request_status status;
    char *reason; // REQUEST_REASON_BYTES long
};

static bool incomplete(struct cursor *cursor)
{
    cursor->status = REQUEST_INCOMPLETE;
    return false;
}

// Takes a printf format without newline and its arguments.
__attribute__((format(printf, 2, 3))) static bool malformed(struct cursor *cursor, const char *format, ...)
{
    int used = 0;
    if (cursor->argument > 0) {
        used = snprintf(cursor->reason, REQUEST_REASON_BYTES, "argument %zu: ", cursor->argument);
    }
    va_list values;
    va_start(values, format);
    vsnprintf(cursor->reason + used, REQUEST_REASON_BYTES - (size_t)used, format, values);
    va_end(values);
    cursor->status = REQUEST_MALFORMED;
    return false;
}

// Takes the word if it is next; a wrong byte is reported at once, not after the bytes that would follow it.
static bool take_word(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    size_t there = (size_t)(cursor->end - cursor->at);
    if (memcmp(cursor->at, word, there < length ? there : length) != 0) {
        return malformed(cursor, "expected '%.*s' and a space", (int)length - 1, word);
    }
    if (there < length) {
        return incomplete(cursor);
    }
    cursor->at += length;
    return true;
}

// Takes a decimal number from least to most (at least 9) and the terminator (' ' or '\n') after it.
static bool take_number(struct cursor *cursor, const char *what, size_t least, size_t most, char terminator,
                        size_t *number)
{
    const char *digit = cursor->at;
    size_t value = 0;
    bool fits = true;
    while (fits && digit < cursor->end && *digit >= '0' && *digit <= '9') {
        size_t unit = (size_t)(*digit++ - '0');
        fits = value <= (most - unit) / 10;
        value = value * 10 + unit;
    }
    if (fits && digit == cursor->end) {
        return incomplete(cursor);
    }
    if (!fits || digit == cursor->at || *digit != terminator || value < least) {
        return malformed(cursor, "%s: expected a decimal number from %zu to %zu and a %s", what, least, most,
                         terminator == ' ' ? "space" : "newline");
    }
    cursor->at = digit + 1;
    *number = value;
    return true;
}

// Takes length bytes and the newline after them; copies them to *arena with a NUL, which moves on.
static bool take_text(struct cursor *cursor, const char *what, size_t length, char **arena, char **text)
{
    size_t there = (size_t)(cursor->end - cursor->at);
    if (memchr(cursor->at, 0, there < length ? there : length) != NULL) {
        return malformed(cursor, "%s has a NUL byte, which no program can be given", what);
    }
    if (there <= length) {
        return incomplete(cursor);
    }
    if (cursor->at[length] != '\n') {
        return malformed(cursor, "no newline after the %zu bytes of %s; count bytes, not characters", length, what);
    }
    *text = *arena;
    memcpy(*arena, cursor->at, length);
    (*arena)[length] = 0;
    *arena += length + 1;
    cursor->at += length + 1;
    return true;
}

static bool take_user(struct cursor *cursor, bool *nobody)
{
    *nobody = cursor->at < cursor->end && *cursor->at == 'n';
    if (cursor->at < cursor->end && *cursor->at != 'n' && *cursor->at != 'k') {
        return malformed(cursor, "user: expected 'keep' or 'nobody' and a space");
    }
    return take_word(cursor, *nobody ? "nobody " : "keep ");
}

static bool take_request(struct cursor *cursor, struct request *request)
{
    size_t timeout = 0;
    size_t directory_length = 0;
    if (!take_word(cursor, "run ") || !take_number(cursor, "timeout in milliseconds", 1, INT_MAX, ' ', &timeout) ||
        !take_user(cursor, &request->nobody) ||
        !take_number(cursor, "output limit in bytes", 0, REQUEST_OUTPUT_MAX, ' ', &request->output_limit) ||
        !take_number(cursor, "directory length in bytes", 0, REQUEST_BYTES_MAX, ' ', &directory_length) ||
        !take_number(cursor, "argument count", 1, REQUEST_ARGUMENTS_MAX, '\n', &request->argument_count)) {
        return false;
    }
    request->timeout_ms = (int)timeout;

    // Pointers and texts share one block; each text is followed by a newline here and by a NUL there.
    size_t pointers = (request->argument_count + 1) * sizeof(char *);
    request->arguments = malloc(pointers + (size_t)(cursor->end - cursor->at));
    if (request->arguments == NULL) {
        return malformed(cursor, "no memory for %zu arguments", request->argument_count);
    }
    char *arena = (char *)request->arguments + pointers;
    if (!take_text(cursor, "the directory", directory_length, &arena, &request->directory)) {
        return false;
    }
    for (size_t i = 0; i < request->argument_count; i++) {
        size_t length = 0;
        cursor->argument = i + 1;
        if (!take_number(cursor, "length in bytes", 0, REQUEST_BYTES_MAX, '\n', &length) ||
            !take_text(cursor, "its text", length, &arena, &request->arguments[i])) {
            return false;
        }
    }
    request->arguments[request->argument_count] = NULL;
    return true;
}

enum request_status request_parse(const char *bytes, size_t length, struct request *request, size_t *used,
                                  char reason[REQUEST_REASON_BYTES])
{
    struct cursor cursor = {.at = bytes, .end = bytes + length, .status = REQUEST_COMPLETE, .reason = reason};
    *request = (struct request){0};
    if (take_request(&cursor, request)) {
        *used = (size_t)(cursor.at - bytes);
        return REQUEST_COMPLETE;
    }
    request_free(request);
    if (cursor.status == REQUEST_INCOMPLETE && length >= REQUEST_BYTES_MAX) {
        malformed(&cursor, "request longer than %d bytes", REQUEST_BYTES_MAX);
    }
    return cursor.status;
}

void request_free(struct request *request)
{
    free((void *)request->arguments);
    *request = (struct request){0};
}
