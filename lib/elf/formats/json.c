// Output for programs: one JSON document, or one object a line for --server. The manual page has the schema.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>

#include "../output.h"
#include "../rule.h"

static void add_member(struct text *text, const char *name, const char *value)
{
    text_add(text, "\"%s\":", name);
    text_add_json(text, value);
}

static void add_findings(struct text *text, const struct report *report)
{
    text_add(text, ",\"count\":%zu,\"findings\":[", report->count);
    for (size_t i = 0; i < report->count && i < FINDINGS_LIMIT; i++) {
        const struct finding *finding = &report->findings[i];
        text_add(text, "%s{", i > 0 ? "," : "");
        add_member(text, "what", finding->what);
        text_add(text, ",");
        add_member(text, "expected", finding->expected);
        text_add(text, ",");
        add_member(text, "actual", finding->actual);
        if (finding->from != finding->to) {
            text_add(text, ",\"from\":\"0x%" PRIx64 "\",\"to\":\"0x%" PRIx64 "\"", finding->from, finding->to);
        }
        text_add(text, "}");
    }
    text_add(text, "]");
}

static void add_results(struct text *text, const struct outcome *outcome)
{
    const char *separator = "";
    text_add(text, ",\"results\":[");
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        const struct report *report = &outcome->reports[i];
        enum result_status status = outcome->results[i];
        if (status == RESULT_NOT_ASKED) {
            continue;
        }
        text_add(text, "%s{\"rule\":\"%s\",\"status\":\"%s\"", separator, rule_table[i]->id, result_words(status));
        separator = ",";
        if (status == RESULT_NOT_APPLICABLE || status == RESULT_CANNOT) {
            text_add(text, ",");
            add_member(text, "reason", status == RESULT_CANNOT ? report->cannot : report->not_applicable);
        } else if (status == RESULT_FAIL || status == RESULT_NOTE) {
            add_findings(text, report);
        }
        text_add(text, "}");
    }
    text_add(text, "]");
}

static void add_figures(struct text *text, const uint64_t *figures)
{
    size_t at = 0;
    text_add(text, ",\"figures\":{");
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        for (const struct figure *figure = rule_table[i]->figures; figure != NULL && figure->name != NULL; figure++) {
            text_add(text, "%s\"%s\":%" PRIu64, at > 0 ? "," : "", figure->name, figures[at]);
            at++;
        }
    }
    text_add(text, "}");
}

void output_json_object(struct text *text, const struct outcome *outcome, const struct options *options)
{
    text_add(text, "{");
    add_member(text, "path", outcome->path);
    text_add(text, ",\"status\":\"%s\"", outcome_words(outcome));
    if (outcome->state != ELF_FILE_OPEN) {
        text_add(text, ",");
        add_member(text, "reason", outcome->reason != NULL ? outcome->reason : "not an ELF file");
    } else {
        add_results(text, outcome);
        if (options->figures) {
            add_figures(text, outcome->figures);
        }
    }
    text_add(text, "}");
}

static void begin(struct text *text, const struct options *options)
{
    (void)options;
    text_add(text, "{\"schema\":%d,\"rules\":[", JSON_SCHEMA);
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        const struct rule *rule = rule_table[i];
        text_add(text, "%s\n{\"id\":\"%s\",\"kind\":\"%s\",\"severity\":\"%s\",", i > 0 ? "," : "", rule->id,
                 rule_kind_words(rule->kind), rule_severity_words(rule->severity));
        add_member(text, "sentence", rule->sentence);
        text_add(text, ",");
        add_member(text, "source", rule->source);
        text_add(text, "}");
    }
    text_add(text, "],\n\"files\":[\n");
}

static size_t file(struct text *text, const struct outcome *outcome, const struct options *options)
{
    output_json_object(text, outcome, options);
    return 1;
}

static void end(struct text *text, const struct summary *summary, const struct options *options)
{
    (void)options;
    text_add(text,
             "\n],\n\"summary\":{\"checked\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"notes\":%" PRIu64
             ",\"cannot\":%" PRIu64 ",\"not-applicable\":%" PRIu64 ",\"not-elf\":%" PRIu64 "}}\n",
             summary->checked, summary->failed, summary->notes, summary->cannot, summary->not_applicable,
             summary->not_elf);
}

const struct output output_json = {.name = "json", .separator = ",\n", .begin = begin, .file = file, .end = end};
