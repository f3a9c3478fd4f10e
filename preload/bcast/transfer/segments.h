/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments.h - a message that is sent on in segments, each as soon as it has come.
 */
#ifndef MT_BALANCE_SEGMENTS_H
#define MT_BALANCE_SEGMENTS_H

#include "deferred.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/call.h"

/* A broadcast along a tree with a segment; `arrived` is set when the first one has. */
int segments_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, int64_t *arrived);

#endif
