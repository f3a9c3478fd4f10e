/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources.h - where 'motley init' finds nodes. `found` must be empty; on failure it
 * holds what was found so far.
 */
#ifndef MT_INIT_SOURCES_H
#define MT_INIT_SOURCES_H

#include "nodes.h"

/*
 * A hostfile as Open MPI ("host slots=4"), MPICH ("host:4") or anybody ("host 4", or
 * one host a line, once for each slot) writes it.
 */
MT_MUST_CHECK int mt_init_from_hostfile(struct mt_found_nodes *found, const char *path,
                                        struct mt_error *err);
/* Slurm's nodes, as sinfo lists them. MT_ENOTFOUND: there is no sinfo; MT_EIO: it does
   not answer. */
MT_MUST_CHECK int mt_init_from_slurm(struct mt_found_nodes *found,
                                     struct mt_error *err);
/* This machine, as hwloc sees it. */
MT_MUST_CHECK int mt_init_from_machine(struct mt_found_nodes *found,
                                       struct mt_error *err);

#endif
