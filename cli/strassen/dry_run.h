/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_dry_run.h - show what 'motley strassen measure' would do.
 */
#ifndef MT_CLI_STRASSEN_DRY_RUN_H
#define MT_CLI_STRASSEN_DRY_RUN_H

#include "cli/measure/campaign.h"

#include "motley/error.h"
#include "motley/program.h"

/* A part of the measurement: a program, its runs, and which of them are left. Zeroed is
   empty. */
struct mt_strassen_part {
    struct mt_program program; /* owned */
    struct mt_tasks tasks;     /* owned */
    int *left;                 /* owned; indices of tasks, ascending */
    int count;                 /* of them */
};
void mt_strassen_part_clear(struct mt_strassen_part *part);
/* Find out which are left, by the campaign's store; NULL: all. */
MT_MUST_CHECK int mt_strassen_part_left(struct mt_strassen_part *part,
                                        const struct mt_campaign *campaign,
                                        struct mt_error *err);

/* Print what is left of the parts to stdout, as --json asks. */
MT_MUST_CHECK int mt_strassen_dry_run(const struct mt_strassen_part *parts, int count,
                                      const struct mt_cluster *cluster,
                                      struct mt_error *err);

#endif
