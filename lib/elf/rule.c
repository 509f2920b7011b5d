// The table of rules, looked up and counted; and what several rules ask alike.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rule.h"

#include <string.h>

size_t rule_count(void)
{
    size_t count = 0;
    while (rule_table[count] != NULL) {
        count++;
    }
    return count;
}

size_t figure_count(void)
{
    size_t count = 0;
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        for (const struct figure *figure = rule_table[i]->figures; figure != NULL && figure->name != NULL; figure++) {
            count++;
        }
    }
    return count;
}

size_t rule_index(const char *id)
{
    size_t i = 0;
    while (rule_table[i] != NULL && strcmp(rule_table[i]->id, id) != 0) {
        i++;
    }
    return i;
}

const char *rule_kind_words(enum rule_kind kind)
{
    static const char *const names[] = {"file", "cell", "pair", "profile", "figure"};
    return names[kind];
}

const char *rule_severity_words(enum rule_severity severity)
{
    return severity == PROMISE ? "promise" : "recommendation";
}

bool loads_join(const struct segment *one, const struct segment *next, uint64_t max_page_size)
{
    return one->flags == next->flags &&
           (one->alignment_with_tbss > max_page_size || next->alignment_with_tbss > max_page_size);
}
