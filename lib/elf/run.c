// Many files over several processes, printed in order.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "rule.h"

// Files that a process takes at a time: few enough to share the work out, many enough to make the sharing cheap.
enum { BATCH_FILES = 32 };

// Counts of one batch, as they go through the pipe.
struct counts {
    uint64_t checked, failed, notes, cannot, not_applicable, not_elf, tests;
};

// The head of a batch's record in the pipe. Behind it: the text; with --figures the sums, and for each figure and each
// file of the batch its value (UINT64_MAX: the file was not checked).
struct record {
    uint64_t batch;
    uint64_t text_length;
    uint64_t pieces; // files that printed something
    struct counts counts;
};

struct batch {
    struct record record;
    struct text text;
    uint64_t *values; // figure_count() for each of BATCH_FILES
    bool done;
};

// One process's tools.
struct worker {
    const struct path_list *list;
    const struct options *options;
    const struct output *format;
    struct outcome outcome;
};

static size_t batch_count(const struct path_list *list)
{
    return (list->count + BATCH_FILES - 1) / BATCH_FILES;
}

static void count_outcome(struct counts *counts, const struct outcome *outcome)
{
    switch (outcome->state) {
    case ELF_FILE_NOT_ELF:
        counts->not_elf++;
        return;
    case ELF_FILE_NOT_APPLICABLE:
        counts->not_applicable++;
        return;
    case ELF_FILE_CANNOT:
        counts->cannot++;
        return;
    case ELF_FILE_OPEN:
        break;
    }
    counts->checked++;
    counts->failed += outcome_count(outcome, RESULT_FAIL) > 0;
    counts->notes += outcome_count(outcome, RESULT_NOTE);
    counts->cannot += outcome_count(outcome, RESULT_CANNOT) > 0;
}

static void check_path(struct worker *worker, const struct path *path, const char *problem)
{
    struct outcome *outcome = &worker->outcome;
    if (problem == NULL) {
        evaluate_path(outcome, path->name, path->given, worker->options);
    } else {
        evaluate_memory(outcome, path->name, "", 0, worker->options);
    }
    if (problem != NULL || (outcome->state == ELF_FILE_NOT_ELF && path->given)) {
        outcome->state = ELF_FILE_CANNOT;
        outcome->reason = problem != NULL ? problem : "not an ELF file";
    }
}

// Checks the files of a batch; problem: why none of them could be, or NULL.
static void do_batch(struct worker *worker, uint64_t index, struct batch *batch, const char *problem)
{
    size_t figures = worker->options->figures ? figure_count() : 0;
    batch->record = (struct record){.batch = index};
    text_clear(&batch->text);
    for (size_t i = 0; i < BATCH_FILES; i++) {
        size_t at = index * BATCH_FILES + i;
        uint64_t *values = figures > 0 ? batch->values + i * figures : NULL;
        for (size_t j = 0; j < figures; j++) {
            values[j] = UINT64_MAX;
        }
        if (at >= worker->list->count) {
            continue;
        }
        const struct path *path = &worker->list->paths[at];
        check_path(worker, path, problem != NULL ? problem : path->problem);
        count_outcome(&batch->record.counts, &worker->outcome);
        if (worker->outcome.state != ELF_FILE_NOT_ELF) {
            if (batch->record.pieces++ > 0) {
                text_add_bytes(&batch->text, worker->format->separator, strlen(worker->format->separator));
            }
            batch->record.counts.tests += worker->format->file(&batch->text, &worker->outcome, worker->options);
        }
        if (worker->outcome.state == ELF_FILE_OPEN && figures > 0) {
            memcpy(values, worker->outcome.figures, figures * sizeof *values);
        }
        outcome_close(&worker->outcome);
    }
    batch->record.text_length = batch->text.length;
    batch->done = true;
}

static void make_batch(struct batch *batch, const struct options *options)
{
    size_t capacity = 0;
    *batch = (struct batch){.done = false};
    if (options->figures) {
        memory_grow(&batch->values, &capacity, figure_count() * BATCH_FILES, sizeof *batch->values);
    }
}

static void free_batch(struct batch *batch)
{
    text_free(&batch->text);
    free(batch->values);
    batch->values = NULL;
}

// Enters a value among the worst of its figure: largest first, earlier files first among equals.
static void enter_worst(struct worst *worst, uint64_t value, const char *path)
{
    size_t place = WORST_FILES;
    while (place > 0 && (worst[place - 1].path == NULL || worst[place - 1].value < value)) {
        place--;
    }
    if (place < WORST_FILES && value > 0) {
        memmove(worst + place + 1, worst + place, (WORST_FILES - 1 - place) * sizeof *worst);
        worst[place] = (struct worst){value, path};
    }
}

