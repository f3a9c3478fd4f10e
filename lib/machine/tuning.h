/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide what a machine's messages are predicted to cost.
 *
 * Where they come from: [time] chosen so that a prediction takes at
 * most 30 ms; [chosen]
 * chosen by hand, sensitivity not measured; otherwise the comment says.
 */
#ifndef MT_MACHINE_TUNING_H
#define MT_MACHINE_TUNING_H

/* The most messages of a ring, and steps of a grid, that are followed one by one
   (relay.c). [time] */
enum { MOST_MESSAGES = 32768, MOST_STEPS = 512 };

/* Bytes: the eager limit of many MPIs and of SimGrid. Up to it, senders in a ring do
   not wait until a message is on its way (relay.c). */
static const double eager = 65536;

/* Two lengths with a smaller ratio lie on both sides of a jump in latency (elapsed.h).
   [chosen] */
static const double mt_close_lengths = 1.25;

#endif
