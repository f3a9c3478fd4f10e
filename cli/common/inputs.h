/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inputs.h - what the arguments of commands name: clusters, programs, their runs,
 * sizes, quantities.
 */
#ifndef MT_CLI_INPUTS_H
#define MT_CLI_INPUTS_H

#include "lib/base/quantity.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"

/* The path of the file that `name` means, a path or a name, as mt_cluster_input() says
   for clusters; `kind` is "clusters", "programs" or "machines". The caller frees it. */
MT_MUST_CHECK int mt_input_path(char **path, const char *kind, const char *name,
                                struct mt_error *err);

/*
 * The cluster that an argument names: the path of a YAML file (it has a '/' or ends in
 * ".yaml"), or the name of a shipped one or of one in the folder "clusters" of the
 * current folder. MT_EINVAL: the name is in both. `cluster` must be empty.
 */
MT_MUST_CHECK int mt_cluster_input(struct mt_cluster *cluster, const char *name,
                                   struct mt_error *err);
/* Likewise the program, in the folders "programs". */
MT_MUST_CHECK int mt_program_input(struct mt_program *program, const char *name,
                                   struct mt_error *err);

/*
 * The cluster and the program that the first two arguments name, the program like the
 * cluster, but in the folders "programs". What else is in `arguments` is a usage error.
 */
struct mt_inputs {
    struct mt_cluster cluster;
    struct mt_program program;
};
MT_MUST_CHECK int mt_inputs_load(struct mt_inputs *inputs, const char **arguments,
                                 struct mt_error *err);
void mt_inputs_clear(struct mt_inputs *inputs);
/* Only whether `arguments` are two. */
MT_MUST_CHECK int mt_inputs_check(const char **arguments, struct mt_error *err);

/* The runs of that program on that cluster, out of the store at the path `db`, as
   mt_store_samples() takes them. `samples` must be empty. */
MT_MUST_CHECK int mt_samples_input(struct mt_samples *samples, const char *db,
                                   const struct mt_inputs *inputs,
                                   struct mt_error *err);

/*
 * The cluster and the program under the names that the store knows them by, for
 * commands that need the runs, but not the files that describe how they were made.
 * Zeroed is empty.
 */
struct mt_stored {
    char *cluster, *program; /* owned; NULL: not given */
};
/* What the arguments [CLUSTER [PROGRAM]] name: a path stands for the name in that file,
   anything else for itself. */
MT_MUST_CHECK int mt_stored_load(struct mt_stored *stored, const char **arguments,
                                 struct mt_error *err);
void mt_stored_clear(struct mt_stored *stored);

/* The quantity above 0 that the text of an option like "--timeout" says; left as it is
   when `text` is NULL. */
MT_MUST_CHECK int mt_positive_option(double *value, const char *option,
                                     const char *text, enum mt_quantity quantity,
                                     struct mt_error *err);

/* The share above 0 and up to 1 that the text of an option like "--efficiency" says,
   as "75%" or "0.75"; left as it is when `text` is NULL. */
MT_MUST_CHECK int mt_share_option(double *value, const char *option, const char *text,
                                  struct mt_error *err);

/* The sizes in a list "3200,4800", none twice, that an option like "--sizes" takes; the
   caller frees them. */
MT_MUST_CHECK int mt_sizes_option(double **sizes, int *count, const char *option,
                                  const char *text, struct mt_error *err);

/* The configuration that --configuration, which is `text`, names, with the nodes of the
   cluster that it runs on. */
MT_MUST_CHECK int mt_configuration_option(struct mt_configuration *configuration,
                                          const struct mt_cluster *cluster,
                                          const char *text, struct mt_error *err);

#endif
