/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - how the optimiser of bcast=paper learns the values of the other
 * ranks.
 *
 * By one-sided puts, in communicators of all ranks and where puts arrive without the
 * help of a call that waits; otherwise by messages. Nobody ever waits for a value: one
 * that is late is used in a later round.
 */
#ifndef MT_BALANCE_PAPER_WAITS_H
#define MT_BALANCE_PAPER_WAITS_H

#include "preload/common/context.h"

#include <stdbool.h>
#include <stdint.h>

enum { PAPER_OPTIMISER = 0 }; /* its rank */

struct paper_waits {
    const struct context *context; /* borrowed */
    int64_t *heard; /* owned, by the optimiser: [size] each rank's latest value */
    MPI_Win window; /* MPI_WIN_NULL: values ride on messages */
    volatile int64_t *memory; /* the window's, at the optimiser: [size] */
    int64_t sending;          /* the value that `request` carries */
    MPI_Request request;
};

/* False: memory is short on this rank. */
bool paper_waits_init(struct paper_waits *waits, const struct context *context);
void paper_waits_free(struct paper_waits *waits);

/* Between the two; collective. */
void paper_waits_open(struct paper_waits *waits);
void paper_waits_close(struct paper_waits *waits);

/* Send a value to the optimiser; false: the one before is still on its way. */
bool paper_waits_send(struct paper_waits *waits, int64_t value);
/* At the optimiser: [size] the latest values, 0 of ranks that have not sent any. */
const int64_t *paper_waits_latest(struct paper_waits *waits);

#endif
