// Running one command to its end, with a time limit, and leaving nothing of it behind.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_EXECUTE_H
#define LDLAYOUT_EXECUTE_H

#include <stdbool.h>

#include "reply.h"
#include "request.h"

// User and group that "nobody" stands for: the kernel's overflow ID (/proc/sys/kernel/overflowuid), Debian's nobody and
// nogroup.
enum { NOBODY_ID = 65534 };

// What is watched while a command runs.
struct executor {
    int input;    // requests come from here; its end ends the command
    int signals;  // readable while SIGHUP, SIGINT or SIGTERM is pending
    int children; // from descendants_adopt
};

enum execution { EXECUTION_DONE, EXECUTION_INPUT_CLOSED, EXECUTION_TERMINATED };

// Prepares this process to run commands: it adopts their orphans (descendants_adopt). From now on it
// must have no children of its own. Takes the file descriptor to watch for its end. Returns false with errno set if the
// system cannot. Release with executor_close.
bool executor_open(struct executor *executor, int input);

// Closes what executor_open opened, not the input.
void executor_close(struct executor *executor);

// Runs the request's command and waits for its end. The command gets: /dev/null as standard input, one pipe as standard
// output and error, no other file descriptor; a session and process group of its own; default signal actions and an
// empty mask; no core dumps; this process's environment. A program name without '/' is searched in PATH. With
// request->nobody and an effective user ID of 0 it runs as NOBODY_ID without supplementary groups and with
// no_new_privs.
//
// When the command ends or its time is up, its process group and every other descendant are killed and reaped; what
// they had written is kept. They die too if the input closes or SIGHUP, SIGINT or SIGTERM arrives; the command itself
// even if this process is killed. The three signals are blocked meanwhile, and take their usual effect before this
// function returns.
//
// Returns EXECUTION_DONE with *reply filled in, whose output is to be freed. Otherwise there is no reply. If memory
// runs out, less than the output limit is kept: reply->output_total still counts all.
enum execution execute(const struct executor *executor, const struct request *request, struct reply *reply);

#endif
