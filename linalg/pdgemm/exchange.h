/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h - the messages of the phases of a product, and their memory. Values with
 * gaps, at the source or the destination, are packed: with MPI's vector types, messages
 * within a node take two to ten times as long, and stall unless both sides keep calling
 * MPI.
 */
#ifndef MT_PDGEMM_EXCHANGE_H
#define MT_PDGEMM_EXCHANGE_H

#include "layout.h"

#include "motley/pdgemm.h"

/* A span's data in a phase: in a message buffer, or in a block of the rank's own if all
   of it is there. */
struct pdgemm_panel {
    double *values;
    int leading;
};

/* A message that is expected. */
struct pdgemm_arrival {
    MPI_Request request;
    double *packed; /* NULL: received in place */
    struct pdgemm_panel place;
    int rows, columns;
};

/* Room for what one phase needs. */
struct pdgemm_slot {
    double *values;                  /* owned, of the machine's memory */
    struct pdgemm_panel *panels;     /* owned; of every span of the layout */
    struct pdgemm_arrival *arrivals; /* owned */
    int narrivals;
    double *packed;     /* owned, of the machine's memory; what is sent packed */
    size_t used;        /* of that */
    MPI_Request *sends; /* owned; of that */
    int nsends;
};
enum { PDGEMM_SLOTS = 2 };

/* Empty if zeroed. */
struct pdgemm_exchange {
    const struct pdgemm_layout *layout;                        /* borrowed */
    const struct mt_pdgemm_part *parts[MT_PARTITION_OPERANDS]; /* borrowed */
    const struct mt_pdgemm_machine *machine;                   /* borrowed */
    MPI_Comm comm;
    struct pdgemm_slot slots[PDGEMM_SLOTS];
    double *blank; /* owned, of the machine's memory; sent by parts without values */
    MPI_Request *sends; /* owned; of what is sent in place */
    int nsends;
    double received; /* bytes from other ranks */
};

/* Allocate all memory of the phases, so that none can be short later: with `slots` 2,
   for two phases at once, or for a step's phases of both turns. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_exchange_init(struct pdgemm_exchange *exchange, int slots,
                                       struct mt_error *err);
void pdgemm_exchange_clear(struct pdgemm_exchange *exchange);

/* Begin to receive the rank's input of a phase and copy its own data; and wait until
   all of it has arrived. Both return MPI's status. */
MT_MUST_CHECK int pdgemm_exchange_receive(struct pdgemm_exchange *exchange, int phase,
                                          struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_wait_received(struct pdgemm_slot *slot);

/* Begin to send the contiguous pieces that others need in a phase; and the strided
   ones, packed into the slot, whose sends of earlier steps must have ended. */
MT_MUST_CHECK int pdgemm_exchange_send(struct pdgemm_exchange *exchange, int phase);
MT_MUST_CHECK int pdgemm_exchange_send_packed(struct pdgemm_exchange *exchange,
                                              int phase, struct pdgemm_slot *slot);
/* Send both kinds, one message after the other, so that the first receiver can soon
   forward it; and forward received pieces, likewise. */
MT_MUST_CHECK int pdgemm_exchange_send_in_turn(struct pdgemm_exchange *exchange,
                                               int phase, struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_forward(struct pdgemm_exchange *exchange, int phase,
                                          struct pdgemm_slot *slot);
/* Wait for these sends; wait for all sends. */
MT_MUST_CHECK int pdgemm_exchange_wait_packed(struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_wait_sent(struct pdgemm_exchange *exchange);

/* Drive messages without waiting; returns whether some have not ended. */
MT_MUST_CHECK int pdgemm_exchange_progress(struct pdgemm_exchange *exchange,
                                           bool *is_open);

#endif
