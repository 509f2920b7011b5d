// Two files compared byte by byte.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_COMPARE_H
#define LDLAYOUT_COMPARE_H

#include "elf-file.h"
#include "report.h"

// Reports the first difference between the files, or that one could not be read to its end.
void compare_bytes(struct elf_file *first, struct elf_file *second, struct report *report);

#endif
