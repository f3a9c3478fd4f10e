/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface.h - the actions of 'motley surface', and their common parts: options,
 * machines, axes, runs and texts.
 */
#ifndef MT_CLI_SURFACE_H
#define MT_CLI_SURFACE_H

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "lib/surface/internal.h"
#include "motley/error.h"
#include "motley/machine.h"
#include "motley/surface.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Values of the options; NULL, 0: not given. */
struct mt_surface_options {
    const char *algorithm;
    const char *nodes, *sizes; /* axes, see mt_axis_parse() */
    const char *base;          /* of the speed-ups: a size */
    const char *efficiency;    /* levels of the iso-efficiency functions */
    const char *plot;
    const char *group, *processes, *speed; /* fit */
    const char *output;                    /* fit, report */
    int force;                             /* report */
};
extern struct mt_surface_options mt_surface_options;

/* The actions, each in a file of its name (report in predict.c); surface.c has the
   table. */
extern const struct mt_action mt_surface_predict, mt_surface_report, mt_surface_compare,
    mt_surface_fit, mt_surface_evaluate;

/* A machine and one of its algorithms, with their surface. Empty if zeroed. */
struct mt_surface_input {
    struct mt_machine machine;
    const struct mt_algorithm *algorithm; /* of machine */
    struct mt_surface *surface;           /* owned */
};
/*
 * Load "MACHINE" or "MACHINE:ALGORITHM": the machine by the path of a YAML file (it has
 * a '/' or ends in ".yaml") or by a name in the folders "machines", as in
 * mt_cluster_input(); the algorithm, if not given there, by --algorithm, or the first.
 * `input` must be empty and stay where it is.
 */
MT_MUST_CHECK int mt_surface_input(struct mt_surface_input *input, const char *name,
                                   struct mt_error *err);
void mt_surface_input_clear(struct mt_surface_input *input);

/* The axes of --nodes and --size. Zeroed, or without the option, empty. */
struct mt_surface_axes {
    struct mt_axis nodes, sizes;
};
MT_MUST_CHECK int mt_surface_axes_read(struct mt_surface_axes *axes,
                                       struct mt_error *err);
void mt_surface_axes_clear(struct mt_surface_axes *axes);
/* The axis; NULL for an empty one. */
const struct mt_axis *mt_surface_axis(const struct mt_axis *axis);
/* The efficiencies of --efficiency. Zeroed, or without the option, empty. */
struct mt_surface_levels {
    double *values; /* owned */
    int count;
};
MT_MUST_CHECK int mt_surface_levels_read(struct mt_surface_levels *levels,
                                         struct mt_error *err);
void mt_surface_levels_clear(struct mt_surface_levels *levels);
/* The size of --base; unchanged if not given. */
MT_MUST_CHECK int mt_surface_base_read(double *base, struct mt_error *err);

/* Return `status`; if it failed because no sizes are known, tell that --size is
   needed. */
MT_MUST_CHECK int mt_surface_need_sizes(int status, struct mt_error *err);

/* The runs selected by --group, --processes, --nodes and --size, at which the shape has
   values, from the store of --db. Empty if zeroed. */
struct mt_surface_runs {
    struct mt_samples samples;
    struct mt_group_runs_query query;
};
MT_MUST_CHECK int mt_surface_runs_read(struct mt_surface_runs *runs,
                                       const struct mt_inputs *inputs,
                                       const struct mt_shape *shape,
                                       struct mt_error *err);
void mt_surface_runs_clear(struct mt_surface_runs *runs);

/* Common texts of the actions. */

enum { MT_SURFACE_LABEL = 128 };

/* "ap1000 A". The text is `label`. */
const char *mt_surface_label(char label[MT_SURFACE_LABEL],
                             const struct mt_surface *surface);
/* Print the runs behind predictions for up to `nodes` nodes, and whether the machine
   has fewer nodes; nothing if neither applies. */
void mt_surface_print_origin(const struct mt_surface *surface, double nodes,
                             FILE *stream);

/* The members of a JSON object that say whose surface it is. */
json_t *mt_surface_json(const struct mt_surface *surface);
/* Print each as a warning on stderr; the list ends with NULL, or is NULL. */
void mt_surface_warn(char *const *warnings);

/* The map that --plot draws (contours.c), over all that the axes span; all borrowed. */
struct mt_drawing {
    const struct mt_surface *surfaces[2]; /* the second may be NULL */
    const char *labels[2];                /* such as "ap1000 A" */
    const struct mt_axis *sizes, *nodes;
    bool simulated;
};
/* Check that the target of --plot, if given, can be drawn into. */
MT_MUST_CHECK int mt_surface_check_plot(struct mt_error *err);
/* Draw into the target of --plot, if there is one. */
MT_MUST_CHECK int mt_contours_draw(const struct mt_drawing *drawing,
                                   struct mt_error *err);

#endif
