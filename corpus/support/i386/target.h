/* What of i386 the self checks need: system calls, the process entry, the return instruction.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifndef LDLAYOUT_TARGET_H
#define LDLAYOUT_TARGET_H

#include <stdint.h>

#define TARGET_ASSEMBLER_COMMENT "#"

/* The system call that maps memory.  */
#define SYS_target_mmap SYS_mmap2

/* The return instruction, and the type whose alignment instructions have.  */
#define TARGET_RETURN 0xc3
typedef uint8_t target_instruction;

/* Calls the function NAME with the initial stack pointer (psABI, process initialization).  */
#define TARGET_START(name)                                                                                             \
    ".text\n.globl _start\n.type _start, %function\n_start:\n"                                                         \
    "xorl %ebp, %ebp\n movl %esp, %eax\n andl $-16, %esp\n subl $12, %esp\n pushl %eax\n call " name "\n hlt\n"

/* System call NUMBER; returns the result or -errno.  The sixth argument travels in ebp, which GCC may not lend.  */
static inline long target_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    const long rest[2] = {number, f};
    long result;
    __asm__ volatile("pushl %%ebp\n movl 4(%%eax), %%ebp\n movl (%%eax), %%eax\n int $0x80\n popl %%ebp"
                     : "=a"(result)
                     : "a"(rest), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
                     : "memory");
    return result;
}

/* Calls the code at *ADDRESS.  eax is cleared, so that zero bytes, add %al,(%eax), do not touch that address.  */
static inline void target_execute(const uintptr_t *address)
{
    __asm__ volatile("xorl %%eax, %%eax\n call *(%0)" : : "D"(address) : "eax", "ecx", "memory", "cc");
}

/* Leaves the stack for the one that ends at STACK (16-byte aligned) and calls FUNCTION, which does not return.  */
static inline __attribute__((noreturn)) void target_switch_stack(void *stack, void (*function)(void *), void *argument)
{
    __asm__ volatile("movl %0, %%esp\n subl $12, %%esp\n pushl %2\n call *%1"
                     :
                     : "r"(stack), "r"(function), "r"(argument)
                     : "memory");
    __builtin_unreachable();
}

#endif
