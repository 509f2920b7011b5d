/* A library to preload that breaks one promise about the main program before its main runs: so each self check is seen to fail.
   SPDX-License-Identifier: GPL-3.0-or-later

   Compile with -shared -fPIC; run a libc program of mode exec or pie with LD_PRELOAD=damage.so and LDLAYOUT_DAMAGE=WHAT.
   The check that must fail then, and no other (but a changed ELF header is changed content, too):
   header      self-headers      a byte of the loaded ELF header
   phnum       self-headers      AT_PHNUM
   entry       self-headers      AT_ENTRY
   content     self-content      the last byte of the last PT_LOAD that is not writable
   executable  self-permissions  the last page of the last PT_LOAD can be executed
   writable    self-permissions  the first page of PT_GNU_RELRO can be written
   readonly    self-permissions  the last page of the last PT_LOAD cannot be written (over-aligned.c lives without)
   gap         self-permissions  the first gap of whole pages can be read (needs a max-page-size of two pages or more)
   Exit status 1, with a line on standard error, where the program has nothing to damage.  */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Takes the page of ADDRESS and the PROTECTION (PROT_*) to give it; returns whether that was possible.  */
static bool protect(uintptr_t address, int protection)
{
    uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    return mprotect((void *) (address & -page), page, protection) == 0;
}

/* Changes the byte at ADDRESS and gives its page the PROTECTION again.  */
static bool change(uintptr_t address, int protection)
{
    bool changed = protect(address, PROT_READ | PROT_WRITE | PROT_EXEC);
    if (changed)
        *(volatile unsigned char *) address ^= 0x55;
    return changed && protect(address, protection);
}

/* Returns the PROT_* of PF_* FLAGS.  */
static int protection_of(unsigned flags)
{
    return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) | (flags & PF_X ? PROT_EXEC : 0);
}

/* Adds 1 to the auxiliary vector's entry TYPE, where the program will read it.  */
static bool change_auxiliary(unsigned long type)
{
    char **environment = environ;
    ElfW(auxv_t) *entry;
    while (*environment != NULL)
        environment++;
    for (entry = (ElfW(auxv_t) *) (environment + 1); entry->a_type != AT_NULL; entry++)
        if (entry->a_type == type) {
            entry->a_un.a_val++;
            return true;
        }
    return false;
}

/* Maps a page into the first gap between the PT_LOADs of INFORMATION.  */
static bool fill_gap(const struct dl_phdr_info *information)
{
    uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    uintptr_t end = 0;
    for (unsigned i = 0; i < information->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &information->dlpi_phdr[i];
        uintptr_t start = (information->dlpi_addr + segment->p_vaddr) & -page;
        if (segment->p_type != PT_LOAD)
            continue;
        if (end != 0 && end < start)
            return mmap((void *) end, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (void *) end;
        end = (information->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & -page;
    }
    return false;
}

/* Does the damage DATA, a name, to the first module that the loader names: the main program.  Returns 1 if done, else -1.  */
static int damage(struct dl_phdr_info *information, size_t size, void *data)
{
    const char *what = data;
    uintptr_t bias = information->dlpi_addr;
    const ElfW(Phdr) *first = NULL, *constant = NULL, *last = NULL, *relro = NULL;
    bool done = false;

    (void) size;
    for (unsigned i = 0; i < information->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &information->dlpi_phdr[i];
        if (segment->p_type == PT_GNU_RELRO)
            relro = segment;
        if (segment->p_type != PT_LOAD)
            continue;
        last = segment;
        if (first == NULL)
            first = segment;
        if ((segment->p_flags & PF_W) == 0)
            constant = segment;
    }
    if (strcmp(what, "header") == 0)
        done = first != NULL && change(bias + first->p_vaddr + EI_PAD, protection_of(first->p_flags));
    else if (strcmp(what, "phnum") == 0)
        done = change_auxiliary(AT_PHNUM);
    else if (strcmp(what, "entry") == 0)
        done = change_auxiliary(AT_ENTRY);
    else if (strcmp(what, "content") == 0)
        done = constant != NULL && change(bias + constant->p_vaddr + constant->p_filesz - 1,
                                          protection_of(constant->p_flags));
    else if (strcmp(what, "executable") == 0)
        done = last != NULL && protect(bias + last->p_vaddr + last->p_memsz - 1, PROT_READ | PROT_WRITE | PROT_EXEC);
    else if (strcmp(what, "writable") == 0)
        done = relro != NULL && protect(bias + relro->p_vaddr, PROT_READ | PROT_WRITE);
    else if (strcmp(what, "readonly") == 0)
        done = last != NULL && protect(bias + last->p_vaddr + last->p_memsz - 1, PROT_READ);
    else if (strcmp(what, "gap") == 0)
        done = fill_gap(information);
    return done ? 1 : -1;
}

__attribute__((constructor)) static void start(void)
{
    char *what = getenv("LDLAYOUT_DAMAGE");
    if (what == NULL || dl_iterate_phdr(damage, what) != 1) {
        fprintf(stderr, "damage: cannot damage \"%s\" of this program\n", what == NULL ? "" : what);
        _exit(1);
    }
}
