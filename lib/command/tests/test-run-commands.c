// The tool as its client sees it: test-run-commands PROGRAM-TO-TEST. Requests, replies, exit status, and what dies with
// it. SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

// A running tool, and our ends of its three pipes.
struct tool {
    const char *path;
    pid_t pid;
    int input;
    FILE *output;
    FILE *errors;
};

static void start(struct tool *tool, char *argument)
{
    int pipes[3][2];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pipe2(pipes[i], O_CLOEXEC), 0);
    }
    tool->pid = fork();
    if (tool->pid == 0) {
        dup2(pipes[0][0], STDIN_FILENO);
        dup2(pipes[1][1], STDOUT_FILENO);
        dup2(pipes[2][1], STDERR_FILENO);
        signal(SIGCHLD, SIG_IGN); // a client may; it is inherited
        execl(tool->path, tool->path, argument, (char *)NULL);
        _exit(127);
    }
    assert_true(tool->pid > 0);
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    tool->input = pipes[0][1];
    tool->output = fdopen(pipes[1][0], "r");
    tool->errors = fdopen(pipes[2][0], "r");
    assert_non_null(tool->output);
    assert_non_null(tool->errors);
}

static void ask(struct tool *tool, const char *bytes)
{
    assert_int_equal(write(tool->input, bytes, strlen(bytes)), strlen(bytes));
}

static void end_input(struct tool *tool)
{
    if (tool->input >= 0) {
        close(tool->input);
    }
    tool->input = -1;
}

// Waits for the end of the tool. Asserts its wait status and all it wrote to standard error.
static void assert_end(struct tool *tool, int expected, const char *errors)
{
    char text[512];
    int status = 0;
    size_t length = fread(text, 1, sizeof text - 1, tool->errors);
    text[length] = 0;
    assert_int_equal(waitpid(tool->pid, &status, 0), tool->pid);
    end_input(tool);
    fclose(tool->output);
    fclose(tool->errors);
    assert_string_equal(text, errors);
    assert_int_equal(status, expected);
}

enum { EXIT_2 = 2 << 8 };

static void assert_line(struct tool *tool, const char *expected)
{
    char line[256];
    assert_non_null(fgets(line, sizeof line, tool->output));
    assert_string_equal(line, expected);
}

// Reads a reply's line; its ending and detail must be as expected. Returns the bytes of output that follow.
static size_t read_reply(struct tool *tool, const char *expected)
{
    char line[256];
    char ending[32];
    size_t kept = 0;
    size_t total = 0;
    assert_non_null(fgets(line, sizeof line, tool->output));
    assert_int_equal(sscanf(line, "done %31[a-z0-9 ]", ending), 1);
    assert_memory_equal(ending, expected, strlen(expected));
    assert_int_equal(sscanf(line, "done %*s %*d %*u %*u %*u %zu %zu", &kept, &total), 2);
    assert_int_equal(kept, total);
    return kept;
}

static void answers_one_after_another(void **state)
{
    struct tool *tool = *state;
    start(tool, NULL);
    ask(tool, "run 9000 keep 80 0 2\n\n4\necho\n5\nhello\n");
    assert_int_equal(read_reply(tool, "exited 0 "), 6);
    assert_line(tool, "hello\n");
    // Two at once, and one byte by byte.
    ask(tool, "run 9000 keep 80 5 1\n/proc\n8\n/bin/pwd\nrun 50 nobody 80 0 2\n\n5\nsleep\n2\n99\n");
    assert_int_equal(read_reply(tool, "exited 0 "), 6);
    assert_line(tool, "/proc\n");
    assert_int_equal(read_reply(tool, "timeout 0 "), 0);
    for (const char *byte = "run 9000 keep 80 0 1\n\n5\nfalse\n"; *byte != 0; byte++) {
        ask(tool, (char[]){*byte, 0});
    }
    assert_int_equal(read_reply(tool, "exited 1 "), 0);
    end_input(tool);
    assert_end(tool, 0, "");
}

static void takes_a_long_request(void **state)
{
    struct tool *tool = *state;
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'a', LENGTH);
    text[LENGTH] = 0;
    start(tool, NULL);
    ask(tool, "run 9000 keep 0 0 10\n\n4\ntrue\n");
    for (int i = 0; i < 9; i++) {
        ask(tool, "100000\n");
        ask(tool, text);
        ask(tool, "\n");
    }
    free(text);
    assert_int_equal(read_reply(tool, "exited 0 "), 0);
    end_input(tool);
    assert_end(tool, 0, "");
}

static void refuses_a_malformed_request(void **state)
{
    struct tool *tool = *state;
    start(tool, NULL);
    ask(tool, "run soon");
    assert_end(tool, EXIT_2,
               "run-commands: malformed request: timeout in milliseconds: "
               "expected a decimal number from 1 to 2147483647 and a space\n");
    start(tool, NULL);
    ask(tool, "run 1 keep 1 0 1\n\n4\ntru");
    end_input(tool);
    assert_end(tool, EXIT_2, "run-commands: malformed request: standard input ended within it\n");
}

