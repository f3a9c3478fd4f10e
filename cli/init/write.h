/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write.h - the files that 'motley init' writes for users to go on from.
 */
#ifndef MT_INIT_WRITE_H
#define MT_INIT_WRITE_H

#include "sources.h"

#include <stdio.h>

/*
 * Write a cluster file with comments that explain it: nodes with the same cores,
 * memory, features and partitions make a group. `origin` is for a comment: "this
 * machine". MT_EINVAL for a file that is there already, which is left as it is, and for
 * more than MT_MAX_GROUPS groups. What was written is read again as a check.
 */
MT_MUST_CHECK int mt_init_write_cluster(const struct mt_found_nodes *found,
                                        const char *path, const char *origin,
                                        struct mt_error *err);
/* Likewise a program file. */
MT_MUST_CHECK int mt_init_write_program(const char *path, struct mt_error *err);

/* Begin a file; MT_EINVAL: there is such a file already. */
MT_MUST_CHECK int mt_init_create(FILE **file, const char *path, struct mt_error *err);
/* Close a program file and read it again; one that is not good is removed. */
MT_MUST_CHECK int mt_init_finish_program(FILE *file, const char *path,
                                         struct mt_error *err);

#endif
