/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - tools that motley needs for a moment.
 */
#ifndef MT_CLI_CHILD_H
#define MT_CLI_CHILD_H

#include "motley/error.h"

#include <stdio.h>

/*
 * Run a tool that motley needs (gnuplot, sinfo, ip) to its end: `argv`, whose first
 * word is found by mt_find_tool(), in the environment `env`, NULL: motley's own. It
 * reads `in` from its beginning on and prints into `out` and `messages`: files, not
 * pipes, so that neither side blocks. Without `messages`, its stderr is motley's.
 * MT_ENOTFOUND: it could not be started; MT_EIO: it did not exit with 0, and the reason
 * is the last line of `messages`.
 */
MT_MUST_CHECK int mt_child_run(char *const *argv, char *const *env, FILE *in, FILE *out,
                               FILE *messages, struct mt_error *err);
/* Run a tool without input, and return its output as a stream at the beginning, which
   the caller closes. */
MT_MUST_CHECK int mt_child_ask(FILE **output, char *const *argv, char *const *env,
                               struct mt_error *err);

/* Motley's own environment without all variables that begin with `prefix`, as
   "SQUEUE_", which would change a tool's answer. The caller frees it by
   mt_argv_free(). */
char **mt_environment_without(const char *prefix);

#endif
