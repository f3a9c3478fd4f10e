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
/* Print the script, with the input files of the program and what else its runs need.
   Fails as mt_script_check() and mt_job_make(). */
MT_MUST_CHECK int mt_script_print(const struct mt_script *script, FILE *stream,
                                  struct mt_error *err);
/* Write it to the file at `path`; fails also as mt_draft_open(). */
MT_MUST_CHECK int mt_script_write(const struct mt_script *script, const char *path,
                                  struct mt_error *err);

/* What the name of a job's folder begins with, before the job's number. */
#define MT_STAGE_FOLDER "motley-run-"
/* Whether no input file would be written into the folder over a template or the program
   file itself, MT_EINVAL. */
MT_MUST_CHECK int mt_stage_check_sources(const char *folder,
                                         const struct mt_program *program,
                                         struct mt_error *err);

/*
 * The environment for the sbatch that hands in the script, which keeps a record:
 * motley's own without the variables that would take the place of what motley asks for,
 * as Slurm ranks them above the lines of a script. What the script leaves open, as the
 * account where the cluster file has none, is left to the variables of the site and the
 * user. The caller frees it by mt_argv_free().
 */
char **mt_script_environment(const struct mt_script *script);
/* The names of the variables that are set and that it leaves out, or, of a script that
   keeps no record, that would take the place of what it asks for: as "SBATCH_QOS,
   SBATCH_TIMELIMIT". The caller frees them; NULL: none. */
char *mt_script_left_out(const struct mt_script *script);

#endif
