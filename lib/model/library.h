/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h - what the time of a program may be made of: terms of N, P and M among
 * which a fit chooses (selection.h).
 *
 * Terms that make sense only together are one family: the fit takes all or none.
 */
#ifndef MT_MODEL_LIBRARY_H
#define MT_MODEL_LIBRARY_H

#include "motley/error.h"
#include "motley/expr.h"
#include "motley/program.h"

#include <stdbool.h>

/* Whose coefficient a term has. */
enum mt_role {
    MT_ROLE_OWN,   /* work that the ranks share: each (group, M) its own */
    MT_ROLE_CACHE, /* what such work takes longer out of a cache: each group its own */
    MT_ROLE_COMPUTE, /* other work that they share: one for all, times how slow the
                        (group, M) is */
    MT_ROLE_SERIAL,  /* work that the groups do in turn: likewise */
    MT_ROLE_NETWORK  /* one for all */
};

struct mt_library_term {
    struct mt_expr *expr; /* owned */
    enum mt_role role;
    bool expected; /* it is a cost that programs are expected to have */
    int single;    /* of what each further core of a node adds: the term of one core,
                      counted from 1; 0: it is not such a term */
};

/* Terms first .. end - 1. */
struct mt_family {
    int first, end;
};

/* Zeroed is empty. */
struct mt_library {
    struct mt_library_term *terms; /* owned */
    int count;
    struct mt_family *families; /* owned */
    int nfamilies;
    bool given; /* somebody listed the terms: all are to be taken */
};

/*
 * The terms for a program: made from the list `given` (NULL: none), or its `auto`
 * terms; otherwise from its `work`, `memory` and `surface` formulas. `work` is the work
 * where the program does not say it (NULL: it does). Terms that somebody listed are
 * told apart by how they change from P = 2 to 64: those that shrink are own, those that
 * stay are serial, those that grow describe the network. `library` must be empty.
 */
MT_MUST_CHECK int mt_library_make(struct mt_library *library,
                                  const struct mt_program *program, const char *given,
                                  const char *work, struct mt_error *err);
void mt_library_clear(struct mt_library *library);

/* Whether a term of a model that was chosen from a library describes the network, not
   what a rank computes. */
bool mt_library_is_network(const char *term);

#endif
