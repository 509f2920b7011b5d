// Output for people: only what was found unless --verbose, sorted, made for diff.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctype.h>
#include <inttypes.h>

#include "../output.h"
#include "../page-map.h"
#include "../rule.h"

enum { FAIL_ROWS = 12, MAP_ROWS = 2000, DRAWN_FINDINGS = 3 };

static void begin(struct text *text, const struct options *options)
{
    (void)text;
    (void)options;
}

static void add_heading(struct text *text, const char *status, const char *path)
{
    for (; *status != 0; status++) {
        text_add(text, "%c", toupper((unsigned char)*status));
    }
    text_add(text, " ");
    text_add_printable(text, path);
}

static void add_finding(struct text *text, const struct finding *finding, const struct outcome *outcome, bool draw)
{
    text_add(text, "  where:    ");
    text_add_printable(text, finding->what);
    text_add(text, "\n  expected: ");
    text_add_printable(text, finding->expected);
    text_add(text, "\n  actual:   ");
    text_add_printable(text, finding->actual);
    text_add(text, "\n");
    if (draw && finding->from != finding->to) {
        page_map_draw(text, &outcome->file, outcome->largest_page, finding->from, finding->to, FAIL_ROWS);
    }
}

static void add_result(struct text *text, const struct outcome *outcome, size_t index, bool verbose)
{
    const struct rule *rule = rule_table[index];
    const struct report *report = &outcome->reports[index];
    enum result_status status = outcome->results[index];
    if (status == RESULT_NOT_ASKED || (!verbose && (status == RESULT_PASS || status == RESULT_NOT_APPLICABLE))) {
        return;
    }
    add_heading(text, result_words(status), outcome->path);
    text_add(text, " %s", rule->id);
    if (status == RESULT_NOTE) {
        text_add(text, ": ");
        output_finding_line(text, &report->findings[0]);
        text_add(text, report->count > 1 ? " (and %zu more)\n" : "\n", report->count - 1);
        return;
    }
    if (status == RESULT_NOT_APPLICABLE || status == RESULT_CANNOT) {
        text_add(text, ": %s\n", status == RESULT_CANNOT ? report->cannot : report->not_applicable);
        return;
    }
    text_add(text, "\n");
    if (status != RESULT_FAIL) {
        return;
    }
    text_add(text, "  rule:     %s\n  source:   %s\n", rule->sentence, rule->source);
    for (size_t i = 0; i < report->count && i < FINDINGS_LIMIT; i++) {
        add_finding(text, &report->findings[i], outcome, i < DRAWN_FINDINGS);
    }
    if (report->count > FINDINGS_LIMIT) {
        text_add(text, "  and %zu more findings of this rule\n", report->count - FINDINGS_LIMIT);
    }
}

static void add_figures(struct text *text, const struct outcome *outcome)
{
    add_heading(text, "figures", outcome->path);
    text_add(text, "\n");
    size_t at = 0;
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        for (const struct figure *figure = rule_table[i]->figures; figure != NULL && figure->name != NULL; figure++) {
            text_add(text, "  %12" PRIu64 "  %-24s %s\n", outcome->figures[at++], figure->name, figure->sentence);
        }
    }
}

static size_t file(struct text *text, const struct outcome *outcome, const struct options *options)
{
    if (outcome->state == ELF_FILE_CANNOT || (outcome->state == ELF_FILE_NOT_APPLICABLE && options->verbose)) {
        add_heading(text, outcome_words(outcome), outcome->path);
        text_add(text, ": %s\n", outcome->reason);
    }
    if (outcome->state != ELF_FILE_OPEN) {
        return 1;
    }
    bool any = options->verbose || outcome_count(outcome, RESULT_FAIL) + outcome_count(outcome, RESULT_NOTE) +
                                           outcome_count(outcome, RESULT_CANNOT) > 0;
    for (size_t i = 0; any && rule_table[i] != NULL; i++) {
        add_result(text, outcome, i, options->verbose);
    }
    if (options->map) {
        add_heading(text, "map", outcome->path);
        text_add(text, "\n");
        page_map_draw(text, &outcome->file, outcome->largest_page, 0, 0, MAP_ROWS);
    }
    // Of a tree the sums and the worst files are told at the end.
    if (options->figures && options->verbose) {
        add_figures(text, outcome);
    }
    return 1;
}

static void add_sums(struct text *text, const struct summary *summary)
{
    size_t at = 0;
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        for (const struct figure *figure = rule_table[i]->figures; figure != NULL && figure->name != NULL;
             figure++, at++) {
            bool one = summary->checked == 1;
            if (one || figure->summed) {
                text_add(text, "  %14" PRIu64 "  %-24s %s\n", summary->figure_sums[at], figure->name, figure->sentence);
            } else if (figure->worst == WORST_MOST) {
                text_add(text, "  %14s  %-24s %s\n", "", figure->name, figure->sentence);
            }
            for (size_t j = 0; j < WORST_FILES && !one && figure->worst == WORST_MOST; j++) {
                const struct worst *worst = &summary->worst[at * WORST_FILES + j];
                if (worst->path != NULL) {
                    text_add(text, "    %14" PRIu64 "  ", worst->value);
                    text_add_printable(text, worst->path);
                    text_add(text, "\n");
                }
            }
        }
    }
}

static void end(struct text *text, const struct summary *summary, const struct options *options)
{
    if (options->figures && summary->checked > 0) {
        text_add(text, "FIGURES %s\n",
                 summary->checked == 1 ? "of the file"
                                       : "of all files: sum, name, what is counted; then the files with most");
        add_sums(text, summary);
    }
    text_add(text,
             "%" PRIu64 " checked: %" PRIu64 " with findings, %" PRIu64 " notes; %" PRIu64
             " could not be checked, %" PRIu64 " not applicable, %" PRIu64 " not ELF\n",
             summary->checked, summary->failed, summary->notes, summary->cannot, summary->not_applicable,
             summary->not_elf);
}

const struct output output_text = {.name = "text", .separator = "", .begin = begin, .file = file, .end = end};
