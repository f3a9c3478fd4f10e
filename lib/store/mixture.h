/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mixture.h - what runs of several groups said, beside the models of a fit.
 */
#ifndef MT_STORE_MIXTURE_H
#define MT_STORE_MIXTURE_H

#include "sql.h"

#include "motley/model.h"

/* Keep the mixture of the fit with that id. */
MT_MUST_CHECK int mt_store_put_mixture(struct mt_store *store, int64_t fit,
                                       const struct mt_mixture *mixture,
                                       struct mt_error *err);
/* Read it into an empty one; in a store of before version 4 it stays empty. */
MT_MUST_CHECK int mt_store_get_mixture(struct mt_store *store, int64_t fit,
                                       struct mt_mixture *mixture,
                                       struct mt_error *err);

#endif
