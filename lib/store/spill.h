/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spill.h - where runs go that the store does not take. A spill file is a store itself,
 * without a write-ahead log: beside the other one, or else in the user's own folder.
 */
#ifndef MT_STORE_SPILL_H
#define MT_STORE_SPILL_H

#include "motley/error.h"

/* The path of the store from the root, through no link but that of its own name, by
   which its spill files are called; the caller frees it. NULL: its folder is not there.
 */
MT_MUST_CHECK int mt_spill_place(char **place, const char *path, struct mt_error *err);

#endif
