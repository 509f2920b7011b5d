// Every rule: content with a good file, and each way to break it is reported under its id, in both classes and byte
// orders. SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../evaluate.h"
#include "../rule.h"
#include "build-elf.h"

#define LINK "--separate-code --relro --now --max-page-size=4K --common-page-size=4K --linker=bfd --mode=pie"
#define SEPARATE LINK " --no-rosegment"

// What breaks, how, under which options, and which other rules must speak too since the damage breaks them as well.
struct damage {
    const char *rule;
    void (*apply)(struct specimen *specimen);
    const char *options;
    const char *also;
};

#define LOAD(number) specimen_segment(s, PT_LOAD, number)
#define SEGMENT(type) specimen_segment(s, type, 0)
#define SECTION(name) specimen_section(s, name)
#define DAMAGE(name, ...)                                                                                              \
    static void name(struct specimen *s)                                                                               \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
    }

DAMAGE(offset_by_a_bit, LOAD(2)->offset += 0x10; SECTION(".rodata")->offset += 0x10)
DAMAGE(align_3, LOAD(1)->align = 3)
DAMAGE(swap_loads, struct segment one = *LOAD(1); *LOAD(1) = *LOAD(2); *LOAD(2) = one)
DAMAGE(filesz_above_memsz, LOAD(3)->memsz = 0x3ff; s->section_count = 0)
DAMAGE(beyond_file, LOAD(3)->filesz = LOAD(3)->memsz = 0x10000; s->section_count = 0)
DAMAGE(wrap, LOAD(3)->memsz = UINT64_MAX - 0x100; s->section_count = 0; SEGMENT(PT_GNU_RELRO)->type = PT_NULL)
DAMAGE(empty_load,
       specimen_add_segment(s, (struct segment){.type = PT_LOAD, .flags = PF_R, .vaddr = 0x8000, .align = 0x1000}))
DAMAGE(second_zero_offset,
       specimen_add_segment(
           s, (struct segment){
                  .type = PT_LOAD, .flags = PF_R, .vaddr = 0x8000, .filesz = 0x10, .memsz = 0x10, .align = 0x1000}))
DAMAGE(headers_left_out, LOAD(0)->filesz = LOAD(0)->memsz = 0x100; s->section_count = 0)
DAMAGE(interp_after_loads, struct segment one = *SEGMENT(PT_INTERP); *SEGMENT(PT_INTERP) = *SEGMENT(PT_GNU_STACK);
       *specimen_segment(s, PT_GNU_STACK, 1) = one)
DAMAGE(two_interps, SEGMENT(PT_PHDR)->type = PT_INTERP)
DAMAGE(dynamic_outside, SEGMENT(PT_DYNAMIC)->vaddr = 0x9000)
DAMAGE(phdr_elsewhere, SEGMENT(PT_PHDR)->offset += 8; SEGMENT(PT_PHDR)->vaddr += 8)
DAMAGE(note_by_4_off, SEGMENT(PT_NOTE)->offset += 4)
DAMAGE(data_outside, SECTION(".bss")->address = 0x9000)
DAMAGE(odd_address, SECTION(".data")->address = 0x4001; SECTION(".data")->offset = 0x3001;
       SECTION(".data")->size = 0x100)
DAMAGE(other_distance, SECTION(".rodata")->offset += 0x10)
DAMAGE(text_not_executable, LOAD(1)->flags = PF_R)
DAMAGE(data_not_writable, SECTION(".rodata")->flags |= SHF_WRITE)
DAMAGE(rodata_not_readable, LOAD(2)->flags = 0)
DAMAGE(file_bytes_short, LOAD(2)->filesz = 0x200)
DAMAGE(shared_page, LOAD(2)->vaddr = 0x1800; LOAD(2)->offset = 0x1800; SECTION(".rodata")->address = 0x1800;
       SECTION(".rodata")->offset = 0x1800)
