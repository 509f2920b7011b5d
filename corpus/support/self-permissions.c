/* Whether each page of a module can be read, written and executed as its program headers say, tried in forked processes.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include "self.h"

/* One access to one byte.  An access that must fail must do so with SIGSEGV at that very address, by SEGV_ACCERR, or in a GAP
   between segments also by SEGV_MAPERR: whatever else happens, the access itself succeeded.  */
struct probe {
    uintptr_t address; /* of the byte, or of the instruction */
    unsigned segment;  /* index of the program header, the one before the gap */
    unsigned access;   /* PF_R, PF_W or PF_X */
    bool allowed;      /* must succeed */
    bool gap;
    bool traps;   /* executes what does not return, but a signal */
    bool unknown; /* executes bytes that may do anything: the process ends thereafter */
    enum { NOT_TRIED, SUCCEEDED, FAULTED, DIED } outcome;
    int signal;      /* if FAULTED */
    int code;        /* its si_code; if DIED the wait status */
    uintptr_t fault; /* the address that the signal names */
};

enum { PROBE_LIMIT = 256 };

/* The CPU time of a process that probes, in microseconds, and its time in seconds.  What was executed may loop or wait.  */
enum { CPU_LIMIT = 300000, TIME_LIMIT = 2 };

/* Shared by the process and those forked to probe.  SIGNAL_STACK comes first: it leads the handler, which has no argument of
   its own and in a program without data no variable, to the rest.  */
struct arena {
    unsigned char signal_stack[65536];
    unsigned char stack[16384];
    unsigned count, next;
    struct probe probes[PROBE_LIMIT];
};

/* What the Linux system call rt_sigaction takes.  loongarch64 has no restorer; all zeros serve both, since the handler never
   returns.  */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask[2];
};

/* Linux SA_RESTORER, which x86 demands; without meaning elsewhere.  */
#define KERNEL_SA_RESTORER 0x04000000ul

/* The status of a forked process that came to its end; another one died of what it executed, perhaps by exit.  */
enum { PROBES_ENDED = 42 };

/* Ends the forked process.  */
static __attribute__((noreturn)) void exit_probes(void)
{
    for (;;)
        SELF_CALL(exit_group, PROBES_ENDED, 0, 0, 0, 0, 0);
}

static void run_probes(void *argument) __attribute__((noreturn));

/* Notes how the access ARENA->next ended, and goes on with the next one on a stack of its own: no need to come back to where
   the fault was, and the signal stack is free again.  */
static void on_fault(int signal, siginfo_t *information, void *context)
{
    struct arena *arena = ((ucontext_t *) context)->uc_stack.ss_sp;
    struct probe *probe = &arena->probes[arena->next++];
    probe->outcome = FAULTED;
    probe->signal = signal;
    probe->code = information->si_code;
    probe->fault = (uintptr_t) information->si_addr;
    if (probe->unknown)
        exit_probes();
    target_switch_stack(arena->stack + sizeof arena->stack, run_probes, arena);
}

/* Makes the access of PROBE.  */
static void access_memory(const struct probe *probe)
{
    volatile unsigned char *byte = (volatile unsigned char *) probe->address;
    if (probe->access == PF_X)
        target_execute(&probe->address);
    else if (probe->access == PF_R)
        (void) *byte;
    else
        *byte = *byte; /* The same value again: memory stays as it was.  */
}

/* Takes an arena and tries its accesses from `next` on, until one that executes unknown bytes.  */
static void run_probes(void *argument)
{
    struct arena *arena = argument;
    bool unknown = false;
    while (arena->next < arena->count && !unknown) {
        unknown = arena->probes[arena->next].unknown;
        /* It may be code that writes.  */
        for (int descriptor = 0; unknown && descriptor <= 2; descriptor++)
            SELF_CALL(close, descriptor, 0, 0, 0, 0, 0);
        access_memory(&arena->probes[arena->next]);
        arena->probes[arena->next++].outcome = SUCCEEDED;
    }
    exit_probes();
}

