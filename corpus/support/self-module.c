/* Opens a loaded module's own file and answers simple questions about it and about the process.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "self.h"

void *self_allocate(size_t size)
{
    return (void *) self_must(LDLAYOUT_STRING("mmap"), SELF_CALL(target_mmap, 0, size, PROT_READ | PROT_WRITE,
                                                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

void self_open(struct ldlayout_module *module, const char *path, uintptr_t dynamic, uintptr_t loaded_header,
               bool main_program)
{
    int file = (int) self_must(path, SELF_CALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0, 0));
    size_t size = (size_t) self_must(LDLAYOUT_STRING("lseek"), SELF_CALL(lseek, file, 0, SEEK_END, 0, 0, 0));
    long address = SELF_CALL(target_mmap, 0, size, PROT_READ, MAP_PRIVATE, file, 0);
    unsigned index;

    module->file = (const unsigned char *) self_must(LDLAYOUT_STRING("mmap of the file"), address);
    SELF_CALL(close, file, 0, 0, 0, 0, 0);
    module->file_size = size;
    module->header = (const ElfW(Ehdr) *) module->file;
    module->segments = (const ElfW(Phdr) *) (module->file + module->header->e_phoff);
    module->loaded_header = loaded_header;
    module->main_program = main_program;
    /* _DYNAMIC is another witness than __ehdr_start, which self-bias compares with the outcome.  */
    module->bias = 0;
    if (dynamic != 0 && self_find_segment(module, PT_DYNAMIC, &index))
        module->bias = dynamic - module->segments[index].p_vaddr;
}

uintptr_t self_auxiliary(const struct ldlayout_session *session, unsigned long type, uintptr_t missing)
{
    const ElfW(auxv_t) *entry = session->auxiliary;
    while (entry->a_type != AT_NULL && entry->a_type != type)
        entry++;
    return entry->a_type == type ? entry->a_un.a_val : missing;
}

bool self_find_segment(const struct ldlayout_module *module, unsigned type, unsigned *index)
{
    unsigned i = 0;
    while (i < module->header->e_phnum && module->segments[i].p_type != type)
        i++;
    if (index != NULL)
        *index = i;
    return i < module->header->e_phnum;
}

void ldlayout_beside(char *path, size_t size, const char *program, const char *name)
{
    size_t folder = 0;
    size_t length = 0;

    for (size_t i = 0; program[i] != '\0'; i++)
        if (program[i] == '/')
            folder = i + 1;
    while (name[length] != '\0')
        length++;
    if (folder + length + 1 > size)
        self_accident(LDLAYOUT_STRING("path too long"), (long) size);
    for (size_t i = 0; i < folder; i++)
        path[i] = program[i];
    for (size_t i = 0; i <= length; i++)
        path[folder + i] = name[i];
}
