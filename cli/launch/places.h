/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.h - the threads of a launch's ranks, and the cores that they are bound to.
 */
#ifndef MT_CLI_PLACES_H
#define MT_CLI_PLACES_H

#include "launcher.h"
#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* A block: consecutive ranks with equal numbers of threads and GPUs. */
struct mt_rank_block {
    int ranks;
    int threads; /* of each, at least 1 */
    int gpus;    /* of each */
};

/* Fill `blocks`, in the order of the ranks, and return how many there are. */
int mt_rank_blocks(struct mt_rank_block blocks[MT_MAX_GROUPS],
                   const struct mt_launch *launch);
/* Whether the ranks are told their number of threads: the program's file has `threads`,
   or some rank has several. */
bool mt_tells_threads(const struct mt_launch *launch);
/* Whether they are told their GPUs, likewise. */
bool mt_tells_gpus(const struct mt_launch *launch);
/* Add an option with the number of ranks that follow. */
void mt_add_count(struct mt_job *job, const char *option, int ranks);
/* Add the command of a block's ranks: the program, or motley-gpus, which starts it with
   their GPUs. MT_ENOTFOUND: motley-gpus is missing. */
MT_MUST_CHECK int mt_add_program(char ***argv, const struct mt_launch *launch,
                                 const struct mt_rank_block *block,
                                 char *const *command, struct mt_error *err);
/* The binding of the ranks by the configuration; and the possible one: to no core if
   they share cores, or must see all cores. */
enum mt_bind mt_asked_bind(const struct mt_launch *launch);
enum mt_bind mt_launch_bind(const struct mt_launch *launch);
/* Whether cores are hardware threads: on any used node. */
bool mt_uses_hyperthreads(const struct mt_launch *launch);

#endif
