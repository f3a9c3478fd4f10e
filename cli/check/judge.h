/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_judge.h - the parts of mt_check_judge(), which share the way in which they name
 * nodes.
 */
#ifndef MT_CLI_CHECK_JUDGE_H
#define MT_CLI_CHECK_JUDGE_H

#include "check.h"

#include <stdio.h>

/* Nodes of which one thing is found, and what is said of each. */
struct mt_suspects {
    const struct mt_check *check; /* borrowed */
    int *nodes;                   /* owned */
    int count;
    FILE *stream; /* owned; writes `text` */
    char *text;   /* owned */
    size_t length;
};

/* Ended by mt_suspects_end() when it succeeded, as it does unless memory is short. */
MT_MUST_CHECK int mt_suspects_begin(struct mt_suspects *suspects,
                                    const struct mt_check *check, struct mt_error *err);
/* A node with what is said of it, printf's, behind its name: " (late)". */
MT_PRINTF(3, 4)
void mt_suspects_add(struct mt_suspects *suspects, int node, const char *format, ...);
/* A node that is named by another one's words already. */
void mt_suspects_add_silently(struct mt_suspects *suspects, int node);
/* Add a finding about them, if there are any: "HEAD: node (...), node (...)". */
MT_MUST_CHECK MT_PRINTF(5, 6) int mt_suspects_end(struct mt_suspects *suspects,
                                                  struct mt_check *check,
                                                  enum mt_finding_kind kind,
                                                  struct mt_error *err,
                                                  const char *head, ...);

/* What the nodes said of themselves: check_judge_facts.c. */
MT_MUST_CHECK int mt_check_judge_facts(struct mt_check *check, struct mt_error *err);
/* How fast they compute: check_judge_speed.c. */
MT_MUST_CHECK int mt_check_judge_speed(struct mt_check *check, struct mt_error *err);
/* Each node's connection, and dips: check_judge_links.c. */
MT_MUST_CHECK int mt_check_judge_links(struct mt_check *check, struct mt_error *err);
MT_MUST_CHECK int mt_check_judge_dips(struct mt_check *check, struct mt_error *err);

#endif
