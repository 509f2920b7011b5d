// Execution: endings, the child's surroundings, and that nothing is left behind. Uses sh, cat, id, setsid and sleep.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../execute.h"

// An executor and the write end of its input.
struct fixture {
    struct executor executor;
    int input;
};

static int open_fixture(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    int input[2];
    if (fixture == NULL || pipe2(input, O_CLOEXEC) != 0 || !executor_open(&fixture->executor, input[0])) {
        free(fixture);
        return -1;
    }
    fixture->input = input[1];
    *state = fixture;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *fixture = *state;
    close(fixture->executor.input);
    close(fixture->input);
    executor_close(&fixture->executor);
    free(fixture);
    return 0;
}

static struct reply run(void **state, struct request request, char **arguments)
{
    struct fixture *fixture = *state;
    struct reply reply;
    request.arguments = arguments;
    while (arguments[request.argument_count] != NULL) {
        request.argument_count++;
    }
    request.directory = request.directory != NULL ? request.directory : "";
    assert_int_equal(execute(&fixture->executor, &request, &reply), EXECUTION_DONE);
    return reply;
}

#define RUN(state, ...)                                                                                                \
    run(state, (struct request){.timeout_ms = 20000, .output_limit = 4096}, (char *[]){__VA_ARGS__, NULL})

static void assert_reply(struct reply reply, enum ending ending, int detail, const char *output)
{
    assert_int_equal(reply.output_kept, strlen(output));
    assert_memory_equal(reply.output_kept > 0 ? reply.output : "", output, strlen(output));
    assert_int_equal(reply.output_total, strlen(output));
    assert_int_equal(reply.ending, ending);
    assert_int_equal(reply.detail, detail);
    free(reply.output);
}

// The output must be "PID\n" of a process; asserts that it is no more, not even a zombie. Frees the output.
static void assert_gone(struct reply reply)
{
    assert_in_range(reply.output_kept, 2, 12);
    reply.output[reply.output_kept - 1] = 0;
    long pid = strtol(reply.output, NULL, 10);
    assert_in_range(pid, 2, INT32_MAX);
    assert_int_equal(kill((pid_t)pid, 0), -1);
    assert_int_equal(errno, ESRCH);
    free(reply.output);
}

static void reports_the_exit_code(void **state)
{
    assert_reply(RUN(state, "true"), ENDING_EXITED, 0, "");
    assert_reply(RUN(state, "sh", "-c", "exit 255"), ENDING_EXITED, 255, "");
}

static void reports_the_signal(void **state)
{
    assert_reply(RUN(state, "sh", "-c", "kill -SEGV $$"), ENDING_KILLED, SIGSEGV, "");
    assert_reply(RUN(state, "sh", "-c", "kill -KILL $$"), ENDING_KILLED, SIGKILL, "");
}

static void merges_both_streams_in_order(void **state)
{
    assert_reply(RUN(state, "sh", "-c", "echo a; echo b >&2; echo c"), ENDING_EXITED, 0, "a\nb\nc\n");
}

static void passes_arguments_unchanged(void **state)
{
    assert_reply(RUN(state, "printf", "<%s>", "", "a\nb", "\x01\x7f\x80\xff", "*", "$x", ""), ENDING_EXITED, 0,
                 "<><a\nb><\x01\x7f\x80\xff><*><$x><>");
}

static void kills_what_ignores_signals(void **state)
{
    char *arguments[] = {"sh", "-c", "trap '' INT TERM HUP; echo $$; while :; do :; done", NULL};
    struct reply reply = run(state, (struct request){.timeout_ms = 200, .output_limit = 100}, arguments);
    assert_int_equal(reply.ending, ENDING_TIMEOUT);
    assert_int_equal(reply.detail, 0);
    assert_in_range(reply.wall_us, 200000, 2000000);
    assert_in_range(reply.user_us + reply.system_us, 20000, reply.wall_us + 100000);
    assert_gone(reply);
}

static void endless_output_cannot_outrun_the_clock(void **state)
{
    struct reply reply = run(state, (struct request){.timeout_ms = 200}, (char *[]){"yes", NULL});
    assert_int_equal(reply.ending, ENDING_TIMEOUT);
    assert_in_range(reply.wall_us, 200000, 2000000);
    assert_in_range(reply.output_total, 1, UINT32_MAX);
    assert_int_equal(reply.output_kept, 0);
}

static int64_t own_cpu_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

static void closed_output_is_no_end(void **state)
{
    int64_t before_us = own_cpu_us();
    struct reply reply = RUN(state, "sh", "-c", "exec >&- 2>&-; sleep 0.5; exit 3");
    assert_in_range(own_cpu_us() - before_us, 0, 200000); // waits, does not spin
    assert_reply(reply, ENDING_EXITED, 3, "");
}

static void kills_a_grandchild_that_holds_the_pipe(void **state)
{
    struct reply reply = RUN(state, "sh", "-c", "sleep 1000 & echo $!");
    assert_int_equal(reply.ending, ENDING_EXITED);
    assert_in_range(reply.wall_us, 0, 5000000);
    assert_gone(reply);
}

