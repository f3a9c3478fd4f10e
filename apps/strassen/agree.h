/* SPDX-License-Identifier: BSD-3-Clause */
/* strassen_agree.h - one voice for what went wrong on some ranks. */
#ifndef MT_APPS_STRASSEN_AGREE_H
#define MT_APPS_STRASSEN_AGREE_H

#include <motley/error.h>

#include <stdbool.h>

/* Whether `status` is MT_OK on all ranks; if not, the first one where it is not prints
   its error. Collective. */
bool strassen_agree(int status, const struct mt_error *err);

#endif
