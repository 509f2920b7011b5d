// One file held against every rule that was asked for.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "rule.h"

// Returns the largest page size at which "at every P" rules are asked: what the options say, else the smallest p_align,
// since a file does not say its max-page-size.
static uint64_t largest_page(const struct elf_file *file, const struct options *options)
{
    uint64_t largest = options->page_size;
    if (options->max_page_size > largest) {
        largest = options->max_page_size;
    }
    if (largest == 0) {
        for (size_t i = 0; i < file->map_count; i++) {
            uint64_t align = file->maps[i]->align;
            if (is_power_of_two(align) && (largest == 0 || align < largest)) {
                largest = align;
            }
        }
    }
    return largest < SMALLEST_PAGE ? SMALLEST_PAGE : largest > LARGEST_PAGE ? LARGEST_PAGE : largest;
}

// Returns whether no PT_LOAD holds the ELF header and the table says nothing but what to load: firmware is so, by linker
// scripts of its own (OpenBIOS, U-Boot, PALcode), and no program.
static bool is_bare(const struct elf_file *file)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const struct segment *segment = &file->segments[i];
        if ((segment->type != PT_LOAD && segment->type != PT_GNU_STACK) ||
            (segment->type == PT_LOAD && segment->offset == 0)) {
            return false;
        }
    }
    return true;
}

// Returns why the file is not mapped in pages by a kernel, or NULL. Only a program without an interpreter can be such.
static const char *not_hosted(const struct elf_file *file, const struct options *options)
{
    if (options->omagic || options->nmagic) {
        return "-N and -n do not lay out for pages";
    }
    if (file->type != ET_EXEC || segment_of_type(file, PT_INTERP) != NULL) {
        return NULL;
    }
    if (is_bare(file)) {
        return "no PT_LOAD holds the ELF header: firmware";
    }
    for (size_t i = 0; i < file->map_count; i++) {
        if (file->maps[i]->align < SMALLEST_PAGE) {
            return "p_align below 4K: linked with -N or -n, or firmware";
        }
        if (file->maps[i]->paddr != file->maps[i]->vaddr) {
            return "p_paddr differs from p_vaddr: a kernel or firmware";
        }
    }
    return NULL;
}

// Returns why separate-code is not in force, or NULL.
static const char *not_separate(const struct options *options)
{
    if (options->separate_code != ON) {
        return "separate-code is not in force (--separate-code)";
    }
    if ((options->linker == LINKER_LLD || options->linker == LINKER_MOLD) && options->rosegment == OFF) {
        return "lld and mold separate code only with --rosegment";
    }
    return options->omagic ? "with -N separate-code has no effect" : NULL;
}

// Finds out once for all rules which needs are not met: fills in why not, in the order of the bits, NULL for one that is
// met. Returns the bits.
static unsigned unmet_needs(const struct elf_file *file, const struct options *options, const char *reasons[NEEDS])
{
    reasons[0] = file->map_count == 0 ? "no PT_LOAD that occupies memory" : NULL;
    reasons[1] = file->section_count == 0 ? "no section headers" : NULL;
    reasons[2] = segment_of_type(file, PT_GNU_RELRO) == NULL ? "no PT_GNU_RELRO" : NULL;
    reasons[3] = not_separate(options);
    reasons[4] = options->max_page_size == 0 ? "max-page-size is not known (--max-page-size)" : NULL;
    reasons[5] = options->page_size == 0 ? "no page size given (--page-size)" : NULL;
    reasons[6] = options->huge_page == 0 ? "no huge page size given (--huge-page)" : NULL;
    reasons[7] = not_hosted(file, options);
    unsigned unmet = 0;
    for (unsigned i = 0; i < NEEDS; i++) {
        unmet |= reasons[i] != NULL ? 1u << i : 0;
    }
    return unmet;
}

// Decides which rules these options ask for: --rule's, else every file and cell rule and the profiles that have their
// size; pair rules only of pairs.
static void choose(struct outcome *outcome, const struct options *options)
{
    if (outcome->results == NULL) {
        size_t count = outcome->rule_count = rule_count();
        size_t capacity = 0;
        memory_grow(&outcome->results, &capacity, count, sizeof *outcome->results);
        capacity = 0;
        memory_grow(&outcome->reports, &capacity, count, sizeof *outcome->reports);
        capacity = 0;
        memory_grow(&outcome->figures, &capacity, figure_count(), sizeof *outcome->figures);
        capacity = 0;
        memory_grow(&outcome->chosen, &capacity, count, sizeof *outcome->chosen);
    }
    if (outcome->chosen_for == options) {
        return;
    }
    outcome->chosen_for = options;
    outcome->chosen_count = 0;
    for (size_t i = 0; i < outcome->rule_count; i++) {
        const struct rule *rule = rule_table[i];
        bool named;
        bool selected = options_select(options, rule->id, &named);
        bool in_turn =
            rule->kind == RULE_FILE || rule->kind == RULE_CELL ||
            (rule->kind == RULE_PROFILE && (((rule->needs & NEEDS_PAGE_SIZE) != 0 && options->page_size != 0) ||
                                            ((rule->needs & NEEDS_HUGE_PAGE) != 0 && options->huge_page != 0)));
        if (rule->check != NULL && (rule->kind == RULE_PAIR) == (options->compare != NULL) && selected &&
            (named || in_turn)) {
            outcome->chosen[outcome->chosen_count++] = i;
        }
    }
}

