/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - what is wrong with a cluster, in words and with what to do.
 */
#ifndef MT_CLI_CHECK_FINDINGS_H
#define MT_CLI_CHECK_FINDINGS_H

#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Kinds with their names in JSON. */
#define MT_FINDING_LIST(X) \
    X(DOWN, "absent") \
    X(HOST, "host") \
    X(MPI, "mpi") \
    X(LOAD, "load") \
    X(COMPUTE, "compute") \
    X(MEMORY, "memory") \
    X(LINK, "link") \
    X(DIP, "dip") \
    X(END, "end")

enum mt_finding_kind {
#define X(kind, name) MT_FOUND_##kind,
    MT_FINDING_LIST(X)
#undef X
};

struct mt_finding {
    enum mt_finding_kind kind;
    char *text; /* owned */
    int *nodes; /* owned; indices of the nodes it is about */
    int nnodes;
    double smallest, largest; /* bytes of the messages it is about; 0: about all */
};

/* Zeroed is empty. */
struct mt_findings {
    struct mt_finding *list; /* owned */
    int count;
};

void mt_findings_clear(struct mt_findings *findings);

const char *mt_finding_name(enum mt_finding_kind kind);
/* What can be done about it: a sentence. */
const char *mt_finding_advice(enum mt_finding_kind kind);
/* Whether it was measured, so that it may have been bad luck. */
bool mt_finding_measured(enum mt_finding_kind kind);

/*
 * A finding that is being written: the nodes that have something wrong are named one by
 * one. Every draft that is begun is finished; when memory is short, that says so.
 */
struct mt_draft {
    struct mt_finding finding;
    FILE *stream; /* owned; writes `text` */
    char *text;   /* owned; "node (...), node (...)" */
    size_t length;
};

/* Begin a finding of that kind about some of `nnodes` nodes. */
void mt_draft_begin(struct mt_draft *draft, enum mt_finding_kind kind, int nnodes);
/* A node and its name, with what is said of it, printf's, behind that: " (late)". */
MT_PRINTF(4, 5)
void mt_draft_name(struct mt_draft *draft, int node, const char *name,
                   const char *format, ...);
/* A node that the words about another one have named. */
void mt_draft_include(struct mt_draft *draft, int node);
/* Add the finding, when it is about any node: "HEAD: node (...), node (...)". */
MT_MUST_CHECK MT_PRINTF(4, 5) int mt_draft_finish(struct mt_draft *draft,
                                                  struct mt_findings *findings,
                                                  struct mt_error *err,
                                                  const char *head, ...);

#endif
