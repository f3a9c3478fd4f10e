/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inputs.h - the objects that arguments of commands name: clusters, programs, their
 * runs, sizes, quantities.
 */
#ifndef MT_CLI_INPUTS_H
#define MT_CLI_INPUTS_H

#include "lib/base/quantity.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"

/* The path of the file for `name`, a path or a name, as in mt_cluster_input(); `kind`
   is "clusters", "programs" or "machines". The caller frees it. */
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
 * cluster, but in the folders "programs". Any further argument is a usage error.
 */
struct mt_inputs {
    struct mt_cluster cluster;
    struct mt_program program;
};
MT_MUST_CHECK int mt_inputs_load(struct mt_inputs *inputs, const char **arguments,
                                 struct mt_error *err);
void mt_inputs_clear(struct mt_inputs *inputs);
/* Check only that `arguments` are two. */
MT_MUST_CHECK int mt_inputs_check(const char **arguments, struct mt_error *err);

/* The runs of that program on that cluster, out of the store at the path `db`, as
   mt_store_samples() takes them. `samples` must be empty. */
MT_MUST_CHECK int mt_samples_input(struct mt_samples *samples, const char *db,
                                   const struct mt_inputs *inputs,
                                   struct mt_error *err);

/*
 * The cluster and the program by their names in the store, for commands that need runs,
 * but not the files. Empty if zeroed.
 */
struct mt_stored {
    char *cluster, *program; /* owned; NULL: not given */
};
/* Read the arguments [CLUSTER [PROGRAM]]: a path means the name in that file, anything
   else is the name itself. */
MT_MUST_CHECK int mt_stored_load(struct mt_stored *stored, const char **arguments,
                                 struct mt_error *err);
void mt_stored_clear(struct mt_stored *stored);

/* Read the quantity above 0 of an option like "--timeout"; unchanged when `text` is
   NULL. */
MT_MUST_CHECK int mt_positive_option(double *value, const char *option,
                                     const char *text, enum mt_quantity quantity,
                                     struct mt_error *err);

/* Read the share above 0 and up to 1 of an option like "--efficiency", as "75%" or
   "0.75"; unchanged when `text` is NULL. */
MT_MUST_CHECK int mt_share_option(double *value, const char *option, const char *text,
                                  struct mt_error *err);

/* Read the sizes of an option like "--sizes", as "3200,4800", without duplicates; the
   caller frees them. */
MT_MUST_CHECK int mt_sizes_option(double **sizes, int *count, const char *option,
                                  const char *text, struct mt_error *err);

/* Read `text`, the value of --configuration; the cluster must have its nodes. */
MT_MUST_CHECK int mt_configuration_option(struct mt_configuration *configuration,
                                          const struct mt_cluster *cluster,
                                          const char *text, struct mt_error *err);

#endif
