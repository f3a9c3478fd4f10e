/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapt.h - bcast=auto: which tree a broadcast takes, or that it is left to the MPI.
 *
 * The broadcasts of a communicator are divided into intervals. The root of the first
 * call of an interval is its leader. During the interval the other ranks send the
 * leader reports of how long they waited; at its end the leader makes a plan of them,
 * which it broadcasts along the last tree. All ranks agree on the tree of every call,
 * because only that plan and the number of the call decide.
 */
#ifndef MT_BALANCE_ADAPT_H
#define MT_BALANCE_ADAPT_H

#include "preload/common/method.h"

extern const struct method_kind method_auto;

#endif
