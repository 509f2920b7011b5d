// The command line, parsed without global state: a server parses one for every file.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "range.h"
#include "rule.h"

enum option_type { FLAG, CHOICE_ON, CHOICE_OFF, SIZE, COUNT, WORD, RULES, LINKER, MODE, FORMAT };

struct option {
    const char *name;
    enum option_type type;
    size_t offset; // of the member of struct options
};

#define MEMBER(member) offsetof(struct options, member)

static const struct option option_table[] = {
    {"--separate-code", CHOICE_ON, MEMBER(separate_code)},
    {"--no-separate-code", CHOICE_OFF, MEMBER(separate_code)},
    {"--noseparate-code", CHOICE_OFF, MEMBER(separate_code)},
    {"--rosegment", CHOICE_ON, MEMBER(rosegment)},
    {"--no-rosegment", CHOICE_OFF, MEMBER(rosegment)},
    {"--relro", CHOICE_ON, MEMBER(relro)},
    {"--norelro", CHOICE_OFF, MEMBER(relro)},
    {"--now", CHOICE_ON, MEMBER(now)},
    {"--lazy", CHOICE_OFF, MEMBER(now)},
    {"--separate-loadable-segments", FLAG, MEMBER(separate_loadable)},
    {"--omagic", FLAG, MEMBER(omagic)},
    {"--nmagic", FLAG, MEMBER(nmagic)},
    {"--max-page-size", SIZE, MEMBER(max_page_size)},
    {"--common-page-size", SIZE, MEMBER(common_page_size)},
    {"--page-size", SIZE, MEMBER(page_size)},
    {"--huge-page", SIZE, MEMBER(huge_page)},
    {"--linker", LINKER, MEMBER(linker)},
    {"--mode", MODE, MEMBER(mode)},
    {"--rule", RULES, MEMBER(only)},
    {"--skip", RULES, MEMBER(skip)},
    {"--strict", FLAG, MEMBER(strict)},
    {"--figures", FLAG, MEMBER(figures)},
    {"--map", FLAG, MEMBER(map)},
    {"--verbose", FLAG, MEMBER(verbose)},
    {"-v", FLAG, MEMBER(verbose)},
    {"--format", FORMAT, MEMBER(format)},
    {"--jobs", COUNT, MEMBER(jobs)},
    {"--help", FLAG, MEMBER(help)},
    {"-h", FLAG, MEMBER(help)},
    {"--version", FLAG, MEMBER(version)},
    {"--list-rules", FLAG, MEMBER(list_rules)},
    {"--server", FLAG, MEMBER(server)},
    {"--compare", WORD, MEMBER(compare)},
};

static bool say(char problem[OPTIONS_PROBLEM_BYTES], const char *before, const char *word, const char *after)
{
    snprintf(problem, OPTIONS_PROBLEM_BYTES, "%s'%.100s'%s", before, word, after);
    return false;
}

bool size_parse(const char *word, uint64_t *bytes)
{
    if (word[0] < '0' || word[0] > '9') {
        return false;
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? 16 : 10);
    uint64_t unit = 1;
    switch (*end) {
    case 'k':
    case 'K':
        unit = UINT64_C(1) << 10;
        end++;
        break;
    case 'm':
    case 'M':
        unit = UINT64_C(1) << 20;
        end++;
        break;
    case 'g':
    case 'G':
        unit = UINT64_C(1) << 30;
        end++;
        break;
    default:
        break;
    }
    *bytes = product(value, unit);
    return errno == 0 && *end == 0 && value > 0 && *bytes != UINT64_MAX;
}

static void list_add(const char ***list, size_t *count, size_t *capacity, const char *word)
{
    memory_grow(list, capacity, *count + 1, sizeof **list);
    (*list)[(*count)++] = word;
}

static bool parse_linker(const char *value, enum linker_family *family, char problem[OPTIONS_PROBLEM_BYTES])
{
    static const char *const names[] = {"", "bfd", "lld", "mold", "gold"};
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(value, names[i], length) == 0 && (value[length] == 0 || value[length] == '-')) {
            *family = (enum linker_family)i;
            return true;
        }
    }
    return say(problem, "unknown linker ", value, ": write --linker=bfd, lld, mold or gold, with or without -VERSION");
}

