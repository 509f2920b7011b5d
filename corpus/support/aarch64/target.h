/* What of aarch64 the self checks need: system calls, the process entry, the return instruction.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifndef LDLAYOUT_TARGET_H
#define LDLAYOUT_TARGET_H

#include <stdint.h>

#define TARGET_ASSEMBLER_COMMENT "//"

/* The system call that maps memory.  */
#define SYS_target_mmap SYS_mmap

/* The return instruction (ret), and the type whose alignment instructions have.  */
#define TARGET_RETURN 0xd65f03c0
typedef uint32_t target_instruction;

/* Calls the function NAME with the initial stack pointer (psABI, process initialization).  */
#define TARGET_START(name)                                                                                             \
    ".text\n.globl _start\n.type _start, %function\n_start:\n"                                                         \
    "mov x29, #0\n mov x30, #0\n mov x0, sp\n bl " name "\n brk #0\n"

/* System call NUMBER; returns the result or -errno.  */
static inline long target_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long which __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    register long fifth __asm__("x4") = e;
    register long sixth __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(first)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}

/* Calls the code at *ADDRESS.  */
static inline void target_execute(const uintptr_t *address)
{
    __asm__ volatile("ldr x16, [%0]\n blr x16" : : "r"(address) : "x16", "x17", "x30", "memory", "cc");
}

/* Leaves the stack for the one that ends at STACK (16-byte aligned) and calls FUNCTION, which does not return.  */
static inline __attribute__((noreturn)) void target_switch_stack(void *stack, void (*function)(void *), void *argument)
{
    register void *first __asm__("x0") = argument;
    __asm__ volatile("mov sp, %0\n blr %1" : : "r"(stack), "r"(function), "r"(first) : "memory");
    __builtin_unreachable();
}

#endif
