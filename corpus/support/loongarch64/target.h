/* What of loongarch64 the self checks need: system calls, the process entry, the return instruction.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifndef LDLAYOUT_TARGET_H
#define LDLAYOUT_TARGET_H

#include <stdint.h>

#define TARGET_ASSEMBLER_COMMENT "#"

/* The system call that maps memory.  */
#define SYS_target_mmap SYS_mmap

/* The return instruction (jirl $zero, $ra, 0), and the type whose alignment instructions have.  */
#define TARGET_RETURN 0x4c000020
typedef uint32_t target_instruction;

/* Calls the function NAME with the initial stack pointer (psABI, process initialization).  */
#define TARGET_START(name)                                                                                             \
    ".text\n.globl _start\n.type _start, %function\n_start:\n"                                                         \
    "move $fp, $zero\n move $ra, $zero\n move $a0, $sp\n bl " name "\n break 0\n"

/* System call NUMBER; returns the result or -errno.  The kernel keeps no $t register.  */
static inline long target_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long which __asm__("$a7") = number;
    register long first __asm__("$a0") = a;
    register long second __asm__("$a1") = b;
    register long third __asm__("$a2") = c;
    register long fourth __asm__("$a3") = d;
    register long fifth __asm__("$a4") = e;
    register long sixth __asm__("$a5") = f;
    __asm__ volatile("syscall 0"
                     : "+r"(first)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "$t0", "$t1", "$t2", "$t3", "$t4", "$t5", "$t6", "$t7", "$t8", "memory");
    return first;
}

/* Calls the code at *ADDRESS.  */
static inline void target_execute(const uintptr_t *address)
{
    __asm__ volatile("ld.d $t0, %0, 0\n jirl $ra, $t0, 0" : : "r"(address) : "$t0", "$ra", "memory");
}

/* Leaves the stack for the one that ends at STACK (16-byte aligned) and calls FUNCTION, which does not return.  */
static inline __attribute__((noreturn)) void target_switch_stack(void *stack, void (*function)(void *), void *argument)
{
    register void *first __asm__("$a0") = argument;
    __asm__ volatile("move $sp, %0\n jirl $ra, %1, 0" : : "r"(stack), "r"(function), "r"(first) : "memory");
    __builtin_unreachable();
}

#endif
