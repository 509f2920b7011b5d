// Damage that rule section-in-segment must report.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "../kinds.h"

#define FAR (UINT64_C(1) << 28)

CHANGE_SECTION(address_moved, ".rodata", it->address += 64)
CHANGE_SECTION(offset_moved, ".rodata", it->offset += 1)
CHANGE_SECTION(outside, ".bss", it->address += FAR)
CHANGE_SECTION(too_large, ".bss", it->size += FAR)
CHANGE_SECTION(not_allocated, ".comment", it->flags |= SHF_ALLOC; it->address = FAR * 15)
CHANGE_SECTION(writable, ".rodata", it->flags |= SHF_WRITE)
CHANGE_LOAD(code_not_executable, PF_X, PF_X, it->flags &= ~(uint32_t)PF_X)
CHANGE_LOAD(data_not_writable, PF_W, PF_W, it->flags &= ~(uint32_t)PF_W)
CHANGE_LOAD(unreadable, PF_R | PF_W | PF_X, PF_R, it->flags = 0)
CHANGE_SECTION(misaligned, ".data", it->alignment = 3;
               while (it->address % it->alignment == 0 && it->alignment < 64) it->alignment += 2)

static const char *bytes_cut_off(struct image *image)
{
    const struct section *it = image_section(image, ".data");
    if (it == NULL || it->load == NULL || it->load->flags != (PF_R | PF_W) ||
        segment_file_end(it->load) != it->offset + it->size) {
        return "no PT_LOAD whose file part ends with .data";
    }
    image->file.segments[it->load->index].filesz -= 1;
    return NULL;
}

static const struct kind list[] = {
    {.name = "section-address-moved", .sentence = "sh_addr of .rodata is moved by 64 bytes.", .apply = address_moved},
    {.name = "section-offset-moved", .sentence = "sh_offset of .rodata is moved by a byte.", .apply = offset_moved},
    {.name = "section-outside", .sentence = "sh_addr of .bss is moved out of every PT_LOAD.", .apply = outside},
    {.name = "section-too-large", .sentence = "sh_size of .bss reaches beyond its PT_LOAD.", .apply = too_large},
    {.name = "section-in-no-load",
     .sentence = ".comment becomes an allocated section, at an address in no PT_LOAD.",
     .apply = not_allocated},
    {.name = "section-misaligned",
     .sentence = "sh_addralign of .data is a number that does not divide its address.",
     .apply = misaligned},
    {.name = "readonly-section-writable",
     .sentence = ".rodata gets SHF_WRITE, its PT_LOAD permits no writing.",
     .apply = writable},
    {.name = "code-not-executable",
     .sentence = "The first executable PT_LOAD loses PF_X.",
     .also = {{"omagic", "the one PT_LOAD of -N is to be RWE"},
              {"rosegment-single", "there is one more PT_LOAD that is only read"},
              {"two-readonly", "likewise"}},
     .apply = code_not_executable},
    {.name = "data-not-writable",
     .sentence = "The first writable PT_LOAD loses PF_W.",
     .also = {{"omagic", "the one PT_LOAD of -N is to be RWE"},
              {"relro-inside", "PT_GNU_RELRO is no longer in writable memory"},
              {"rosegment-single", "there is one more PT_LOAD that is only read"},
              {"two-readonly", "likewise"}},
     .apply = data_not_writable},
    {.name = "readonly-load-unreadable",
     .sentence = "The first read-only PT_LOAD loses PF_R: it permits nothing.",
     .also = {{"rosegment-single", "there is no PT_LOAD that is only read"},
              {"two-readonly", "no read-only PT_LOAD stands before the code"}},
     .apply = unreadable},
    {.name = "section-bytes-cut-off",
     .sentence = "p_filesz of the PT_LOAD of .data leaves out its last byte.",
     .apply = bytes_cut_off},
    {.name = NULL},
};

const struct kinds kinds_section_in_segment = {"section-in-segment", list};
