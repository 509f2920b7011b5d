// Every kind of damage in both classes and byte orders; broken files break none.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../evaluate.h"
#include "../../rule.h"
#include "../../tests/build-elf.h"
#include "../kinds.h"

// The files of a test, in a directory of its own.
struct files {
    char directory[400];
    char in[420];
    char out[420];
};

static int make_files(void **state)
{
    struct files *files = calloc(1, sizeof *files);
    const char *temporary = getenv("TMPDIR");
    if (files == NULL) {
        return -1;
    }
    snprintf(files->directory, sizeof files->directory, "%s/damage.XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(files->directory) == NULL) {
        free(files);
        return -1;
    }
    snprintf(files->in, sizeof files->in, "%s/in", files->directory);
    snprintf(files->out, sizeof files->out, "%s/out", files->directory);
    *state = files;
    return 0;
}

static int remove_files(void **state)
{
    struct files *files = *state;
    unlink(files->in);
    unlink(files->out);
    int status = rmdir(files->directory); // fails when something was left aside
    free(files);
    return status;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    int closed = fclose(file);
    assert_int_equal(closed, 0);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// Returns the bytes of a good file with a PT_GNU_EH_FRAME.
static unsigned char *good_bytes(bool is64, bool big_endian, size_t *size)
{
    struct specimen specimen = specimen_good(is64, big_endian);
    specimen_add_segment(&specimen, (struct segment){.type = PT_GNU_EH_FRAME,
                                                     .flags = PF_R,
                                                     .offset = 0x2000,
                                                     .vaddr = 0x2000,
                                                     .filesz = 0x10,
                                                     .memsz = 0x10,
                                                     .align = 4});
    return specimen_bytes(&specimen, size);
}

// Returns whether the file was read; broken ones may be refused, with a reason.
static bool open_image(struct image *image, const char *path)
{
    const char *reason = NULL;
    *image = (struct image){0};
    enum image_state state = image_read(image, path, &reason);
    assert_true((state == IMAGE_READ) == (reason == NULL));
    return state == IMAGE_READ;
}

// Counts the rules that report the file against what the kind says.
static unsigned surprises(const struct kind *kind, const char *rule, const char *path)
{
    struct options options = {0};
    struct outcome outcome = {0};
    unsigned count = 0;
    evaluate_path(&outcome, path, false, &options);
    assert_int_equal(outcome.state, ELF_FILE_OPEN);
    for (size_t i = 0; rule_table[i] != NULL; i++) {
        bool speaks = outcome.results[i] == RESULT_FAIL || outcome.results[i] == RESULT_NOTE;
        bool allowed = strcmp(rule_table[i]->id, rule) == 0;
        bool wanted = allowed && rule_table[i]->kind == RULE_FILE;
        for (const struct also *also = kind->also; also->rule != NULL; also++) {
            allowed = allowed || strcmp(rule_table[i]->id, also->rule) == 0;
        }
        if ((wanted && !speaks) || (speaks && !allowed)) {
            print_error("%s: %s %s\n", kind->name, rule_table[i]->id, speaks ? "reports it" : "does not report it");
            count++;
        }
    }
    outcome_close(&outcome);
    outcome_free(&outcome);
    options_free(&options);
    return count;
}

static void rules_report_every_class(void **state)
{
    const struct files *files = *state;
    unsigned count = 0;
    unsigned made = 0;
    for (unsigned class = 0; class < 4; class ++) {
        size_t size;
        unsigned char *bytes = good_bytes(class & 1, class & 2, &size);
        write_file(files->in, bytes, size);
        free(bytes);
        struct image image;
        assert_true(open_image(&image, files->in));
        for (size_t i = 0; kinds_table[i] != NULL; i++) {
            for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL; kind++) {
                image_restore(&image);
                if (kind->options == NULL && kind->apply(&image) == NULL) {
                    assert_null(image_write(&image, files->out, kind->name, NULL));
                    count += surprises(kind, kinds_table[i]->rule, files->out);
                    made++;
                }
            }
        }
        image_free(&image);
    }
    assert_int_equal(count, 0);
    assert_true(made > 4 * 50);
}

