/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h - what a rank computes with when the program brings nothing. */
#ifndef MT_PDGEMM_MACHINE_H
#define MT_PDGEMM_MACHINE_H

#include "layout.h"

#include "motley/pdgemm.h"

#include <stddef.h>

/* Memory for Strassen's sums, of all products of a call. Zeroed is none. */
struct pdgemm_workspace {
    double *values; /* owned */
    size_t room;
};

/* Enough for the layout's products. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_workspace_init(struct pdgemm_workspace *workspace,
                                        const struct pdgemm_layout *layout, double beta,
                                        struct mt_error *err);
void pdgemm_workspace_clear(struct pdgemm_workspace *workspace);

/* A machine of malloc() and mt_strassen_dgemm_with(). */
struct mt_pdgemm_machine pdgemm_own_machine(struct pdgemm_workspace *workspace);

#endif
