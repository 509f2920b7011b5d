// The output formats, looked up; and what several write alike.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "output.h"

#include <string.h>

const struct output *output_format(const char *name)
{
    size_t i = 0;
    while (output_table[i] != NULL && strcmp(output_table[i]->name, name) != 0) {
        i++;
    }
    return output_table[i];
}

void output_finding_line(struct text *text, const struct finding *finding)
{
    text_add_printable(text, finding->what);
    text_add(text, ": expected ");
    text_add_printable(text, finding->expected);
    text_add(text, ", actual ");
    text_add_printable(text, finding->actual);
}
