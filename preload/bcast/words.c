/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include "preload/wait/patient.h"

#include <stdlib.h>
#include <string.h>

int words_init(struct words *words, const struct context *context)
{
    const size_t size = (size_t)context->size;
    *words = (struct words){
        .context = context,
        .heard = calloc(size, sizeof *words->heard),
        .sent = calloc(size, sizeof *words->sent),
        .request = MPI_REQUEST_NULL,
    };
    return words->heard && words->sent ? 0 : -1;
}

/* A message of ours may wait for its receiver: that every rank receives comes first. */
void words_finish(struct words *words)
{
    const struct context *context = words->context;
    struct heard last;
    int expected = 0;
    int status = patient_Reduce_scatter_block(words->sent, &expected, 1, MPI_INT,
                                              MPI_SUM, context->comm);
    for (; status == MPI_SUCCESS && words->received < expected; words->received++)
        status = patient_Recv(&last, (int)sizeof last, MPI_BYTE, MPI_ANY_SOURCE,
                              TAG_WAITS, context->comm, MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS)
        patient_Wait(&words->request, MPI_STATUS_IGNORE);
}

void words_free(struct words *words)
{
    free(words->heard);
    free(words->sent);
}

void words_begin(struct words *words)
{
    words->waited.count = words->in_call.count = 0;
}

void words_forget(struct words *words)
{
    memset(words->heard, 0, (size_t)words->context->size * sizeof *words->heard);
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

static struct heard own_words(const struct words *words, const struct plan *plan,
                              int class)
{
    return (struct heard){
        .plan = plan->call,
        .version = plan->version,
        .class = class,
        .calls = words->in_call.count,
        .waits = words->waited.count,
        .waited = median(&words->waited),
        .in_call = median(&words->in_call),
    };
}

int words_tell(struct words *words, int home, const struct plan *plan, int class)
{
    int gone = 1, status = MPI_SUCCESS;
    if (words->request != MPI_REQUEST_NULL)
        status = PMPI_Test(&words->request, &gone, MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS || !gone)
        return status;
    words->message = own_words(words, plan, class);
    status = PMPI_Isend(&words->message, (int)sizeof words->message, MPI_BYTE, home,
                        TAG_WAITS, words->context->comm, &words->request);
    if (status == MPI_SUCCESS)
        words->sent[home]++;
    return status;
}

void words_note(struct words *words, const struct plan *plan, int class)
{
    words->heard[words->context->rank] = own_words(words, plan, class);
}

int words_hear(struct words *words)
{
    const struct context *context = words->context;
    for (int heard = 0; heard < context->size; heard++) {
        int there;
        MPI_Status from;
        int status =
            PMPI_Iprobe(MPI_ANY_SOURCE, TAG_WAITS, context->comm, &there, &from);
        if (status != MPI_SUCCESS || !there)
            return status;
        status = patient_Recv(&words->heard[from.MPI_SOURCE], (int)sizeof *words->heard,
                              MPI_BYTE, from.MPI_SOURCE, TAG_WAITS, context->comm,
                              MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return status;
        words->received++;
    }
    return MPI_SUCCESS;
}
