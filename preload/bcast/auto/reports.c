/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports.h"

#include <stdlib.h>
#include <string.h>

int reports_init(struct reports *reports, const struct context *context)
{
    const size_t size = (size_t)context->size;
    *reports = (struct reports){
        .context = context,
        .received = calloc(size, sizeof *reports->received),
        .sent = calloc(size, sizeof *reports->sent),
        .request = MPI_REQUEST_NULL,
    };
    return reports->received && reports->sent ? 0 : -1;
}

/* Our own last report may still wait for its receiver, so each rank first receives
   all reports that were sent to it, and only then waits for its own. */
void reports_finish(struct reports *reports)
{
    const struct context *context = reports->context;
    struct rank_report last;
    int expected = 0;
    int status = PMPI_Reduce_scatter_block(reports->sent, &expected, 1, MPI_INT,
                                           MPI_SUM, context->comm);
    for (; status == MPI_SUCCESS && reports->taken < expected; reports->taken++)
        status = PMPI_Recv(&last, (int)sizeof last, MPI_BYTE, MPI_ANY_SOURCE, TAG_WAITS,
                           context->comm, MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS)
        PMPI_Wait(&reports->request, MPI_STATUS_IGNORE);
}

void reports_free(struct reports *reports)
{
    free(reports->received);
    free(reports->sent);
}

void reports_begin(struct reports *reports)
{
    reports->waited.count = reports->in_call.count = 0;
}

void reports_forget(struct reports *reports)
{
    memset(reports->received, 0,
           (size_t)reports->context->size * sizeof *reports->received);
}

void samples_add(struct samples *samples, int64_t time)
{
    if (samples->count == MOST_SAMPLES)
        return;
    int i = samples->count++;
    for (; i > 0 && samples->time[i - 1] > time; i--)
        samples->time[i] = samples->time[i - 1];
    samples->time[i] = time;
}

/* 0: of none. */
static int64_t median(const struct samples *samples)
{
    return samples->count ? samples->time[(samples->count - 1) / 2] : 0;
}

static struct rank_report own_report(const struct reports *reports,
                                     const struct plan *plan, int class)
{
    return (struct rank_report){
        .plan = plan->call,
        .version = plan->version,
        .class = class,
        .calls = reports->in_call.count,
        .waits = reports->waited.count,
        .waited = median(&reports->waited),
        .in_call = median(&reports->in_call),
    };
}

int reports_send(struct reports *reports, int leader, const struct plan *plan,
                 int class)
{
    int gone = 1, status = MPI_SUCCESS;
    if (reports->request != MPI_REQUEST_NULL)
        status = PMPI_Test(&reports->request, &gone, MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS || !gone)
        return status;
    reports->message = own_report(reports, plan, class);
    status = PMPI_Isend(&reports->message, (int)sizeof reports->message, MPI_BYTE,
                        leader, TAG_WAITS, reports->context->comm, &reports->request);
    if (status == MPI_SUCCESS)
        reports->sent[leader]++;
    return status;
}

void reports_note_own(struct reports *reports, const struct plan *plan, int class)
{
    reports->received[reports->context->rank] = own_report(reports, plan, class);
}

int reports_receive(struct reports *reports)
{
    const struct context *context = reports->context;
    for (int heard = 0; heard < context->size; heard++) {
        int there;
        MPI_Status from;
        int status =
            PMPI_Iprobe(MPI_ANY_SOURCE, TAG_WAITS, context->comm, &there, &from);
        if (status != MPI_SUCCESS || !there)
            return status;
        status = PMPI_Recv(&reports->received[from.MPI_SOURCE],
                           (int)sizeof *reports->received, MPI_BYTE, from.MPI_SOURCE,
                           TAG_WAITS, context->comm, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return status;
        reports->taken++;
    }
    return MPI_SUCCESS;
}
