/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stock.h - the MPI's own broadcast.
 */
#ifndef MT_BALANCE_STOCK_H
#define MT_BALANCE_STOCK_H

#include "preload/bcast/call.h"

/*
 * The broadcast of a message of call->bytes, in which nothing is wrong. Open MPI splits
 * large messages by count, and fails where ranks count the same message in different
 * types; so it gets bytes, which all count alike.
 */
int stock_bcast(const struct call *call, MPI_Comm comm);

#endif