static void kills_a_grandchild_in_another_session(void **state)
{
    // Waits until setsid has happened: the process is then its own group.
    struct reply reply =
        RUN(state, "sh", "-c",
            "setsid sh -c 'trap \"\" HUP TERM; echo $$; exec sleep 1000' & "
            "while read -r x x x x group x < /proc/$!/stat && [ $group != $! ]; do :; done; sleep 0.1");
    assert_int_equal(reply.ending, ENDING_EXITED);
    assert_gone(reply);
}

static void kills_a_family_in_other_sessions(void **state)
{
    // Each is adopted only when its parent is killed.
    struct reply reply = RUN(state, "sh", "-c",
                             "setsid sh -c 'setsid sh -c \"setsid sleep 1000 & echo \\$!; wait\" & wait' & sleep 0.3");
    assert_int_equal(reply.ending, ENDING_EXITED);
    assert_gone(reply);
}

static void ends_a_chain_of_forks(void **state)
{
    // Each process starts the next and exits.
    char *arguments[] = {"sh", "-c", "f() { f & }; f; sleep 0.1", NULL};
    struct reply reply = run(state, (struct request){.timeout_ms = 20000, .output_limit = 4096}, arguments);
    assert_reply(reply, ENDING_EXITED, 0, "");
}

static void keeps_at_most_the_limit(void **state)
{
    char *arguments[] = {"head", "-c", "67108864", "/dev/zero", NULL};
    struct reply reply = run(state, (struct request){.timeout_ms = 60000, .output_limit = 1 << 20}, arguments);
    assert_int_equal(reply.output_kept, 1 << 20);
    assert_int_equal(reply.output_total, 64 << 20);
    for (size_t i = 0; i < reply.output_kept; i++) {
        assert_int_equal(reply.output[i], 0);
    }
    reply.output_kept = reply.output_total = 0;
    assert_reply(reply, ENDING_EXITED, 0, "");
}

static void keeps_the_beginning(void **state)
{
    struct request request = {.timeout_ms = 20000, .output_limit = 5};
    struct reply reply = run(state, request, (char *[]){"printf", "0123456789", NULL});
    assert_int_equal(reply.output_total, 10);
    reply.output_total = 5;
    assert_reply(reply, ENDING_EXITED, 0, "01234");
}

static void says_why_it_did_not_start(void **state)
{
    assert_reply(RUN(state, "./no such program"), ENDING_FAILED, ENOENT,
                 "cannot start './no such program': execve: No such file or directory\n");
    assert_reply(RUN(state, ""), ENDING_FAILED, ENOENT, "cannot start '': execve: No such file or directory\n");
    assert_reply(RUN(state, "/"), ENDING_FAILED, EACCES, "cannot start '/': execve: Permission denied\n");
    struct request elsewhere = {.timeout_ms = 20000, .output_limit = 4096, .directory = "/no such directory"};
    assert_reply(run(state, elsewhere, (char *[]){"true", NULL}), ENDING_FAILED, ENOENT,
                 "cannot start 'true': chdir: No such file or directory\n");
}

static void no_shell_runs_what_the_kernel_refuses(void **state)
{
    char name[] = "/tmp/test-execute-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(write(file, "echo run by a shell\n", 20), 20);
    assert_int_equal(fchmod(file, 0700), 0);
    assert_int_equal(close(file), 0);
    struct reply reply = RUN(state, name);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(reply.ending, ENDING_FAILED);
    assert_int_equal(reply.detail, ENOEXEC);
    free(reply.output);
}

static void runs_in_the_directory(void **state)
{
    struct request request = {.timeout_ms = 20000, .output_limit = 4096, .directory = "/proc"};
    assert_reply(run(state, request, (char *[]){"/bin/pwd", NULL}), ENDING_EXITED, 0, "/proc\n");
}

