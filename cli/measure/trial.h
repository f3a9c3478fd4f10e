/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - what is found out of a campaign before anything is started.
 */
#ifndef MT_CLI_TRIAL_H
#define MT_CLI_TRIAL_H

#include "lib/design/internal.h"
#include "settings.h"

/*
 * Whether the runs that are left, at least one, can be made: the testbed is up, the job
 * of Slurm around motley is large enough for all, the launcher and the program are
 * there, and some run can have its job and its folder; else the reason is that of the
 * first one.
 */
MT_MUST_CHECK int mt_trial(const struct mt_campaign *campaign,
                           const struct mt_remaining *remaining, struct mt_error *err);

/* Whether what fails with this status is a matter of its run alone: there is no job or
   folder for it, but there may be for others. */
bool mt_trial_is_of_run(int status);

#endif
