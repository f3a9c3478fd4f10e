/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dry_run.h - show what a campaign would do, and how long that is expected to take.
 */
#ifndef MT_CLI_DRY_RUN_H
#define MT_CLI_DRY_RUN_H

#include "campaign.h"
#include "motley/error.h"

#include <stdbool.h>

/* Print the tasks that are left to stdout. The campaign's store may be NULL: there are
   no runs yet. */
MT_MUST_CHECK int mt_dry_run(const struct mt_campaign *campaign,
                             const struct mt_tasks *tasks, bool json,
                             struct mt_error *err);

#endif
