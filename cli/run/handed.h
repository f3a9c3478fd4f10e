/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handed.h - runs that were handed in to Slurm as jobs of their own and are not in the
 * store yet.
 *
 * Each has a folder in "STORE-jobs", beside the store: the job's script, what it prints
 * ("output"), what it says of its begin and end (script.h), and "run.json", the run
 * that it is. "run.json" is there before the job, and gets its number
 * later; without it the job is found by its name, which ends as the folder's. So a
 * motley that was stopped meanwhile loses nothing.
 */
#ifndef MT_CLI_HANDED_H
#define MT_CLI_HANDED_H

#include "cli/launch/script.h"
#include "motley/design.h"
#include "motley/error.h"
#include "motley/store.h"
#include "queue.h"

#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

struct mt_handed {
    char *folder; /* owned; from the root on */
    long job;     /* its number; 0: not known, and it has ended */
    struct mt_task task;
    char *home; /* owned; the folder in which its run has a folder of its own, if the
                   program needs one; NULL: not known */
    char *preloaded; /* owned; as in struct mt_job */
    bool joins;      /* likewise */
    char told[128];  /* the last that was said of it */
    int vain;        /* how often in a row it waited for what does not come by itself */
    int missed; /* how often it was in the queue no more, without a word of its end */
};
/* So often, then there will be none. */
enum { MT_HANDED_MISSES = 3 };

/* Zeroed is empty. */
struct mt_handed_list {
    struct mt_handed *jobs; /* owned */
    int count;
};

/* Open a file of the job whose folder it is, to be read; NULL: it is not there. */
FILE *mt_handed_open(const char *folder, const char *name);

/* Whether there may be something that was handed in for the store at the path `db`. */
bool mt_handed_any(const char *db);
/* What was handed in for the store at the path `db`, of this cluster and program. A
   record that cannot be read is told on stderr, and left alone. */
MT_MUST_CHECK int mt_handed_find(struct mt_handed_list *list, const char *db,
                                 const struct mt_cluster *cluster,
                                 const struct mt_program *program,
                                 struct mt_error *err);
void mt_handed_clear(struct mt_handed_list *list);

/* Which of them is that run; NULL: none. */
const struct mt_handed *mt_handed_of(const struct mt_handed_list *list,
                                     const struct mt_task *task);

/* Hand in the run of the task by the script, of which `record` is set here, and add it
   to the list. MT_EINFEASIBLE: sbatch refuses it; the reason has its words. MT_EIO:
   Slurm does not answer, or a file cannot be written. */
MT_MUST_CHECK int mt_handed_add(struct mt_handed_list *list, const char *db,
                                const struct mt_task *task,
                                const struct mt_script *script, struct mt_error *err);

/* The folder that its run has had (script.h), if that is there; the caller frees
   it; NULL: it is not. */
char *mt_handed_run_folder(const struct mt_handed *handed);
/* Take the i-th out of the list, and remove its folder. */
void mt_handed_remove(struct mt_handed_list *list, int i);

#endif
