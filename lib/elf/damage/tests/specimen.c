// A program, or shared object, with a section of every kind that a rule of check-layout looks at.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

static const char text[4000] = "read-only data";
static const char *const pointers[] = {text, text + 1}; // .data.rel.ro
static volatile _Thread_local int initialised = 1;
static volatile _Thread_local int zero[2];
static int data[64] = {1};
static int bss[2048];

__attribute__((constructor)) static void construct(void)
{
    bss[0]++;
}

int main(int count, char **words)
{
    (void)words;
    zero[0] = initialised + count;
    data[1] = zero[0];
    printf("%s %d %d\n", pointers[count & 1], data[0] + data[1], bss[0]);
    return 0;
}
