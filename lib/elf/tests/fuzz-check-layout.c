// Fuzzes the whole checking of one file in memory (libFuzzer): every rule, figure, format and the page map, on any bytes.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../evaluate.h"
#include "../options.h"
#include "../output.h"
#include "../page-map.h"
#include "../rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What a run may know: nothing; a link with all that it says; a pair, here of the file with itself.
static const char *const bare[] = {"--figures"};
static const char *const told[] = {"--separate-code",
                                   "--rosegment",
                                   "--relro",
                                   "--now",
                                   "--max-page-size=64K",
                                   "--common-page-size=4K",
                                   "--linker=bfd",
                                   "--mode=pie",
                                   "--page-size=16K",
                                   "--huge-page=2M",
                                   "--figures",
                                   "--strict",
                                   "--separate-loadable-segments"};
static const char *const other[] = {"--separate-code", "--no-rosegment", "--norelro",
                                    "--omagic",        "--linker=bfd",   "--mode=static"};
static const char *const profile[] = {"--rule=build-id-first-page"};
static const char *const pair[] = {"--compare=itself"};
static const struct {
    const char *const *words;
    size_t count;
} runs[] = {
    {bare, sizeof bare / sizeof *bare},    {told, sizeof told / sizeof *told},
    {other, sizeof other / sizeof *other}, {profile, sizeof profile / sizeof *profile},
    {pair, sizeof pair / sizeof *pair},
};

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

// Kept from one execution to the next, as a worker keeps them from one file to the next.
static struct options options[sizeof runs / sizeof *runs];
static struct outcome outcomes[sizeof runs / sizeof *runs];
static struct text text;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // The last byte, which is seldom part of what is parsed, chooses what is known, and the one format to write: all of
    // them each time would halve the executions.
    size_t choice = size > 0 ? data[size - 1] : 0;
    size_t run = choice % (sizeof runs / sizeof *runs);
    size_t formats = 0;
    while (output_table[formats] != NULL) {
        formats++;
    }
    require(formats > 0);
    const struct output *format = output_table[choice / (sizeof runs / sizeof *runs) % formats];
    struct outcome *outcome = &outcomes[run];
    if (outcome->results == NULL) {
        char problem[OPTIONS_PROBLEM_BYTES];
        require(options_parse(&options[run], runs[run].count, runs[run].words, problem));
    }
    evaluate_memory(outcome, "fuzzed", data, size, &options[run]);
    // Whatever cannot be judged has a reason.
    require(outcome->state == ELF_FILE_OPEN || outcome->state == ELF_FILE_NOT_ELF ||
            (outcome->reason != NULL && outcome->reason[0] != 0));
    text_clear(&text);
    format->file(&text, outcome, &options[run]);
    if (outcome->state == ELF_FILE_OPEN && choice % 2 == 0) {
        page_map_draw(&text, &outcome->file, outcome->largest_page, 0, 0, 20);
    }
    require(text.bytes == NULL || memchr(text.bytes, 0, text.length) == NULL);
    outcome_close(outcome);
    return 0;
}
