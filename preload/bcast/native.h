/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * native.h - the MPI's own broadcast.
 */
#ifndef MT_BALANCE_NATIVE_H
#define MT_BALANCE_NATIVE_H

#include "preload/common/message.h"

/*
 * The broadcast of a message in which nothing is wrong. Open MPI splits large messages
 * by count, and fails where ranks count the same message in different types; so it gets
 * bytes, which all count alike.
 */
int native_bcast(const struct message *message, int root, MPI_Comm comm);

#endif
