/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leave.h - what becomes of the jobs that are in Slurm's queue when motley ends before
 * they do.
 */
#ifndef MT_CLI_LEAVE_H
#define MT_CLI_LEAVE_H

#include "handed.h"
#include "motley/error.h"

#include <stdbool.h>

/*
 * Cancel the jobs of the list, which is empty then, if `cancel` is set or the user,
 * asked on a terminal, wants that; else they stay in the queue, for a later motley.
 * What is done is told on stderr. MT_EIO: they could not be cancelled, and stay in the
 * list.
 */
MT_MUST_CHECK int mt_leave_jobs(struct mt_handed_list *list, bool cancel,
                                struct mt_error *err);

/* Say on stderr how many jobs stay in the queue, if any do. */
void mt_leave_tell(const struct mt_handed_list *list);

/* Whether all jobs of the list wait for what does not come by itself, and have done so
   for a while. */
bool mt_leave_in_vain(const struct mt_handed_list *list);
/* mt_leave_jobs() after that, and fail: MT_EINFEASIBLE says what the first of them
   waits for, in Slurm's words, and what can be done. */
MT_MUST_CHECK int mt_leave_vain_jobs(struct mt_handed_list *list, bool cancel,
                                     const struct mt_cluster *cluster,
                                     struct mt_error *err);

#endif
