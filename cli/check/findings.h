/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_findings.h - what is wrong with a cluster, in words and with what to do.
 */
#ifndef MT_CLI_CHECK_FINDINGS_H
#define MT_CLI_CHECK_FINDINGS_H

#include "motley/error.h"

#include <stdbool.h>

/* Kinds with their names in JSON. */
#define MT_FINDING_LIST(X) \
    X(ABSENT, "absent") \
    X(HOST, "host") \
    X(MPI, "mpi") \
    X(CLOCK, "clock") \
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

/* Add a finding about these nodes; the text is printf's. */
MT_MUST_CHECK MT_PRINTF(6, 7) int mt_findings_add(struct mt_findings *findings,
                                                  enum mt_finding_kind kind,
                                                  const int *nodes, int nnodes,
                                                  struct mt_error *err,
                                                  const char *format, ...);
void mt_findings_clear(struct mt_findings *findings);

const char *mt_finding_name(enum mt_finding_kind kind);
/* What can be done about it: a sentence. */
const char *mt_finding_advice(enum mt_finding_kind kind);
/* Whether it was measured, so that it may have been bad luck. */
bool mt_finding_measured(enum mt_finding_kind kind);

#endif
