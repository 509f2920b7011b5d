// What a rule is: each file of rules/ defines one, named as the file is; the table of all is made by the build.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_RULE_H
#define LDLAYOUT_RULE_H

#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "elf-file.h"
#include "options.h"
#include "range.h"
#include "report.h"

// When a rule is asked: of every file, when the link's options are told, of two files, on request.
enum rule_kind { RULE_FILE, RULE_CELL, RULE_PAIR, RULE_PROFILE, RULE_FIGURE };

// A recommendation that does not hold is a NOTE, which is no finding unless --strict says so.
enum rule_severity { PROMISE, RECOMMENDATION };

// What a rule needs before it can say anything; without it the rule is "not applicable", with the same words for all,
// those of the first need here that is not met.
enum rule_needs {
    NEEDS_MAPS = 1 << 0,          // a PT_LOAD that occupies memory
    NEEDS_SECTIONS = 1 << 1,      // section headers
    NEEDS_RELRO = 1 << 2,         // a PT_GNU_RELRO
    NEEDS_SEPARATE_CODE = 1 << 3, // --separate-code (lld, mold: and --rosegment)
    NEEDS_MAX_PAGE_SIZE = 1 << 4, // --max-page-size
    NEEDS_PAGE_SIZE = 1 << 5,     // --page-size
    NEEDS_HUGE_PAGE = 1 << 6,     // --huge-page
    NEEDS_HOSTED = 1 << 7,        // mapped by a kernel in pages: no firmware, kernel, -N or -n
};
enum { NEEDS = 8 };

// Whether a tree's report names the files where a figure is largest.
enum figure_worst { WORST_NONE, WORST_MOST };

// One number about a file. The name is stable; the sentence says what is counted, with its unit.
struct figure {
    const char *name;
    const char *sentence;
    enum figure_worst worst;
    bool summed; // whether a sum over files means anything
};

struct context {
    const struct options *options;
    struct elf_file *other; // of a pair; else NULL
    uint64_t largest_page;  // rules that hold "at every P" hold at every power of two from 4K to this
    uint64_t max_page_size; // as told, else largest_page
};

struct rule {
    const char *id; // the name of its file
    enum rule_kind kind;
    enum rule_severity severity;
    unsigned needs;
    const char *source;
    const char *sentence;
    // Looks at the file and reports findings, or that it does not apply. NULL for a rule that only counts.
    void (*check)(struct elf_file *file, const struct context *context, struct report *report);
    // Figures, ended by one without a name, and the function that fills in their values in the same order.
    const struct figure *figures;
    void (*measure)(struct elf_file *file, const struct context *context, uint64_t *values);
};

// Made by generate-table.sh, sorted by id, ended by NULL.
extern const struct rule *const rule_table[];

// Returns how many rules there are.
size_t rule_count(void);

// Returns how many figures all rules together have: the length of a file's array of values, in table order.
size_t figure_count(void);

// Returns the index of the rule with this id, or rule_count().
size_t rule_index(const char *id);

// Returns "file", "cell", …
const char *rule_kind_words(enum rule_kind kind);
const char *rule_severity_words(enum rule_severity severity);

// Whether the two neighbouring PT_LOADs count as one: same flags, and a section in either is aligned beyond the
// max-page-size. There a linker may split, and need not.
bool loads_join(const struct segment *one, const struct segment *next, uint64_t max_page_size);

#endif