static void nothing_else_changes(void **state)
{
    const struct files *files = *state;
    for (unsigned class = 0; class < 4; class ++) {
        size_t size;
        size_t copied;
        unsigned char *bytes = good_bytes(class & 1, class & 2, &size);
        write_file(files->in, bytes, size);
        assert_int_equal(chmod(files->in, 0640), 0);
        struct image image;
        assert_true(open_image(&image, files->in));
        for (unsigned changes = 0; changes < 2; changes++) {
            image_restore(&image);
            if (changes == 1) {
                image_segment(&image, PT_GNU_STACK)->flags |= PF_X;
            }
            assert_null(image_write(&image, files->out, "test", NULL));
            unsigned char *copy = read_file(files->out, &copied);
            assert_int_equal(copied, size);
            size_t differing = 0;
            for (size_t i = 0; i < size; i++) {
                differing += bytes[i] != copy[i];
            }
            assert_int_equal(differing, changes);
            free(copy);
        }
        struct stat status;
        assert_int_equal(stat(files->out, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0640);
        // What was done before is forgotten.
        assert_null(image_byte(&image, 0x1000));
        assert_null(image_move_table(&image, 0x1100));
        image_restore(&image);
        assert_null(image_write(&image, files->out, "test", NULL));
        unsigned char *copy = read_file(files->out, &copied);
        assert_int_equal(copied, size);
        assert_memory_equal(bytes, copy, size);
        free(copy);
        image_free(&image);
        free(bytes);
    }
}

static void places_are_checked(void **state)
{
    const struct files *files = *state;
    size_t size;
    unsigned char *bytes = good_bytes(true, false, &size);
    write_file(files->in, bytes, size);
    free(bytes);
    struct image image;
    assert_true(open_image(&image, files->in));
    assert_non_null(image_byte(&image, size));
    assert_non_null(image_byte(&image, UINT64_MAX));
    assert_non_null(image_move_table(&image, size - 8));
    assert_non_null(image_move_table(&image, UINT64_MAX));
    assert_non_null(image_append(&image, UINT64_MAX));
    assert_non_null(image_append(&image, IMAGE_LIMIT));
    assert_non_null(image_write(&image, "/nowhere/out", "test", NULL));
    assert_null(image_segment(&image, PT_SHLIB));
    assert_null(image_section(&image, ".nothing"));
    assert_null(image_nth_load(&image, 99));
    assert_null(image_next_load(&image, image_last_load(&image)));
    image_free(&image);
}

// Makes every kind of a broken file: with the sanitizers this shows that none reads or writes where it must not.
static void try_all(const struct files *files, const unsigned char *bytes, size_t size)
{
    struct image image;
    write_file(files->in, bytes, size);
    if (open_image(&image, files->in)) {
        for (size_t i = 0; kinds_table[i] != NULL; i++) {
            for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL; kind++) {
                image_restore(&image);
                if (kind->apply(&image) == NULL) {
                    assert_null(image_write(&image, files->out, kind->name, NULL));
                }
            }
        }
    }
    image_free(&image);
}

static void broken_files(void **state)
{
    const struct files *files = *state;
    uint32_t random = 1;
    for (unsigned class = 0; class < 4; class ++) {
        size_t size;
        unsigned char *bytes = good_bytes(class & 1, class & 2, &size);
        for (size_t cut = 0; cut < 0x500; cut += 13) {
            try_all(files, bytes, cut);
        }
        // Extreme bytes in the ELF header, the program headers and the section headers at the end.
        for (unsigned round = 0; round < 60; round++) {
            unsigned char *broken = malloc(size);
            assert_non_null(broken);
            memcpy(broken, bytes, size);
            for (unsigned i = 0; i < 4; i++) {
                random = random * 1664525 + 1013904223;
                size_t at = 16 + (random >> 8) % 0x380;
                broken[i % 2 == 0 ? at : size - at] = (unsigned char)(round % 2 == 0 ? 0xff : random >> 24);
            }
            try_all(files, broken, size);
            free(broken);
        }
        free(bytes);
    }
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; kinds_table[i] != NULL; i++) {
        assert_true(i == 0 || strcmp(kinds_table[i - 1]->rule, kinds_table[i]->rule) < 0);
        for (const struct kind *kind = kinds_table[i]->list; kind->name != NULL; kind++) {
            assert_non_null(kind->sentence);
            assert_string_not_equal(kind->name, "all");
            for (size_t j = 0; kinds_table[j] != NULL; j++) {
                assert_string_not_equal(kind->name, kinds_table[j]->rule);
                for (const struct kind *other = kinds_table[j]->list; other->name != NULL; other++) {
                    assert_true(other == kind || strcmp(other->name, kind->name) != 0);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test_setup_teardown(rules_report_every_class, make_files, remove_files),
        cmocka_unit_test_setup_teardown(nothing_else_changes, make_files, remove_files),
        cmocka_unit_test_setup_teardown(places_are_checked, make_files, remove_files),
        cmocka_unit_test_setup_teardown(broken_files, make_files, remove_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