static bool parse_mode(const char *value, enum link_mode *mode, char problem[OPTIONS_PROBLEM_BYTES])
{
    static const char *const names[] = {"", "exec", "pie", "static", "static-pie", "shared"};
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            *mode = (enum link_mode)i;
            return true;
        }
    }
    return say(problem, "unknown mode ", value, ": write --mode=exec, pie, static, static-pie or shared");
}

static bool parse_value(struct options *options, const struct option *option, const char *value,
                        char problem[OPTIONS_PROBLEM_BYTES])
{
    void *member = (char *)options + option->offset;
    switch (option->type) {
    case FLAG:
        *(bool *)member = true;
        return true;
    case CHOICE_ON:
        *(enum choice *)member = ON;
        return true;
    case CHOICE_OFF:
        *(enum choice *)member = OFF;
        return true;
    case WORD:
        *(const char **)member = value;
        return true;
    case LINKER:
        return parse_linker(value, member, problem);
    case MODE:
        return parse_mode(value, member, problem);
    case SIZE:
        if (!size_parse(value, member) || !is_power_of_two(*(uint64_t *)member)) {
            return say(problem, "not a page size: ", value, ": write a power of two: 4K, 2M, 65536 or 0x10000");
        }
        return true;
    case COUNT:
        if (!size_parse(value, member) || *(uint64_t *)member > 1024) {
            return say(problem, "not a number of jobs: ", value, ": write -j1 to -j1024");
        }
        return true;
    case FORMAT:
        if (output_format(value) == NULL) {
            return say(problem, "unknown format ", value, ": write --format=text, json, tap or junit");
        }
        *(const char **)member = value;
        return true;
    case RULES:
        if (rule_table[rule_index(value)] == NULL) {
            return say(problem, "unknown rule ", value, ": see check-layout --list-rules");
        }
        if (option->offset == MEMBER(only)) {
            list_add(&options->only, &options->only_count, &options->only_capacity, value);
        } else {
            list_add(&options->skip, &options->skip_count, &options->skip_capacity, value);
        }
        return true;
    }
    return false;
}

static const struct option *find_option(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        if (strncmp(option_table[i].name, word, length) == 0 && option_table[i].name[length] == 0) {
            return &option_table[i];
        }
    }
    return NULL;
}

static bool takes_value(enum option_type type)
{
    return type != FLAG && type != CHOICE_ON && type != CHOICE_OFF;
}

bool options_parse(struct options *options, size_t count, const char *const *arguments,
                   char problem[OPTIONS_PROBLEM_BYTES])
{
    bool only_paths = false;
    for (size_t i = 0; i < count; i++) {
        const char *word = arguments[i];
        if (only_paths || word[0] != '-' || word[1] == 0) {
            list_add(&options->paths, &options->path_count, &options->path_capacity, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_paths = true;
            continue;
        }
        const char *value = NULL;
        const struct option *option;
        if (strncmp(word, "-j", 2) == 0) {
            option = find_option("--jobs", strlen("--jobs"));
            value = word[2] != 0 ? word + 2 : NULL;
        } else {
            size_t length = strcspn(word, "=");
            option = find_option(word, length);
            value = word[length] == '=' ? word + length + 1 : NULL;
        }
        if (option == NULL) {
            return say(problem, "unknown option ", word, ": see check-layout --help");
        }
        if (!takes_value(option->type) && value != NULL) {
            return say(problem, "", option->name, " takes no value: leave out '=' and what follows");
        }
        if (takes_value(option->type) && value == NULL) {
            if (++i == count) {
                return say(problem, "", option->name, " wants a value: see check-layout --help");
            }
            value = arguments[i];
        }
        if (!parse_value(options, option, value, problem)) {
            return false;
        }
    }
    return true;
}

bool options_select(const struct options *options, const char *id, bool *named)
{
    *named = false;
    for (size_t i = 0; i < options->only_count; i++) {
        *named = *named || strcmp(options->only[i], id) == 0;
    }
    for (size_t i = 0; i < options->skip_count; i++) {
        if (strcmp(options->skip[i], id) == 0) {
            return false;
        }
    }
    return *named || options->only_count == 0;
}

void options_free(struct options *options)
{
    free(options->only);
    free(options->skip);
    free(options->paths);
    *options = (struct options){0};
}
