// A reply: how a command ended, and how to write that down.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_REPLY_H
#define LDLAYOUT_REPLY_H

#include <stddef.h>
#include <stdint.h>

enum ending {
    ENDING_EXITED,  // detail: exit code
    ENDING_KILLED,  // detail: signal number
    ENDING_TIMEOUT, // detail: 0
    ENDING_FAILED   // not started; detail: errno, and the output is a line that says which call refused
};

// How one command ended. Owns output: release it with free.
struct reply {
    enum ending ending;
    int detail;
    int64_t user_us;   // CPU time of the command and of the descendants it waited for; not of those it left behind
    int64_t system_us; // likewise
    int64_t wall_us;   // from before fork to its end
    char *output;      // output_kept bytes: the beginning of standard output and standard error as they came
    size_t output_kept;
    uint64_t output_total; // bytes written, kept or not
};

// Bytes that hold every line reply_format writes, with its NUL: five words, six numbers of at most 20 digits.
enum { REPLY_LINE_BYTES = 160 };

// Writes the line that precedes the output, with its newline:
//
//     done exited|killed|timeout|failed DETAIL USER-US SYSTEM-US WALL-US OUTPUT-KEPT OUTPUT-TOTAL\n
//
// Returns its length in bytes.
size_t reply_format(const struct reply *reply, char line[REPLY_LINE_BYTES]);

#endif
