/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers the counts along a binomial tree at the end, and writes the report. */
#include "write.h"

#include "preload/common/oversubscription.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool report_is_simulated(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "SMPI", 4) == 0;
}

/* NULL when memory is short: the message is then cut short, so that its sender does not
   wait for ever. */
static void *receive(const struct context *context, int child, MPI_Datatype type,
                     size_t bytes_each, int64_t count)
{
    void *message = malloc((size_t)count * bytes_each + 1);
    PMPI_Recv(message, message ? (int)count : 0, type, child, TAG_REPORT, context->comm,
              MPI_STATUS_IGNORE);
    return message;
}

static void add_child(const struct context *context, int child, struct counts *counts)
{
    int64_t lengths[2] = {0};
    PMPI_Recv(lengths, 2, MPI_INT64_T, child, TAG_REPORT, context->comm,
              MPI_STATUS_IGNORE);
    struct packed packed = {.count = (size_t)lengths[0], .bytes = (size_t)lengths[1]};
    packed.numbers =
        receive(context, child, MPI_INT64_T, sizeof *packed.numbers, lengths[0]);
    packed.text = receive(context, child, MPI_CHAR, 1, lengths[1]);
    if (packed.numbers && packed.text && packed.count > 0)
        (void)counts_add(counts, &packed);
    packed_free(&packed);
}

/* Empty messages when memory is short. */
static void send(const struct context *context, int parent, const struct counts *counts)
{
    struct packed packed;
    (void)counts_pack(counts, &packed);
    const int64_t lengths[2] = {(int64_t)packed.count, (int64_t)packed.bytes};
    PMPI_Send(lengths, 2, MPI_INT64_T, parent, TAG_REPORT, context->comm);
    PMPI_Send(packed.numbers, (int)packed.count, MPI_INT64_T, parent, TAG_REPORT,
              context->comm);
    PMPI_Send(packed.text, (int)packed.bytes, MPI_CHAR, parent, TAG_REPORT,
              context->comm);
    packed_free(&packed);
}

static void add_node_name(const struct context *context, struct counts *counts)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (context->node[context->rank] != context->rank)
        return;
    PMPI_Get_processor_name(name, &length);
    counts->node_name[context->rank] = strdup(name);
}

/* Up a binomial tree: the parent of a rank is the rank without its lowest set bit. */
void report_gather(const struct context *context, struct counts *counts)
{
    const int rank = context->rank;
    add_node_name(context, counts);
    for (long step = 1; step < context->size; step *= 2) {
        if (rank & step) {
            send(context, (int)(rank - step), counts);
            return;
        }
        if (rank + step < context->size)
            add_child(context, (int)(rank + step), counts);
    }
}

/* Whether this rank leaves its core to others while it waits. */
static bool is_patient(void)
{
    const char *libraries = getenv("LD_PRELOAD");
    return libraries && strstr(libraries, "libmotley-patient.so");
}

static void find_crowd(const struct context *context, struct counts *counts)
{
    struct oversubscription node;
    if (oversubscription_find(&node, context->comm) != MPI_SUCCESS)
        return;
    counts->crowd = (struct crowd){
        .ranks = (int64_t)node.ranks,
        .millicores = (int64_t)(node.cores * 1000),
        .node = context->node[context->rank],
    };
}

void report_cores(const struct context *context, struct counts *counts,
                  int64_t delay_before)
{
    counts->delay = oversubscription_delay() - delay_before;
    counts->patient = is_patient();
    find_crowd(context, counts);
}

/* In one piece, unless a signal or a full disk cuts it. 0, or -1 with errno set. */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

/* What `print` prints goes to `fd`. 0, or -1 with errno set. */
static int put(int fd, void (*print)(FILE *, const struct findings *),
               const struct findings *findings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return -1;
    print(stream, findings);
    const int failed = fclose(stream) != 0 || write_all(fd, text, size) != 0;
    free(text);
    return failed ? -1 : 0;
}

void report_put_lines(const struct findings *findings)
{
    (void)put(STDERR_FILENO, hints_put, findings);
}

void report_put_json(const struct findings *findings, const char *file)
{
    const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int put_failed = fd < 0 || put(fd, report_json, findings) != 0;
    const int reason = errno;
    if (fd >= 0 && close(fd) == 0 && !put_failed)
        return;
    static atomic_flag complained = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&complained))
        fprintf(stderr, "motley-balance: cannot write the report to '%s': %s\n", file,
                strerror(put_failed ? reason : errno));
}
