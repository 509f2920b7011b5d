// Two files compared byte by byte.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare.h"

#include <inttypes.h>
#include <string.h>

enum { CHUNK_BYTES = 256 << 10 };

void compare_bytes(struct elf_file *first, struct elf_file *second, struct report *report)
{
    if (first->size != second->size) {
        report_finding(report, 0, 0, "file size", hex_words(report, first->size), hex_words(report, second->size));
        return;
    }
    for (uint64_t offset = 0; offset < first->size; offset += CHUNK_BYTES) {
        uint64_t left = first->size - offset;
        size_t length = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        const unsigned char *one = elf_file_bytes(first, offset, length);
        const unsigned char *other = elf_file_bytes(second, offset, length);
        if (one == NULL || other == NULL) {
            report_cannot(report, words(report, "cannot read the bytes from 0x%" PRIx64 " on", offset));
            return;
        }
        if (memcmp(one, other, length) == 0) {
            continue;
        }
        size_t i = 0;
        while (one[i] == other[i]) {
            i++;
        }
        report_finding(report, 0, 0, words(report, "byte at file offset 0x%" PRIx64, offset + i),
                       words(report, "0x%02x", one[i]), words(report, "0x%02x", other[i]));
        return;
    }
}
