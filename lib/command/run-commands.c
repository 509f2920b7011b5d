// Runs one command after another for a client that keeps it open on a pipe: requests in, replies out.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descendants.h"
#include "execute.h"

enum { STATUS_GOOD = 0, STATUS_CANNOT = 2, READ_BYTES = 64 << 10 };

static const char help[] =
    "Usage: run-commands\n"
    "Runs the commands asked for on standard input, one after another, and answers each on standard output,\n"
    "until standard input ends. Keep it open until the last answer: its end kills the running command.\n"
    "\n"
    "Request, numbers decimal, lengths in bytes:\n"
    "  run TIMEOUT-MS keep|nobody OUTPUT-LIMIT DIRECTORY-LENGTH ARGUMENT-COUNT\\n\n"
    "  DIRECTORY\\n            where to run it; length 0: here\n"
    "  LENGTH\\n               and\n"
    "  ARGUMENT\\n             for each argument, the program first\n"
    "Answer:\n"
    "  done exited|killed|timeout|failed DETAIL USER-US SYSTEM-US WALL-US OUTPUT-KEPT OUTPUT-TOTAL\\n\n"
    "  OUTPUT                 OUTPUT-KEPT bytes: standard output and error, at most OUTPUT-LIMIT\n"
    "DETAIL is the exit code, the signal number, 0, or the errno of a command that could not be started.\n"
    "CPU times include descendants the command waited for. Descendants it leaves behind are killed.\n"
    "'nobody' runs it as user and group 65534 if run-commands is root, and changes nothing otherwise.\n"
    "\n"
    "Example: (printf 'run 1000 keep 80 0 2\\n\\n4\\necho\\n5\\nhello\\n'; sleep 1) | run-commands\n"
    "Exit status: 0 at the end of standard input, 2 if it cannot go on, with the reason on standard error.\n";

// Bytes read from standard input and not yet parsed.
struct input {
    char *bytes;
    size_t length;
    size_t capacity;
};

static int cannot(const char *what, const char *why)
{
    fprintf(stderr, "run-commands: %s: %s\n", what, why);
    return STATUS_CANNOT;
}

// Reads once more. Returns the bytes read, 0 at the end, -1 with errno set.
static ssize_t read_more(struct input *input)
{
    if (input->capacity - input->length < READ_BYTES) {
        size_t wanted = input->capacity * 2 + READ_BYTES;
        char *bigger = realloc(input->bytes, wanted);
        if (bigger == NULL) {
            return -1;
        }
        input->bytes = bigger;
        input->capacity = wanted;
    }
    ssize_t got = read(STDIN_FILENO, input->bytes + input->length, READ_BYTES);
    input->length += got > 0 ? (size_t)got : 0;
    return got;
}

// Returns false with errno set if not all bytes could be written.
static bool write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(STDOUT_FILENO, bytes, length);
        if (put < 0) {
            return false;
        }
        bytes += put;
        length -= (size_t)put;
    }
    return true;
}

// Runs one request and writes its reply. Returns an exit status; only STATUS_GOOD means to go on.
static int answer(const struct executor *executor, const struct request *request)
{
    struct reply reply;
    char line[REPLY_LINE_BYTES];
    switch (execute(executor, request, &reply)) {
    case EXECUTION_INPUT_CLOSED:
        return cannot("standard input ended, so this command was killed, keep it open until the answer",
                      request->arguments[0]);
    case EXECUTION_TERMINATED:
        return cannot("ended by a signal, so this command was killed", request->arguments[0]);
    case EXECUTION_DONE:
        break;
    }
    size_t length = reply_format(&reply, line);
    bool written = write_all(line, length) && write_all(reply.output, reply.output_kept);
    int error = errno;
    free(reply.output);
    return written ? STATUS_GOOD : cannot("standard output", strerror(error));
}

// Answers the complete requests among the bytes read, and drops them. Returns an exit status as answer does.
static int answer_complete(const struct executor *executor, struct input *input)
{
    for (;;) {
        struct request request;
        size_t used = 0;
        char reason[REQUEST_REASON_BYTES];
        switch (request_parse(input->bytes, input->length, &request, &used, reason)) {
        case REQUEST_MALFORMED:
            return cannot("malformed request", reason);
        case REQUEST_INCOMPLETE:
            return STATUS_GOOD;
        case REQUEST_COMPLETE:
            break;
        }
        int status = answer(executor, &request);
        request_free(&request);
        if (status != STATUS_GOOD) {
            return status;
        }
        input->length -= used;
        memmove(input->bytes, input->bytes + used, input->length);
    }
}

// Answers requests until the input ends or one cannot be answered. Returns the exit status.
static int answer_all(const struct executor *executor, struct input *input)
{
    int status = STATUS_GOOD;
    ssize_t got = 0;
    while (status == STATUS_GOOD && (got = read_more(input)) > 0) {
        status = answer_complete(executor, input);
    }
    if (got < 0) {
        status = cannot("standard input", strerror(errno));
    } else if (status == STATUS_GOOD && input->length > 0) {
        status = cannot("malformed request", "standard input ended within it");
    }
    return status;
}

// The worker: answers requests until told to stop by its guard's death, among others. Returns the exit status.
static int work(pid_t guard)
{
    struct executor executor;
    struct input input = {0};
    if (prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0UL, 0UL, 0UL) != 0 || getppid() != guard) {
        return cannot("prctl", "the guarding process died");
    }
    if (!executor_open(&executor, STDIN_FILENO)) {
        return cannot("cannot watch processes, is /proc mounted?", strerror(errno));
    }
    int status = answer_all(&executor, &input);
    free(input.bytes);
    executor_close(&executor);
    return status;
}

// The guard: starts the worker and, should something kill it, ends what it was running. The worker in turn stops when
// the guard dies, so that neither's death leaves a command behind. Returns the worker's exit status.
static int guard(void)
{
    int children = descendants_adopt();
    if (children < 0) {
        return cannot("cannot watch processes, is /proc mounted?", strerror(errno));
    }
    pid_t self = getpid();
    pid_t worker = fork();
    if (worker == 0) {
        close(children);
        return work(self);
    }
    int status = 0;
    bool waited = worker > 0 && waitpid(worker, &status, 0) == worker;
    int error = errno;
    descendants_end(children);
    close(children);
    if (!waited) {
        return cannot("fork", strerror(error));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : cannot("ended by a signal", strsignal(WTERMSIG(status)));
}

int main(int argc, char **argv)
{
    int status = STATUS_GOOD;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        status = fputs(help, stdout) == EOF || fflush(stdout) == EOF ? STATUS_CANNOT : STATUS_GOOD;
    } else if (argc > 1) {
        status = cannot("takes no such argument, type run-commands --help", argv[1]);
    } else if (fcntl(STDIN_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 ||
               fcntl(STDERR_FILENO, F_GETFD) < 0) {
        // A pipe made later would take the free number.
        status = cannot("standard input, output and error must be open", strerror(errno));
    } else {
        status = guard();
    }
    return status;
}