/* The forked process.  */
static __attribute__((noreturn)) void start_probes(struct arena *arena)
{
    /* The signals other than SIGSEGV are raised by what was executed; caught, they leave no core file and no word of the
       emulator.  */
    const unsigned faults = 1u << SIGSEGV | 1u << SIGBUS | 1u << SIGILL | 1u << SIGTRAP | 1u << SIGFPE;
    struct kernel_action action;
    stack_t stack = {.ss_sp = arena->signal_stack, .ss_size = sizeof arena->signal_stack};
    struct itimerval limit = {{0, 0}, {0, CPU_LIMIT}};

    /* No initializer: with an address in it, that could be read-only data to be relocated, and start.c relocates nothing.  */
    action.handler = on_fault;
    action.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | KERNEL_SA_RESTORER;
    action.restorer = NULL;
    action.mask[0] = action.mask[1] = 0;
    SELF_CALL(sigaltstack, &stack, NULL, 0, 0, 0, 0);
    for (int signal = 1; signal < 32; signal++)
        if ((faults >> signal & 1) != 0)
            SELF_CALL(rt_sigaction, signal, &action, NULL, 8, 0, 0);
    SELF_CALL(setitimer, ITIMER_VIRTUAL, &limit, NULL, 0, 0, 0);
    limit.it_value.tv_sec = TIME_LIMIT;
    SELF_CALL(setitimer, ITIMER_REAL, &limit, NULL, 0, 0, 0);
    run_probes(arena);
}

/* Tries all accesses of ARENA, in as few processes as the outcomes allow: a fork is dear in an emulator.  */
static void try_all(struct arena *arena)
{
    while (arena->next < arena->count) {
        long child = self_must(LDLAYOUT_STRING("clone"), SELF_CALL(clone, SIGCHLD, 0, 0, 0, 0, 0));
        int status = 0;
        if (child == 0)
            start_probes(arena);
        self_must(LDLAYOUT_STRING("wait4"), SELF_CALL(wait4, child, &status, 0, NULL, 0, 0));
        if (status != PROBES_ENDED << 8) {
            arena->probes[arena->next].outcome = DIED;
            arena->probes[arena->next].code = status;
            arena->next++;
        }
    }
}

/* Returns whether the access of PROBE ended as it must.  */
static bool as_expected(const struct probe *probe)
{
    bool refused = probe->outcome == FAULTED && probe->signal == SIGSEGV && probe->fault == probe->address;
    if (!probe->allowed)
        return refused && (probe->code == SEGV_ACCERR || (probe->gap && probe->code == SEGV_MAPERR));
    return probe->traps || probe->unknown ? !refused : probe->outcome == SUCCEEDED;
}

/* Returns whether PT_GNU_RELRO of MODULE takes effect: ld.so and static glibc see to it, a program without libc does not.  */
static bool relro_applied(const struct ldlayout_module *module)
{
    return __STDC_HOSTED__ || !module->main_program || self_find_segment(module, PT_INTERP, NULL);
}

/* Finds what protects PAGE of MODULE: returns the PF_* bits, and in *SEGMENT the index of the last PT_LOAD on that page, whose
   mapping replaces that of an earlier one; e_phnum if there is none.  */
static unsigned page_flags(const struct ldlayout_session *session, const struct ldlayout_module *module, uintptr_t page,
                           unsigned *segment)
{
    const uintptr_t mask = -session->page_size;
    unsigned flags = 0;
    unsigned relro;

    *segment = module->header->e_phnum;
    for (unsigned i = 0; i < module->header->e_phnum; i++) {
        const ElfW(Phdr) *load = &module->segments[i];
        uintptr_t start = module->bias + load->p_vaddr;
        if (load->p_type == PT_LOAD && load->p_memsz != 0 && page >= (start & mask) && page < start + load->p_memsz) {
            flags = load->p_flags;
            *segment = i;
        }
    }
    if (self_find_segment(module, PT_GNU_RELRO, &relro) && relro_applied(module)) {
        uintptr_t start = module->bias + module->segments[relro].p_vaddr;
        /* ld.so rounds both ends down.  */
        if (page >= (start & mask) && page < ((start + module->segments[relro].p_memsz) & mask))
            flags &= ~(unsigned) PF_W;
    }
    return flags;
}

