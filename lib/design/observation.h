/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observation.h - what a design takes in when a run that it proposed was made.
 */
#ifndef MT_DESIGN_OBSERVATION_H
#define MT_DESIGN_OBSERVATION_H

#include "motley/design.h"
#include "state.h"

/* Remember it, and learn from it, whatever was proposed. */
MT_MUST_CHECK int mt_design_take_in(struct mt_design *design,
                                    const struct mt_proposal *proposal,
                                    const struct mt_observation *observation,
                                    struct mt_error *err);

#endif
