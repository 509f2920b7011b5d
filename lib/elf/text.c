// Text that grows, and strings made printable for each kind of reader.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const char replacement[] = "\xef\xbf\xbd"; // U+FFFD in UTF-8

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
    memory_grow(&text->bytes, &text->capacity, text->length + length + 1, 1);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        memory_grow(&text->bytes, &text->capacity, text->length + (size_t)length + 1, 1);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

// Returns the length of the UTF-8 character that begins here, 0 when none does (surrogates and overlong forms are
// none).
static size_t utf8_length(const unsigned char *bytes)
{
    unsigned char first = bytes[0];
    size_t length = first < 0x80                     ? 1
                    : first >= 0xc2 && first <= 0xdf ? 2
                    : (first & 0xf0) == 0xe0         ? 3
                    : first >= 0xf0 && first <= 0xf4 ? 4
                                                     : 0;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] > 0x9f) ||
        (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] > 0x8f)) {
        return 0;
    }
    return length;
}

void text_add_printable(struct text *text, const char *string)
{
    for (const unsigned char *at = (const unsigned char *)string; *at != 0;) {
        size_t length = utf8_length(at);
        // C1 controls (0xc2 0x80 to 0x9f) move a terminal's cursor as C0 controls do.
        if (length == 0 || *at < 0x20 || *at == 0x7f || *at == '\\' || (*at == 0xc2 && at[1] < 0xa0)) {
            text_add(text, "\\x%02x", *at++);
        } else {
            text_add_bytes(text, (const char *)at, length);
            at += length;
        }
    }
}

void text_add_json(struct text *text, const char *string)
{
    text_add_bytes(text, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)string; *at != 0;) {
        size_t length = utf8_length(at);
        if (length == 0) {
            text_add_bytes(text, replacement, strlen(replacement));
            at++;
        } else if (*at < 0x20 || *at == 0x7f) {
            text_add(text, "\\u%04x", *at++);
        } else {
            if (*at == '"' || *at == '\\') {
                text_add_bytes(text, "\\", 1);
            }
            text_add_bytes(text, (const char *)at, length);
            at += length;
        }
    }
    text_add_bytes(text, "\"", 1);
}

void text_add_xml(struct text *text, const char *string)
{
    for (const unsigned char *at = (const unsigned char *)string; *at != 0;) {
        size_t length = utf8_length(at);
        if (length == 0 || *at < 0x20 || *at == 0x7f) {
            text_add_bytes(text, replacement, strlen(replacement));
            at++;
            continue;
        }
        switch (*at) {
        case '&':
            text_add(text, "&amp;");
            break;
        case '<':
            text_add(text, "&lt;");
            break;
        case '>':
            text_add(text, "&gt;");
            break;
        case '"':
            text_add(text, "&quot;");
            break;
        default:
            text_add_bytes(text, (const char *)at, length);
        }
        at += length;
    }
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->bytes != NULL) {
        text->bytes[0] = 0;
    }
}

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text){0};
}
