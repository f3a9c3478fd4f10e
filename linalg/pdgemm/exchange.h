/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h - the messages of the phases of a product, and the memory that they
 * come to.
 *
 * Values that lie between others, or go between others, are packed: by MPI's vectors,
 * messages within a node take two to ten times as long, and stand still unless both
 * sides look after them all the time.
 */
#ifndef MT_PDGEMM_EXCHANGE_H
#define MT_PDGEMM_EXCHANGE_H

#include "layout.h"

#include "motley/pdgemm.h"

/* A span's data in a phase: in a message buffer, or in a block of the rank's own if all
   of it lies there. */
struct pdgemm_panel {
    double *values;
    int leading;
};

/* A message that is expected. */
struct pdgemm_arrival {
    MPI_Request request;
    double *packed; /* NULL: it comes right to its place */
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

/* Zeroed is empty. */
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

/* All memory that the phases need, so that nothing can be short later: with `slots` 2,
   for two phases at once, or for a step's phases of both turns. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_exchange_init(struct pdgemm_exchange *exchange, int slots,
                                       struct mt_error *err);
void pdgemm_exchange_clear(struct pdgemm_exchange *exchange);

/* Both return MPI's status. Begin to receive the rank's input of a phase and copy its
   own data; and wait until all of it has arrived. */
MT_MUST_CHECK int pdgemm_exchange_receive(struct pdgemm_exchange *exchange, int phase,
                                          struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_wait_received(struct pdgemm_slot *slot);

/* Begin to send what others need in a phase and is in one piece; and the rest of it, by
   way of the slot, which is to be free of what was sent in earlier steps. */
MT_MUST_CHECK int pdgemm_exchange_send(struct pdgemm_exchange *exchange, int phase);
MT_MUST_CHECK int pdgemm_exchange_send_packed(struct pdgemm_exchange *exchange,
                                              int phase, struct pdgemm_slot *slot);
/* Send both, a message after the other, so that the first to get it can soon send it
   on; and send on what the rank gets itself, likewise. */
MT_MUST_CHECK int pdgemm_exchange_send_in_turn(struct pdgemm_exchange *exchange,
                                               int phase, struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_forward(struct pdgemm_exchange *exchange, int phase,
                                          struct pdgemm_slot *slot);
/* Wait until that has gone; until all has. */
MT_MUST_CHECK int pdgemm_exchange_wait_packed(struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_wait_sent(struct pdgemm_exchange *exchange);

/* Let messages pass, without waiting; whether there are some that have not ended. */
MT_MUST_CHECK int pdgemm_exchange_progress(struct pdgemm_exchange *exchange,
                                           bool *is_open);

#endif
