// Many files over several processes; what they found is printed in the order of the list, whoever found it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LDLAYOUT_RUN_H
#define LDLAYOUT_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "output.h"
#include "walk.h"

// Checks every file of the list with options->jobs processes and prints the results in the format to `out`. Returns the
// counts over all; run_free_summary frees them.
struct summary run(const struct path_list *list, const struct options *options, const struct output *format, FILE *out);

void run_free_summary(struct summary *summary);

#endif
