// A request: what a client asks run-commands to run, and how to read it from bytes.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_REQUEST_H
#define LDLAYOUT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum {
    // Longest request in bytes. Linux never takes more than 6 MiB of arguments (execve(2)), so that its own E2BIG is
    // what a client sees first.
    REQUEST_BYTES_MAX = 8 << 20,
    // Most arguments: each costs execve a pointer besides its bytes.
    REQUEST_ARGUMENTS_MAX = REQUEST_BYTES_MAX / 8,
    // Largest output limit in bytes: it is held in memory.
    REQUEST_OUTPUT_MAX = 1 << 30,
    // Bytes for the reason why a request is malformed, with its NUL.
    REQUEST_REASON_BYTES = 160
};

// One command to run. Owns its memory: release it with request_free.
struct request {
    int timeout_ms;        // 1 … INT_MAX
    bool nobody;           // run as an unprivileged user if the caller is root
    size_t output_limit;   // bytes of output to keep
    char *directory;       // working directory, "" to stay
    size_t argument_count; // at least 1
    char **arguments;      // the program, then its arguments, then NULL
};

enum request_status { REQUEST_COMPLETE, REQUEST_INCOMPLETE, REQUEST_MALFORMED };

// Reads one request from the start of bytes[0 … length). The form, all numbers decimal and all lengths in bytes:
//
//     run TIMEOUT-MS keep|nobody OUTPUT-LIMIT DIRECTORY-LENGTH ARGUMENT-COUNT\n
//     DIRECTORY\n
//     LENGTH\n ARGUMENT\n           once for each argument; no blank: it only parts the two lines here
//
// Directory and arguments may hold any byte but NUL. Returns REQUEST_COMPLETE with *request filled in and *used set to
// the bytes consumed; REQUEST_INCOMPLETE if more bytes are needed; or REQUEST_MALFORMED with a line without newline in
// reason that says what is wrong. Only the first leaves something to free.
enum request_status request_parse(const char *bytes, size_t length, struct request *request, size_t *used,
                                  char reason[REQUEST_REASON_BYTES]);

// Releases what request_parse allocated.
void request_free(struct request *request);

#endif
