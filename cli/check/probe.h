/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - run motley-probe on the nodes that answer, and take in what it says.
 */
#ifndef MT_CLI_CHECK_PROBE_H
#define MT_CLI_CHECK_PROBE_H

#include "nodes.h"

/*
 * Run the probe on all nodes that answer, which are those that the cluster has not left
 * out, and take in what it says. Of what an earlier call has measured the better value
 * is kept. On a signal that asks motley to stop `*interrupted` becomes it.
 */
MT_MUST_CHECK int mt_check_probe(struct mt_check *check, int *interrupted,
                                 struct mt_error *err);
/* Take in a line that the probe printed; what is no JSON object of the probe's is
   skipped. MT_EIO: it makes no sense. */
MT_MUST_CHECK int mt_check_read(struct mt_check *check, const char *line,
                                struct mt_error *err);

#endif
