/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.h - a message that is sent on when all of it has come.
 */
#ifndef MT_BALANCE_WHOLE_H
#define MT_BALANCE_WHOLE_H

#include "transfer.h"

/* A broadcast along a tree without segments; `arrived` is set when the message has. */
int whole_bcast(struct transfer *transfer, const struct call *call,
                const struct tree *tree, int64_t *arrived);

#endif
