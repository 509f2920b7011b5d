/* Whether the ELF header, the program headers and the load bias that the process sees are those of its file.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#if __STDC_HOSTED__
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include <sys/utsname.h>

#include "self.h"

/* Returns the run-time address of the file offset OFFSET of MODULE, or 0 if no PT_LOAD holds it.  */
static uintptr_t loaded_offset(const struct ldlayout_module *module, uintptr_t offset)
{
    for (unsigned i = 0; i < module->header->e_phnum; i++) {
        const ElfW(Phdr) *segment = &module->segments[i];
        if (segment->p_type == PT_LOAD && offset - segment->p_offset < segment->p_filesz)
            return module->bias + segment->p_vaddr + (offset - segment->p_offset);
    }
    return 0;
}

/* Compares SIZE loaded bytes with those at OFFSET of the file; REASON then begins with WHAT.  */
static enum self_result compare_loaded(const struct ldlayout_module *module, const char *what, uintptr_t offset,
                                       size_t size, struct self_line *reason)
{
    const unsigned char *loaded = (const unsigned char *) loaded_offset(module, offset);
    for (size_t i = 0; i < size; i++)
        if (loaded[i] != module->file[offset + i]) {
            self_differ(reason, what, module->file[offset + i], loaded[i]);
            self_string(reason, LDLAYOUT_STRING(" at "));
            self_hex(reason, (uintptr_t) loaded + i);
            return SELF_NOT_OK;
        }
    return SELF_OK;
}

/* Compares the auxiliary vector, which describes the main program, with the file.  HEADERS: where those are loaded.  */
static enum self_result compare_auxiliary(const struct ldlayout_session *session, const struct ldlayout_module *module,
                                          uintptr_t headers, struct self_line *reason)
{
    const uintptr_t missing = (uintptr_t) -1;
    const ElfW(Ehdr) *file = module->header;
    uintptr_t entry = module->bias + file->e_entry;
    uintptr_t base = self_auxiliary(session, AT_BASE, 0);
    uintptr_t value;

    if ((value = self_auxiliary(session, AT_PHDR, missing)) != headers)
        return self_differ(reason, LDLAYOUT_STRING("AT_PHDR is not where the program headers lie"), headers, value);
    if ((value = self_auxiliary(session, AT_PHNUM, missing)) != file->e_phnum)
        return self_differ(reason, LDLAYOUT_STRING("AT_PHNUM is not e_phnum"), file->e_phnum, value);
    if ((value = self_auxiliary(session, AT_PHENT, missing)) != file->e_phentsize)
        return self_differ(reason, LDLAYOUT_STRING("AT_PHENT is not e_phentsize"), file->e_phentsize, value);
    if ((value = self_auxiliary(session, AT_ENTRY, missing)) != entry)
        return self_differ(reason, LDLAYOUT_STRING("AT_ENTRY is not e_entry"), entry, value);
    if (self_find_segment(module, PT_INTERP, NULL) != (base != 0))
        return self_differ(reason, LDLAYOUT_STRING("AT_BASE and PT_INTERP disagree"),
                           self_find_segment(module, PT_INTERP, NULL), base);
    return SELF_OK;
}

#if __STDC_HOSTED__
/* What dl_iterate_phdr is asked for and says: the module whose program headers lie at HEADERS.  */
struct iteration {
    uintptr_t headers, bias, count;
    bool found;
};

static int visit(struct dl_phdr_info *information, size_t size, void *data)
{
    struct iteration *iteration = data;
    (void) size;
    if ((uintptr_t) information->dlpi_phdr != iteration->headers)
        return 0;
    iteration->bias = information->dlpi_addr;
    iteration->count = information->dlpi_phnum;
    iteration->found = true;
    return 1;
}

/* Compares what the dynamic loader, or static libc, knows of MODULE with its file.  */
static enum self_result compare_loader(const struct ldlayout_module *module, uintptr_t headers,
                                       struct self_line *reason)
{
    struct iteration iteration = {headers, 0, 0, false};
    dl_iterate_phdr(visit, &iteration);
    if (!iteration.found)
        return self_differ(reason, LDLAYOUT_STRING("dl_iterate_phdr knows no such program headers"), headers, 0);
    if (iteration.bias != module->bias)
        return self_differ(reason, LDLAYOUT_STRING("dlpi_addr is not the bias"), module->bias, iteration.bias);
    if (iteration.count != module->header->e_phnum)
        return self_differ(reason, LDLAYOUT_STRING("dlpi_phnum is not e_phnum"), module->header->e_phnum,
                           iteration.count);
    return SELF_OK;
}
#endif

