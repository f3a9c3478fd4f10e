/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probes.h - the probes of a design: runs of configurations of several groups.
 */
#ifndef MT_DESIGN_PROBES_H
#define MT_DESIGN_PROBES_H

#include "motley/design.h"
#include "state.h"

/* The limits without what is kept for probes that are to be made yet. */
struct mt_limits mt_design_base_limits(const struct mt_design *design);

/* Whether several groups at once were ever run, or never will be. */
bool mt_design_knows_several_groups(const struct mt_design *design);

/* Whether runs at that size may be probes: it is that of a candidate. */
bool mt_design_may_probe(const struct mt_design *design, double size);

/* The size that a probe would have now, whether or not one is made; 0: none yet. */
double mt_design_probe_size(const struct mt_design *design);

/* Propose a probe; `*found` when there is one. None where nothing can be planned yet.
 */
MT_MUST_CHECK int mt_design_next_probe(struct mt_design *design,
                                       struct mt_proposal *next, bool *found,
                                       struct mt_error *err);
/* What came of a probe that was proposed. */
MT_MUST_CHECK int mt_design_observe_probe(struct mt_design *design,
                                          const struct mt_proposal *proposal,
                                          const struct mt_observation *observation,
                                          struct mt_error *err);
/* A probe of `spent` seconds was made, whether it was proposed or not. */
void mt_design_count_probe(struct mt_design *design, double spent);

void mt_probing_clear(struct mt_probing *probing);

#endif
