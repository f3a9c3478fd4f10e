/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.h - what the ranks tell the home rank of their calls: small messages that
 * nobody waits for.
 */
#ifndef MT_BALANCE_WORDS_H
#define MT_BALANCE_WORDS_H

#include "context.h"
#include "plan.h"

/* The first few times are told as their median, because a processor that was busy
   elsewhere spoils a mean. */
enum { MOST_SAMPLES = 7 };

struct samples {
    int count;
    int64_t time[MOST_SAMPLES]; /* ns, ascending */
};

struct words {
    const struct context *context;
    struct samples waited, in_call; /* of the calls since the last plan */
    struct heard *heard;            /* owned; [size] */
    int *sent; /* owned; [size] messages to that rank when it was home */
    int received;
    struct heard message; /* on its way to the home rank */
    MPI_Request request;
};

/* 0, or -1 when memory is short on this rank. */
int words_init(struct words *words, const struct context *context);
/* Receive what is on its way to this rank; collective, before words_free(). */
void words_finish(struct words *words);
void words_free(struct words *words);

/* Begin with the calls after a plan. */
void words_begin(struct words *words);
/* Forget what this rank heard as the home rank. */
void words_forget(struct words *words);
/* No more samples than it holds are taken. */
void samples_add(struct samples *samples, int64_t time);

/* Tell the home rank, unless what it was told last is still on its way. */
int words_tell(struct words *words, int home, const struct plan *plan, int class);
/* On the home rank: what it would tell, and what has come in; never waits. */
void words_note(struct words *words, const struct plan *plan, int class);
int words_hear(struct words *words);

#endif
