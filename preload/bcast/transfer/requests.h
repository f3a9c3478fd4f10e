/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests.h - the requests of one broadcast, in an array that is kept for the next.
 */
#ifndef MT_BALANCE_REQUESTS_H
#define MT_BALANCE_REQUESTS_H

#include "transfer.h"

/* `n` > 0 null requests, the transfer's own until the next such call; NULL: no memory.
 */
MPI_Request *requests_get(struct transfer *transfer, int n);

/* Wait for all of them, also after an error; the code of the first one. */
int requests_wait(MPI_Request *requests, int n);

/* After an error: withdraw receives that nobody will answer... */
void requests_cancel(MPI_Request *requests, int n);
/* ... and let go of sends, which cannot be withdrawn. */
void requests_abandon(MPI_Request *requests, int n);

#endif