DAMAGE(writable_code, LOAD(1)->flags |= PF_W)
DAMAGE(executable_stack, SEGMENT(PT_GNU_STACK)->flags |= PF_X)
DAMAGE(no_stack, SEGMENT(PT_GNU_STACK)->type = PT_NULL)
DAMAGE(relro_unmapped, SEGMENT(PT_GNU_RELRO)->memsz = 0x3200)
DAMAGE(relro_over_code, SEGMENT(PT_GNU_RELRO)->vaddr = 0x1000; s->section_count = 0)
DAMAGE(relro_late, SEGMENT(PT_GNU_RELRO)->vaddr = 0x3e40; SEGMENT(PT_GNU_RELRO)->memsz = 0x1c0)
DAMAGE(relro_over_data, SEGMENT(PT_GNU_RELRO)->memsz = 0x1200; LOAD(3)->memsz = 0x1200)
DAMAGE(relro_short, SEGMENT(PT_GNU_RELRO)->memsz = 0x1f8; SECTION(".got")->size = 0x138)
DAMAGE(got_outside, SECTION(".got")->address = 0x4000; SECTION(".got")->offset = 0x3000; SECTION(".got")->size = 0x10;
       SECTION(".data")->address = 0x4010; SECTION(".data")->offset = 0x3010; SECTION(".data")->size = 0x1f0)
DAMAGE(tls_shifted, SEGMENT(PT_TLS)->vaddr += 8; SEGMENT(PT_TLS)->offset += 8)
DAMAGE(tls_unaligned, SEGMENT(PT_TLS)->align = 0x400)
DAMAGE(tls_filesz, SEGMENT(PT_TLS)->filesz = 0x18)
DAMAGE(tls_memsz, SEGMENT(PT_TLS)->memsz = 0x10)
DAMAGE(tls_none, SEGMENT(PT_TLS)->type = PT_NULL)
DAMAGE(tls_twice, SEGMENT(PT_NOTE)->type = PT_TLS; SECTION(".note.test")->type = SHT_PROGBITS)
DAMAGE(note_cut, SEGMENT(PT_NOTE)->filesz = 0x10)
DAMAGE(note_more, SEGMENT(PT_NOTE)->filesz = 0x28; s->notes[1] = 0x434)
DAMAGE(note_left_out, SEGMENT(PT_NOTE)->type = PT_NULL)
DAMAGE(
    wide_gap,
    for (size_t i = 0; i < s->section_count; i++) {
        if (s->sections[i].address >= 0x3000) {
            s->sections[i].address += 0x100000;
        }
    } LOAD(3)
        ->vaddr += 0x100000;
    SEGMENT(PT_DYNAMIC)->vaddr += 0x100000; SEGMENT(PT_TLS)->vaddr += 0x100000;
    SEGMENT(PT_GNU_RELRO)->vaddr += 0x100000)
DAMAGE(small_align, LOAD(1)->align = 0x800)
DAMAGE(is_exec, s->type = ET_EXEC)
DAMAGE(readonly_in_code, SECTION(".rodata")->flags |= SHF_EXECINSTR; LOAD(2)->flags |= PF_X;
       SECTION(".text")->flags &= ~(uint64_t)SHF_EXECINSTR)
DAMAGE(
    headers_in_code, LOAD(0)->flags |= PF_X; for (size_t i = 0; i < 3; i++) { s->sections[i].flags |= SHF_EXECINSTR; })
DAMAGE(data_in_code_page, LOAD(3)->offset = 0x1600; LOAD(3)->vaddr = 0x3600; SECTION(".tdata")->address = 0x3600;
       SECTION(".tdata")->offset = 0x1600; s->section_count = 6; LOAD(3)->filesz = LOAD(3)->memsz = 0x10;
       SEGMENT(PT_TLS)->vaddr = 0x3600; SEGMENT(PT_TLS)->offset = 0x1600; SEGMENT(PT_TLS)->memsz = 0x10;
       SEGMENT(PT_DYNAMIC)->type = PT_NULL; SEGMENT(PT_GNU_RELRO)->type = PT_NULL;
       SECTION(".tdata")->flags &= ~(uint64_t)SHF_TLS; SEGMENT(PT_TLS)->type = PT_NULL;
       SECTION(".tdata")->name = ".other")
DAMAGE(grown, s->size += 0x10000)
DAMAGE(
    close_loads, LOAD(3)->vaddr = 0x2e00;
    for (size_t i = 5; i < s->section_count; i++) { s->sections[i].address -= 0x1000; } SEGMENT(PT_DYNAMIC)->vaddr -=
    0x1000;
    SEGMENT(PT_TLS)->vaddr -= 0x1000; SEGMENT(PT_GNU_RELRO)->vaddr -= 0x1000)
