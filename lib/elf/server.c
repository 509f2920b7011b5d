// One process for many files.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "server.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "memory.h"
#include "options.h"
#include "output.h"
#include "text.h"

void server_answer(struct text *text, struct outcome *outcome, char *line, size_t count, const char *const *arguments)
{
    const char **request = NULL;
    size_t used = count;
    size_t capacity = 0;
    memory_grow(&request, &capacity, count + 1, sizeof *request);
    for (size_t i = 0; i < count; i++) {
        request[i] = arguments[i];
    }
    char *tab = strchr(line, '\t');
    char *save = NULL;
    for (char *word = tab != NULL ? strtok_r(tab, " \t", &save) : NULL; word != NULL;
         word = strtok_r(NULL, " \t", &save)) {
        memory_grow(&request, &capacity, used + 1, sizeof *request);
        request[used++] = word;
    }
    if (tab != NULL) {
        *tab = 0;
    }
    struct options options = {0};
    char problem[OPTIONS_PROBLEM_BYTES];
    text_add(text, "{\"schema\":%d,", JSON_SCHEMA);
    bool good = options_parse(&options, used, request, problem);
    if (good && options.path_count > 0) {
        good = false;
        snprintf(problem, sizeof problem, "'%.100s' is no option: write PATH, a tab, then options", options.paths[0]);
    }
    if (good) {
        struct text object = {0};
        outcome->chosen_for = NULL; // other options at the same address
        evaluate_path(outcome, line, true, &options);
        if (outcome->state == ELF_FILE_NOT_ELF) {
            outcome->state = ELF_FILE_CANNOT;
            outcome->reason = "not an ELF file";
        }
        output_json_object(&object, outcome, &options);
        outcome_close(outcome);
        text_add_bytes(text, object.bytes + 1, object.length - 1);
        text_free(&object);
    } else {
        text_add(text, "\"path\":");
        text_add_json(text, line);
        text_add(text, ",\"status\":\"cannot\",\"reason\":");
        text_add_json(text, problem);
        text_add(text, "}");
    }
    text_add(text, "\n");
    options_free(&options);
    free(request);
}

bool server(FILE *in, FILE *out, size_t count, const char *const *arguments)
{
    struct outcome outcome = {0};
    struct text text = {0};
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    for (ssize_t length; good && (length = getline(&line, &capacity, in)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n') {
            line[length - 1] = 0;
        }
        text_clear(&text);
        server_answer(&text, &outcome, line, count, arguments);
        good = fwrite(text.bytes, 1, text.length, out) == text.length && fflush(out) == 0;
    }
    good = good && !ferror(in);
    free(line);
    text_free(&text);
    outcome_free(&outcome);
    return good;
}
