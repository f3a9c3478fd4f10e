/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - the phases of a product, one after the other. */
#ifndef MT_PDGEMM_RUN_H
#define MT_PDGEMM_RUN_H

#include "exchange.h"
#include "layout.h"

#include "motley/pdgemm.h"

#include <stdbool.h>

struct pdgemm_run {
    const struct pdgemm_layout *layout; /* borrowed */
    struct pdgemm_exchange *exchange;   /* borrowed */
    const struct mt_pdgemm_machine *machine;
    double alpha, beta;
    struct mt_pdgemm_part *c; /* borrowed */
    bool *begun;              /* borrowed; of every own tile: beta is applied */
    bool may_attend;          /* a thread, to messages */
    MPI_Comm comm;            /* of all ranks */
    MPI_Comm turn_1; /* of the ranks that have tiles of it; MPI_COMM_NULL on others */
    struct mt_partition_times times;
    double last; /* when the time was last put down */
    int code;    /* of MPI, in callbacks */
};

/* What MPI returns. */
MT_MUST_CHECK int pdgemm_run_blocking(struct pdgemm_run *run);
MT_MUST_CHECK int pdgemm_run_overlapped(struct pdgemm_run *run);
/* Apply beta to the tiles that got no product. */
void pdgemm_run_scale(struct pdgemm_run *run);

/* Add the time since the last call to one of run->times. */
void pdgemm_lap(struct pdgemm_run *run, double *seconds);

#endif
