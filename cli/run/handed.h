/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handed.h - runs that were submitted to Slurm as jobs of their own and are not in the
 * store yet. Each has a folder in "STORE-jobs", next to the store: the job's script,
 * its output ("output"), its record of begin and end (script.h), and its run
 * ("run.json"). "run.json" exists before the job, and gets its number later; without
 * the number, the job is found by its name, which ends like the folder's. So a motley
 * that is stopped in between loses nothing.
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
    long job;     /* its number; 0: unknown, and it has ended */
    struct mt_task task;
    char *home; /* owned; the folder in which its run has its own folder, if the program
                   needs one; NULL: unknown */
    char *preloaded; /* owned; as in struct mt_job */
    bool joins;      /* likewise */
    char told[128];  /* its last reported state */
    int vain;        /* consecutive looks at which it waited for a reason that does not
                        pass by itself */
    int missed; /* looks at which it had left the queue without a record of its end */
};
/* After this many, no record will come. */
enum { MT_HANDED_MISSES = 3 };

/* Empty if zeroed. */
struct mt_handed_list {
    struct mt_handed *jobs; /* owned */
    int count;
};

/* Open a file in a job's folder for reading; NULL: missing. */
FILE *mt_handed_open(const char *folder, const char *name);

/* Whether there may be submitted jobs of the store at the path `db`. */
bool mt_handed_any(const char *db);
/* The submitted jobs of the store at the path `db`, of this cluster and program. An
   unreadable record is reported on stderr, and left alone. */
MT_MUST_CHECK int mt_handed_find(struct mt_handed_list *list, const char *db,
                                 const struct mt_cluster *cluster,
                                 const struct mt_program *program,
                                 struct mt_error *err);
void mt_handed_clear(struct mt_handed_list *list);

/* The job of that run; NULL: none. */
const struct mt_handed *mt_handed_of(const struct mt_handed_list *list,
                                     const struct mt_task *task);

/* Submit the run of the task by the script, whose `record` is set here, and add it to
   the list. MT_EINFEASIBLE: sbatch refuses it; the reason quotes it. MT_EIO: Slurm does
   not answer, or a file cannot be written. */
MT_MUST_CHECK int mt_handed_add(struct mt_handed_list *list, const char *db,
                                const struct mt_task *task,
                                const struct mt_script *script, struct mt_error *err);

/* The folder of its run (script.h), which the caller frees; NULL: missing. */
char *mt_handed_run_folder(const struct mt_handed *handed);
/* Remove the i-th job from the list, and its folder. */
void mt_handed_remove(struct mt_handed_list *list, int i);

#endif
