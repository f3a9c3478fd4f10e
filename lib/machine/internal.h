/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of machines and of their components beyond
 * motley/machine.h.
 */
#ifndef MT_MACHINE_INTERNAL_H
#define MT_MACHINE_INTERNAL_H

#include "lib/input/internal.h"
#include "lib/yaml/yaml_table.h"

#include "motley/machine.h"

#include <stdbool.h>
#include <stdio.h>

extern const struct mt_yaml_key mt_machine_keys[]; /* of struct mt_machine */

/*
 * Write the machine as a file that mt_machine_load() reads to the same numbers. MT_EIO
 * when writing fails.
 */
MT_MUST_CHECK int mt_machine_write(const struct mt_machine *machine, FILE *stream,
                                   struct mt_error *err);

/* "none", "saturating", "shared", "logarithmic", "limited", "power", "stages",
   "trunks". */
const char *mt_contention_name(enum mt_contention contention);
/* Whether the contention has these numbers, see struct mt_bandwidth. */
bool mt_contention_has_strength(enum mt_contention contention);
bool mt_contention_has_exponent(enum mt_contention contention);

/* The parts of the time, seconds. */
struct mt_elapsed {
    double compute, communicate; /* T_c, T_o */
    double total;                /* T_c + T_o; with overlap the larger of them */
};

/*
 * Whether the parameters make sense: no number negative or not finite, costs that grow,
 * caches in order (hit <= miss <= the next one's hit), lengths in order, a contention
 * whose factor is positive from two processes on, and whose exponent is at most 16.
 * MT_EINVAL names the parameter and its value.
 */
MT_MUST_CHECK int mt_components_check(const struct mt_components *components,
                                      struct mt_error *err);

/* Seconds of a step, a(w), for a working set in bytes (figure 4). */
double mt_step_cost(const struct mt_components *components, double working_set);
/* g(K); for `stages` and `trunks`, K messages pass one of them. A lone message is not
   slowed: 1. */
double mt_contention_factor(const struct mt_bandwidth *bandwidth, double together);
/* T_c = a(w) steps, T_o = m (latency + hops + L/b) (equations 6 to 8), where L is
   `mean_bytes` if messages even out, else `bytes`, plus the header; near steps have a
   cost of their own. If processes get out of step, each message is followed; see
   *contention* in motley-machine(5). */
struct mt_elapsed mt_components_time(const struct mt_components *components,
                                     const struct mt_demand *demand);

#endif
