// Adopts orphaned descendants and ends them.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int descendants_adopt(void)
{
    // In a foreign /proc the numbers listed are those of other processes here.
    char self[24] = "";
    if (readlink("/proc/self", self, sizeof self - 1) < 0) {
        return -1;
    }
    if (strtol(self, NULL, 10) != getpid()) {
        errno = ESRCH;
        return -1;
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) != 0) {
        return -1;
    }
    // An ignored SIGCHLD, perhaps inherited, would reap children before their status is read.
    signal(SIGCHLD, SIG_DFL);
    return open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
}

// Sends SIGKILL to every child. Returns whether one took it. The list only grows while nobody waits, so it is whole.
static bool kill_children(int children)
{
    char text[4096]; // "PID PID …", each followed by a space
    pid_t pid = 0;
    bool taken = false;
    off_t at = 0;
    for (ssize_t got = 0; (got = pread(children, text, sizeof text, at)) > 0; at += got) {
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] != ' ') {
                pid = pid * 10 + (text[i] - '0');
            } else {
                taken = kill(pid, SIGKILL) == 0 || taken;
                pid = 0;
            }
        }
    }
    return taken;
}

void descendants_end(int children)
{
    // A killed child bequeaths its own children, hence the loop.
    pid_t reaped = 0;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0 || (reaped == 0 && kill_children(children))) {
        if (reaped == 0) {
            waitpid(-1, NULL, 0);
        }
    }
}
