/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the interpretation of all ranks' counts: the ranks to blame, and the
 * cost.
 */
#ifndef MT_BALANCE_REPORT_FINDINGS_H
#define MT_BALANCE_REPORT_FINDINGS_H

#include "counts.h"

#include <stdbool.h>
#include <stdio.h>

enum verdict {
    CORES_SHARED, /* ranks lack cores, and waiting ranks take them from others */
    NOBODY_LATE,  /* too little waiting to mention */
    NOT_KNOWN,    /* enough waiting, for unknown ranks */
    ROOT_LATE,    /* mostly for the root of the broadcast */
    NODE_LATE,    /* mostly for several ranks of one node */
    RANK_LATE,    /* mostly for one rank */
    SPREAD        /* no rank or node stands out */
};

struct findings {
    const struct counts *counts; /* borrowed, like all other input */
    const int *node;
    const char *name; /* of the communicator */
    bool adaptive;    /* bcast=auto: the saving by the library is known */
    bool simulated;

    /* Times in ns of rank time, for all calls, as if none had been watched. */
    int64_t time, waiting;
    int64_t waited; /* of all calls, no matter for which rank */
    double *scale;  /* owned; [sites] costs of all calls, extrapolated from watched
                       ones */
    struct rank_lateness
        *of;   /* owned; [size] of all sites together; costs of all calls */
    int worst; /* the rank that cost most; -1: none */
    int alone; /* the rank for which others wait idly; -1: none */
    int nodes;
    int worst_node; /* its lowest rank; -1: none */
    int worst_node_ranks;
    int64_t worst_node_cost;
    enum verdict verdict;
};

/* 0, or -1 when memory is short. `node` is as in struct context. */
int findings_init(struct findings *findings, const struct counts *counts,
                  const int *node, const char *name);
void findings_free(struct findings *findings);

/* The time in the calls of a site, in ns of rank time, as if none had been watched. */
int64_t findings_time_at(const struct site *site);
/* Waiting at a site, in ns of rank time. */
int64_t findings_waiting_at(const struct findings *findings, int site);
/* Whether the fullest node has more ranks than cores. */
bool findings_crowded(const struct counts *counts);
/* The node's name, or "?". */
const char *findings_node_of(const struct findings *findings, int rank);

/* Machine-readable output: one JSON object per line, one for each site, then one for
   the communicator; in json.c. */
void report_json(FILE *lines, const struct findings *findings);

/* The findings in words, and remedies. */
enum { MOST_HINTS = 3 };

/* A few sentences each, the most important first. */
struct hints {
    char *text[MOST_HINTS]; /* owned */
    int count;
};

/* Some hints are missing if memory is short. */
void hints_find(struct hints *hints, const struct findings *findings);
void hints_free(struct hints *hints);

/* Print rank 0's lines at the end: how much the ranks waited, the first hint, and, for
   all calls, where to read more. */
void hints_put(FILE *text, const struct findings *findings);

#endif
