/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - the counts behind the report of one communicator, or of a whole program:
 * on each rank its own observations, merged at the end from all ranks. Nothing here
 * uses the MPI or prints. A zeroed struct is empty.
 */
#ifndef MT_BALANCE_REPORT_COUNTS_H
#define MT_BALANCE_REPORT_COUNTS_H

#include "preload/common/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The waiting of a rank over the time of its run, in a fixed number of intervals, whose
   width doubles as the run goes on. A zeroed one is empty. */
enum { INTERVALS = 64 };

struct timeline {
    int doubled;               /* number of doublings of the width, from about 1 ms */
    int64_t waited[INTERVALS]; /* ns */
};

/* The width of an interval, ns. */
int64_t timeline_width(const struct timeline *timeline);
/* Add waiting, spread evenly over a length > 0 from a time on, in ns from the start. */
void timeline_add(struct timeline *timeline, int64_t from, int64_t length,
                  int64_t waited);
/* Double the width until it was doubled that often. */
void timeline_widen(struct timeline *timeline, int doubled);

enum {
    MAX_SITES = 64, /* all further ones are counted together */
    SIZE_CLASSES = 64,
    FIRST_CALLS = 16
};

extern const char *const call_names[CALLS]; /* as in MPI_Wait */

/* Lateness of one rank, as seen by the ranks to which it passed the token. Times in ns.
   Sent as is. */
struct rank_lateness {
    int64_t calls, time, waited; /* of this rank itself; not of broadcasts alone */
    int64_t seen;                /* tokens it passed on */
    int64_t late;     /* of these, the ones in which others waited because it was
                         late */
    int64_t sum, max; /* how much later it came than the rank that waited; late ones
                         only */
    int64_t cost;     /* rank time that all others waited because of it */
    int64_t as_root;  /* of the cost, in broadcasts of which it was the root */
    int64_t alone;    /* of the cost, while the others were idle */
    /* This rank's calls that are not compared with those of other ranks: */
    int64_t shortest; /* 0 if none */
    int64_t peer;     /* 1 + the only rank that they waited for; 0: none; -1: several,
                         or unknown */
};

/* A call that is not compared with those of other ranks. */
struct single {
    int64_t took; /* ns */
    int peer;     /* the rank that it waited for; -1: not known */
    int64_t from; /* ns from the begin of the rank's timeline */
};

/* A place in the program that calls the MPI. */
struct site {
    char object[64];   /* file name of the program or library; "": all other sites */
    char function[64]; /* "": not known */
    uint64_t address;  /* in the object, as addr2line takes it */
    char path[256];    /* of the object; "": not known */
    char line[64];     /* FILE:LINE; "": not known; on the rank that reports */
    enum call_number call;
    int64_t calls, watched, bytes; /* of the rank with the most calls */
    int64_t time;                  /* ns in the calls, summed over the ranks */
    int64_t time_unwatched;        /* of that, in calls without a token */
    int64_t waits_unwatched;       /* of that, beyond the time that a call of its size
                                      takes */
    struct rank_lateness *of;      /* owned; [size] by rank */
    /* For this rank only: */
    const void *caller; /* the address; NULL: never called from here */
    /* for calls whose ranks are not compared: */
    int64_t shortest; /* ns */
    struct single first[FIRST_CALLS];
    int singles; /* of the first calls: they wait until the shortest is known */
    int64_t need_take[SIZE_CLASSES]; /* ns, for 2^i bytes and more; 0: not known */
};

/* The crowding of a node: ranks and their cores. */
struct crowd {
    int64_t ranks, millicores; /* 0: not known */
    int64_t node;              /* its lowest rank */
};

struct counts {
    int size;
    int heard;      /* ranks whose counts are included */
    bool all_calls; /* of a whole program, not only broadcasts of a communicator */
    int64_t calls, watched, bytes;
    int64_t tree_calls; /* of the calls: along our trees, not by the MPI */
    int64_t lifetime;   /* ns, summed over the ranks: since their third broadcast */
    int64_t saved;      /* ns of rank time */
    int64_t set_up;     /* ns of it, for the library's setup */
    int64_t delay;      /* ns of it, in which a rank lacked a core because of others */
    int patient;        /* ranks that leave their cores to others while they wait */
    struct crowd crowd; /* of the fullest node */
    int sites;
    struct site *site; /* owned; [sites] */
    char **node_name;  /* owned; [size] at each node's lowest rank; NULL elsewhere */
    struct timeline **timeline; /* owned, and each; [size]; NULL: not known */
};

/* The counts of a rank, ready to be sent. */
struct packed {
    int64_t *numbers; /* owned; [count] */
    size_t count;
    char *text; /* owned; [bytes] */
    size_t bytes;
};

/* 0, or -1 when memory is short; counts are then zeroed. */
int counts_init(struct counts *counts, int size);
void counts_free(struct counts *counts);

/* The site of that object and address, created if new; the site of all others if there
   are too many. NULL if out of memory. */
struct site *counts_site(struct counts *counts, const char *object,
                         const char *function, uint64_t address);

/* The site of the call that returns to `caller`, an address in the program, created if
   new. NULL if out of memory. In sites.c, as is the next. */
struct site *caller_site(struct counts *counts, const void *caller, bool simulated);

/*
 * Ask addr2line for the lines of all sites, where it is installed and the programs were
 * compiled with -g; it gets 10 seconds for each program or library. Sites of the same
 * call in the same line, into which a compiler may split one, are then merged.
 */
void lines_find(struct counts *counts);

/* Compare with the counts of all ranks: a rank that waits in each of its calls has none
   that shows a call's own time, but other ranks at the same place have. The excess over
   theirs also counts as waiting for its peer. */
void counts_settle_singles(struct counts *counts);

/* Keep this crowd if it is fuller than the fullest so far. */
void counts_crowd(struct counts *counts, const struct crowd *crowd);

/* Merge site `other` into `site`, for all calls; the last site takes its place. */
void counts_join(struct counts *counts, int site, int other);

/* 0, or -1 when memory is short, with nothing in `packed`. */
int counts_pack(const struct counts *counts, struct packed *packed);
/* Add another rank's counts, packed by counts_pack(). 0, or -1 when memory is short. */
int counts_add(struct counts *counts, const struct packed *packed);
void packed_free(struct packed *packed);

#endif
