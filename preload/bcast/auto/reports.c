/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends each rank's median times to the leader of an interval without blocking. */
#include "reports.h"

#include <stdlib.h>
#include <string.h>

int reports_init(struct reports *reports, const struct context *context)
{
    const size_t size = (size_t)context->size;
    *reports = (struct reports){
        .context = context,
        .received = calloc(size, sizeof *reports->received),
    };
    for (int i = 0; i < MOST_SENDS; i++)
        reports->request[i] = MPI_REQUEST_NULL;
    return reports->received ? 0 : -1;
}

/* Our own reports may still wait for their receivers, so each rank first receives all
   reports due to it. */
void reports_finish(struct reports *reports)
{
    struct rank_report last;
    int status = MPI_SUCCESS;
    for (; status == MPI_SUCCESS && reports->due > 0; reports->due--)
        status = PMPI_Recv(&last, (int)sizeof last, MPI_BYTE, MPI_ANY_SOURCE, TAG_WAITS,
                           reports->context->comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < MOST_SENDS && status == MPI_SUCCESS; i++)
        status = PMPI_Wait(&reports->request[i], MPI_STATUS_IGNORE);
}

void reports_free(struct reports *reports)
{
    free(reports->received);
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

static int64_t spread(const struct samples *samples)
{
    return samples->count ? samples->time[samples->count - 1] - samples->time[0] : 0;
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
        .waited = samples_median(&reports->waited),
        .in_call = samples_median(&reports->in_call),
        .spread = spread(&reports->in_call),
    };
}

/* Waits only if all buffers are in use: neither the leader nor its MPI has received any
   of these reports. */
static int send(struct reports *reports, int leader, const struct rank_report *report)
{
    const int i = reports->sends++ % MOST_SENDS;
    const int status = PMPI_Wait(&reports->request[i], MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS)
        return status;
    reports->sent[i] = *report;
    return PMPI_Isend(&reports->sent[i], (int)sizeof *report, MPI_BYTE, leader,
                      TAG_WAITS, reports->context->comm, &reports->request[i]);
}

int reports_tell(struct reports *reports, int leader, const struct plan *plan,
                 int class)
{
    if (reports->context->rank == leader) {
        reports->due += reports->context->size - 1;
        return MPI_SUCCESS;
    }
    const struct rank_report report = own_report(reports, plan, class);
    return send(reports, leader, &report);
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
        reports->due--;
    }
    return MPI_SUCCESS;
}
