// Descendants of this process that outlived their parent: adopting them, and ending them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_DESCENDANTS_H
#define LDLAYOUT_DESCENDANTS_H

// Makes this process the parent of every orphan among its descendants, whatever session it fled to (prctl(2),
// PR_SET_CHILD_SUBREAPER; a fork does not inherit it), and gives SIGCHLD its default action. Returns a file descriptor
// for descendants_end, or -1 with errno set: ENOENT without /proc or CONFIG_PROC_CHILDREN, ESRCH if /proc is another
// PID namespace's.
int descendants_adopt(void);

// Kills and reaps all children of this process, and theirs, until there are none. Takes descendants_adopt's file
// descriptor. Leaves alone what it may not kill (a set-user-ID program when the caller is not root).
void descendants_end(int children);

#endif
