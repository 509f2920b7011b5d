// What one rule says about one file: findings with both values, or why it does not apply.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_REPORT_H
#define LDLAYOUT_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "memory.h"

// More findings of one rule on one file are counted, not kept: one broken field can give thousands.
enum { FINDINGS_LIMIT = 16 };

// Strings live in the report's arena; "" when the report is full: words are for findings. Addresses [from, to) are what
// a page map should show; from == to: nothing.
struct finding {
    const char *what;
    const char *expected;
    const char *actual;
    uint64_t from;
    uint64_t to;
};

struct report {
    struct arena *arena;
    const char *not_applicable; // the reason, or NULL
    const char *cannot;         // why the rule could not look at the file, or NULL
    struct finding findings[FINDINGS_LIMIT];
    size_t count; // all findings; the first FINDINGS_LIMIT are kept
};

// Returns what printf would print (cut at 400 bytes), in the report's arena.
__attribute__((format(printf, 2, 3))) const char *words(struct report *report, const char *format, ...);

// Adds a finding: what was looked at, what must hold, what is there, and the addresses concerned.
void report_finding(struct report *report, uint64_t from, uint64_t to, const char *what, const char *expected,
                    const char *actual);

// Says that the rule has nothing to judge here.
void report_not_applicable(struct report *report, const char *reason);

// Says that the rule could not read what it needs.
void report_cannot(struct report *report, const char *reason);

// Returns the words that name a PT_LOAD: "LOAD 2 (R E, p_vaddr 0x1000)", counted from 0.
const char *load_words(struct report *report, const struct segment *load);

// Returns "0x1000 to 0x1200".
const char *range_words(struct report *report, uint64_t from, uint64_t to);

// Returns a number as "0x1000".
const char *hex_words(struct report *report, uint64_t number);

// Returns the flags of the PT_LOADs that occupy memory: "R, R E, R, RW".
const char *sequence_words(struct report *report, const struct elf_file *file);

#endif
