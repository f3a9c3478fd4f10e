/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface.h - the actions of 'motley surface', and what they share.
 */
#ifndef MT_CLI_SURFACE_H
#define MT_CLI_SURFACE_H

#include "cli/common/action.h"

#include "motley/error.h"
#include "motley/machine.h"
#include "motley/surface.h"

#include <stdbool.h>

/* What the options ask for; NULL, 0: not given. */
struct mt_surface_options {
    const char *algorithm;
    const char *nodes, *sizes; /* axes, see surface_axis.h */
    const char *base;          /* of the speed-ups: a size */
    const char *efficiency;    /* levels of the iso-efficiency functions */
    const char *plot, *picture;
    int csv;
    const char *group, *processes, *speed, *output; /* fit */
};
extern struct mt_surface_options mt_surface_options;

/* The actions: each is in cli/surface_<name>.c, and is in the table of cli/surface.c.
 */
extern const struct mt_action mt_surface_predict, mt_surface_compare, mt_surface_advise,
    mt_surface_fit, mt_surface_evaluate;

/* A machine and one of its algorithms, with their surface. Zeroed is empty. */
struct mt_surface_input {
    struct mt_machine machine;
    const struct mt_algorithm *algorithm; /* of machine */
    struct mt_surface *surface;           /* owned */
};
/*
 * What "MACHINE" or "MACHINE:ALGORITHM" names: the machine by the path of a YAML file
 * (it has a '/' or ends in ".yaml") or by the name of a shipped one, in the folders
 * "machines", as for mt_cluster_input(); the algorithm, unless it is there, by
 * --algorithm, or the first. `input` must be empty and stay where it is.
 */
MT_MUST_CHECK int mt_surface_input(struct mt_surface_input *input, const char *name,
                                   struct mt_error *err);
void mt_surface_input_clear(struct mt_surface_input *input);

#endif
