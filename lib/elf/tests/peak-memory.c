// Prints how many KiB of memory a command had at most: peak-memory COMMAND ARGUMENT…; the command's output is dropped.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "usage: peak-memory COMMAND ARGUMENT...\n");
        return 2;
    }
    pid_t process = fork();
    if (process == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0) {
            execvp(words[1], words + 1);
        }
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (process < 0 || wait4(process, &status, 0, &usage) != process || !WIFEXITED(status)) {
        fprintf(stderr, "peak-memory: %s did not end by itself\n", words[1]);
        return 2;
    }
    printf("%ld\n", usage.ru_maxrss); // KiB: getrusage(2)
    return WEXITSTATUS(status);
}
