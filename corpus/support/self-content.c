/* Whether memory holds what the file says: the bytes of every segment that nobody writes, initialised data, and zeros.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "self.h"

#ifndef LDLAYOUT_NO_DATA
/* Canaries: nobody writes to them, but volatile keeps the compiler from knowing that.  */
#define CANARY 0x5eed1dea
static volatile uint32_t initialised_canary[4] = {CANARY, CANARY + 1, CANARY + 2, CANARY + 3};
static volatile uint32_t zero_canary[64];
#endif

/* Returns the first of SIZE bytes at ADDRESS that differs from FILE (from zero if FILE is null), or null.  */
static const unsigned char *first_difference(const unsigned char *address, const unsigned char *file, size_t size)
{
    const size_t word = sizeof(uintptr_t);
    size_t i = 0;
    /* By words as far as both are aligned alike: megabytes by the byte are slow in an emulator.  */
    if (((uintptr_t) address & (word - 1)) == ((uintptr_t) file & (word - 1)) || file == NULL) {
        while (i < size && ((uintptr_t) (address + i) & (word - 1)) != 0 && address[i] == (file ? file[i] : 0))
            i++;
        if (((uintptr_t) (address + i) & (word - 1)) == 0)
            while (i + word <= size && *(const uintptr_t *) (address + i) ==
                                           (file ? *(const uintptr_t *) (file + i) : 0))
                i += word;
    }
    while (i < size && address[i] == (file ? file[i] : 0))
        i++;
    return i < size ? address + i : NULL;
}

/* Says in REASON that the byte at ADDRESS, in the segment INDEX, is not EXPECTED.  */
static enum self_result wrong_byte(const struct ldlayout_module *module, unsigned index, const char *what,
                                   const unsigned char *address, unsigned expected, struct self_line *reason)
{
    self_differ(reason, what, expected, *address);
    self_string(reason, LDLAYOUT_STRING(" at "));
    self_hex(reason, (uintptr_t) address);
    self_string(reason, LDLAYOUT_STRING(", "));
    self_segment(reason, module, index);
    return SELF_NOT_OK;
}

/* Checks the segment INDEX, a readable PT_LOAD.  */
static enum self_result check_segment(const struct ldlayout_module *module, unsigned index, struct self_line *reason)
{
    const ElfW(Phdr) *segment = &module->segments[index];
    const unsigned char *address = (const unsigned char *) (module->bias + segment->p_vaddr);
    const unsigned char *file = module->file + segment->p_offset;
    const unsigned char *wrong;

    /* Relocations, constructors and the program itself may have written to a writable segment; its zero part is untouched
       only where there is no libc.  */
    bool written = (segment->p_flags & PF_W) != 0;
    if (!written && (wrong = first_difference(address, file, segment->p_filesz)) != NULL)
        return wrong_byte(module, index, LDLAYOUT_STRING("byte differs from the file"), wrong, file[wrong - address],
                          reason);
    if (!(written && (__STDC_HOSTED__ || !module->main_program)) &&
        (wrong = first_difference(address + segment->p_filesz, NULL, segment->p_memsz - segment->p_filesz)) != NULL)
        return wrong_byte(module, index, LDLAYOUT_STRING("byte beyond p_filesz is not zero"), wrong, 0, reason);
    return SELF_OK;
}

enum self_result self_content(const struct ldlayout_session *session, const struct ldlayout_module *module,
                              struct self_line *reason)
{
    for (unsigned i = 0; i < module->header->e_phnum; i++) {
        const ElfW(Phdr) *segment = &module->segments[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_R) == 0)
            continue;
        if (segment->p_filesz != 0 && segment->p_offset + segment->p_filesz > module->file_size)
            return self_differ(reason, LDLAYOUT_STRING("a PT_LOAD ends beyond the end of the file"), module->file_size,
                               segment->p_offset + segment->p_filesz);
        if (check_segment(module, i, reason) != SELF_OK)
            return SELF_NOT_OK;
    }
#ifndef LDLAYOUT_NO_DATA
    if (module == &session->module) {
        for (unsigned i = 0; i < sizeof initialised_canary / sizeof *initialised_canary; i++)
            if (initialised_canary[i] != CANARY + i)
                return self_differ(reason, LDLAYOUT_STRING("initialised data is wrong"), CANARY + i,
                                   initialised_canary[i]);
        for (unsigned i = 0; i < sizeof zero_canary / sizeof *zero_canary; i++)
            if (zero_canary[i] != 0)
                return self_differ(reason, LDLAYOUT_STRING("zero data is not zero"), 0, zero_canary[i]);
    }
#else
    (void) session;
#endif
    return SELF_OK;
}
