/* What of x86_64 the self checks need: system calls, the process entry, the return instruction.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifndef LDLAYOUT_TARGET_H
#define LDLAYOUT_TARGET_H

#include <stdint.h>

#define TARGET_ASSEMBLER_COMMENT "#"

/* The system call that maps memory.  */
#define SYS_target_mmap SYS_mmap

/* The return instruction, and the type whose alignment instructions have.  */
#define TARGET_RETURN 0xc3
typedef uint8_t target_instruction;

/* Calls the function NAME with the initial stack pointer (psABI, process initialization).  */
#define TARGET_START(name)                                                                                             \
    ".text\n.globl _start\n.type _start, %function\n_start:\n"                                                         \
    "xorl %ebp, %ebp\n movq %rsp, %rdi\n andq $-16, %rsp\n call " name "\n hlt\n"

/* System call NUMBER; returns the result or -errno.  */
static inline long target_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}

/* Calls the code at *ADDRESS.  rax is cleared, so that zero bytes, add %al,(%rax), do not touch that address; the red zone is
   stepped over.  */
static inline void target_execute(const uintptr_t *address)
{
    __asm__ volatile("subq $128, %%rsp\n xorl %%eax, %%eax\n call *(%0)\n addq $128, %%rsp"
                     :
                     : "D"(address)
                     : "rax", "rcx", "memory", "cc");
}

/* Leaves the stack for the one that ends at STACK (16-byte aligned) and calls FUNCTION, which does not return.  */
static inline __attribute__((noreturn)) void target_switch_stack(void *stack, void (*function)(void *), void *argument)
{
    __asm__ volatile("movq %0, %%rsp\n call *%1" : : "r"(stack), "r"(function), "D"(argument) : "memory");
    __builtin_unreachable();
}

#endif
