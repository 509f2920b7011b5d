// One process for many files: requests on standard input, one JSON line for each on standard output.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_SERVER_H
#define LDLAYOUT_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Takes the words that every request begins with. Reads "PATH<TAB>OPTIONS" lines (OPTIONS separated by blanks or tabs,
// may be missing) until the end, and answers each with the object of the JSON schema, with a "schema" member. Returns
// whether every answer could be written.
bool server(FILE *in, FILE *out, size_t count, const char *const *arguments);

struct outcome;
struct text;

// Answers one line, which it takes apart.
void server_answer(struct text *text, struct outcome *outcome, char *line, size_t count, const char *const *arguments);

#endif
