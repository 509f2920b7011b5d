// What check-layout's speed is held against: opens each file, reads its program headers through gelf and closes it.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// read-program-headers PASSES < NAMES: the names end with NUL; all files are read PASSES times. This is the least that a reader of
// program headers on libelf does, written as libelf's examples have it. ELF_C_READ and not ELF_C_READ_MMAP: on files of which
// only a table is read it takes half the time (there is no mapping to make and to drop).
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Reads one file. Returns the sum of the p_vaddr, so that nothing can be left out.
static uint64_t read_file(const char *path)
{
    uint64_t sum = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    size_t headers = 0;
    if (elf == NULL || elf_getphdrnum(elf, &headers) != 0) {
        fprintf(stderr, "read-program-headers: %s: %s\n", path, elf_errmsg(-1));
        exit(2);
    }
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr header;
        sum += gelf_getphdr(elf, (int)i, &header) != NULL ? header.p_vaddr : 0;
    }
    elf_end(elf);
    close(descriptor);
    return sum;
}

int main(int count, char **words)
{
    enum { NAMES = 100000 };
    static char *names[NAMES];
    size_t files = 0;
    size_t capacity = 0;
    while (files < NAMES && getdelim(&names[files], &capacity, 0, stdin) > 0) {
        files++;
        capacity = 0;
    }
    long passes = count == 2 ? strtol(words[1], NULL, 10) : 0;
    bool good = files > 0 && files < NAMES && passes > 0;
    uint64_t sum = 0;
    elf_version(EV_CURRENT);
    for (long pass = 0; good && pass < passes; pass++) {
        for (size_t i = 0; i < files; i++) {
            sum += read_file(names[i]);
        }
    }
    if (good) {
        printf("%llx\n", (unsigned long long)sum);
    } else {
        fprintf(stderr, "usage: read-program-headers PASSES < NAMES (each ended by NUL, fewer than %d)\n", NAMES);
    }
    for (size_t i = 0; i < NAMES; i++) {
        free(names[i]);
    }
    return good ? 0 : 2;
}
