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

/* Ranks that follow each other and have equally many threads and GPUs. */
struct mt_rank_block {
    int ranks;
    int threads; /* of each, at least 1 */
    int gpus;    /* of each */
};

/* Fill `blocks`, in the order of the ranks, and return how many there are. */
int mt_rank_blocks(struct mt_rank_block blocks[MT_MAX_GROUPS],
                   const struct mt_launch *launch);
/* Whether the ranks are told how many threads they may have: the program's file says
   which numbers there are, or some rank has several. */
bool mt_tells_threads(const struct mt_launch *launch);
/* Whether they are told their GPUs, likewise. */
bool mt_tells_gpus(const struct mt_launch *launch);
/* Add an option that says how many ranks follow. */
void mt_add_count(struct mt_job *job, const char *option, int ranks);
/* Add what the ranks of a block run: the program, or motley-gpus, which starts it with
   their GPUs. MT_ENOTFOUND: that is not there. */
MT_MUST_CHECK int mt_add_program(char ***argv, const struct mt_launch *launch,
                                 const struct mt_rank_block *block,
                                 char *const *command, struct mt_error *err);
/* How the ranks are to be bound, as the configuration says; and how they can be: to no
   core where they share cores, or all cores are to be seen. */
enum mt_bind mt_asked_bind(const struct mt_launch *launch);
enum mt_bind mt_launch_bind(const struct mt_launch *launch);
/* Whether nodes count hardware threads as cores: if one that is used does. */
bool mt_uses_hyperthreads(const struct mt_launch *launch);

#endif
