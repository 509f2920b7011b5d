// Output as TAP: one test for each rule on each file; a NOTE is a TODO, which fails nothing.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>

#include "../output.h"
#include "../rule.h"

static void begin(struct text *text, const struct options *options)
{
    (void)options;
    text_add(text, "TAP version 13\n");
}

// Adds a string for a test's description, where '#' would begin a directive.
static void add_description(struct text *text, const char *string)
{
    size_t start = text->length;
    text_add_printable(text, string);
    for (size_t i = start; i < text->length; i++) {
        if (text->bytes[i] == '#') {
            text->bytes[i] = '_';
        }
    }
}

static void add_line(struct text *text, const struct outcome *outcome, bool ok, const char *what, const char *directive,
                     const char *reason)
{
    text_add(text, ok ? "ok - " : "not ok - ");
    add_description(text, outcome->path);
    text_add(text, " %s%s", what, directive);
    add_description(text, reason);
    text_add(text, "\n");
}

static size_t file(struct text *text, const struct outcome *outcome, const struct options *options)
{
    (void)options;
    if (outcome->state != ELF_FILE_OPEN) {
        bool skip = outcome->state == ELF_FILE_NOT_APPLICABLE;
        add_line(text, outcome, skip, "can be checked", skip ? " # SKIP " : ": ",
                 outcome->reason != NULL ? outcome->reason : "not an ELF file");
        return 1;
    }
    size_t count = 0;
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        const struct report *report = &outcome->reports[i];
        const char *id = rule_table[i]->id;
        switch (outcome->results[i]) {
        case RESULT_NOT_ASKED:
            continue;
        case RESULT_PASS:
            add_line(text, outcome, true, id, "", "");
            break;
        case RESULT_NOT_APPLICABLE:
            add_line(text, outcome, true, id, " # SKIP ", report->not_applicable);
            break;
        case RESULT_CANNOT:
            add_line(text, outcome, false, id, ": ", report->cannot);
            break;
        case RESULT_NOTE:
            add_line(text, outcome, false, id, " # TODO ", rule_table[i]->source);
            break;
        case RESULT_FAIL:
            add_line(text, outcome, false, id, "", "");
            break;
        }
        count++;
        if (outcome->results[i] == RESULT_FAIL || outcome->results[i] == RESULT_NOTE) {
            for (size_t j = 0; j < report->count && j < FINDINGS_LIMIT; j++) {
                text_add(text, "# ");
                output_finding_line(text, &report->findings[j]);
                text_add(text, "\n");
            }
        }
    }
    return count;
}

static void end(struct text *text, const struct summary *summary, const struct options *options)
{
    (void)options;
    text_add(text, "1..%" PRIu64 "\n", summary->tests);
}

const struct output output_tap = {.name = "tap", .separator = "", .begin = begin, .file = file, .end = end};
