/* SPDX-License-Identifier: BSD-3-Clause */
/* message.h - rectangles of values, of any size, as messages. */
#ifndef MT_PDGEMM_MESSAGE_H
#define MT_PDGEMM_MESSAGE_H

#include "motley/error.h"

#include <mpi.h>
#include <stdbool.h>

/* Values stored by columns, and their source or destination. */
struct pdgemm_message {
    double *values;
    int rows, columns, leading; /* above 0 */
    int rank, tag;
};

/* MT_OK, or MT_EIO with the MPI's words. */
MT_MUST_CHECK int pdgemm_mpi(int code, struct mt_error *err);

/* Begin to send or receive; what MPI returns. */
MT_MUST_CHECK int pdgemm_send(const struct pdgemm_message *message, MPI_Comm comm,
                              MPI_Request *request);
MT_MUST_CHECK int pdgemm_receive(const struct pdgemm_message *message, MPI_Comm comm,
                                 MPI_Request *request);
/* Send synchronously: MPI_Send() may return before a small message has left, and the
   next one would go at the same time. */
MT_MUST_CHECK int pdgemm_send_through(const struct pdgemm_message *message,
                                      MPI_Comm comm);
/* Wait for all; or only drive them. (One by one: gcc 12 does not know what
   MPI_STATUSES_IGNORE of MPICH means.) */
MT_MUST_CHECK int pdgemm_wait(MPI_Request *requests, int count);
/* Sets `is_open` if one has not ended. */
MT_MUST_CHECK int pdgemm_test(MPI_Request *requests, int count, bool *is_open);

#endif
