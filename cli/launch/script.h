/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script.h - job scripts for Slurm's sbatch.
 */
#ifndef MT_CLI_SCRIPT_H
#define MT_CLI_SCRIPT_H

#include "launcher.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* A job of one run, which gets whole nodes. All borrowed. */
struct mt_script {
    const struct mt_launch *launch; /* whose `script` is set */
    double seconds; /* the job's time limit, rounded up to minutes; infinite: that of
                       its partition */
    const char *record; /* folder, from the root on, that gets the files "began", with a
                           time, and "ended", with the exit status and a time, in
                           seconds since 1970-01-01 UTC; NULL: none is kept */
    bool remove_folder; /* that the run has had (stage.h), if it succeeds */
};

/* The name of a job of the program, whose characters Slurm and its users can do with;
   `suffix` tells it from others, NULL: none does. The caller frees it. */
char *mt_script_name(const struct mt_program *program, const char *suffix);

/* In a script, what a component's number follows: the file of its ranks' hosts. */
#define MT_SCRIPT_NODELIST "--nodelist=$hosts/"

/* Add the options of sbatch, and of srun, that ask for nodes of a group:
   "--partition=new". */
void mt_script_add_request(char ***argv, const struct mt_slurm_request *request);

/* Whether there are scripts for the cluster: MT_EINVAL: its launcher is not slurm. */
MT_MUST_CHECK int mt_script_check(const struct mt_cluster *cluster,
                                  struct mt_error *err);
/* Print the script, with the input files of the program and what else its runs need
   (stage_script.h). Fails as mt_script_check() and mt_job_make(). */
MT_MUST_CHECK int mt_script_print(const struct mt_script *script, FILE *stream,
                                  struct mt_error *err);
/* Write it to the file at `path`; fails also as mt_draft_open(). */
MT_MUST_CHECK int mt_script_write(const struct mt_script *script, const char *path,
                                  struct mt_error *err);

#endif
