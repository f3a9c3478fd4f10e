/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.h - what was measured between and inside groups, for plans and surfaces to
 * start from.
 */
#ifndef MT_CLI_CHECK_LINKS_H
#define MT_CLI_CHECK_LINKS_H

#include "nodes.h"

/*
 * Keep for each two groups, and inside each, the median of the links that were
 * measured: the latency, the bandwidth of the longest messages, and the times of
 * messages of each length. The store `db` is made where it is not there.
 */
MT_MUST_CHECK int mt_check_keep_links(const struct mt_check *check, const char *db,
                                      struct mt_error *err);

#endif
