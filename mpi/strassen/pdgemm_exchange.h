/* SPDX-License-Identifier: BSD-3-Clause */
/* pdgemm_exchange.h - the messages of the phases of a product, and the memory that they
   come to. */
#ifndef MT_PDGEMM_EXCHANGE_H
#define MT_PDGEMM_EXCHANGE_H

#include "pdgemm_layout.h"

#include "motley/pdgemm.h"

/* What a span has in a phase: in memory for messages, or in a block of the rank's own
   when all of it lies there. */
struct pdgemm_panel {
    double *values;
    int leading;
};

/* Room for what one phase needs. */
struct pdgemm_slot {
    double *values;              /* owned, of the machine's memory */
    struct pdgemm_panel *panels; /* owned; of every span of the layout */
    MPI_Request *receives;       /* owned */
    int nreceives;
};

/* Zeroed is empty. */
struct pdgemm_exchange {
    const struct pdgemm_layout *layout;                  /* borrowed */
    const struct mt_pdgemm_part *parts[PDGEMM_OPERANDS]; /* borrowed */
    const struct mt_pdgemm_machine *machine;             /* borrowed */
    MPI_Comm comm;
    struct pdgemm_slot slots[2];
    double *blank; /* owned, of the machine's memory; sent by parts without values */
    MPI_Request *sends; /* owned */
    int nsends;
    double received; /* bytes from other ranks */
};

/* All memory that the phases need, so that nothing can be short later: with `slots` 2,
   for two phases at once. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_exchange_init(struct pdgemm_exchange *exchange, int slots,
                                       struct mt_error *err);
void pdgemm_exchange_clear(struct pdgemm_exchange *exchange);

/* Begin to receive what the rank needs in a phase, and copy what it has; begin to send
   what others need. What MPI returns. */
MT_MUST_CHECK int pdgemm_exchange_receive(struct pdgemm_exchange *exchange, int phase,
                                          struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_send(struct pdgemm_exchange *exchange, int phase);
/* Wait until all has come, or gone. */
MT_MUST_CHECK int pdgemm_exchange_wait_received(struct pdgemm_slot *slot);
MT_MUST_CHECK int pdgemm_exchange_wait_sent(struct pdgemm_exchange *exchange);
/* Let messages pass; without waiting. */
MT_MUST_CHECK int pdgemm_exchange_progress(struct pdgemm_exchange *exchange);

#endif