static void apply_rules(struct outcome *outcome, const struct options *options)
{
    struct elf_file *file = &outcome->file;
    struct context context = {.options = options,
                              .largest_page = outcome->largest_page,
                              .max_page_size =
                                  options->max_page_size != 0 ? options->max_page_size : outcome->largest_page,
                              .other = options->compare != NULL ? &outcome->other : NULL};
    const char *reasons[NEEDS];
    unsigned unmet = unmet_needs(file, options, reasons);
    for (size_t chosen = 0; chosen < outcome->chosen_count; chosen++) {
        size_t i = outcome->chosen[chosen];
        const struct rule *rule = rule_table[i];
        struct report *report = &outcome->reports[i];
        report->arena = &outcome->arena;
        report->count = 0;
        report->cannot = NULL;
        if ((rule->needs & unmet) != 0) {
            report->not_applicable = reasons[__builtin_ctz(rule->needs & unmet)];
            outcome->results[i] = RESULT_NOT_APPLICABLE;
            outcome->counts[RESULT_NOT_APPLICABLE]++;
            continue;
        }
        report->not_applicable = NULL;
        rule->check(file, &context, report);
        outcome->results[i] = report->cannot != NULL ? RESULT_CANNOT
                              : report->count > 0
                                  ? (rule->severity == PROMISE || options->strict ? RESULT_FAIL : RESULT_NOTE)
                              : report->not_applicable != NULL ? RESULT_NOT_APPLICABLE
                                                               : RESULT_PASS;
        outcome->counts[outcome->results[i]]++;
    }
    size_t at = 0;
    for (size_t i = 0; options->figures && rule_table[i] != NULL; i++) {
        const struct rule *rule = rule_table[i];
        if (rule->figures == NULL) {
            continue;
        }
        rule->measure(file, &context, outcome->figures + at);
        for (const struct figure *figure = rule->figures; figure->name != NULL; figure++) {
            at++;
        }
    }
}

// Begins the evaluation of a file; what a file that is not open leaves behind is nothing.
static void begin(struct outcome *outcome, const char *path, const struct options *options)
{
    choose(outcome, options);
    outcome->path = path;
    outcome->reason = NULL;
    memset(outcome->results, RESULT_NOT_ASKED, outcome->rule_count * sizeof *outcome->results);
    memset(outcome->counts, 0, sizeof outcome->counts);
    if (options->figures) {
        memset(outcome->figures, 0, figure_count() * sizeof *outcome->figures);
    }
}

void evaluate_path(struct outcome *outcome, const char *path, bool follow_link, const struct options *options)
{
    begin(outcome, path, options);
    outcome->state = elf_file_open(&outcome->file, path, follow_link, &outcome->arena, &outcome->reason);
    if (options->compare != NULL) {
        const char *reason;
        enum elf_file_state state = elf_file_open(&outcome->other, options->compare, true, &outcome->arena, &reason);
        if (outcome->state == ELF_FILE_OPEN && state != ELF_FILE_OPEN) {
            struct report words_only = {.arena = &outcome->arena};
            outcome->state = state;
            outcome->reason =
                words(&words_only, "%s: %s", options->compare, reason != NULL ? reason : "not an ELF file");
        }
    }
    if (outcome->state == ELF_FILE_OPEN) {
        outcome->largest_page = largest_page(&outcome->file, options);
        apply_rules(outcome, options);
    }
}

void evaluate_memory(struct outcome *outcome, const char *path, const void *memory, size_t size,
                     const struct options *options)
{
    begin(outcome, path, options);
    outcome->state = elf_file_open_memory(&outcome->file, memory, size, &outcome->arena, &outcome->reason);
    if (options->compare != NULL) {
        // A file compared with itself.
        const char *reason;
        elf_file_open_memory(&outcome->other, memory, size, &outcome->arena, &reason);
    }
    if (outcome->state == ELF_FILE_OPEN) {
        outcome->largest_page = largest_page(&outcome->file, options);
        apply_rules(outcome, options);
    }
}

void outcome_close(struct outcome *outcome)
{
    elf_file_close(&outcome->file);
    if (outcome->chosen_for != NULL && outcome->chosen_for->compare != NULL) {
        elf_file_close(&outcome->other);
    }
    arena_reset(&outcome->arena);
}

void outcome_free(struct outcome *outcome)
{
    elf_file_free(&outcome->file);
    elf_file_free(&outcome->other);
    arena_free(&outcome->arena);
    free(outcome->results);
    free(outcome->reports);
    free(outcome->figures);
    free(outcome->chosen);
    *outcome = (struct outcome){0};
}

size_t outcome_count(const struct outcome *outcome, enum result_status status)
{
    return outcome->counts[status];
}

const char *outcome_words(const struct outcome *outcome)
{
    switch (outcome->state) {
    case ELF_FILE_NOT_ELF:
        return "not-elf";
    case ELF_FILE_NOT_APPLICABLE:
        return result_words(RESULT_NOT_APPLICABLE);
    case ELF_FILE_CANNOT:
        return result_words(RESULT_CANNOT);
    case ELF_FILE_OPEN:
        break;
    }
    return result_words(outcome_count(outcome, RESULT_CANNOT) > 0 ? RESULT_CANNOT
                        : outcome_count(outcome, RESULT_FAIL) > 0 ? RESULT_FAIL
                                                                  : RESULT_PASS);
}

const char *result_words(enum result_status status)
{
    static const char *const names[] = {"not-asked", "pass", "fail", "note", "not-applicable", "cannot"};
    return names[status];
}
