/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - SimGrid's picture of the nodes that a run uses: one link for each node,
 * what these links lead to, and the properties that apps/work.h reads.
 */
#ifndef MT_CLI_PLATFORM_H
#define MT_CLI_PLATFORM_H

#include "launcher.h"

enum { MT_PLATFORM_NAME = 32 };

/* SimGrid's name of a group's node, both from 0: a name that a cluster file gives may
   have letters that XML has not. */
void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node);

/* Write the platform (XML) of the launch's configuration. */
MT_MUST_CHECK int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                                    struct mt_error *err);

#endif
