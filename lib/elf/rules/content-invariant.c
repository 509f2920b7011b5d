// Rule content-invariant: layout options do not change which sections there are.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include <string.h>

// Returns the next allocated section from *at on that layout options may not add or take away (not .relro_padding, not
// stubs), or NULL.
static const struct section *next_section(const struct elf_file *file, size_t *at)
{
    while (*at < file->allocated_count) {
        const struct section *section = file->allocated[(*at)++];
        if (strcmp(section->name, ".relro_padding") != 0 && strstr(section->name, "stub") == NULL) {
            return section;
        }
    }
    return NULL;
}

static bool is_listed(const struct elf_file *file, const struct section *wanted)
{
    size_t at = 0;
    for (const struct section *section; (section = next_section(file, &at)) != NULL;) {
        if (strcmp(section->name, wanted->name) == 0 && section->type == wanted->type &&
            section->flags == wanted->flags) {
            return true;
        }
    }
    return false;
}

static void check_listed(const struct elf_file *in, const struct elf_file *from, const char *which,
                         struct report *report)
{
    enum { COMPARED_LIMIT = 10000 }; // the time is their product
    if (in->allocated_count > COMPARED_LIMIT || from->allocated_count > COMPARED_LIMIT) {
        report_cannot(report, "more than 10000 allocated sections");
        return;
    }
    size_t at = 0;
    for (const struct section *section; (section = next_section(from, &at)) != NULL;) {
        if (!is_listed(in, section)) {
            report_finding(report, 0, 0, words(report, "section %.100s", section->name),
                           words(report, "in the %s file too, with type %" PRIu32 " and flags 0x%" PRIx64, which,
                                 section->type, section->flags),
                           "not there, or other");
        }
    }
}

static void check(struct elf_file *file, const struct context *context, struct report *report)
{
    check_listed(file, context->other, "second", report);
    check_listed(context->other, file, "first", report);
}

const struct rule rule_content_invariant = {
    .id = "content-invariant",
    .kind = RULE_PAIR,
    .severity = RECOMMENDATION,
    .needs = NEEDS_SECTIONS,
    .source = "recommendation: layout options change where sections lie",
    .sentence =
        "Both files have the same allocated sections with the same types and flags (.relro_padding and stubs apart).",
    .check = check,
};