DAMAGE(late_build_id, SECTION(".note.test")->name = ".note.gnu.build-id")
DAMAGE(nothing, (void)s)

static const struct damage damages[] = {
    {"load-congruent", offset_by_a_bit, SEPARATE, ""},
    {"load-congruent", align_3, SEPARATE, "load-align"},
    {"load-order", swap_loads, SEPARATE, "two-readonly dense-memory"},
    {"load-order", filesz_above_memsz, SEPARATE, ""},
    {"load-order", beyond_file, SEPARATE, ""},
    {"load-order", wrap, SEPARATE, ""},
    {"load-nonempty", empty_load, SEPARATE, ""},
    {"load-zero-offset", second_zero_offset, SEPARATE, "two-readonly dense-memory"},
    {"load-zero-offset", headers_left_out, SEPARATE, "headers-covered"},
    {"phdr-order", interp_after_loads, SEPARATE, ""},
    {"phdr-order", two_interps, SEPARATE, ""},
    {"headers-covered", dynamic_outside, SEPARATE, ""},
    {"headers-covered", phdr_elsewhere, SEPARATE, ""},
    {"headers-covered", note_by_4_off, SEPARATE, "note-walk"},
    {"section-in-segment", data_outside, SEPARATE, ""},
    {"section-in-segment", odd_address, SEPARATE, ""},
    {"section-in-segment", other_distance, SEPARATE, ""},
    {"section-in-segment", text_not_executable, SEPARATE, "two-readonly"},
    {"section-in-segment", rodata_not_readable, SEPARATE, "two-readonly"},
    {"section-in-segment", data_not_writable, SEPARATE, "two-readonly"},
    {"section-in-segment", file_bytes_short, SEPARATE, ""},
    {"page-flags", shared_page, SEPARATE, "separate-code-pages dense-memory"},
    {"wx-segment", writable_code, SEPARATE, ""},
    {"stack-flags", executable_stack, SEPARATE, ""},
    {"stack-flags", no_stack, SEPARATE, ""},
    {"relro-inside", relro_unmapped, SEPARATE, "relro-exact"},
    {"relro-inside", relro_over_code, SEPARATE, "relro-end relro-protects"},
    {"relro-exact", relro_late, SEPARATE, "relro-complete"},
    {"relro-exact", relro_over_data, SEPARATE, ""},
    {"relro-end", relro_short, SEPARATE, "relro-protects"},
    {"relro-protects", relro_short, SEPARATE, "relro-end"},
    {"relro-complete", got_outside, SEPARATE, ""},
    {"relro-complete", nothing, "--norelro", ""},
    {"tls", tls_shifted, SEPARATE, ""},
    {"tls", tls_unaligned, SEPARATE, ""},
    {"tls", tls_filesz, SEPARATE, ""},
    {"tls", tls_memsz, SEPARATE, ""},
    {"tls", tls_none, SEPARATE, ""},
    {"tls", tls_twice, SEPARATE, ""},
    {"note-walk", note_cut, SEPARATE, ""},
    {"note-walk", note_more, SEPARATE, ""},
    {"note-walk", note_left_out, SEPARATE, ""},
    {"dense-memory", wide_gap, SEPARATE, ""},
    {"load-align", small_align, SEPARATE, ""},
    {"load-align", nothing, "--max-page-size=8K --linker=lld", "page-flags"},
    {"link-mode", is_exec, SEPARATE, "base-address"},
    {"link-mode", nothing, "--mode=static-pie", ""},
    {"base-address", is_exec, "--max-page-size=4K", ""},
    {"separate-code-memory", readonly_in_code, SEPARATE, "separate-code-pages"},
    {"separate-code-pages", headers_in_code, SEPARATE, "two-readonly"},
    {"separate-code-pages", data_in_code_page, SEPARATE, ""},
    {"two-readonly", text_not_executable, SEPARATE, "section-in-segment"},
    {"rosegment-single", nothing, LINK " --rosegment", ""},
    {"separate-loadable", close_loads, "--separate-loadable-segments", "page-flags"},
    {"omagic", nothing, "--omagic", ""},
    {"omagic", nothing, "--nmagic", ""},
    {"size-bound", grown, SEPARATE, ""},
    {"page-floor", nothing, "--page-size=16K", "page-flags"},
    {"build-id-first-page", late_build_id, "--rule=build-id-first-page --page-size=1K", ""},
};

