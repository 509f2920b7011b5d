// damage: makes copies of an ELF file with one thing wrong, for showing that check-layout sees it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kinds.h"

enum { STATUS_MADE = 0, STATUS_NOT_APPLICABLE = 1, STATUS_CANNOT = 2 };

static const char help[] = "Usage: damage KIND FILE OUT|DIRECTORY\n"
                           "       damage KIND,KIND...|RULE|all FILE DIRECTORY\n"
                           "       damage --list | --help | --version\n"
                           "Makes OUT, a copy of the ELF program or shared object FILE with one thing wrong, and "
                           "prints what was changed. Several\n"
                           "kinds of damage, all that a rule of check-layout must report, or all there are, make one "
                           "copy each, DIRECTORY/KIND; the directory must be there.\n"
                           "\n"
                           "Example: damage wx-code a.out broken && check-layout --strict broken\n"
                           "Exit status: 0 made, 1 a kind does not apply to FILE (the reason is told and no copy "
                           "made), 2 bad use or unreadable.\n";

static int cannot(const char *what, const char *reason)
{
    fprintf(stderr, "damage: %s: %s\n", what, reason);
    return STATUS_CANNOT;
}

static void list(FILE *out)
{
    for (size_t i = 0; kinds_table[i] != NULL; i++) {
        for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL; kind++) {
            fprintf(out, "%s\n    %s\n    Rule: %s\n", kind->name, kind->sentence, kinds_table[i]->rule);
            if (kind->options != NULL) {
                fprintf(out, "    Options: %s\n", kind->options);
            }
            if (kind->figures != NULL) {
                fprintf(out, "    Figures: %s\n", kind->figures);
            }
            for (const struct also *also = kind->also; also->rule != NULL; also++) {
                fprintf(out, "    Also %s: %s\n", also->rule, also->reason);
            }
        }
    }
}

// Whether a word of the list names this kind, its rule or all.
static bool is_chosen(const char *words, const char *rule, const char *kind)
{
    for (size_t length; *words != 0; words += length + (words[length] != 0)) {
        length = strcspn(words, ",");
        const char *const names[] = {"all", rule, kind};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strlen(names[i]) == length && strncmp(words, names[i], length) == 0) {
                return true;
            }
        }
    }
    return false;
}

// Returns the first word of the list that names nothing, or NULL.
static const char *unknown_word(const char *words)
{
    for (size_t length; *words != 0; words += length + (words[length] != 0)) {
        length = strcspn(words, ",");
        char word[64];
        bool known = length < sizeof word && length > 0;
        snprintf(word, sizeof word, "%.*s", (int)(known ? length : 0), words);
        bool found = false;
        for (size_t i = 0; known && kinds_table[i] != NULL; i++) {
            for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL; kind++) {
                found = found || is_chosen(word, kinds_table[i]->rule, kind->name);
            }
        }
        if (!found) {
            return words;
        }
    }
    return NULL;
}

// Makes one copy. Returns the exit status.
static int make(struct image *image, const struct kind *kind, const char *path)
{
    image_restore(image);
    const char *reason = kind->apply(image);
    if (reason != NULL) {
        fprintf(stderr, "damage: %s does not apply: %s\n", kind->name, reason);
        return STATUS_NOT_APPLICABLE;
    }
    reason = image_write(image, path, kind->name, stdout);
    return reason != NULL ? cannot(path, reason) : STATUS_MADE;
}

// A copy is written aside and renamed, which takes away what stands there. Returns why that must not be, or NULL.
static const char *why_not_replace(const char *copy, const char *path)
{
    struct stat in_status;
    struct stat status;
    if (stat(copy, &status) == 0 && stat(path, &in_status) == 0 && in_status.st_dev == status.st_dev &&
        in_status.st_ino == status.st_ino) {
        return "is the file itself: name another one";
    }
    if (lstat(copy, &status) == 0 && !S_ISREG(status.st_mode)) {
        return "is no regular file, and would be replaced: name another one";
    }
    return NULL;
}

// Makes all copies that the list asks for. Returns the exit status.
static int damage(const char *words, const char *path, const char *out)
{
    const char *unknown = unknown_word(words);
    if (unknown != NULL || *words == 0) {
        return cannot(unknown != NULL ? unknown : words, "no kind of damage and no rule: see damage --list");
    }
    bool one = strchr(words, ',') == NULL && !is_chosen(words, "all", "all");
    for (size_t i = 0; kinds_table[i] != NULL; i++) {
        one = one && strcmp(words, kinds_table[i]->rule) != 0;
    }
    struct stat out_status;
    bool directory = stat(out, &out_status) == 0 && S_ISDIR(out_status.st_mode);
    if (!one && !directory) {
        return cannot(out, "is no directory: make one for the copies");
    }
    struct image image = {0};
    const char *reason;
    int status = STATUS_MADE;
    switch (image_read(&image, path, &reason)) {
    case IMAGE_CANNOT:
        status = cannot(path, reason);
        break;
    case IMAGE_NOT_APPLICABLE:
        fprintf(stderr, "damage: no kind applies to %s: %s\n", path, reason);
        status = STATUS_NOT_APPLICABLE;
        break;
    case IMAGE_READ:
        for (size_t i = 0; kinds_table[i] != NULL; i++) {
            for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL && status != STATUS_CANNOT;
                 kind++) {
                char copy[4096];
                if (!is_chosen(words, kinds_table[i]->rule, kind->name)) {
                    continue;
                }
                int length =
                    snprintf(copy, sizeof copy, "%s%s%s", out, directory ? "/" : "", directory ? kind->name : "");
                reason = length < (int)sizeof copy ? why_not_replace(copy, path) : strerror(ENAMETOOLONG);
                int made = reason == NULL ? make(&image, kind, copy) : cannot(copy, reason);
                status = made > status ? made : status;
            }
        }
        break;
    }
    image_free(&image);
    return status;
}

int main(int count, char **words)
{
    int status = STATUS_MADE;
    const char *first = count > 1 ? words[1] : "";
    if (count == 2 && strcmp(first, "--list") == 0) {
        list(stdout);
    } else if (count == 2 && strcmp(first, "--help") == 0) {
        fputs(help, stdout);
    } else if (count == 2 && strcmp(first, "--version") == 0) {
        puts("damage (ldlayout) " LDLAYOUT_VERSION);
    } else if (count == 4) {
        status = damage(words[1], words[2], words[3]);
    } else {
        status = cannot("wants a kind of damage, a file and a name for the copy", "see damage --help");
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        status = cannot("standard output", strerror(errno));
    }
    return status;
}
