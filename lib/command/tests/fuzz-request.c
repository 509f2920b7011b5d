// Fuzzes the request parser (libFuzzer): what it accepts must read the same when written again, and want all its bytes.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

// Writes the request again. Returns the length; the bytes must be freed.
static size_t rewrite(const struct request *request, char **bytes)
{
    size_t length = 0;
    FILE *stream = open_memstream(bytes, &length);
    require(stream != NULL);
    fprintf(stream, "run %d %s %zu %zu %zu\n%s\n", request->timeout_ms, request->nobody ? "nobody" : "keep",
            request->output_limit, strlen(request->directory), request->argument_count, request->directory);
    for (size_t i = 0; i < request->argument_count; i++) {
        fprintf(stream, "%zu\n%s\n", strlen(request->arguments[i]), request->arguments[i]);
    }
    require(fclose(stream) == 0);
    return length;
}

static void accepted(const char *bytes, size_t used, const struct request *request)
{
    struct request again;
    size_t again_used = 0;
    char reason[REQUEST_REASON_BYTES];
    require(request->arguments[request->argument_count] == NULL);
    require(request_parse(bytes, used - 1, &again, &again_used, reason) == REQUEST_INCOMPLETE);

    char *written = NULL;
    size_t length = rewrite(request, &written);
    require(length <= used); // leading zeros vanish
    require(request_parse(written, length, &again, &again_used, reason) == REQUEST_COMPLETE && again_used == length);
    require(again.argument_count == request->argument_count);
    for (size_t i = 0; i < request->argument_count; i++) {
        require(strcmp(again.arguments[i], request->arguments[i]) == 0);
    }
    request_free(&again);
    free(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    size_t used = 0;
    char reason[REQUEST_REASON_BYTES];
    memset(reason, 1, sizeof reason);
    switch (request_parse((const char *)data, size, &request, &used, reason)) {
    case REQUEST_COMPLETE:
        require(used > 0 && used <= size);
        accepted((const char *)data, used, &request);
        request_free(&request);
        break;
    case REQUEST_MALFORMED:
        require(memchr(reason, 0, sizeof reason) != NULL && reason[0] != 0 && strchr(reason, '\n') == NULL);
        break;
    case REQUEST_INCOMPLETE:
        break;
    }
    return 0;
}
