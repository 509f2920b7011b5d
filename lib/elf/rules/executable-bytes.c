// Rule executable-bytes: what executable mappings expose that is not code.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../rule.h"

#include "../coverage.h"

static const struct figure figures[] = {
    {"executable-headers", "bytes of the ELF header and program headers mapped executable", WORST_MOST, true},
    {"executable-non-code", "bytes of allocated sections that are not code mapped executable", WORST_MOST, true},
    {"executable-foreign", "file bytes of other PT_LOADs in the pages of executable ones", WORST_MOST, true},
    {"executable-gap", "bytes of no section in those pages", WORST_NONE, true},
    {"executable-gap-zero", "of these, bytes that are zero (in the first 64 MiB of gaps)", WORST_NONE, true},
    {"executable-gap-no-trap", "of these, bytes that are no trap instruction (likewise)", WORST_MOST, true},
    {NULL, NULL, WORST_NONE, false},
};

enum { HEADERS, NON_CODE, FOREIGN, GAP, GAP_ZERO, GAP_NO_TRAP };

// Bytes of a file's gaps that are looked at: a hole of gigabytes need not be read to be called large.
#define GAP_READ_LIMIT (UINT64_C(64) << 20)

static bool is_trap(const struct elf_file *file, const unsigned char *at, size_t left)
{
    if (file->machine == EM_386 || file->machine == EM_X86_64) {
        return *at == 0xcc; // int3
    }
    uint32_t word = left >= 4 ? elf_file_word(file, at) : 1;
    switch (file->machine) {
    case EM_AARCH64:
        return (word & 0xffff0000) == 0 || (word & 0xffe0001f) == 0xd4200000; // udf, brk
    case EM_LOONGARCH:
        return word == 0 || (word & 0xffff8000) == 0x002a0000; // reserved, break
    default:
        return false;
    }
}

// Counts the kinds of bytes in a gap [from, to) of the file, as far as *left bytes go.
static void count_gap(struct elf_file *file, uint64_t from, uint64_t to, uint64_t *left, uint64_t *values)
{
    to = to - from > *left ? from + *left : to;
    *left -= to - from;
    bool is_x86 = file->machine == EM_386 || file->machine == EM_X86_64;
    while (from < to) {
        size_t length = to - from > READ_LIMIT ? READ_LIMIT : (size_t)(to - from);
        const unsigned char *bytes = elf_file_bytes(file, from, length);
        if (bytes == NULL) {
            return;
        }
        for (size_t i = 0; i < length;) {
            size_t step = is_x86 ? 1 : 4 - (from + i) % 4;
            step = step > length - i ? length - i : step;
            bool trap = is_trap(file, bytes + i, is_x86 || (from + i) % 4 == 0 ? length - i : 0);
            values[GAP_NO_TRAP] += trap ? 0 : step;
            for (size_t j = 0; j < step; j++) {
                values[GAP_ZERO] += bytes[i + j] == 0;
            }
            i += step;
        }
        from += length;
    }
}

static void measure(struct elf_file *file, const struct context *context, uint64_t *values)
{
    uint64_t page = context->options->page_size != 0 ? context->options->page_size : SMALLEST_PAGE;
    uint64_t left = GAP_READ_LIMIT;
    struct coverage covered = {0};
    coverage_add_contents(&covered, file);
    for (size_t i = 0; i < file->map_count; i++) {
        const struct segment *load = file->maps[i];
        if ((load->flags & PF_X) == 0 || load->filesz == 0) {
            continue;
        }
        uint64_t start = round_down(load->offset, page);
        uint64_t end = round_up(segment_file_end(load), page);
        end = end < file->size ? end : file->size;
        values[HEADERS] = sum(values[HEADERS], range_common(0, file->headers_end, start, end));
        for (size_t j = 0; j < file->allocated_count; j++) {
            const struct section *section = file->allocated[j];
            if (section_has_file_bytes(section) && (section->flags & SHF_EXECINSTR) == 0) {
                values[NON_CODE] =
                    sum(values[NON_CODE],
                        range_common(section->offset, range_end(section->offset, section->size), start, end));
            }
        }
        for (size_t j = 0; j < file->map_count; j++) {
            if (j != i && file->maps[j]->filesz > 0) {
                values[FOREIGN] = sum(values[FOREIGN],
                                      range_common(file->maps[j]->offset, segment_file_end(file->maps[j]), start, end));
            }
        }
        uint64_t from = start;
        for (uint64_t gap_start, gap_end; coverage_gap(&covered, from, end, &gap_start, &gap_end); from = gap_end) {
            values[GAP] = sum(values[GAP], gap_end - gap_start);
            count_gap(file, gap_start, gap_end, &left, values);
        }
    }
    coverage_free(&covered);
}

const struct rule rule_executable_bytes = {
    .id = "executable-bytes",
    .kind = RULE_FIGURE,
    .severity = RECOMMENDATION,
    .source = "-",
    .sentence =
        "Bytes of headers, of sections that are not code and of other PT_LOADs that executable mappings expose, and "
        "the zero and no-trap bytes in gaps.",
    .figures = figures,
    .measure = measure,
};
