/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.h - what was measured between and inside groups, for plans to start from.
 */
#ifndef MT_CLI_CHECK_LINKS_H
#define MT_CLI_CHECK_LINKS_H

#include "nodes.h"

/*
 * Keep for each two groups, and inside each, the median of the links that were
 * measured: the latency, and the bandwidth of the longest messages. The store `db` is
 * made where it is not there; nothing is kept of a cluster of one group.
 */
MT_MUST_CHECK int mt_check_keep_links(const struct mt_check *check, const char *db,
                                      struct mt_error *err);

#endif