enum self_result self_headers(const struct ldlayout_session *session, const struct ldlayout_module *module,
                              struct self_line *reason)
{
    const ElfW(Ehdr) *file = module->header;
    uintptr_t headers = loaded_offset(module, file->e_phoff);
    enum self_result result = SELF_OK;

    if (file->e_phentsize != sizeof(ElfW(Phdr)))
        return self_differ(reason, LDLAYOUT_STRING("e_phentsize"), sizeof(ElfW(Phdr)), file->e_phentsize);
    /* A layout that loads no headers (-N) leaves only the loader's word for them.  */
    if (loaded_offset(module, 0) != 0) {
        if (module->loaded_header != loaded_offset(module, 0))
            return self_differ(reason, LDLAYOUT_STRING("__ehdr_start is not where file offset 0 is loaded"),
                               loaded_offset(module, 0), module->loaded_header);
        result = compare_loaded(module, LDLAYOUT_STRING("ELF header differs from the file"), 0, sizeof *file, reason);
    }
    if (result == SELF_OK && headers != 0)
        result = compare_loaded(module, LDLAYOUT_STRING("program headers differ from the file"), file->e_phoff,
                                file->e_phnum * sizeof(ElfW(Phdr)), reason);
    if (result == SELF_OK && headers != 0 && module->main_program)
        result = compare_auxiliary(session, module, headers, reason);
#if __STDC_HOSTED__
    if (result == SELF_OK && headers != 0)
        result = compare_loader(module, headers, reason);
#endif
    return result;
}

/* Returns whether the kernel aligns a static PIE to its p_align: Linux 6.10 and newer.  */
static bool kernel_aligns_static_pie(void)
{
    struct utsname name;
    unsigned version[2] = {0, 0};
    const char *character = name.release;
    self_must(LDLAYOUT_STRING("uname"), SELF_CALL(uname, &name, 0, 0, 0, 0, 0));
    for (unsigned i = 0; i < 2; i++, character++)
        for (; *character >= '0' && *character <= '9'; character++)
            version[i] = version[i] * 10 + (unsigned) (*character - '0');
    return version[0] > 6 || (version[0] == 6 && version[1] >= 10);
}

enum self_result self_bias(const struct ldlayout_session *session, const struct ldlayout_module *module,
                           struct self_line *reason)
{
    uintptr_t alignment = session->page_size;
    uintptr_t page;
    unsigned first;

    if (!self_find_segment(module, PT_LOAD, &first))
        return self_differ(reason, LDLAYOUT_STRING("the file has no PT_LOAD"), 1, 0);
    if (module->header->e_type == ET_EXEC && module->bias != 0)
        return self_differ(reason, LDLAYOUT_STRING("ET_EXEC is not where it was linked"), 0, module->bias);
    if (module->header->e_type == ET_EXEC)
        return SELF_OK;

    /* Linux and ld.so align the page of the first PT_LOAD, not the bias.  */
    page = (module->bias + module->segments[first].p_vaddr) & -session->page_size;
    if (page - (module->segments[first].p_vaddr & -session->page_size) != module->bias)
        return self_differ(reason, LDLAYOUT_STRING("the bias is not a multiple of AT_PAGESZ"),
                           module->bias & -session->page_size, module->bias);
    for (unsigned i = first; i < module->header->e_phnum; i++) {
        uintptr_t wanted = module->segments[i].p_align;
        if (module->segments[i].p_type == PT_LOAD && (wanted & (wanted - 1)) == 0 && wanted > alignment)
            alignment = wanted;
    }
    if ((page & (alignment - 1)) == 0)
        return SELF_OK;
    self_differ(reason, LDLAYOUT_STRING("the page of the first PT_LOAD is not aligned to the largest p_align"),
                page & -alignment, page);
    self_string(reason, LDLAYOUT_STRING(", p_align "));
    self_hex(reason, alignment);
    self_string(reason, LDLAYOUT_STRING(", "));
    self_segment(reason, module, first);
    if (module->main_program && !self_find_segment(module, PT_INTERP, NULL) && !kernel_aligns_static_pie()) {
        self_string(reason, LDLAYOUT_STRING(": Linux before 6.10 does not align a static PIE"));
        return SELF_SKIP;
    }
    return SELF_NOT_OK;
}
