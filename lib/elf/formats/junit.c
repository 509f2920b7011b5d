// Output as JUnit XML: a suite for each file, a case for each rule; what could not be checked is an error.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../output.h"
#include "../rule.h"

static void begin(struct text *text, const struct options *options)
{
    (void)options;
    text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"check-layout\">\n");
}

static void add_attribute(struct text *text, const char *name, const char *value)
{
    text_add(text, " %s=\"", name);
    text_add_xml(text, value);
    text_add(text, "\"");
}

static void add_findings(struct text *text, const char *element, const struct rule *rule, const struct report *report)
{
    text_add(text, "<%s", element);
    if (element[0] == 'f') {
        add_attribute(text, "message", rule->sentence);
    }
    text_add(text, ">");
    for (size_t i = 0; i < report->count && i < FINDINGS_LIMIT; i++) {
        const struct finding *finding = &report->findings[i];
        text_add_xml(text, finding->what);
        text_add(text, ": expected ");
        text_add_xml(text, finding->expected);
        text_add(text, ", actual ");
        text_add_xml(text, finding->actual);
        text_add(text, "\n");
    }
    text_add(text, "</%s>", element);
}

static void add_empty(struct text *text, const char *element, const char *message)
{
    text_add(text, "<%s", element);
    add_attribute(text, "message", message);
    text_add(text, "/>");
}

static void add_case(struct text *text, const struct outcome *outcome, size_t index)
{
    const struct report *report = &outcome->reports[index];
    text_add(text, "<testcase");
    add_attribute(text, "classname", outcome->path);
    add_attribute(text, "name", rule_table[index]->id);
    text_add(text, ">");
    switch (outcome->results[index]) {
    case RESULT_FAIL:
        add_findings(text, "failure", rule_table[index], report);
        break;
    case RESULT_NOTE:
        add_findings(text, "system-out", rule_table[index], report);
        break;
    case RESULT_NOT_APPLICABLE:
        add_empty(text, "skipped", report->not_applicable);
        break;
    case RESULT_CANNOT:
        add_empty(text, "error", report->cannot);
        break;
    case RESULT_PASS:
    case RESULT_NOT_ASKED:
        break;
    }
    text_add(text, "</testcase>\n");
}

static size_t file(struct text *text, const struct outcome *outcome, const struct options *options)
{
    (void)options;
    bool open = outcome->state == ELF_FILE_OPEN;
    bool cannot = !open && outcome->state != ELF_FILE_NOT_APPLICABLE;
    size_t tests = 1;
    if (open) {
        tests = outcome_count(outcome, RESULT_PASS) + outcome_count(outcome, RESULT_FAIL) +
                outcome_count(outcome, RESULT_NOTE) + outcome_count(outcome, RESULT_NOT_APPLICABLE) +
                outcome_count(outcome, RESULT_CANNOT);
    }
    text_add(text, "<testsuite");
    add_attribute(text, "name", outcome->path);
    text_add(text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", tests,
             outcome_count(outcome, RESULT_FAIL), cannot + outcome_count(outcome, RESULT_CANNOT),
             (!open && !cannot) + outcome_count(outcome, RESULT_NOT_APPLICABLE));
    for (size_t i = 0; open && rule_table[i] != NULL; i++) {
        if (outcome->results[i] != RESULT_NOT_ASKED) {
            add_case(text, outcome, i);
        }
    }
    if (!open) {
        text_add(text, "<testcase");
        add_attribute(text, "classname", outcome->path);
        text_add(text, " name=\"can be checked\">");
        add_empty(text, cannot ? "error" : "skipped", outcome->reason != NULL ? outcome->reason : "not an ELF file");
        text_add(text, "</testcase>\n");
    }
    text_add(text, "</testsuite>\n");
    return tests;
}

static void end(struct text *text, const struct summary *summary, const struct options *options)
{
    (void)summary;
    (void)options;
    text_add(text, "</testsuites>\n");
}

const struct output output_junit = {.name = "junit", .separator = "", .begin = begin, .file = file, .end = end};
