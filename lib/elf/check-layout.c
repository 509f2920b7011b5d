// check-layout: holds the segment layout of ELF files against the rules.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "output.h"
#include "rule.h"
#include "run.h"
#include "server.h"
#include "walk.h"

enum { STATUS_GOOD = 0, STATUS_FINDINGS = 1, STATUS_CANNOT = 2 };

static const char help[] =
    "Usage: check-layout [OPTION]... FILE|DIRECTORY...\n"
    "       check-layout --compare FILE --rule=RULE FILE\n"
    "Checks how linkers laid out the segments of ELF programs and shared objects: what lies in each page that they "
    "map,\n"
    "with which permissions. Directories are read recursively; in them links are not followed and other files "
    "skipped.\n"
    "\n"
    "How the file was linked (rules that need it are otherwise not applied):\n"
    "  --separate-code, --no-separate-code   --rosegment, --no-rosegment   --relro, --norelro   --now, --lazy\n"
    "  --max-page-size=SIZE   --common-page-size=SIZE   --separate-loadable-segments   --omagic   --nmagic\n"
    "  --linker=bfd|lld|mold|gold[-VERSION]   --mode=exec|pie|static|static-pie|shared\n"
    "Where it shall run:\n"
    "  --page-size=SIZE   must load on pages of this size\n"
    "  --huge-page=SIZE   code must be mapped by huge pages of this size\n"
    "What is asked:\n"
    "  --rule=RULE, --skip=RULE   only this rule, not this rule; may be repeated\n"
    "  --strict                   a recommendation that does not hold is a finding, not a NOTE\n"
    "  --figures                  numbers too: of one file, or sums and the files with most\n"
    "  --map                      what each page of each file holds\n"
    "  --compare FILE             judge a pair: FILE and the one named last; needs --rule\n"
    "How it is told:\n"
    "  --format=text|json|tap|junit   -v, --verbose: every rule, not only findings\n"
    "  -jN                        processes at once (as many as processors)\n"
    "  --server                   read 'PATH<TAB>OPTIONS' lines, answer each with a line of JSON\n"
    "  --list-rules   --version   --help\n"
    "SIZE is 4K, 2M, 65536 or 0x10000.\n"
    "\n"
    "Example: check-layout /usr/bin\n"
    "Exit status: 0 nothing found, 1 findings, 2 something could not be checked.\n";

static int cannot(const char *reason)
{
    fprintf(stderr, "check-layout: %s\n", reason);
    return STATUS_CANNOT;
}

static void list_rules(FILE *out)
{
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        const struct rule *rule = rule_table[i];
        fprintf(out, "%s (%s, %s)\n    %s\n    Source: %s\n", rule->id, rule_kind_words(rule->kind),
                rule_severity_words(rule->severity), rule->sentence, rule->source);
        for (const struct figure *figure = rule->figures; figure != NULL && figure->name != NULL; figure++) {
            fprintf(out, "    Figure %s: %s\n", figure->name, figure->sentence);
        }
    }
}

// Returns what is wrong with a --compare, or NULL.
static const char *compare_problem(const struct options *options)
{
    if (options->path_count != 1) {
        return "--compare FILE wants exactly one other file";
    }
    for (size_t i = 0; i < options->only_count; i++) {
        if (rule_table[rule_index(options->only[i])]->kind == RULE_PAIR) {
            return NULL;
        }
    }
    return "--compare wants --rule= with a rule of kind pair: see check-layout --list-rules";
}

static int check(const struct options *options)
{
    const char *problem = options->path_count == 0   ? "no file named: try check-layout FILE, or check-layout --help"
                          : options->compare != NULL ? compare_problem(options)
                                                     : NULL;
    if (problem != NULL) {
        return cannot(problem);
    }
    struct path_list list = {0};
    for (size_t i = 0; i < options->path_count; i++) {
        walk(&list, options->paths[i]);
    }
    struct summary summary =
        run(&list, options, output_format(options->format != NULL ? options->format : "text"), stdout);
    int status = summary.cannot > 0 ? STATUS_CANNOT : summary.failed > 0 ? STATUS_FINDINGS : STATUS_GOOD;
    if (summary.checked + summary.not_applicable + summary.cannot == 0) {
        status = cannot("no ELF file among those named");
    }
    run_free_summary(&summary);
    walk_free(&list);
    return status;
}

int main(int count, char **words)
{
    struct options options = {0};
    char problem[OPTIONS_PROBLEM_BYTES];
    const char *const *arguments = (const char *const *)words + 1;
    size_t argument_count = count > 0 ? (size_t)count - 1 : 0;
    int status = STATUS_GOOD;
    if (!options_parse(&options, argument_count, arguments, problem)) {
        status = cannot(problem);
    } else if (options.help) {
        fputs(help, stdout);
    } else if (options.version) {
        puts("check-layout (ldlayout) " LDLAYOUT_VERSION);
    } else if (options.list_rules) {
        list_rules(stdout);
    } else if (options.server) {
        status =
            server(stdin, stdout, argument_count, arguments) ? STATUS_GOOD : cannot("standard input or output failed");
    } else {
        status = check(&options);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        status = cannot(strerror(errno));
    }
    options_free(&options);
    return status;
}
