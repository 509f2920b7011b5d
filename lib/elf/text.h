// Text that grows: what the output formats write into, and strings made printable.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_TEXT_H
#define LDLAYOUT_TEXT_H

#include <stdarg.h>
#include <stddef.h>

// Zero-initialise. bytes is NUL-terminated once anything was added.
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

// Adds what printf would print.
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

// Adds bytes as they are.
void text_add_bytes(struct text *text, const char *bytes, size_t length);

// Adds a string with control characters and backslashes written as \xNN: for text read by people, one line a line.
void text_add_printable(struct text *text, const char *string);

// Adds a string as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
void text_add_json(struct text *text, const char *string);

// Adds a string for an XML attribute or text; what XML 1.0 does not allow becomes U+FFFD.
void text_add_xml(struct text *text, const char *string);

// Empties, keeping the memory.
void text_clear(struct text *text);

// Frees all.
void text_free(struct text *text);

#endif
