// From the files and directories that were named to the list of files to look at.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"

// Takes a name that the list comes to own.
static void add(struct path_list *list, char *name, const char *problem, bool given)
{
    memory_grow(&list->paths, &list->capacity, list->count + 1, sizeof *list->paths);
    list->paths[list->count++] = (struct path){name, problem, given};
}

// Returns "directory/name", to be freed.
static char *join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') {
        length--;
    }
    size_t slash = length == 0 || directory[length - 1] != '/';
    size_t name_size = strlen(name) + 1;
    char *joined = NULL;
    size_t capacity = 0;
    memory_grow(&joined, &capacity, length + slash + name_size, 1);
    memcpy(joined, directory, length);
    joined[length] = '/';
    memcpy(joined + length + slash, name, name_size);
    return joined;
}

// An entry of a directory: its path and the file type, DT_UNKNOWN where the file system does not tell.
struct entry {
    char *name;
    const char *leaf; // its last part, within name
    unsigned char type;
};

static int compare_entries(const void *one, const void *other)
{
    return strcmp(((const struct entry *)one)->leaf, ((const struct entry *)other)->leaf);
}

static unsigned char type_of(const char *name)
{
    struct stat status;
    if (lstat(name, &status) != 0) {
        return DT_UNKNOWN;
    }
    return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_CHR;
}

// strerror's text is a constant for every known error.
static void add_problem(struct path_list *list, char *name, int error)
{
    add(list, name, strerror(error), false);
}

// Takes a name that the list comes to own; adds what is below it.
static void walk_directory(struct path_list *list, char *directory)
{
    DIR *stream = opendir(directory);
    if (stream == NULL) {
        add_problem(list, directory, errno);
        return;
    }
    // Read to the end and closed before going down: no open directory for each level of a deep tree.
    struct entry *entries = NULL;
    size_t count = 0;
    size_t capacity = 0;
    errno = 0;
    for (struct dirent *read; (read = readdir(stream)) != NULL; errno = 0) {
        if (strcmp(read->d_name, ".") != 0 && strcmp(read->d_name, "..") != 0) {
            memory_grow(&entries, &capacity, count + 1, sizeof *entries);
            char *path = join(directory, read->d_name);
            entries[count++] = (struct entry){path, path + strlen(path) - strlen(read->d_name), read->d_type};
        }
    }
    int error = errno;
    closedir(stream);
    if (count > 0) {
        qsort(entries, count, sizeof *entries, compare_entries);
    }
    for (size_t i = 0; i < count; i++) {
        struct entry *entry = &entries[i];
        unsigned char type = entry->type == DT_UNKNOWN ? type_of(entry->name) : entry->type;
        if (type == DT_DIR) {
            walk_directory(list, entry->name);
        } else if (type == DT_REG || type == DT_UNKNOWN) {
            add(list, entry->name, NULL, false);
        } else {
            free(entry->name);
        }
    }
    free(entries);
    if (error != 0) {
        add_problem(list, directory, error);
    } else {
        free(directory);
    }
}

void walk(struct path_list *list, const char *name)
{
    struct stat status;
    char *own = NULL;
    size_t capacity = 0;
    memory_grow(&own, &capacity, strlen(name) + 1, 1);
    memcpy(own, name, strlen(name) + 1);
    if (stat(name, &status) != 0) {
        add_problem(list, own, errno);
    } else if (S_ISDIR(status.st_mode)) {
        walk_directory(list, own);
    } else if (S_ISREG(status.st_mode)) {
        add(list, own, NULL, true);
    } else {
        add(list, own, "neither a regular file nor a directory", false);
    }
}

void walk_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i].name);
    }
    free(list->paths);
    *list = (struct path_list){0};
}
