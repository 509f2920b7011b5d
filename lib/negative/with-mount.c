// Runs a command that sees a directory otherwise than others do: as a small empty disk, or read-only.
/* SPDX-License-Identifier: GPL-3.0-or-later

   Usage: with-mount disk BYTES DIRECTORY COMMAND...   (a tmpfs of that size)
          with-mount read-only DIRECTORY COMMAND...
   Needs root.  Exit status: COMMAND's; 2 if it cannot be run.  */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* Takes what was tried and on what; prints why it failed and returns the exit status for that.  */
static int cannot(const char *what, const char *name)
{
    fprintf(stderr, "with-mount: %s %s: %s\n", what, name, strerror(errno));
    return 2;
}

int main(int argc, char **argv)
{
    char options[64];

    if (argc < 4 || (strcmp(argv[1], "disk") == 0 && argc < 5)) {
        fprintf(stderr, "Usage: with-mount disk BYTES DIRECTORY COMMAND... | read-only DIRECTORY COMMAND...\n");
        return 2;
    }
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return cannot("a mount namespace of our own", "");
    if (strcmp(argv[1], "disk") == 0) {
        snprintf(options, sizeof options, "mode=755,size=%s", argv[2]);
        if (mount("none", argv[3], "tmpfs", 0, options) != 0)
            return cannot("disk at", argv[3]);
        execvp(argv[4], argv + 4);
        return cannot("command", argv[4]);
    }
    if (mount(argv[2], argv[2], NULL, MS_BIND, NULL) != 0 ||
        mount("none", argv[2], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) != 0)
        return cannot("read-only", argv[2]);
    execvp(argv[3], argv + 3);
    return cannot("command", argv[3]);
}
