// Runs one command: starts it, watches it, collects its output and ends all that is left of it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "execute.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/close_range.h>

#include "descendants.h"

enum {
    READ_BYTES = 64 << 10,   // a pipe's usual capacity (pipe(7))
    PIPE_BYTES_MAX = 1 << 20 // a pipe's largest for an unprivileged user (/proc/sys/fs/pipe-max-size)
};

// A started command, and the reply that is growing from it.
struct run {
    pid_t pid; // also its process group and session
    int pidfd;
    int output;
    size_t output_limit;
    size_t output_capacity;
    int64_t start_us;
    struct reply *reply;
};

enum event { EVENT_ENDED, EVENT_TIMEOUT, EVENT_INPUT_CLOSED, EVENT_TERMINATED, EVENT_ERROR };

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t timeval_us(struct timeval time)
{
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

static void terminating_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

bool executor_open(struct executor *executor, int input)
{
    sigset_t terminating;
    terminating_signals(&terminating);
    executor->input = input;
    executor->children = descendants_adopt();
    executor->signals = executor->children < 0 ? -1 : signalfd(-1, &terminating, SFD_CLOEXEC);
    if (executor->signals < 0 && executor->children >= 0) {
        int error = errno;
        close(executor->children);
        errno = error;
    }
    return executor->signals >= 0;
}

void executor_close(struct executor *executor)
{
    close(executor->signals);
    close(executor->children);
}

// The size of the kernel's signal set: 64 signals (all Linux targets but MIPS).
enum { KERNEL_SIGSET_BYTES = 8 };

static void default_signals(void)
{
    // By the system call: glibc's signal() refuses the two that it keeps for itself (32, 33), and a caller may have them
    // ignored. All zero means SIG_DFL in the kernel's structure, whose size differs from machine to machine.
    static const unsigned long default_action[16];
    for (int number = 1; number <= SIGRTMAX; number++) {
        syscall(SYS_rt_sigaction, number, default_action, NULL, KERNEL_SIGSET_BYTES);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// In the child: becomes the program. Returns only if that failed: the name of the call that refused, with errno set.
static const char *become(const struct request *request, int output, pid_t parent)
{
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) {
        return "dup2";
    }
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0) {
        return "open /dev/null";
    }
    if (setsid() < 0) {
        return "setsid";
    }
    if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
        return "close_range";
    }
    if (setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) != 0) {
        return "setrlimit";
    }
    // Before giving up root, which may be what it takes to get there.
    if (request->directory[0] != 0 && chdir(request->directory) != 0) {
        return "chdir";
    }
    if (request->nobody && geteuid() == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0 ||
            setresuid(NOBODY_ID, NOBODY_ID, NOBODY_ID) != 0) {
            return "setgroups, setresgid, setresuid";
        }
        if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) {
            return "prctl";
        }
    }
    // A change of user clears it, so not earlier; the parent may have died already.
    if (prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL) != 0) {
        return "prctl";
    }
    if (getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
    default_signals();
    // execvp hands a program the kernel refuses (ENOEXEC) to a shell. A linked program must not be taken for a script.
    if (strchr(request->arguments[0], '/') != NULL) {
        execv(request->arguments[0], request->arguments);
    } else {
        execvp(request->arguments[0], request->arguments);
    }
    return "execve";
}

// In the child: becomes the program, or writes why not to its output, and the errno to refusal.
_Noreturn static void child(const struct request *request, int output, int refusal, pid_t parent)
{
    const char *call = become(request, output, parent);
    int error = errno;
    dprintf(STDERR_FILENO, "cannot start '%s': %s: %s\n", request->arguments[0], call, strerror(error));
    _exit(write(refusal, &error, sizeof error) == (ssize_t)sizeof error ? EXIT_SUCCESS : EXIT_FAILURE);
}

// Makes room for more output, up to the limit. Returns where the next bytes go and how many, or NULL if they are not
// kept.
static char *output_room(struct run *run, size_t *size)
{
    struct reply *reply = run->reply;
    if (reply->output_kept == run->output_capacity && run->output_capacity < run->output_limit) {
        size_t wanted = run->output_capacity == 0 ? READ_BYTES : run->output_capacity * 2;
        wanted = wanted < run->output_limit ? wanted : run->output_limit;
        char *bigger = realloc(reply->output, wanted);
        if (bigger != NULL) {
            reply->output = bigger;
            run->output_capacity = wanted;
        } else {
            run->output_limit = run->output_capacity;
        }
    }
    *size = run->output_capacity - reply->output_kept;
    return *size > 0 ? reply->output + reply->output_kept : NULL;
}

// Reads once from the output. Returns the bytes read, 0 at its end, -1 if there are none now.
static ssize_t collect(struct run *run)
{
    char dropped[READ_BYTES];
    size_t size = 0;
    char *kept = output_room(run, &size);
    ssize_t got = kept != NULL ? read(run->output, kept, size) : read(run->output, dropped, sizeof dropped);
    if (got > 0) {
        run->reply->output_total += (uint64_t)got;
        run->reply->output_kept += kept != NULL ? (size_t)got : 0;
    }
    return got;
}

