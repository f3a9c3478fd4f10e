/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * template.h - text with placeholders, as words of commands and input files have them.
 *
 * A placeholder is an expression in N, P and M (see motley/expr.h) between braces, with
 * no blank next to them, on one line; or {ranks:GROUP}, {nodes:GROUP}, {threads},
 * {folder}, {weights}, {weights_lines} and {weights_file}. Other braces are text:
 * around quotes, colons, semicolons or line ends, as in JSON or a dictionary of
 * OpenFOAM, and around a list with commas or without any letter. ${NAME} is text, a
 * variable for the reader of the file. Doubled braces are text, too: {{N}} is the text
 * {N}.
 */
#ifndef MT_TEMPLATE_H
#define MT_TEMPLATE_H

#include "motley/cluster.h"
#include "motley/error.h"

/* What the placeholders of a run stand for. All borrowed. */
struct mt_filling {
    const struct mt_cluster *cluster;
    const struct mt_configuration *configuration;
    double size;
    const char *folder;    /* of the program file */
    const double *weights; /* of each rank; NULL: all are 1 */
};

/* What {weights_file} stands for: a file in the run's folder. */
#define MT_WEIGHTS_FILE "motley-weights"

/*
 * Check the placeholders of a text and add the variables in them to `*variables`, bits
 * MT_USES_... of formula.h. MT_EPARSE: one is unknown or does not parse; the reason
 * quotes it and, in a text of several lines, begins with its line.
 */
MT_MUST_CHECK int mt_template_check(const char *text, int *variables,
                                    struct mt_error *err);
/*
 * Write the text with its placeholders filled to `*filled`, which the caller frees.
 * Whole numbers have all their digits, others the fewest that identify them. M is the
 * largest number of processes on a node, {threads} that of threads of a process.
 * MT_EINVAL: an expression has no value or one that is not exact, the cluster has no
 * such group, or the text grows beyond 16 MiB; the reason is as above.
 */
MT_MUST_CHECK int mt_template_fill(char **filled, const char *text,
                                   const struct mt_filling *filling,
                                   struct mt_error *err);
/* Add a word to a command, escaped so that mt_template_fill() gives back the text with
   its braces. */
MT_MUST_CHECK int mt_template_add(char ***words, const char *text,
                                  struct mt_error *err);

#endif