// Prints a batch and adds its counts.
static void finish_batch(const struct batch *batch, const struct path_list *list, const struct output *format,
                         struct summary *summary, bool *printed, FILE *out)
{
    const struct counts *counts = &batch->record.counts;
    if (batch->record.pieces > 0) {
        fprintf(out, "%s%s", *printed ? format->separator : "", batch->text.bytes != NULL ? batch->text.bytes : "");
        *printed = true;
    }
    summary->checked += counts->checked;
    summary->failed += counts->failed;
    summary->notes += counts->notes;
    summary->cannot += counts->cannot;
    summary->not_applicable += counts->not_applicable;
    summary->not_elf += counts->not_elf;
    summary->tests += counts->tests;
    size_t figures = summary->figure_sums != NULL ? figure_count() : 0;
    for (size_t i = 0; i < BATCH_FILES; i++) {
        for (size_t j = 0; j < figures; j++) {
            uint64_t value = batch->values[i * figures + j];
            if (value != UINT64_MAX) {
                summary->figure_sums[j] = sum(summary->figure_sums[j], value);
                enter_worst(summary->worst + j * WORST_FILES, value,
                            list->paths[batch->record.batch * BATCH_FILES + i].name);
            }
        }
    }
}

// Returns the seconds since some fixed time.
static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// How far the work is, told on a terminal once it takes longer than a second.
struct progress {
    bool shown;
    double last;
};

static void show_progress(struct progress *progress, uint64_t files, uint64_t of)
{
    double now = clock_seconds();
    bool first = progress->last == 0;
    double seconds = now - progress->last;
    if (first) {
        progress->last = now;
    }
    if (first || seconds < (progress->shown ? 0.2 : 1.0) || isatty(STDERR_FILENO) == 0) {
        return;
    }
    progress->last = now;
    progress->shown = true;
    fprintf(stderr, "\rcheck-layout: %llu of %llu files", (unsigned long long)files, (unsigned long long)of);
}

static void end_progress(const struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
    }
}

static void run_alone(struct worker *worker, struct summary *summary, FILE *out)
{
    struct batch batch;
    struct progress progress = {false, 0};
    bool printed = false;
    make_batch(&batch, worker->options);
    for (size_t i = 0; i < batch_count(worker->list); i++) {
        do_batch(worker, i, &batch, NULL);
        finish_batch(&batch, worker->list, worker->format, summary, &printed, out);
        show_progress(&progress, i * BATCH_FILES, worker->list->count);
    }
    end_progress(&progress);
    free_batch(&batch);
}

