/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - the environment of Slurm's tools: motley's own, without the variables
 * that would give them other answers, or take the place of what motley asks for. Slurm
 * ranks variables above the lines of a job's script, and options above both.
 */
#ifndef MT_CLI_ENVIRONMENT_H
#define MT_CLI_ENVIRONMENT_H

#include "script.h"

/* For a tool that answers: without all variables that begin with `prefix`, as
   "SQUEUE_". The caller frees it by mt_argv_free(). */
char **mt_environment_without(const char *prefix);

/* For the sbatch that hands in the script, which keeps a record. What the script leaves
   open, as the account where the cluster file has none, is left to the variables of the
   site and the user. Likewise to be freed. */
char **mt_environment_of_sbatch(const struct mt_script *script);
/* The names of the variables that are set and that it leaves out, or, of a script that
   keeps no record, that would take the place of what it asks for: as "SBATCH_QOS,
   SBATCH_TIMELIMIT". The caller frees them; NULL: none. */
char *mt_environment_left_out(const struct mt_script *script);

#endif
