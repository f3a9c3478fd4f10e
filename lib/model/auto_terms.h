/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * auto_terms.h - what the default kind of model is made of.
 *
 * Terms of three roles: work that every rank does its part of, for which each (group,
 * processes per node) has its own coefficients; work that the groups do in turn, of
 * which each has its own, too; and the network, whose coefficients all groups share.
 */
#ifndef MT_AUTO_TERMS_H
#define MT_AUTO_TERMS_H

#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"

enum mt_role { MT_ROLE_OWN, MT_ROLE_SERIAL, MT_ROLE_NETWORK };

/* Zeroed is empty. */
struct mt_auto_terms {
    char *text; /* owned */
    enum mt_role roles[MT_MAX_TERMS];
    int count;
};

/*
 * The terms for a program: made from `given` (NULL: none), or its `auto` terms; without
 * these from its `work` and `memory`; without work from its np-t terms or their
 * default. Terms that someone listed are told apart by how they change from P = 2 to
 * 64: those that shrink are own, those that stay are serial, those that grow describe
 * the network. `terms` must be empty.
 */
MT_MUST_CHECK int mt_auto_terms_make(struct mt_auto_terms *terms,
                                     const struct mt_program *program,
                                     const char *given, struct mt_error *err);
void mt_auto_terms_clear(struct mt_auto_terms *terms);

#endif
