/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_campaign.h - what the runs of measure and run have in common.
 */
#ifndef MT_CLI_STRASSEN_CAMPAIGN_H
#define MT_CLI_STRASSEN_CAMPAIGN_H

#include "cli/measure/campaign.h"

#include "motley/cluster.h"
#include "motley/error.h"

/* Fill in what the options say, for runs on `cluster`, but no program; open the store
   and claim it. The caller closes it, also after a failure. */
MT_MUST_CHECK int mt_strassen_open(struct mt_campaign *campaign,
                                   struct mt_cluster *cluster, struct mt_error *err);

#endif
