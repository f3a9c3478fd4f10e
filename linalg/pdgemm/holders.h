/* SPDX-License-Identifier: BSD-3-Clause */
/* pdgemm_holders.h - who has what turn 1 needs, from turn 0 of the step. */
#ifndef MT_PDGEMM_HOLDERS_H
#define MT_PDGEMM_HOLDERS_H

#include "layout.h"

/* Find the holders of all spans, which are in order. */
void pdgemm_set_holders(struct pdgemm_layout *layout);

#endif