/* Finds in PAGE an instruction that is safe to execute and fills in PROBE.  Best is one that returns; else a word of zeros,
   which traps on every target (on x86 it writes to address 0, see target_execute); else what lies at ADDRESS.  */
static void find_instruction(const struct ldlayout_session *session, uintptr_t page, uintptr_t address,
                             struct probe *probe)
{
    const uintptr_t end = page + session->page_size;
    uintptr_t found = page;
    while (found < end && *(const target_instruction *) found != TARGET_RETURN)
        found += sizeof(target_instruction);
    if (found == end) {
        probe->traps = true;
        for (found = page; found < end && *(const uint32_t *) found != 0;)
            found += sizeof(uint32_t);
    }
    probe->unknown = found == end;
    probe->address = found < end ? found : address;
}

/* Adds PROBE to ARENA.  */
static void add_probe(struct arena *arena, const struct probe *probe)
{
    if (arena->count == PROBE_LIMIT)
        self_accident(LDLAYOUT_STRING("too many pages to probe"), PROBE_LIMIT);
    arena->probes[arena->count++] = *probe;
}

/* Adds the three accesses to the byte at ADDRESS of MODULE; once a page, since all its bytes are protected alike.  PREVIOUS is
   the index of the segment before it, which a gap is named by.  */
static void add_byte(const struct ldlayout_session *session, const struct ldlayout_module *module, struct arena *arena,
                     uintptr_t address, unsigned previous)
{
    const uintptr_t page = address & -session->page_size;
    struct probe probe = {.address = address};
    unsigned flags = page_flags(session, module, page, &probe.segment);

    for (unsigned i = 0; i < arena->count; i++)
        if ((arena->probes[i].address & -session->page_size) == page)
            return;
    probe.gap = probe.segment == module->header->e_phnum;
    if (probe.gap)
        probe.segment = previous;
    for (unsigned access = PF_X; access <= PF_R; access <<= 1) {
        probe.access = access;
        probe.allowed = (flags & access) != 0;
        probe.address = address;
        probe.traps = probe.unknown = false;
        if (access == PF_X) {
            probe.address &= -sizeof(target_instruction);
            if (probe.allowed && (flags & PF_R) != 0)
                find_instruction(session, page, probe.address, &probe);
        }
        add_probe(arena, &probe);
    }
}

/* Returns whether PAGE, in a gap, is free of what the kernel put there since the module was loaded: it looks for room for the
   vdso (and its data pages before it), for files and for our own memory, and may find it in the gap of a static PIE.  */
static bool page_unused(const struct ldlayout_session *session, const struct arena *arena, uintptr_t page)
{
    const uintptr_t margin = 65536; /* more than any vdso or its data */
    const uintptr_t vdso = self_auxiliary(session, AT_SYSINFO_EHDR, 0);
    const struct ldlayout_module *program = &session->module;

    return !(page + margin >= vdso && page < vdso + margin) &&
           !(page - ((uintptr_t) program->file & -session->page_size) < program->file_size) &&
           !(page - (uintptr_t) arena < sizeof *arena);
}

/* Adds the first and the last page of the gap of whole pages between the segments BEFORE and AFTER, if there is one.  */
static void add_gap(const struct ldlayout_session *session, const struct ldlayout_module *module, struct arena *arena,
                    unsigned before, unsigned after)
{
    const ElfW(Phdr) *segment = &module->segments[before];
    uintptr_t start = module->bias + segment->p_vaddr + segment->p_memsz + session->page_size - 1;
    uintptr_t end = module->bias + module->segments[after].p_vaddr;

    start &= -session->page_size;
    end &= -session->page_size;
    if (start >= end)
        return;
    if (page_unused(session, arena, start))
        add_byte(session, module, arena, start, before);
    if (page_unused(session, arena, end - session->page_size))
        add_byte(session, module, arena, end - 1, before);
}

/* Adds the ends of each PT_LOAD's file part and memory part, of the gaps, and of PT_GNU_RELRO, and the ELF header.  */
static void add_module(const struct ldlayout_session *session, const struct ldlayout_module *module,
                       struct arena *arena)
{
    unsigned previous = module->header->e_phnum;
    unsigned relro;