static void helps_and_refuses_arguments(void **state)
{
    struct tool *tool = *state;
    start(tool, "--help");
    assert_line(tool, "Usage: run-commands\n");
    while (fgetc(tool->output) != EOF) {
    }
    assert_end(tool, 0, "");
    start(tool, "--version");
    assert_end(tool, EXIT_2, "run-commands: takes no such argument, type run-commands --help: --version\n");
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

// Asks for a command that writes the process IDs of itself, of a child and of a child in another session to a file,
// then waits. Returns them in pids.
static void ask_for_a_family(struct tool *tool, pid_t pids[3])
{
    char name[] = "/tmp/test-run-commands-XXXXXX";
    char text[256];
    char request[512];
    int file = mkstemp(name);
    assert_true(file >= 0);
    snprintf(text, sizeof text, "sleep 1000 & a=$!; setsid sleep 1000 & echo $$ $a $! > %s; wait", name);
    snprintf(request, sizeof request, "run 60000 keep 80 0 3\n\n2\nsh\n2\n-c\n%zu\n%s\n", strlen(text), text);
    ask(tool, request);
    FILE *stream = fdopen(file, "r");
    assert_non_null(stream);
    int found = 0;
    for (int i = 0; i < 500 && found != 3; i++) {
        nap();
        rewind(stream);
        found = fscanf(stream, "%d %d %d", &pids[0], &pids[1], &pids[2]);
    }
    fclose(stream);
    unlink(name);
    assert_int_equal(found, 3);
    nap(); // lets setsid happen
}

// Asserts that the processes are gone, soon at least: after a SIGKILL nobody tells when.
static void assert_gone(const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++) {
        int alive = 0;
        for (int turn = 0; turn < 300 && (alive = kill(pids[i], 0)) == 0; turn++) {
            nap();
        }
        assert_int_equal(alive, -1);
        assert_int_equal(errno, ESRCH);
    }
}

static void the_end_of_the_input_kills(void **state)
{
    struct tool *tool = *state;
    pid_t pids[3];
    start(tool, NULL);
    ask_for_a_family(tool, pids);
    end_input(tool);
    assert_end(tool, EXIT_2,
               "run-commands: standard input ended, so this command was killed, keep it open until the answer: sh\n");
    assert_gone(pids, 3);
}

static void its_death_kills(void **state)
{
    static const int deaths[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    struct tool *tool = *state;
    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        pid_t pids[3];
        start(tool, NULL);
        ask_for_a_family(tool, pids);
        kill(tool->pid, deaths[i]);
        assert_end(tool, deaths[i], "");
        assert_gone(pids, 3);
    }
}

static pid_t worker_of(const struct tool *tool)
{
    char path[64];
    int worker = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", tool->pid, tool->pid);
    FILE *children = fopen(path, "r");
    assert_non_null(children);
    assert_int_equal(fscanf(children, "%d", &worker), 1);
    fclose(children);
    return worker;
}

static void its_workers_death_kills(void **state)
{
    struct tool *tool = *state;
    pid_t pids[3];
    start(tool, NULL);
    ask_for_a_family(tool, pids);
    kill(worker_of(tool), SIGKILL);
    assert_end(tool, EXIT_2, "run-commands: ended by a signal: Killed\n");
    assert_gone(pids, 3);
}

static void both_deaths_kill_the_command(void **state)
{
    struct tool *tool = *state;
    pid_t pids[3];
    start(tool, NULL);
    ask_for_a_family(tool, pids);
    pid_t worker = worker_of(tool);
    kill(tool->pid, SIGSTOP); // so that it cannot clean up
    kill(worker, SIGKILL);
    kill(tool->pid, SIGKILL);
    assert_end(tool, SIGKILL, "");
    assert_gone(pids, 1);
    kill(pids[1], SIGKILL);
    kill(pids[2], SIGKILL);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "Usage: %s PROGRAM-TO-TEST\n", argv[0]);
        return 2;
    }
    struct tool tool = {.path = argv[1]};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(answers_one_after_another, &tool),
        cmocka_unit_test_prestate(takes_a_long_request, &tool),
        cmocka_unit_test_prestate(refuses_a_malformed_request, &tool),
        cmocka_unit_test_prestate(helps_and_refuses_arguments, &tool),
        cmocka_unit_test_prestate(the_end_of_the_input_kills, &tool),
        cmocka_unit_test_prestate(its_death_kills, &tool),
        cmocka_unit_test_prestate(its_workers_death_kills, &tool),
        cmocka_unit_test_prestate(both_deaths_kill_the_command, &tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
