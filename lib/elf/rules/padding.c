// Rule padding: bytes that hold nothing.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include "../coverage.h"

static const struct figure figures[] = {
    {"file-size", "bytes of the file", WORST_NONE, true},
    {"file-on-disk", "bytes of the file on disk (st_blocks)", WORST_NONE, true},
    {"file-padding", "bytes of the file in no section and no table", WORST_MOST, true},
    {"memory-padding", "bytes of 4K pages of PT_LOADs in no section and no header", WORST_MOST, true},
    {NULL, NULL, WORST_NONE, false},
};

static void measure(struct elf_file *file, const struct context *context, uint64_t *values)
{
    (void)context;
    values[0] = file->size;
    values[1] = file->disk_bytes;
    if (file->section_count == 0) {
        return; // without sections nobody knows what is padding
    }
    struct coverage covered = {0};
    coverage_add_contents(&covered, file);
    uint64_t from = 0;
    for (uint64_t start, end; coverage_gap(&covered, from, file->size, &start, &end); from = end) {
        values[2] = sum(values[2], end - start);
    }
    coverage_free(&covered);
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        uint64_t size = round_up(segment_end(load), SMALLEST_PAGE) - round_down(load->vaddr, SMALLEST_PAGE);
        uint64_t used = range_common(0, file->headers_end, load->offset, segment_file_end(load));
        for (size_t j = 0; j < file->allocated_count; j++) {
            const struct section *section = file->allocated[j];
            if (!section_is_tbss(section)) {
                used = sum(used, range_common(section->address, range_end(section->address, section->size), load->vaddr,
                                              segment_end(load)));
            }
        }
        values[3] = sum(values[3], size > used ? size - used : 0);
    }
}

const struct rule rule_padding = {
    .id = "padding",
    .kind = RULE_FIGURE,
    .severity = RECOMMENDATION,
    .source = "-",
    .sentence = "Bytes of padding in the file and in memory.",
    .figures = figures,
    .measure = measure,
};