    if (module->loaded_header != 0)
        add_byte(session, module, arena, module->loaded_header, 0);
    for (unsigned i = 0; i < module->header->e_phnum; i++) {
        const ElfW(Phdr) *segment = &module->segments[i];
        uintptr_t start = module->bias + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || segment->p_memsz == 0)
            continue;
        if (previous != module->header->e_phnum)
            add_gap(session, module, arena, previous, i);
        previous = i;
        add_byte(session, module, arena, start, i);
        if (segment->p_filesz != 0)
            add_byte(session, module, arena, start + segment->p_filesz - 1, i);
        if (segment->p_filesz != segment->p_memsz)
            add_byte(session, module, arena, start + segment->p_filesz, i);
        add_byte(session, module, arena, start + segment->p_memsz - 1, i);
    }
    if (self_find_segment(module, PT_GNU_RELRO, &relro)) {
        uintptr_t start = module->bias + module->segments[relro].p_vaddr;
        uintptr_t end = (start + module->segments[relro].p_memsz) & -session->page_size;
        if ((start & -session->page_size) < end) {
            add_byte(session, module, arena, start & -session->page_size, relro);
            add_byte(session, module, arena, end - 1, relro);
        }
    }
}

/* Appends to REASON what PROBE was, what had to happen and what did.  */
static void describe(const struct ldlayout_module *module, const struct probe *probe, struct self_line *reason)
{
    self_string(reason, probe->access == PF_R   ? LDLAYOUT_STRING("read at ")
                        : probe->access == PF_W ? LDLAYOUT_STRING("write at ")
                                                : LDLAYOUT_STRING("execution at "));
    self_hex(reason, probe->address);
    self_string(reason, probe->gap ? LDLAYOUT_STRING(", gap after ") : LDLAYOUT_STRING(", "));
    self_segment(reason, module, probe->segment);
    self_string(reason, LDLAYOUT_STRING(" (expected "));
    self_string(reason, probe->allowed ? LDLAYOUT_STRING("success")
                        : probe->gap   ? LDLAYOUT_STRING("SIGSEGV")
                                       : LDLAYOUT_STRING("SIGSEGV with SEGV_ACCERR"));
    self_string(reason, LDLAYOUT_STRING(" there, actual "));
    if (probe->outcome == FAULTED) {
        self_string(reason, LDLAYOUT_STRING("signal "));
        self_decimal(reason, (unsigned) probe->signal);
        self_string(reason, LDLAYOUT_STRING(" with si_code "));
        self_hex(reason, (unsigned) probe->code);
        self_string(reason, LDLAYOUT_STRING(" at "));
        self_hex(reason, probe->fault);
    } else if (probe->outcome == DIED) {
        self_string(reason, LDLAYOUT_STRING("death with wait status "));
        self_hex(reason, (unsigned) probe->code);
    } else {
        self_string(reason, LDLAYOUT_STRING("success"));
    }
    self_string(reason, LDLAYOUT_STRING(")"));
}

enum self_result self_permissions(const struct ldlayout_session *session, const struct ldlayout_module *module,
                                  struct self_line *reason)
{
    struct arena *arena = self_allocate(sizeof *arena);
    unsigned wrong = 0;

    add_module(session, module, arena);
    try_all(arena);
    reason->length = 0;
    for (unsigned i = 0; i < arena->count; i++) {
        const struct probe *probe = &arena->probes[i];
        if (!as_expected(probe) && wrong++ == 0)
            describe(module, probe, reason);
    }
    if (wrong > 1) {
        self_string(reason, LDLAYOUT_STRING(" and "));
        self_decimal(reason, wrong - 1);
        self_string(reason, LDLAYOUT_STRING(" more"));
    }
    SELF_CALL(munmap, arena, sizeof *arena, 0, 0, 0, 0);
    return wrong == 0 ? SELF_OK : SELF_NOT_OK;
}

bool ldlayout_writable(uintptr_t address)
{
    struct arena *arena = self_allocate(sizeof *arena);
    struct probe probe = {.address = address, .access = PF_W};
    bool result;

    add_probe(arena, &probe);
    try_all(arena);
    result = arena->probes[0].outcome == SUCCEEDED;
    SELF_CALL(munmap, arena, sizeof *arena, 0, 0, 0, 0);
    return result;
}
