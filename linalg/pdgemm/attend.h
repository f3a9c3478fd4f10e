/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attend.h - a thread that drives messages while its rank multiplies. Most networks
 * need the rank's own processor for progress, briefly but often: with calls only
 * between products of a twentieth of a second, messages stall.
 */
#ifndef MT_PDGEMM_ATTEND_H
#define MT_PDGEMM_ATTEND_H

#include "exchange.h"

#include <pthread.h>

struct pdgemm_attendant {
    struct pdgemm_exchange *exchange; /* borrowed */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t dismissal;
    bool is_dismissed;
    int code; /* of MPI */
};

/* Whether threads other than the main one may call MPI, one at a time. */
bool pdgemm_may_attend(void);
/* Drive the messages of the exchange from now on. No other thread may call MPI until
   pdgemm_dismiss(). False: the thread cannot be started. */
bool pdgemm_attend(struct pdgemm_attendant *attendant,
                   struct pdgemm_exchange *exchange);
/* Returns MPI's status. */
MT_MUST_CHECK int pdgemm_dismiss(struct pdgemm_attendant *attendant);

#endif
