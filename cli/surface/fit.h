/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_fit.h - what 'motley surface fit' has learned, and how it is told; private to
 * surface_fit*.c.
 */
#ifndef MT_CLI_SURFACE_FIT_H
#define MT_CLI_SURFACE_FIT_H

#include "cli/common/command.h"
#include "machine_caches.h"
#include "runs.h"

#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/learn.h"
#include "motley/machine.h"

#include <stdbool.h>
#include <stdio.h>

/* Zeroed is empty. */
struct mt_surface_fit {
    const char **arguments; /* borrowed; the cluster and the program, as they were given
                             */
    struct mt_inputs inputs;
    struct mt_surface_runs runs;
    struct mt_learned learned;
    struct mt_machine machine; /* with what was learned; in the beginning what is in
                                  the file already, if it is there */
    double best_speed;         /* of a process, of all runs, operations per second */
    const char *speed_origin;  /* in words; where machine.speed comes from */
    char **warnings;           /* owned, see argv.h */
    char **measure;            /* likewise; the commands that make the wanted runs */
    struct mt_machine_cache caches[MT_MAX_MACHINE_CACHES]; /* of this machine */
    int ncaches; /* 0: simulated, or unknown */
};

/* Read the machine file that --output names into fit->machine, which must be empty;
   nothing happens when there is none. MT_EINVAL: it is of another machine, or none of a
   machine at all. */
MT_MUST_CHECK int mt_surface_fit_read(struct mt_surface_fit *fit, struct mt_error *err);
/* Put what was learned into fit->machine, as the algorithm named after the program. */
MT_MUST_CHECK int mt_surface_fit_add(struct mt_surface_fit *fit, struct mt_error *err);
/* Write fit->machine to the file that --output names, if any. */
MT_MUST_CHECK int mt_surface_fit_write(const struct mt_surface_fit *fit,
                                       struct mt_error *err);

/* As many processes as the group's nodes hold. */
int mt_surface_fit_most_ranks(const struct mt_surface_fit *fit);
/* How the group's nodes hold so many processes; zeroed: they do not. */
struct mt_use mt_surface_fit_find_use(const struct mt_surface_fit *fit, int ranks);
/* Fill fit->measure with what can be run. */
MT_MUST_CHECK int mt_surface_fit_wanted(struct mt_surface_fit *fit,
                                        struct mt_error *err);
/* This machine's cache whose size is the nearest to the step; NULL: none is known. */
const struct mt_machine_cache *mt_surface_fit_cache(const struct mt_surface_fit *fit,
                                                    const struct mt_cache_step *step);

MT_MUST_CHECK int mt_surface_fit_print(const struct mt_surface_fit *fit, FILE *stream,
                                       struct mt_error *err);
MT_MUST_CHECK int mt_surface_fit_print_json(const struct mt_surface_fit *fit,
                                            FILE *stream, struct mt_error *err);

#endif
