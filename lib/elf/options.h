// The command line: what is asked, of which files, and what is known about the link.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_OPTIONS_H
#define LDLAYOUT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum choice { UNKNOWN, OFF, ON };
enum linker_family { LINKER_UNKNOWN, LINKER_BFD, LINKER_LLD, LINKER_MOLD, LINKER_GOLD };
enum link_mode { MODE_UNKNOWN, MODE_EXEC, MODE_PIE, MODE_STATIC, MODE_STATIC_PIE, MODE_SHARED };

enum { OPTIONS_PROBLEM_BYTES = 300 };

// Zero-initialise. Sizes are in bytes, 0: not told. Strings point into the words that were parsed.
struct options {
    // The link.
    enum choice separate_code;
    enum choice rosegment;
    enum choice relro;
    enum choice now;
    bool separate_loadable;
    bool omagic;
    bool nmagic;
    uint64_t max_page_size;
    uint64_t common_page_size;
    enum linker_family linker;
    enum link_mode mode;
    // Profiles.
    uint64_t page_size;
    uint64_t huge_page;
    // What to report, and how.
    const char **only; // --rule
    size_t only_count;
    const char **skip;
    size_t skip_count;
    bool strict;
    bool figures;
    bool map;
    bool verbose;
    const char *format;
    uint64_t jobs; // 0: as many as processors
    // What to do.
    bool help;
    bool version;
    bool list_rules;
    bool server;
    const char *compare; // the first of the pair
    const char **paths;
    size_t path_count;
    size_t only_capacity, skip_capacity, path_capacity; // private
};

// Adds what `count` words say to *options. Returns true, or false with one line in `problem` that says what to type.
bool options_parse(struct options *options, size_t count, const char *const *arguments,
                   char problem[OPTIONS_PROBLEM_BYTES]);

// Returns whether the rule of this id is asked for by --rule and --skip; *named: whether --rule names it.
bool options_select(const struct options *options, const char *id, bool *named);

// Frees the lists.
void options_free(struct options *options);

// Reads "4K", "2M", "65536" or "0x10000" into *bytes. Returns whether it is a size above 0.
bool size_parse(const char *word, uint64_t *bytes);

#endif
