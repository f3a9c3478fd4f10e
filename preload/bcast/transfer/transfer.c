/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer.h"

#include "segments.h"
#include "whole.h"

int transfer_bcast(struct transfer *transfer, const struct call *call,
                   const struct tree *tree, struct timing *timing)
{
    const int64_t entered = now();
    int64_t arrived = entered;
    transfer_progress(transfer);
    int status = tree->segment > 0 ? segments_bcast(transfer, call, tree, &arrived)
                                   : whole_bcast(transfer, call, tree, &arrived);
    timing->waited = arrived - entered;
    timing->in_call = now() - entered;
    return status;
}
