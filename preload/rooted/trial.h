/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - whether a collective call is carried out by us or left to the MPI.
 *
 * The calls of a communicator are divided into blocks. At the first call of a block,
 * all ranks meet and exchange reports, so that all make the same decision from the same
 * numbers. In the first calls of a block, messages of one class go the way that is not
 * in use, for comparison; then the way in use. Blocks become longer and longer. Calls
 * go to the MPI unless our way is known to be faster. Nothing here communicates.
 */
#ifndef MT_BALANCE_ROOTED_TRIAL_H
#define MT_BALANCE_ROOTED_TRIAL_H

#include "preload/common/measured.h"

#include <stddef.h>

/* Messages of a class are alike: more than half of LEAST << class bytes, up to that.
   All shorter ones are in the first class. */
#define TRIAL_LEAST_BYTES ((size_t)1 << 6)
#define TRIAL_MOST_BYTES ((size_t)1 << 20)
enum { TRIAL_CLASSES = 15 };

enum way { BY_MPI, BY_US, WAYS };

/* A rank's report at a meeting. Times in ns. */
struct trial_report {
    int64_t waited;     /* at the meeting, for the last rank to come */
    int64_t spent;      /* in the last meeting */
    int64_t since_last; /* meeting */
    int64_t took[WAYS]; /* median of the first calls in the block that went that way; 0:
                           none */
    int64_t on;         /* 0: the program has switched the library off */
};

/* A message class, as all ranks know it: times in the call. */
struct trial_class {
    struct measured mean[WAYS];    /* over the ranks */
    struct measured longest[WAYS]; /* of a rank */
    enum way way;
};

/* Zeroed: starts with a block in which all calls go to the MPI. */
struct trial {
    int64_t calls;  /* of this block, so far */
    int64_t length; /* of the block; 0: of the first */
    int compared;   /* class compared in this block, plus 1; 0: none yet */
    bool tries;     /* ... which goes the other way at first */
    bool off;       /* all calls of the block go to the MPI, as the first rank wants */
    bool over;      /* all calls go to the MPI from now on */
    struct trial_class classes[TRIAL_CLASSES];
    struct samples samples[WAYS]; /* of this rank, in this block */
};

/* The class of a message of at most TRIAL_MOST_BYTES. */
int trial_class(size_t bytes);

/* Whether all ranks are to meet before this call. */
bool trial_meets(const struct trial *trial);
/* Count a call that begins: which way it goes. */
enum way trial_take(struct trial *trial, int message_class);
/* Whether the time of that call is needed; otherwise it need not be reported. */
bool trial_needs_time(const struct trial *trial, int message_class, enum way way);
/* Report its time, ns. A call that ended with an error need not be reported. */
void trial_learn(struct trial *trial, enum way way, int64_t took);

/* This rank's report on its calls; the caller fills in the other members. */
struct trial_report trial_report(const struct trial *trial);
/* Begin the next block, with the reports of all `size` ranks. */
void trial_next(struct trial *trial, const struct trial_report *reports, int size);

#endif
