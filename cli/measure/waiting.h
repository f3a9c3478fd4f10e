/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waiting.h - runs that wait in Slurm's queue: on what is told, and that it is in vain.
 */
#ifndef MT_CLI_WAITING_H
#define MT_CLI_WAITING_H

#include "cli/process/process.h"

#include <stdbool.h>

/* Zeroed: a run that has not waited yet. */
struct mt_waiting {
    double began, asked; /* on mt_clock(); 0: not yet */
    char reason[128];    /* the last that was told */
};

/*
 * Look what the run waits for, if it does, every few seconds. Returns whether that is
 * to be told: `waiting->reason` is new. One that would wait until somebody changes
 * something is stopped; its process says why.
 */
bool mt_waiting_look(struct mt_waiting *waiting, struct mt_process *process);

#endif
