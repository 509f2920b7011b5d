// What an output format is: each output-<name>.c defines one; the table of all is made by the build.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_OUTPUT_H
#define LDLAYOUT_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate.h"
#include "text.h"

// The version of what --format=json and --server write; a change that a reader could notice raises it.
enum { JSON_SCHEMA = 1 };

enum { WORST_FILES = 5 };

// A file where a figure is large.
struct worst {
    uint64_t value;
    const char *path;
};

// Counts over all files.
struct summary {
    uint64_t checked;        // files that the rules were applied to
    uint64_t failed;         // of these, with a finding
    uint64_t notes;          // NOTEs
    uint64_t cannot;         // files that could not be checked
    uint64_t not_applicable; // ELF files without a layout to judge
    uint64_t not_elf;
    uint64_t tests;        // results printed by formats that number them
    uint64_t *figure_sums; // in table order, with --figures
    struct worst *worst;   // WORST_FILES for each figure, largest first; path NULL: none
};

struct output {
    const char *name;
    const char *separator; // between two files' pieces
    void (*begin)(struct text *text, const struct options *options);
    // Adds the piece of one file; returns how many results it stands for.
    size_t (*file)(struct text *text, const struct outcome *outcome, const struct options *options);
    void (*end)(struct text *text, const struct summary *summary, const struct options *options);
};

// Made by generate-table.sh, ended by NULL.
extern const struct output *const output_table[];

// Returns the format of this name, or NULL.
const struct output *output_format(const char *name);

// Adds one file as a JSON object on one line.
void output_json_object(struct text *text, const struct outcome *outcome, const struct options *options);

// Adds a finding in one line: "what: expected …, actual …", printable.
void output_finding_line(struct text *text, const struct finding *finding);

#endif
