// Writes a reply's line; touches nothing but memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reply.h"

#include <inttypes.h>
#include <stdio.h>

size_t reply_format(const struct reply *reply, char line[REPLY_LINE_BYTES])
{
    static const char *const endings[] = {
        [ENDING_EXITED] = "exited",
        [ENDING_KILLED] = "killed",
        [ENDING_TIMEOUT] = "timeout",
        [ENDING_FAILED] = "failed",
    };
    int length = snprintf(line, REPLY_LINE_BYTES, "done %s %d %" PRId64 " %" PRId64 " %" PRId64 " %zu %" PRIu64 "\n",
                          endings[reply->ending], reply->detail, reply->user_us, reply->system_us, reply->wall_us,
                          reply->output_kept, reply->output_total);
    return (size_t)length;
}