static bool write_all(int descriptor, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t written = write(descriptor, (const char *)bytes + done, length - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

// The life of a child: takes the next batch until there is none. What it found is sent a few batches at a time, since each
// time wakes the parent, which takes a processor from its children; but not so late that progress or output would stall.
static int work(struct worker *worker, atomic_size_t *next, int pipe_end)
{
    enum { UNSENT_BATCHES = 8, UNSENT_BYTES = 32 << 10 };
    struct batch batch;
    struct text unsent = {0};
    size_t values = worker->options->figures ? figure_count() * BATCH_FILES * sizeof *batch.values : 0;
    size_t waiting = 0;
    double sent_at = clock_seconds();
    bool good = true;
    make_batch(&batch, worker->options);
    for (size_t i; good && (i = atomic_fetch_add(next, 1)) < batch_count(worker->list);) {
        do_batch(worker, i, &batch, NULL);
        text_add_bytes(&unsent, (const char *)&batch.record, sizeof batch.record);
        text_add_bytes(&unsent, batch.text.length > 0 ? batch.text.bytes : "", batch.text.length);
        text_add_bytes(&unsent, values > 0 ? (const char *)batch.values : "", values);
        if (++waiting == UNSENT_BATCHES || unsent.length > UNSENT_BYTES || clock_seconds() - sent_at > 0.1) {
            good = write_all(pipe_end, unsent.bytes, unsent.length);
            text_clear(&unsent);
            waiting = 0;
            sent_at = clock_seconds();
        }
    }
    good = good && write_all(pipe_end, unsent.bytes, unsent.length);
    text_free(&unsent);
    free_batch(&batch);
    outcome_free(&worker->outcome);
    return good ? 0 : 2;
}

// A child as its parent sees it, with the bytes of a record that is not whole yet.
struct child {
    pid_t process;
    struct text received;
};

// Takes the whole records out of what a child has sent.
static void take_records(struct child *child, struct batch *batches, const struct options *options)
{
    if (child->received.length == 0) {
        return;
    }
    size_t values = options->figures ? figure_count() * BATCH_FILES * sizeof *batches->values : 0;
    size_t at = 0;
    struct record record;
    while (child->received.length - at >= sizeof record) {
        memcpy(&record, child->received.bytes + at, sizeof record);
        if (child->received.length - at - sizeof record < record.text_length + values) {
            break;
        }
        struct batch *batch = &batches[record.batch];
        make_batch(batch, options);
        batch->record = record;
        text_add_bytes(&batch->text, child->received.bytes + at + sizeof record, record.text_length);
        if (values > 0) {
            memcpy(batch->values, child->received.bytes + at + sizeof record + record.text_length, values);
        }
        batch->done = true;
        at += sizeof record + record.text_length + values;
    }
    memmove(child->received.bytes, child->received.bytes + at, child->received.length - at);
    child->received.length -= at;
}

// Starts the children. Returns how many there are; with fewer than wanted the work is the same, only slower.
static size_t start_children(struct child *children, struct pollfd *pipes, size_t wanted, struct worker *worker,
                             atomic_size_t *next)
{
    size_t count = 0;
    fflush(NULL);
    for (; count < wanted; count++) {
        int ends[2];
        if (pipe(ends) != 0) {
            break;
        }
        pid_t process = fork();
        if (process == 0) {
            close(ends[0]);
            _exit(work(worker, next, ends[1]));
        }
        close(ends[1]);
        if (process < 0) {
            close(ends[0]);
            break;
        }
        children[count] = (struct child){process, {0}};
        pipes[count] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    }
    return count;
}

// Reads what a child has sent. Returns false when it has ended.
static bool receive(struct child *child, struct pollfd *end)
{
    char bytes[64 << 10];
    ssize_t length = read(end->fd, bytes, sizeof bytes);
    if (length > 0) {
        text_add_bytes(&child->received, bytes, (size_t)length);
        return true;
    }
    if (length < 0 && errno == EINTR) {
        return true;
    }
    close(end->fd);
    end->fd = -1;
    waitpid(child->process, NULL, 0);
    text_free(&child->received);
    return false;
}

static void run_children(struct worker *worker, size_t jobs, atomic_size_t *next, struct summary *summary, FILE *out)
{
    size_t total = batch_count(worker->list);
    struct batch *batches = calloc(total, sizeof *batches);
    struct child *children = calloc(jobs, sizeof *children);
    struct pollfd *pipes = calloc(jobs, sizeof *pipes);
    size_t alive = 0;
    size_t count = 0;
    if (batches != NULL && children != NULL && pipes != NULL) {
        alive = count = start_children(children, pipes, jobs, worker, next);
    }
    size_t printed_batches = 0;
    bool printed = false;
    struct progress progress = {false, 0};
    while (alive > 0) {
        poll(pipes, count, 1000);
        for (size_t i = 0; i < count; i++) {
            if (pipes[i].fd < 0 || pipes[i].revents == 0) {
                continue;
            }
            if (receive(&children[i], &pipes[i])) {
                take_records(&children[i], batches, worker->options);
            } else {
                alive--;
            }
        }
        for (; printed_batches < total && batches[printed_batches].done; printed_batches++) {
            finish_batch(&batches[printed_batches], worker->list, worker->format, summary, &printed, out);
            free_batch(&batches[printed_batches]);
        }
        show_progress(&progress, printed_batches * BATCH_FILES, worker->list->count);
    }
    end_progress(&progress);
    // What no child answered for: one of them died there, or none could be started.
    for (; batches != NULL && printed_batches < total; printed_batches++) {
        struct batch *batch = &batches[printed_batches];
        if (!batch->done) {
            make_batch(batch, worker->options);
            do_batch(worker, printed_batches, batch,
                     count > 0 ? "the process that checked this and its neighbours died: try -j1" : NULL);
        }
        finish_batch(batch, worker->list, worker->format, summary, &printed, out);
        free_batch(batch);
    }
    free(batches);
    free(children);
    free(pipes);
}

struct summary run(const struct path_list *list, const struct options *options, const struct output *format, FILE *out)
{
    struct worker worker = {.list = list, .options = options, .format = format};
    struct summary summary = {0};
    struct text text = {0};
    size_t capacity = 0;
    if (options->figures) {
        memory_grow(&summary.figure_sums, &capacity, figure_count(), sizeof *summary.figure_sums);
        memset(summary.figure_sums, 0, figure_count() * sizeof *summary.figure_sums);
        capacity = 0;
        memory_grow(&summary.worst, &capacity, figure_count() * WORST_FILES, sizeof *summary.worst);
        memset(summary.worst, 0, figure_count() * WORST_FILES * sizeof *summary.worst);
    }
    format->begin(&text, options);
    fprintf(out, "%s", text.bytes != NULL ? text.bytes : "");
    text_clear(&text);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = options->jobs != 0 ? options->jobs : processors > 0 ? (size_t)processors : 1;
    jobs = jobs < batch_count(list) ? jobs : batch_count(list);
    atomic_size_t *next = MAP_FAILED;
    if (jobs > 1) {
        next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    if (next != MAP_FAILED) {
        atomic_init(next, 0);
        run_children(&worker, jobs, next, &summary, out);
        munmap(next, sizeof *next);
    } else {
        run_alone(&worker, &summary, out);
    }
    format->end(&text, &summary, options);
    fprintf(out, "%s", text.bytes != NULL ? text.bytes : "");
    text_free(&text);
    outcome_free(&worker.outcome);
    return summary;
}

void run_free_summary(struct summary *summary)
{
    free(summary->figure_sums);
    free(summary->worst);
    *summary = (struct summary){0};
}
