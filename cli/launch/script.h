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
    const char *record; /* absolute path of a folder for the files "began" (a time) and
                           "ended" (the exit status and a time), times in seconds since
                           1970-01-01 UTC; NULL: no record */
    bool remove_folder; /* remove the run's folder (stage.h) if it succeeds */
};

/* The name of a job of the program, in characters that suit Slurm and its users;
   `suffix` distinguishes it from others; NULL: none. The caller frees it. */
char *mt_script_name(const struct mt_program *program, const char *suffix);

/* In a script, the path of the file of a component's hosts, without the component's
   number. */
#define MT_SCRIPT_NODELIST "--nodelist=$hosts/"

/* Add the options of sbatch, and of srun, that ask for nodes of a group:
   "--partition=new". */
void mt_script_add_request(char ***argv, const struct mt_slurm_request *request);

/* Check that the cluster can have scripts. MT_EINVAL: its launcher is not slurm. */
MT_MUST_CHECK int mt_script_check(const struct mt_cluster *cluster,
                                  struct mt_error *err);
/* Print the script, with the input files of the program and what else its runs need.
   Fails as mt_script_check() and mt_job_make(). */
MT_MUST_CHECK int mt_script_print(const struct mt_script *script, FILE *stream,
                                  struct mt_error *err);
/* Write it to the file at `path`; fails also as mt_draft_open(). */
MT_MUST_CHECK int mt_script_write(const struct mt_script *script, const char *path,
                                  struct mt_error *err);

/* The beginning of the name of a job's folder, before the job's number. */
#define MT_STAGE_FOLDER "motley-run-"
/* Check that no input file would overwrite a template or the program file itself.
   MT_EINVAL. */
MT_MUST_CHECK int mt_stage_check_sources(const char *folder,
                                         const struct mt_program *program,
                                         struct mt_error *err);

/*
 * The environment for submitting a script that keeps a record: motley's own without the
 * variables that would override motley's requests, as Slurm ranks them above the lines
 * of a script. Variables for settings that the script leaves open, such as the account
 * if the cluster file has none, stay. The caller frees it by mt_argv_free().
 */
char **mt_script_environment(const struct mt_script *script);
/* The names of the set variables that mt_script_environment() leaves out, or, for a
   script without a record, that would override its requests: as "SBATCH_QOS,
   SBATCH_TIMELIMIT". The caller frees them; NULL: none. */
char *mt_script_left_out(const struct mt_script *script);

#endif