static void surroundings_are_clean(void **state)
{
    // What a child would inherit, were it not reset.
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGUSR2, SIG_IGN);
    signal(SIGRTMAX, SIG_IGN);
    int leaked = dup2(STDERR_FILENO, 100);
    struct rlimit core;
    getrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_CORE, &(struct rlimit){core.rlim_max, core.rlim_max});

    assert_reply(RUN(state, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"), ENDING_EXITED, 0,
                 "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    // 3 is the folder ls reads.
    assert_reply(RUN(state, "ls", "/proc/self/fd"), ENDING_EXITED, 0, "0\n1\n2\n3\n");
    assert_reply(RUN(state, "readlink", "/proc/self/fd/0"), ENDING_EXITED, 0, "/dev/null\n");
    assert_reply(RUN(state, "sh", "-c", "ulimit -Hc; ulimit -Sc"), ENDING_EXITED, 0, "0\n0\n");
    assert_reply(RUN(state, "sh", "-c",
                     "read -r pid x x parent group session x < /proc/$$/stat; "
                     "[ $pid = $group ] && [ $pid = $session ] && echo own"),
                 ENDING_EXITED, 0, "own\n");

    setrlimit(RLIMIT_CORE, &core);
    close(leaked);
    signal(SIGRTMAX, SIG_DFL);
    signal(SIGUSR2, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void nobody_is_nobody(void **state)
{
    char *arguments[] = {"grep", "-E", "^(Uid|Gid|Groups|NoNewPrivs|CapPrm|CapEff|CapAmb)", "/proc/self/status", NULL};
    struct request request = {.timeout_ms = 20000, .output_limit = 4096, .nobody = true};
    if (geteuid() == 0) {
        assert_int_equal(setgroups(1, (gid_t[]){4}), 0); // one to be dropped
    }
    struct reply reply = run(state, request, arguments);
    if (geteuid() == 0) {
        assert_reply(
            reply, ENDING_EXITED, 0,
            "Uid:\t65534\t65534\t65534\t65534\nGid:\t65534\t65534\t65534\t65534\nGroups:\t \n"
            "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapAmb:\t0000000000000000\nNoNewPrivs:\t1\n");
    } else {
        struct reply kept = RUN(state, arguments[0], arguments[1], arguments[2], arguments[3]);
        assert_int_equal(kept.output_kept, reply.output_kept);
        assert_memory_equal(kept.output, reply.output, kept.output_kept);
        free(kept.output);
        free(reply.output);
    }
}

static void keep_keeps_the_user(void **state)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%u %u\n", (unsigned)geteuid(), (unsigned)getegid());
    assert_reply(RUN(state, "sh", "-c", "echo $(id -u) $(id -g)"), ENDING_EXITED, 0, expected);
}

static void counts_descendants_that_were_waited_for(void **state)
{
    static const char spin[] = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
    char waited[128];
    snprintf(waited, sizeof waited, "(%s); :", spin);
    struct reply reply = RUN(state, "sh", "-c", waited);
    assert_in_range(reply.user_us + reply.system_us, 20000, reply.wall_us + 100000);
    assert_reply(reply, ENDING_EXITED, 0, "");
}

static void leaks_no_file_descriptor(void **state)
{
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){32, before.rlim_max});
    for (int i = 0; i < 64; i++) {
        struct reply reply = RUN(state, i % 2 == 0 ? "/" : "/bin/true");
        assert_int_equal(reply.detail, i % 2 == 0 ? EACCES : 0);
        free(reply.output);
    }
    setrlimit(RLIMIT_NOFILE, &before);
}

// The write end of the running fixture's input, for the handler below.
static volatile sig_atomic_t input_to_close;

static void close_input(int number)
{
    (void)number;
    close(input_to_close);
}

static void the_end_of_the_input_kills(void **state)
{
    struct fixture *fixture = *state;
    char name[] = "/tmp/test-execute-XXXXXX";
    int file = mkstemp(name);
    char text[128];
    assert_true(file >= 0);
    snprintf(text, sizeof text, "sleep 1000 & echo $! > %s; wait", name);
    struct request request = {
        .timeout_ms = 20000, .directory = "", .argument_count = 3, .arguments = (char *[]){"sh", "-c", text, NULL}};
    struct reply reply;
    input_to_close = fixture->input;
    signal(SIGALRM, close_input);
    struct itimerval soon = {.it_value.tv_usec = 300000};
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_int_equal(execute(&fixture->executor, &request, &reply), EXECUTION_INPUT_CLOSED);
    signal(SIGALRM, SIG_DFL);
    fixture->input = -1;
    assert_null(reply.output);
    reply.output = calloc(1, 16);
    assert_non_null(reply.output);
    ssize_t got = read(file, reply.output, 15);
    reply.output_kept = got > 0 ? (size_t)got : 0;
    close(file);
    unlink(name);
    assert_gone(reply);
}

static void a_waiting_request_is_no_end(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(write(fixture->input, "run", 3), 3);
    assert_reply(RUN(state, "sh", "-c", "sleep 0.1; echo ok"), ENDING_EXITED, 0, "ok\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_exit_code),
        TEST(reports_the_signal),
        TEST(merges_both_streams_in_order),
        TEST(passes_arguments_unchanged),
        TEST(kills_what_ignores_signals),
        TEST(endless_output_cannot_outrun_the_clock),
        TEST(closed_output_is_no_end),
        TEST(kills_a_grandchild_that_holds_the_pipe),
        TEST(kills_a_grandchild_in_another_session),
        TEST(kills_a_family_in_other_sessions),
        TEST(ends_a_chain_of_forks),
        TEST(keeps_at_most_the_limit),
        TEST(keeps_the_beginning),
        TEST(says_why_it_did_not_start),
        TEST(no_shell_runs_what_the_kernel_refuses),
        TEST(runs_in_the_directory),
        TEST(surroundings_are_clean),
        TEST(nobody_is_nobody),
        TEST(keep_keeps_the_user),
        TEST(counts_descendants_that_were_waited_for),
        TEST(leaks_no_file_descriptor),
        TEST(the_end_of_the_input_kills),
        TEST(a_waiting_request_is_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