// Takes options separated by blanks, in memory that must stay; returns them parsed.
static struct options parse(char *line)
{
    struct options options = {0};
    const char *arguments[32] = {0};
    size_t count = 0;
    char problem[OPTIONS_PROBLEM_BYTES];
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        arguments[count++] = word;
    }
    assert_true(options_parse(&options, count, arguments, problem));
    return options;
}

static bool is_listed(const char *list, const char *id)
{
    const char *at = strstr(list, id);
    size_t length = strlen(id);
    return at != NULL && (at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ');
}

// Checks a specimen; returns how many rules do not do as listed, and prints each.
static unsigned surprises(const struct specimen *specimen, const char *option_words, const char *rule, const char *also)
{
    unsigned count = 0;
    char line[300];
    snprintf(line, sizeof line, "%s", option_words);
    struct options options = parse(line);
    struct outcome outcome = {0};
    size_t size = 0;
    unsigned char *bytes = specimen_bytes(specimen, &size);
    evaluate_memory(&outcome, "specimen", bytes, size, &options);
    if (outcome.state != ELF_FILE_OPEN) {
        print_error("damage to %s: %s\n", rule, outcome.reason);
        count++;
    }
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        const char *id = rule_table[i]->id;
        bool speaks = outcome.results[i] == RESULT_FAIL || outcome.results[i] == RESULT_NOTE;
        bool wanted = strcmp(id, rule) == 0 || is_listed(also, id);
        if (speaks != wanted) {
            struct report *report = &outcome.reports[i];
            count++;
            print_error("damage to %s (%d bit, %s): %s is %s: %s, expected %s, actual %s\n", rule,
                        specimen->is64 ? 64 : 32, specimen->big_endian ? "big" : "little", id,
                        result_words(outcome.results[i]), speaks ? report->findings[0].what : "",
                        speaks ? report->findings[0].expected : "", speaks ? report->findings[0].actual : "");
        }
    }
    outcome_close(&outcome);
    outcome_free(&outcome);
    options_free(&options);
    free(bytes);
    return count;
}

static void good_file_is_clean(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct specimen specimen = specimen_good(kind & 1, kind & 2);
        assert_int_equal(surprises(&specimen, SEPARATE, "", ""), 0);
        assert_int_equal(surprises(&specimen, "", "", ""), 0);
        specimen.section_count = 0;
        assert_int_equal(surprises(&specimen, SEPARATE, "", ""), 0);
    }
}

// Firmware is no hosted program; a program that has lost its headers is one.
static void firmware_is_left_alone(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct specimen specimen = specimen_good(kind & 1, kind & 2);
        specimen.type = ET_EXEC;
        specimen.section_count = 0;
        specimen_segment(&specimen, PT_INTERP, 0)->type = PT_NULL;
        *specimen_segment(&specimen, PT_LOAD, 0) = *specimen_segment(&specimen, PT_LOAD, 1);
        assert_int_equal(surprises(&specimen, "", "load-zero-offset", "load-order headers-covered"), 0);
        struct segment load = *specimen_segment(&specimen, PT_LOAD, 1);
        specimen.segment_count = 0;
        load.flags |= PF_W;
        specimen_add_segment(&specimen, load);
        assert_int_equal(surprises(&specimen, "", "", ""), 0);
    }
}

static void damage_is_reported(void **state)
{
    (void)state;
    unsigned count = 0;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        for (unsigned kind = 0; kind < 4; kind++) {
            struct specimen specimen = specimen_good(kind & 1, kind & 2);
            damages[i].apply(&specimen);
            count += surprises(&specimen, damages[i].options, damages[i].rule, damages[i].also);
        }
    }
    assert_int_equal(count, 0);
}

static void id_is_the_file_name(void **state)
{
    (void)state;
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        assert_non_null(rule_table[i]->id);
        assert_non_null(rule_table[i]->source);
        assert_non_null(rule_table[i]->sentence);
        assert_true(i == 0 || strcmp(rule_table[i - 1]->id, rule_table[i]->id) < 0);
        assert_true(rule_table[i]->check != NULL || rule_table[i]->measure != NULL);
        assert_true((rule_table[i]->figures == NULL) == (rule_table[i]->measure == NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_file_is_clean),
        cmocka_unit_test(firmware_is_left_alone),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(id_is_the_file_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
