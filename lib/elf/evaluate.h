// One file held against every rule that was asked for.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_EVALUATE_H
#define LDLAYOUT_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "options.h"
#include "report.h"

enum result_status {
    RESULT_NOT_ASKED,
    RESULT_PASS,
    RESULT_FAIL,
    RESULT_NOTE,
    RESULT_NOT_APPLICABLE,
    RESULT_CANNOT,
};
enum { RESULT_STATUSES = RESULT_CANNOT + 1 };

// What was found about one file. Zero-initialise; evaluate_* uses its memory again.
struct outcome {
    const char *path;
    enum elf_file_state state;
    const char *reason;          // unless state is ELF_FILE_OPEN
    enum result_status *results; // one for each rule, in table order
    size_t counts[RESULT_STATUSES]; // how many rules ended so
    struct report *reports;      // likewise
    uint64_t *figures;           // figure_count() values, zeros unless asked for
    struct elf_file file;        // open until outcome_close
    struct elf_file other;       // the first of a pair
    uint64_t largest_page;
    struct arena arena;
    // Private: what was chosen for these options.
    const struct options *chosen_for;
    size_t *chosen; // indices of rules
    size_t chosen_count;
    size_t rule_count;
};

// Opens path and applies the rules. follow_link as in elf_file_open. outcome_close must follow.
void evaluate_path(struct outcome *outcome, const char *path, bool follow_link, const struct options *options);

// The same for bytes in memory, named `path` in reports.
void evaluate_memory(struct outcome *outcome, const char *path, const void *memory, size_t size,
                     const struct options *options);

// Closes the files and forgets the strings.
void outcome_close(struct outcome *outcome);

// Frees the memory of a closed outcome.
void outcome_free(struct outcome *outcome);

// Returns how many rules ended so.
size_t outcome_count(const struct outcome *outcome, enum result_status status);

// Returns "pass", "fail", "note", "not-applicable" or "cannot": what the file as a whole is.
const char *outcome_words(const struct outcome *outcome);
const char *result_words(enum result_status status);

#endif