// Collects output until something ends the command. Reads once a turn, so that endless output cannot outrun the clock.
static enum event watch(const struct executor *executor, struct run *run, int timeout_ms)
{
    struct pollfd watched[] = {
        {.fd = run->pidfd, .events = POLLIN},
        {.fd = executor->signals, .events = POLLIN},
        {.fd = executor->input, .events = POLLRDHUP}, // POLLHUP comes unasked; waiting requests are no event
        {.fd = run->output, .events = POLLIN},
    };
    int64_t deadline_us = run->start_us + (int64_t)timeout_ms * 1000;
    for (;;) {
        int64_t left_us = deadline_us - now_us();
        // Rounded up: a poll that returns early would spin.
        int ready = poll(watched, sizeof watched / sizeof watched[0], left_us > 0 ? (int)((left_us + 999) / 1000) : 0);
        if (ready < 0 && errno != EINTR) {
            return EVENT_ERROR;
        }
        if (ready > 0 && watched[0].revents != 0) {
            return EVENT_ENDED;
        }
        if (ready > 0 && watched[1].revents != 0) {
            return EVENT_TERMINATED;
        }
        if (ready > 0 && watched[2].revents != 0) {
            return EVENT_INPUT_CLOSED;
        }
        if (left_us <= 0) {
            return EVENT_TIMEOUT;
        }
        if (ready > 0 && watched[3].revents != 0 && collect(run) == 0) {
            watched[3].fd = -1;
        }
    }
}

// Ends and reaps the command and all that is left of it. Fills in the reply but for its ending; returns the wait
// status.
static int finish(const struct executor *executor, struct run *run)
{
    run->reply->wall_us = now_us() - run->start_us;
    // Not yet reaped, so the number is still its own. The group at once: it could fork faster than it is killed one by
    // one. The command itself too: it may not have come to setsid.
    kill(-run->pid, SIGKILL);
    kill(run->pid, SIGKILL);
    int status = 0;
    struct rusage usage = {0};
    while (wait4(run->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    run->reply->user_us = timeval_us(usage.ru_utime);
    run->reply->system_us = timeval_us(usage.ru_stime);
    descendants_end(executor->children);
    // Nobody writes any more, unless it could not be killed: hence a bound.
    uint64_t most = run->reply->output_total + PIPE_BYTES_MAX;
    while (run->reply->output_total < most && collect(run) > 0) {
    }
    return status;
}

// Says in the reply how the command ended, given what ended it, its wait status and the errno of its start (0:
// started).
static void conclude(struct reply *reply, enum event event, int status, int refused)
{
    if (event == EVENT_TIMEOUT) {
        reply->ending = ENDING_TIMEOUT;
        reply->detail = 0;
    } else if (refused != 0) {
        reply->ending = ENDING_FAILED;
        reply->detail = refused;
    } else if (WIFSIGNALED(status)) {
        reply->ending = ENDING_KILLED;
        reply->detail = WTERMSIG(status);
    } else {
        reply->ending = ENDING_EXITED;
        reply->detail = WEXITSTATUS(status);
    }
}

// Starts the command with the write ends of both pipes, and follows it to its end, given their read ends.
static enum event start_and_follow(const struct executor *executor, const struct request *request, struct reply *reply,
                                   const int output[2], const int refusal[2])
{
    struct run run = {.output = output[0], .output_limit = request->output_limit, .start_us = now_us(), .reply = reply};
    pid_t parent = getpid();
    run.pid = fork();
    if (run.pid == 0) {
        child(request, output[1], refusal[1], parent);
    }
    int error = errno;
    close(output[1]);
    close(refusal[1]);
    if (run.pid < 0) {
        reply->detail = error;
        return EVENT_ERROR;
    }
    run.pidfd = pidfd_open(run.pid, 0);
    enum event event = run.pidfd < 0 ? EVENT_ERROR : watch(executor, &run, request->timeout_ms);
    error = event == EVENT_ERROR ? errno : 0;
    int status = finish(executor, &run);
    int refused = 0;
    if (error != 0 || read(refusal[0], &refused, sizeof refused) != (ssize_t)sizeof refused) {
        refused = error;
    }
    conclude(reply, event, status, refused);
    if (run.pidfd >= 0) {
        close(run.pidfd);
    }
    return event;
}

enum execution execute(const struct executor *executor, const struct request *request, struct reply *reply)
{
    *reply = (struct reply){.ending = ENDING_FAILED};
    int output[2];
    int refusal[2]; // closed by execve; carries the errno if it does not come to that
    if (pipe2(output, O_CLOEXEC) != 0) {
        reply->detail = errno;
        return EXECUTION_DONE;
    }
    if (pipe2(refusal, O_CLOEXEC | O_NONBLOCK) != 0 || fcntl(output[0], F_SETFL, O_NONBLOCK) != 0) {
        reply->detail = errno;
        close(output[0]);
        close(output[1]);
        return EXECUTION_DONE;
    }
    sigset_t terminating;
    sigset_t before;
    terminating_signals(&terminating);
    sigprocmask(SIG_BLOCK, &terminating, &before);
    enum event event = start_and_follow(executor, request, reply, output, refusal);
    close(output[0]);
    close(refusal[0]);
    enum execution execution = event == EVENT_INPUT_CLOSED ? EXECUTION_INPUT_CLOSED
                               : event == EVENT_TERMINATED ? EXECUTION_TERMINATED
                                                           : EXECUTION_DONE;
    if (execution != EXECUTION_DONE) {
        free(reply->output);
        *reply = (struct reply){.ending = ENDING_FAILED};
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return execution;
}
